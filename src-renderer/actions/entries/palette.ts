import { item, type Item } from '../../app/palette/item.ts'
import { many } from '../../lib/format/numbers.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { DeviceActions, Subject } from '../device-actions.ts'
import { kindLabels } from '../labels.ts'
import { among, armedOf, offText, reasonAgainst, sizeReason, tenantOfNode, tenantsOf } from '../offers.ts'

interface Context {
  deviceActions: DeviceActions
  connections: readonly ConnectionState[]
  /** The selected devices, or else the present one. */
  subject: Subject | null
  /** How many are selected; 0 for the present one. */
  selected: number
  /** Id of the inventory's scope; null for all tenants. */
  scope: string | null
  toScreen: () => void
}

const group = 'Actions'

/** Returns the palette's actions on devices and places, and those that arm and lock. */
export function actionItems(context: Context): readonly Item[] {
  return [...deviceItems(context), ...placeItems(context), ...lockItems(context), ...screenItems(context)]
}

function deviceItems({ deviceActions, connections, subject, selected }: Context): readonly Item[] {
  const hint = selected > 0 ? `${many(selected, 'device')} selected` : 'the selected device'
  return (['reboot', 'rename', 'move'] as const).map((kind) =>
    item({
      id: `action ${kind}`,
      group,
      label: `${kindLabels[kind]}…`,
      also: 'device restart name site room action',
      hint,
      reason:
        subject === null
          ? 'Choose a device first.'
          : sizeReason(subject) ||
            reasonAgainst(deviceActions.state.get(), kind, tenantsOf(subject.targets), connections),
      run: () => subject !== null && deviceActions.ask({ what: 'devices', kind, subject }),
    }),
  )
}

function placeItems({ deviceActions, connections, scope }: Context): readonly Item[] {
  const tenant = scope === null ? null : tenantOfNode(scope)
  const state = deviceActions.state.get()
  const reason = (kind: 'site' | 'room') =>
    tenant === null ? 'Choose a tenant first.' : reasonAgainst(state, kind, [tenant], connections)
  return [
    item({
      id: 'action csv',
      group,
      label: 'Change devices from a CSV file…',
      also: 'rename move import spreadsheet',
      reason: reasonAgainst(state, 'update', null, connections),
      run: () => deviceActions.ask({ what: 'csv' }),
    }),
    item({
      id: 'action site',
      group,
      label: 'New site…',
      also: 'create place',
      reason: reason('site'),
      run: () => tenant !== null && deviceActions.ask({ what: 'site', tenant, site: null, account: null }),
    }),
    item({
      id: 'action room',
      group,
      label: 'New room…',
      also: 'create place',
      reason: reason('room'),
      run: () => tenant !== null && deviceActions.ask({ what: 'room', tenant, room: null, site: null }),
    }),
  ]
}

function lockItems({ deviceActions, scope, subject }: Context): readonly Item[] {
  const state = deviceActions.state.get()
  const own = scope === null ? null : tenantOfNode(scope)
  const tenants = own === null ? (subject === null ? null : tenantsOf(subject.targets)) : [own]
  const [tenant, ...more] = tenants === null || state === null ? [] : among(state, tenants)
  const one = tenant !== undefined && more.length === 0 ? tenant : null
  return [
    item({
      id: 'action arm',
      group,
      label: one === null ? 'Arm a tenant…' : 'Arm this tenant…',
      also: 'unlock write enable read-only',
      hint: one?.name ?? '',
      reason: offText(state) || (one === null || one.armedUntil === null ? '' : 'It is armed.'),
      run: () => (one === null ? openLock() : deviceActions.ask({ what: 'arm', tenants: [one.tenant] })),
    }),
    item({
      id: 'action lock',
      group,
      label: 'Lock all tenants',
      also: 'read-only disarm',
      reason: armedOf(state).length === 0 ? 'All tenants are read-only.' : '',
      run: () => void deviceActions.lock(null),
    }),
  ]
}

/** Opens the list of tenants in the title bar, after the palette has returned the focus. */
function openLock(): void {
  afterFrames(() => {
    const lock = document.getElementById('lock')
    lock?.focus()
    lock?.click()
  })
}

function screenItems({ toScreen, deviceActions }: Context): readonly Item[] {
  return [
    item({
      id: 'screen actions',
      group: 'Go to',
      label: 'Actions',
      also: 'screen jobs history reboots renames',
      hint: many(deviceActions.state.get()?.jobs.length ?? 0, 'recent action'),
      run: () => {
        toScreen()
        afterFrames(() => document.getElementById('actions')?.focus())
      },
    }),
  ]
}
