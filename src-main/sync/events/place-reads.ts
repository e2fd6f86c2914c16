import type { BaseField } from '../../../src-shared/model/base-fields.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { readDevicesByIds, type DeviceUpdate } from '../../api/decode.ts'
import { maxByIds, placesByIdsOperation } from '../../api/operations.ts'
import type { UnplacedDevice } from '../../inventory/thread/protocol.ts'
import type { SyncContext } from '../context.ts'
import { pacedMs } from '../tenants/sync-cost.ts'

/** Devices within this many ms are read together. */
const collectMs = 100
/** Delay while reads only confirm the known places, ms; doubled each time. */
const [firstRetryMs, maxRetryMs] = [30_000, 30 * 60_000]

/**
 * Devices whose events name a place that Muster does not know by name, or none (`null`): neither is a move by itself.
 * They are read by their ids, many together, at no more than the share of points for such reads; less and less often
 * while the answers only confirm the known places, because then the service sends no valid ids.
 */
export interface PlaceReads {
  add(devices: readonly UnplacedDevice[]): void
  stop(): void
}

interface State {
  sync: SyncContext
  waiting: Map<string, UnplacedDevice>
  /** Consecutive reads without a move, and the earliest next read, monotonic ms. */
  confirmed: number
  freeAt: number
  isRunning: boolean
  cancel: (() => void) | null
}

export function startPlaceReads(sync: SyncContext): PlaceReads {
  const state: State = { sync, waiting: new Map(), confirmed: 0, freeAt: 0, isRunning: false, cancel: null }
  return {
    add(devices) {
      // Without devices by their ids, the next page brings the place.
      if (sync.priorities.idType() === null) return
      for (const device of devices) state.waiting.set(JSON.stringify([device.tenant, device.id]), device)
      plan(state)
    },
    stop() {
      state.cancel?.()
      state.waiting.clear()
    },
  }
}

function plan(state: State): void {
  const { clock } = state.sync.options
  if (state.cancel !== null || state.isRunning || state.waiting.size === 0 || state.sync.signal.aborted) return
  state.cancel = clock.after(Math.max(collectMs, state.freeAt - clock.monotonic()), () => {
    state.cancel = null
    state.isRunning = true
    void readNext(state)
      .catch(() => state.sync.options.log('info', 'places of devices are read with the next page'))
      .finally(() => {
        state.isRunning = false
        plan(state)
      })
  })
}

async function readNext(state: State): Promise<void> {
  const { sync, waiting } = state
  const { clock, pacer } = sync.options
  const idType = sync.priorities.idType()
  const batch = [...waiting].slice(0, maxByIds)
  for (const [key] of batch) waiting.delete(key)
  // An id that two tenants have means neither of them.
  const own = batch.map(([, device]) => device).filter(({ id }) => sync.devices.tenantsOf(id).length < 2)
  if (idType === null || own.length === 0) return
  const { shape } = placesByIdsOperation(own.length, idType)
  const paced = pacedMs(sync, pacer.costs.quote(shape, own.length).likely)
  state.freeAt = clock.monotonic() + paced
  const hasMoved = await read(sync, own, idType)
  state.confirmed = hasMoved ? 0 : state.confirmed + 1
  const delay = hasMoved ? 0 : Math.min(maxRetryMs, firstRetryMs * 2 ** (state.confirmed - 1))
  state.freeAt = clock.monotonic() + Math.max(delay, paced)
}

/** Reads the devices and writes what was read. Returns whether any of them was elsewhere. */
async function read(sync: SyncContext, batch: readonly UnplacedDevice[], idType: string): Promise<boolean> {
  const { api, clock, order, queues } = sync.options
  const requestOrder = order()
  const requestedAt = clock.now()
  const { data, errors } = await api.run({
    operation: placesByIdsOperation(batch.length, idType),
    variables: Object.fromEntries(batch.map(({ id }, index) => [`i${index}`, id])),
    lane: 'visible',
    size: batch.length,
    signal: sync.signal,
  })
  if (data === null || data === undefined) throw new FaultError('no-data', 'no devices by their ids')
  const answers = readDevicesByIds(data, batch.length, errors)
  const found = batch.flatMap((known, index) => {
    const device = answers[index]
    return device?.id === known.id ? [{ known, device }] : []
  })
  await queues.writtenBefore(requestOrder)
  for (const [tenant, own] of Map.groupBy(found, ({ known }) => known.tenant))
    await write(
      sync,
      tenant,
      own.map(({ device }) => device),
      { requestOrder, requestedAt },
    )
  return found.some(
    ({ known, device }) =>
      device.site?.id !== (known.site ?? undefined) || device.room?.id !== (known.room ?? undefined),
  )
}

async function write(
  { options: { data, service, clock, publish } }: SyncContext,
  tenant: string,
  devices: readonly DeviceUpdate[],
  asked: { requestOrder: number; requestedAt: number },
): Promise<void> {
  const isReported = ({ failed = [] }: DeviceUpdate, field: BaseField) => !failed.includes(field)
  publish(
    await data.reconciliation({
      service,
      tenant,
      ...asked,
      at: clock.now(),
      partial: true,
      devices: devices
        .filter((device) => isReported(device, 'connected'))
        .map((device) => ({
          id: device.id,
          connected: device.connected,
          lastDetected: device.lastDetected,
          name: device.name,
          ...(isReported(device, 'site') &&
            isReported(device, 'room') && { place: { site: device.site, room: device.room } }),
        })),
    }),
  )
}
