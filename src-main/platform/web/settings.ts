import Conf from 'conf'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Settings } from '../../ports.ts'
import { keepSettings } from '../shared/settings-file.ts'

/** The settings of a profile by conf, in the same file and format as the Electron shell's. */
export function openSettings(profile: string, clock: Clock): Settings {
  return keepSettings(
    profile,
    clock,
    (options) => new Conf<Record<string, unknown>>({ ...options, configName: 'settings' }),
  )
}
