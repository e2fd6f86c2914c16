import type { DeviceRow, DeviceStatus } from '../../../src-shared/model/inventory.ts'
import type { Answers } from '../../../src-service/faults/contrary/answers.ts'
import { nameOf } from '../../../src-service/faults/contrary/fields/fields.ts'
import type { Device } from '../../../src-service/world/device.ts'
import { excusesOf } from './excuses.ts'
import { fieldsThatDiffer, type Difference, type State } from './fields.ts'
import type { Far } from './far.ts'
import type { Near } from './near.ts'
import { treeDiffers } from './tree.ts'

/** An empty list is doubted for an hour (docs/sync.md), with a fault meanwhile. */
export const lastOnes = ', the last ones of their tenant'

/** The findings of one comparison with the console. */
export interface Look {
  /** The wrongly shown data. */
  different: string[]
  /** The part of it that nothing excuses: no fault, no older value, no missing field, no lost connection, no running reconciliation. */
  unsaid: string[]
  /** Errors, in words. */
  said: string[]
}

/** Lays what the console shows against the service's world, and against what it says of itself. */
export function lookAt(far: Far, near: Near, now: number, refreshMs = 2 * 60_000): Look {
  const { is } = far.contrary
  const state: State = { ...near.runner.sync.state(), now, refreshMs }
  const { rows } = near.calls.rows({ query: { scope: 'all', filter: '', sort: [] }, offset: 0, limit: 10_000, now })
  const { contrary } = far
  const asTold = (device: Device) => ({
    ...device,
    id: contrary.ids.reported(device),
    name: nameOf(contrary, device) ?? '',
  })
  const devices = far.world.devices().map(asTold)
  const past = far.past.map(asTold)
  const perTenant = far.world.tenants().map((tenant) => {
    const ofTenant = ({ tenantId }: Device) => tenantId === tenant.id
    const truth = { now: devices.filter(ofTenant), past: past.filter(ofTenant) }
    const shown = new Map(rows.filter((row) => row.tenant.id === tenant.id).map((row) => [row.id, row]))
    return differencesIn(truth, shown, is, {
      ...state,
      faults: state.faults.filter(({ where }) => where === tenant.name || general.has(where)),
    })
  })
  const tree = treeDiffers(near.calls, rows)
  const [different, unsaid] = [perTenant.flatMap((each) => each.different), perTenant.flatMap((each) => each.unsaid)]
  return {
    different: [...different, ...tree],
    unsaid: [...unsaid, ...tree],
    said: [
      ...state.faults.map(({ where, fault }) => `${where}: ${fault.kind} ${fault.detail}`),
      `link ${state.link.state}`,
    ],
  }
}

const general: ReadonlySet<string> = new Set([
  'the service',
  'the list of tenants',
  'the live connection',
  'this computer',
])

/** The devices of a tenant as they are, and as they were before anything about them changed. */
interface Truth {
  now: readonly Device[]
  past: readonly Device[]
}

/** The faults of `state` are those that concern the tenant. */
function differencesIn(
  { now, past }: Truth,
  shown: ReadonlyMap<string, DeviceRow>,
  is: Readonly<Answers>,
  state: State,
): Pick<Look, 'different' | 'unsaid'> {
  const excuses = excusesOf(state.faults)
  const lost = now.filter(({ id }) => !shown.has(id)).length
  const extra = [...shown.keys()].filter((id) => now.every((device) => device.id !== id))
  const gone = extra.filter((id) => past.some((device) => device.id === id)).length
  const never = extra.length - gone
  const all = [
    ...(lost > 0 ? [{ words: `${lost} of ${now.length} devices are not shown`, said: excuses.lists }] : []),
    ...(gone > 0
      ? [
          {
            words: `${gone} devices are shown that are not there any more${now.length === 0 ? lastOnes : ''}`,
            said: excuses.lists,
          },
        ]
      : []),
    ...(never > 0 ? [{ words: `${never} devices are shown that never were there`, said: false }] : []),
    ...now.flatMap((device) => {
      const row = shown.get(device.id)
      if (row === undefined) return []
      const former = past.filter(({ id }) => id === device.id)
      return [
        ...fieldsThatDiffer({ device, former, row, is, state, excuses }),
        ...statusThatDiffers(device, row, state),
      ]
    }),
  ]
  return { different: all.map(({ words }) => words), unsaid: all.filter(({ said }) => !said).map(({ words }) => words) }
}

const statusOf = ({ connected }: Device): DeviceStatus =>
  connected === null ? 'unknown' : connected ? 'connected' : 'disconnected'

/** A connection open for less than this may not have its subscription confirmed, which starts the reconciliation. */
const comparedWithinMs = 100

/** A wrong status is never said: what is in doubt is unknown. */
function statusThatDiffers(
  device: Device,
  row: DeviceRow,
  { faults, link, sync, now, notOffered = [] }: State,
): Difference[] {
  const status = statusOf(device)
  const isLive = link.state === 'live' && now - link.since > comparedWithinMs
  const inDoubt =
    faults.length > 0 ||
    !isLive ||
    sync.state !== 'idle' ||
    Object.hasOwn(row.staleFields ?? {}, 'connected') ||
    notOffered.includes('connected')
  if (row.status === status) return []
  const words = `${device.id} is shown as ${row.status} and is ${status}`
  return [{ words, said: row.status === 'unknown' && inDoubt }]
}
