import type { BaseField } from '../../../src-shared/model/base-fields.ts'
import { smallest } from '../../../src-shared/lib/extremes.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { placesByIdsOperation, readDevicesByIds, type DeviceById } from '../../api/devices-by-ids.ts'
import { maxByIds } from '../../api/operations.ts'
import type { PlaceIds } from '../../inventory/thread/update-protocol.ts'
import type { SyncContext } from '../context.ts'
import { pacedMs } from '../tenants/sync-cost.ts'

/** Devices within this many ms are read together. */
const collectMs = 100
/** Delay after a read that only confirmed what was known, or failed, ms; doubled each time. */
const [firstRetryMs, maxRetryMs] = [30_000, 30 * 60_000]

const backOff = (times: number): number => Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(times - 1, 10))

/**
 * Devices whose events name a place that Muster does not know by name, none (`null`), or another tenant: neither is a
 * move by itself. They are read by their ids, many together, at no more than the share of points for such reads; a
 * device is read less and less often while the answers only confirm its place, and so are nulls of all devices, because
 * then the service has no ids to send.
 */
export interface PlaceReads {
  /** Returns whether they will be read: false where the service has no devices by their ids. */
  add(devices: readonly UncertainPlace[]): boolean
  stop(): void
}

/**
 * `known`: the ids of the place where it stands, `named`: those of its event. Both are null where the event names
 * another tenant: nothing of it counts, and each one leads to a read.
 */
export interface UncertainPlace {
  tenant: string
  id: string
  known: PlaceIds | null
  named: PlaceIds | null
}

/** Called where a device is read in another tenant than the known one. */
export type OnElsewhere = (known: string, other: string) => void

interface Uncertain {
  device: UncertainPlace
  isWaiting: boolean
  confirmations: number
  /** Monotonic ms. */
  due: number
}

interface State {
  sync: SyncContext
  onElsewhere: OnElsewhere
  devices: Map<string, Uncertain>
  /** Consecutive failures of requests, and of nulls that no answer has confirmed as a move. */
  failures: number
  idleNulls: number
  /** The earliest next read, and that of nulls, monotonic ms. */
  freeAt: number
  nullsFreeAt: number
  isRunning: boolean
  cancel: () => void
}

export function startPlaceReads(sync: SyncContext, onElsewhere: OnElsewhere): PlaceReads {
  const { clock } = sync.options
  const counts = { failures: 0, idleNulls: 0, freeAt: 0, nullsFreeAt: 0 }
  const state: State = { sync, onElsewhere, devices: new Map(), ...counts, isRunning: false, cancel: () => {} }
  return {
    add(devices) {
      // Without devices by their ids, the next page brings the place.
      if (sync.priorities.idType() === null) return false
      const due = clock.monotonic() + collectMs
      for (const device of devices) {
        const key = JSON.stringify([device.tenant, device.id])
        const before = state.devices.get(key)
        const isRepeated = before !== undefined && device.named !== null && isSame(before.device.named, device.named)
        state.devices.set(
          key,
          isRepeated ? { ...before, isWaiting: true } : { device, isWaiting: true, confirmations: 0, due },
        )
      }
      plan(state)
      return true
    },
    stop() {
      state.cancel()
      state.devices.clear()
    },
  }
}

const isSame = (one: PlaceIds | null, other: PlaceIds) => one?.site === other.site && one.room === other.room
const isNull = ({ device: { named } }: Uncertain) => named !== null && (named.site === null || named.room === null)

const dueOf = (state: State, each: Uncertain): number =>
  Math.max(state.freeAt, each.due, isNull(each) ? state.nullsFreeAt : 0)

function plan(state: State): void {
  const { clock } = state.sync.options
  state.cancel()
  forgetOld(state)
  const waiting = [...state.devices.values()].filter(({ isWaiting }) => isWaiting)
  if (state.isRunning || waiting.length === 0 || state.sync.signal.aborted) return
  const due = smallest(waiting.map((each) => dueOf(state, each)))
  state.cancel = clock.after(Math.max(0, due - clock.monotonic()), () => {
    state.isRunning = true
    void readNext(state)
      .then(() => {
        state.failures = 0
      })
      .catch(() => {
        state.failures += 1
        state.freeAt = clock.monotonic() + backOff(state.failures)
        state.sync.options.log('info', 'places of devices are read later')
      })
      .finally(() => {
        state.isRunning = false
        plan(state)
      })
  })
}

/** Devices that were confirmed are remembered until they may be read again. */
function forgetOld({ sync, devices }: State): void {
  const now = sync.options.clock.monotonic()
  for (const [key, { isWaiting, due }] of devices) if (!isWaiting && due <= now) devices.delete(key)
}

