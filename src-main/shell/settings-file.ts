import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../../src-shared/clock.ts'

/** How both shells keep `settings.json`: whole and atomically, for its owner alone; keys are names, not paths. */
export const settingsFile = {
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
  clearInvalidConfig: false,
} as const

/**
 * Copies a settings file that is no JSON object to `settings.damaged-<time>.json`, then removes it, so that it can be
 * begun anew; answers the path of the copy. Null when there is nothing wrong with it.
 */
export function putDamagedAside(profile: string, clock: Clock): string | null {
  const file = path.join(profile, 'settings.json')
  if (!existsSync(file)) return null
  chmodSync(file, 0o600)
  if (isObject(readFileSync(file, 'utf8'))) return null
  const time = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')
  const copy = path.join(profile, `settings.damaged-${time}.json`)
  copyFileSync(file, copy)
  rmSync(file)
  return copy
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
