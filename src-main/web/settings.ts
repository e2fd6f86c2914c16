import Conf from 'conf'
import type { Clock } from '../../src-shared/clock.ts'
import type { Settings } from '../ports.ts'
import { putDamagedAside, settingsFile } from '../shell/settings-file.ts'

/**
 * The settings of a profile, in `settings.json` (mode 0600, written whole and atomically by conf). A file that is no
 * JSON object is copied to `settings.damaged-<time>.json` first, then begun anew; `damaged` names the copy.
 */
export function openSettings(profile: string, clock: Clock): Settings {
  const damaged = putDamagedAside(profile, clock)
  const store = new Conf<Record<string, unknown>>({ ...settingsFile, cwd: profile, configName: 'settings' })
  return {
    damaged,
    get: (key) => store.get(key),
    set: (key, value) => {
      if (value === undefined) store.delete(key)
      else store.set(key, value)
    },
  }
}
