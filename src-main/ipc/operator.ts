import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { IncidentRunner } from '../incidents/runner.ts'
import type { MemberSettings } from '../settings/team-settings.ts'
import type { OperatorViews } from '../settings/views.ts'
import type { Banners } from './banners.ts'

/** Calls for the operator's settings, views and banners. */
export function operatorHandlers(
  settings: Pick<MemberSettings, 'change'>,
  views: OperatorViews,
  alerts: IncidentRunner,
  banners: Banners,
): Pick<
  Handlers,
  | 'settings.change'
  | 'notifications.pause'
  | 'notifications.delivered'
  | 'banners.dismiss'
  | `views.${'save' | 'remove'}`
> {
  return {
    'banners.dismiss': async ({ id }) => {
      banners.remove(id)
      return {}
    },
    'settings.change': async (changed) => {
      await settings.change(changed)
      return {}
    },
    'notifications.pause': async ({ minutes }) => {
      await alerts.pause(minutes)
      return {}
    },
    'notifications.delivered': async ({ id, at, shown }) => {
      await alerts.confirmDelivery(id, at, shown)
      return {}
    },
    'views.save': async (view) => {
      await views.save(view)
      return {}
    },
    'views.remove': async ({ id }) => {
      await views.remove(id)
      return {}
    },
  }
}
