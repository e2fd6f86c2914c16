import type { TeamSettingsChange } from '../../../src-shared/model/team-settings.ts'
import type { CallOrder } from './call-order.ts'

/** The data thread's calls about the settings of a team (protocol.ts). The caller checks the shape of what is read. */
export interface SharedSettingData {
  sharedSettings(): Promise<{ name: string; value: unknown }[]>
  /**
   * Changes settings, all or none. Fails with `input` for a list that would be too long. `isFirst`: does nothing where the
   * team has settings already.
   */
  saveSharedSettings(input: TeamSettingsChange & { isFirst?: boolean }): Promise<void>
}

export const sharedSettingCallOrder: { readonly [N in keyof SharedSettingData]: CallOrder } = {
  sharedSettings: 'ordered',
  saveSharedSettings: 'ordered',
}
