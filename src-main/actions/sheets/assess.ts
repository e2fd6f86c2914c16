import {
  obstacles as inOrder,
  type DeviceValues,
  type JobKind,
  type Obstacle,
  type SheetRow,
} from '../../../src-shared/model/jobs.ts'
import type { Sender } from '../../connections/senders.ts'
import type { ActionDevice } from '../../inventory/thread/job-protocol.ts'
import { neededFor, type Chosen, type SenderChoice } from '../choose-sender.ts'
import type { ActionTenants } from '../tenants.ts'
import type { Draft } from './targets/drafts.ts'

/** A row of a sheet, with what sends it. */
export interface PreparedRow extends SheetRow {
  /** The service's id of the device; '' for a place, and where no device is known. */
  id: string
  /** Null where none can act on it. */
  sender: Sender | null
}

export interface AssessOptions {
  tenants: Pick<ActionTenants, 'get'>
  choice: SenderChoice
  isArmed: (tenant: string) => boolean
  isBusy: (device: string) => boolean
}

export interface Assessment {
  kind: JobKind
  /** A reboot includes linked devices. */
  linkedDevices: boolean
}

/** Returns the rows of drafts, each with the first obstacle in the order of the model; `in-call` is not known yet. */
export function assess(options: AssessOptions, as: Assessment, drafts: readonly Draft[]): PreparedRow[] {
  const choose = chooserOf(options, as)
  return drafts.map((given) => {
    const { device } = given
    const draft = { ...given, after: device === null ? given.after : changesOf(device, given.after) }
    const chosen = device === null ? null : choose(device, draft.after)
    return rowOf(
      draft,
      obstacleOf(options, as, draft, chosen),
      chosen !== null && 'sender' in chosen ? chosen.sender : null,
    )
  })
}

/** Leaves out what stays, so that nothing is sent that a service may not offer. All of it, where nothing is changed. */
function changesOf(device: ActionDevice, after: DeviceValues): DeviceValues {
  const { name, site, room } = after
  const moves = site !== undefined && site?.id !== device.site?.id
  const changes: DeviceValues = {
    ...(name !== undefined && name !== device.name && { name }),
    ...(moves && { site }),
    // Two sites may each have a room of the same id.
    ...(room !== undefined && (moves || room?.id !== device.room?.id) && { room }),
  }
  return Object.keys(changes).length === 0 ? after : changes
}

function rowOf(
  { device, name, key, line, after }: Draft,
  obstacle: Obstacle | null,
  sender: Sender | null,
): PreparedRow {
  return {
    key,
    id: device?.id ?? '',
    line,
    name,
    tenant: device?.tenant ?? { key: '', name: '' },
    site: device?.site ?? null,
    room: device?.room ?? null,
    status: device?.status ?? 'unknown',
    call: 'unknown',
    before: device === null ? {} : valuesNow(device, after),
    after,
    obstacle,
    sender,
  }
}

/** Returns what a device has now of the values that are changed. */
export const valuesNow = (device: Pick<ActionDevice, 'name' | 'site' | 'room'>, after: DeviceValues): DeviceValues => ({
  ...(after.name !== undefined && { name: device.name }),
  ...(after.site !== undefined && { site: device.site }),
  ...(after.room !== undefined && { room: device.room }),
})

function obstacleOf(
  { isArmed, isBusy }: AssessOptions,
  { kind }: Assessment,
  { device, after, obstacles }: Draft,
  chosen: Chosen | null,
): Obstacle | null {
  const found = new Set<Obstacle>(obstacles)
  if (device !== null) {
    if (kind === 'reboot' && device.status === 'disconnected') found.add('offline')
    if (kind === 'reboot' && device.status === 'unknown') found.add('unknown')
    // A place that was not found is no wish for the present one.
    if (kind !== 'reboot' && obstacles.length === 0 && isSame(device, after)) found.add('unchanged')
    if (chosen !== null && 'obstacle' in chosen) found.add(chosen.obstacle)
    if (!isArmed(device.tenant.key)) found.add('not-armed')
    if (isBusy(device.key)) found.add('busy')
  }
  return inOrder.find((each) => found.has(each)) ?? null
}

const isSame = (device: ActionDevice, { name, site, room }: DeviceValues): boolean =>
  (name === undefined || name === device.name) &&
  (site === undefined || site?.id === device.site?.id) &&
  (room === undefined || room?.id === device.room?.id)

/** Returns how a sender is chosen: thousands of devices have few tenants and sets of connections. */
function chooserOf(
  { tenants, choice }: AssessOptions,
  { kind, linkedDevices }: Assessment,
): (device: ActionDevice, after: DeviceValues) => Chosen {
  const known = new Map<string, Chosen>()
  return (device, after) => {
    const entry = JSON.stringify([device.tenant.key, device.connections, Object.keys(after)])
    const before = known.get(entry)
    if (before !== undefined) return before
    const tenant = tenants.get(device.tenant.key) ?? { senders: [] }
    const chosen = choice.chooseSender(tenant, device.connections, kind, neededFor(kind, linkedDevices, after))
    known.set(entry, chosen)
    return chosen
  }
}
