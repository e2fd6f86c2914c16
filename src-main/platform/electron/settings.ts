import Store from 'electron-store'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Settings } from '../../ports.ts'
import { keepSettings } from '../shared/settings-file.ts'

/** The settings of a profile by electron-store, in the same file and form as the web shell's. */
export function openSettings(profile: string, clock: Clock): Settings {
  return keepSettings(profile, clock, (options) => new Store<Record<string, unknown>>({ ...options, name: 'settings' }))
}