/** Reads those that are due, ids before nulls. What fails stays. */
async function readNext(state: State): Promise<void> {
  const { sync, devices } = state
  const { clock, pacer } = sync.options
  const now = clock.monotonic()
  const idType = sync.priorities.idType()
  const capabilities = sync.reader.tenants()?.capabilities
  if (idType === null || capabilities === undefined) return devices.clear()
  const due = [...devices].filter(([, each]) => each.isWaiting && dueOf(state, each) <= now)
  // An id that two tenants have means neither of them.
  const isClear = ([, { device }]: [string, Uncertain]) => sync.devices.tenantsOf(device.id).length < 2
  for (const [key] of due.filter((each) => !isClear(each))) devices.delete(key)
  const batch = due
    .filter(isClear)
    .toSorted(([, one], [, other]) => Number(isNull(one)) - Number(isNull(other)))
    .slice(0, maxByIds)
  if (batch.length === 0) return
  const operation = placesByIdsOperation(batch.length, idType, capabilities)
  state.freeAt = now + pacedMs(sync, pacer.costs.quote(operation.shape, batch.length).likely)
  const ids = batch.map(([, { device }]) => device.id)
  const answers = await request(state, operation, ids)
  for (const [index, [key, each]] of batch.entries()) settle(state, key, each, answers[index] ?? null)
}

async function request(
  state: State,
  operation: ReturnType<typeof placesByIdsOperation>,
  ids: readonly string[],
): Promise<(DeviceById | null)[]> {
  const { api, clock, order, queues } = state.sync.options
  const asked = { requestOrder: order(), requestedAt: clock.now() }
  const { data, errors } = await api.run({
    operation,
    variables: Object.fromEntries(ids.map((id, index) => [`i${index}`, id])),
    lane: 'visible',
    size: ids.length,
    signal: state.sync.signal,
  })
  if (data === null || data === undefined) throw new FaultError('no-data', 'no devices by their ids')
  const answers = readDevicesByIds(data, ids, errors)
  await queues.writtenBefore(asked.requestOrder)
  await write(state, answers, asked)
  return answers
}

/** Forgets a device that has moved, and waits with one whose place was confirmed. */
function settle(state: State, key: string, each: Uncertain, answer: DeviceById | null): void {
  const { device } = each
  const current = state.devices.get(key)
  const read = answer && { site: answer.device.site?.id ?? null, room: answer.device.room?.id ?? null }
  const hasMoved = read !== null && device.known !== null && !isSame(device.known, read)
  if (isNull(each)) {
    state.idleNulls = hasMoved ? 0 : state.idleNulls + 1
    if (!hasMoved) state.nullsFreeAt = nullsDue(state)
  }
  // Meanwhile another event has named another place.
  if (current?.device !== device) return
  if (hasMoved) return void state.devices.delete(key)
  const confirmations = each.confirmations + 1
  const due = state.sync.options.clock.monotonic() + backOff(confirmations)
  // An answer may be older than the event that named a place: it is read once more.
  state.devices.set(key, { device, confirmations, due, isWaiting: confirmations === 1 && !isNull(each) })
}

/** A few devices that are in no place, or were read too early, delay nothing. */
const nullsDue = ({ sync, idleNulls }: State): number =>
  sync.options.clock.monotonic() + (idleNulls < maxByIds ? 0 : backOff(Math.floor(idleNulls / maxByIds)))

async function write(
  { sync, onElsewhere }: State,
  answers: readonly (DeviceById | null)[],
  asked: { requestOrder: number; requestedAt: number },
): Promise<void> {
  const { data, service, clock, publish } = sync.options
  const tenants = Map.groupBy(
    answers.filter((answer) => answer !== null),
    ({ device: { id } }) => sync.devices.tenantsOf(id)[0],
  )
  for (const [tenant, found] of tenants) {
    if (tenant === undefined) continue
    const own = found.filter((answer) => answer.tenant === null || answer.tenant === tenant)
    for (const answer of found)
      if (answer.tenant !== null && answer.tenant !== tenant) onElsewhere(tenant, answer.tenant)
    if (own.length === 0) continue
    const facts = own.flatMap(({ device }) => reading(device))
    publish(await data.reconciliation({ service, tenant, ...asked, at: clock.now(), partial: true, devices: facts }))
  }
}

/** Returns what an answer says of a device; nothing where its status failed. */
function reading(device: DeviceById['device']) {
  const isReported = (field: BaseField) => device.failed?.includes(field) !== true
  if (!isReported('connected')) return []
  const { id, connected, lastDetected, name, site, room } = device
  const isPlaced = isReported('site') && isReported('room')
  return [
    { id, connected, lastDetected, ...(isReported('name') && { name }), ...(isPlaced && { place: { site, room } }) },
  ]
}
