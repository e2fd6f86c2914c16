import { defaultSettings } from '../../src-shared/model/settings.ts'
import type { Banners } from '../ipc/banners.ts'
import type { Publisher } from '../ipc/publish.ts'
import type { Ports } from '../ports.ts'
import { openOperatorSettings, type OperatorSettings } from './settings.ts'

/** Opens the operator's settings, and reports what cannot be read or written. */
export function openSettings(
  { settings: file, clock }: Pick<Ports, 'settings' | 'clock'>,
  isDemo: boolean,
  banners: Banners,
  publisher: Publisher,
): OperatorSettings {
  const settings = openOperatorSettings({
    file,
    clock,
    defaults: defaultSettings(isDemo),
    onUnwritten: (fault) =>
      fault === null ? banners.remove('settings-unwritten') : banners.show('settings-unwritten', 'warning', fault),
  })
  if (settings.unread.length > 0)
    banners.show('settings-usual', 'warning', { kind: 'settings-usual', detail: settings.unread.join(', ') })
  settings.onChange((now) => publisher.send('settings', now))
  return settings
}
