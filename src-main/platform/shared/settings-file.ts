import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Settings } from '../../ports.ts'

/** Options of the store: written atomically, readable by its owner only; keys are names, not paths. */
const settingsFile = {
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
  clearInvalidConfig: false,
} as const

/** The common interface of conf and electron-store. */
interface Store {
  get(key: string): unknown
  set(key: string, value: unknown): void
  delete(key: string): void
}

/**
 * The settings of a profile, in its `settings.json` (mode 0600), by the store that the shell opens with these options.
 * A file that is not a JSON object is set aside first; `damaged` is the path of its copy.
 */
export function keepSettings(
  profile: string,
  clock: Clock,
  open: (options: typeof settingsFile & { cwd: string }) => Store,
): Settings {
  removePartialWrites(profile)
  const damaged = setAsideDamaged(profile, clock)
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

/** Removes partial writes of a killed core: they can contain connections that were removed since. */
function removePartialWrites(profile: string): void {
  for (const name of readdirSync(profile))
    if (name.startsWith('settings.json.tmp-')) rmSync(path.join(profile, name), { force: true })
}

/**
 * Copies a settings file that is not a JSON object to `settings.damaged-<time>.json`, then removes it. Returns the path
 * of the copy; null when the file is valid.
 */
function setAsideDamaged(profile: string, clock: Clock): string | null {
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
