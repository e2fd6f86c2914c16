import Store from 'electron-store'
import type { Clock } from '../../src-shared/clock.ts'
import type { Settings } from '../ports.ts'
import { putDamagedAside, settingsFile } from '../shell/settings-file.ts'

/** The settings of a profile by electron-store, in the same file and form as the web shell's. */
export function openSettings(profile: string, clock: Clock): Settings {
  const damaged = putDamagedAside(profile, clock)
  const store = new Store<Record<string, unknown>>({ ...settingsFile, cwd: profile, name: 'settings' })
  return {
    damaged,
    get: (key) => store.get(key),
    set: (key, value) => {
      if (value === undefined) store.delete(key)
      else store.set(key, value)
    },
  }
}
