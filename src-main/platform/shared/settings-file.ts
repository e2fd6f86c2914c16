import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Settings } from '../../ports.ts'

/** Whole and atomically, for its owner alone; keys are names, not paths. */
const settingsFile = {
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
  clearInvalidConfig: false,
} as const

/** What conf and electron-store have in common. */
interface Store {
  get(key: string): unknown
  set(key: string, value: unknown): void
  delete(key: string): void
}

/**
 * The settings of a profile, in its `settings.json` (mode 0600), by the store that the shell opens with these options.
 * A file that is no JSON object is put aside first, then begun anew; `damaged` names the copy.
 */
export function keepSettings(
  profile: string,
  clock: Clock,
  open: (options: typeof settingsFile & { cwd: string }) => Store,
): Settings {
  removeHalfWritten(profile)
  const damaged = putDamagedAside(profile, clock)
  const store = open({ ...settingsFile, cwd: profile })
  return {
    damaged,
    get: (key) => store.get(key),
    set: (key, value) => {
      if (value === undefined) store.delete(key)
      else store.set(key, value)
    },
  }
}

/** What a killed core was writing when it was killed: it can hold connections that have been removed since. */
function removeHalfWritten(profile: string): void {
  for (const name of readdirSync(profile))
    if (name.startsWith('settings.json.tmp-')) rmSync(path.join(profile, name), { force: true })
}

/**
 * Copies a settings file that is no JSON object to `settings.damaged-<time>.json`, then removes it, so that it can be
 * begun anew; answers the path of the copy. Null when there is nothing wrong with it.
 */
function putDamagedAside(profile: string, clock: Clock): string | null {
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
