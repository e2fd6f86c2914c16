import { defaultSettings } from '../../src-shared/model/settings.ts'
import type { Banners } from '../ipc/banners.ts'
import type { Publisher } from '../ipc/publish.ts'
import type { Ports } from '../ports.ts'
import type { SharedSettingData } from '../inventory/thread/shared-setting-protocol.ts'
import { openOperatorSettings } from './settings.ts'
import { openTeamSettings, ownSettings, type MemberSettings } from './team-settings.ts'

/** Opens the operator's settings, and reports what cannot be read or written. `team`: the calls of a team's data, if there is one. */
export async function openSettings(
  { settings: file, clock, log }: Pick<Ports, 'settings' | 'clock' | 'log'>,
  isDemo: boolean,
  banners: Banners,
  publisher: Publisher,
  team: SharedSettingData | null,
): Promise<MemberSettings> {
  const defaults = defaultSettings(isDemo)
  const own = openOperatorSettings({
    file,
    clock,
    defaults,
    onUnwritten: (fault) =>
      fault === null ? banners.remove('settings-unwritten') : banners.show('settings-unwritten', 'warning', fault),
  })
  if (own.unread.length > 0)
    banners.show('settings-usual', 'warning', { kind: 'settings-usual', detail: own.unread.join(', ') })
  const settings = team === null ? ownSettings(own) : await openTeamSettings({ own, defaults, data: team, log })
  settings.onChange((now) => publisher.send('settings', now))
  return settings
}
