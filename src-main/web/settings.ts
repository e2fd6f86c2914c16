import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import Conf from 'conf'
import type { Clock } from '../../src-shared/clock.ts'
import type { Settings } from '../ports.ts'

/**
 * The settings of a profile, in `settings.json` (mode 0600, written whole and atomically by conf). A file that is no
 * JSON object is copied to `settings.damaged-<time>.json` first, then begun anew; `damaged` names the copy.
 */
export function openSettings(profile: string, clock: Clock): Settings {
  const damaged = putAside(profile, clock)
  const store = new Conf<Record<string, unknown>>({
    cwd: profile,
    configName: 'settings',
    configFileMode: 0o600,
    // Keys are names, not paths.
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
  })
  return {
    damaged,
    get: (key) => store.get(key),
    set: (key, value) => {
      if (value === undefined) store.delete(key)
      else store.set(key, value)
    },
  }
}

function putAside(profile: string, clock: Clock): string | null {
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
