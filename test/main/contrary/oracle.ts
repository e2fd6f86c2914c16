import type { DeviceRow, DeviceStatus } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Answers } from '../../../src-service/contrary/answers.ts'
import { nameOf } from '../../../src-service/contrary/names.ts'
import type { Device } from '../../../src-service/world/device.ts'
import type { Far } from './far.ts'
import type { Near } from './near.ts'
import { treeDiffers } from './tree.ts'

/** What one look at the console finds. */
export interface Look {
  /** What is shown otherwise than it is. */
  different: string[]
  /** Of that, what nothing speaks of: a fault, an older value, a field that is not offered, a link that is not live, a comparison under way. */
  unsaid: string[]
  /** Errors, in words. */
  said: string[]
}

type State = Pick<ConnectionState, 'faults' | 'link' | 'sync' | 'notOffered'> & { now: number }

/** Lays what the console shows against the service's world, and against what it says of itself. */
export function lookAt(far: Far, near: Near, now: number): Look {
  const { is } = far.contrary
  const state: State = { ...near.runner.sync.state(), now }
  const { rows } = near.calls.rows({ query: { scope: 'all', filter: '', sort: [] }, offset: 0, limit: 10_000, now })
  const { contrary } = far
  const devices = far.world
    .devices()
    .map((device) => ({ ...device, id: contrary.ids.told(device), name: nameOf(contrary, device) ?? '' }))
  const perTenant = far.world.tenants().map((tenant) => {
    const truth = devices.filter(({ tenantId }) => tenantId === tenant.id)
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

/** The faults of `state` are those that concern the tenant. */
function differencesIn(
  truth: readonly Device[],
  shown: ReadonlyMap<string, DeviceRow>,
  is: Readonly<Answers>,
  state: State,
): Pick<Look, 'different' | 'unsaid'> {
  const lost = truth.filter(({ id }) => !shown.has(id)).length
  const extra = shown.size - (truth.length - lost)
  const isRead = state.faults.some(({ where }) => where !== 'the live connection')
  const all = [
    ...(lost > 0 ? [{ words: `${lost} of ${truth.length} devices are not shown`, said: isRead }] : []),
    ...(extra > 0 ? [{ words: `${extra} devices are shown that are not there`, said: isRead }] : []),
    ...truth.flatMap((device) => differencesOf(device, shown.get(device.id), is, state, isRead)),
  ]
  return { different: all.map(({ words }) => words), unsaid: all.filter(({ said }) => !said).map(({ words }) => words) }
}

const statusOf = ({ connected }: Device): DeviceStatus =>
  connected === null ? 'unknown' : connected ? 'connected' : 'disconnected'

interface Difference {
  words: string
  said: boolean
}

/** A link that has stood no longer than this may not have heard yet that it is subscribed, which is when the comparison begins. */
const comparedWithinMs = 100

/** A wrong status is never said: what is in doubt is unknown. */
function differencesOf(
  device: Device,
  row: DeviceRow | undefined,
  { missingFields }: Readonly<Answers>,
  { faults, link, sync, now, notOffered = [] }: State,
  isRead: boolean,
): Difference[] {
  if (row === undefined) return []
  const older = Object.keys(row.older ?? {})
  const found: Difference[] = []
  const compare = (field: (typeof missingFields)[number], truth: string | null, value: string | null) => {
    const lacks = missingFields.includes(field)
    const said =
      (lacks && notOffered.some((name) => name === field || name.startsWith(`${field}.`))) ||
      (!lacks && (isRead || older.some((name) => name.startsWith(field))))
    if (value !== truth) found.push({ words: `${device.id} has the ${field} ${value} and not ${truth}`, said })
  }
  compare('name', device.name, row.name)
  compare('hardwareModel', device.hardwareModel, row.hardwareModel)
  compare('site', device.site?.name ?? null, row.site?.name ?? null)
  compare('room', device.room?.name ?? null, row.room?.name ?? null)
  const status = statusOf(device)
  const isLive = link.state === 'live' && now - link.since > comparedWithinMs
  const inDoubt =
    faults.length > 0 ||
    !isLive ||
    sync.state !== 'idle' ||
    older.includes('connected') ||
    notOffered.includes('connected')
  if (row.status !== status)
    found.push({
      words: `${device.id} is shown as ${row.status} and is ${status}`,
      said: row.status === 'unknown' && inDoubt,
    })
  return found
}
