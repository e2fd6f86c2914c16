import { FaultError, toFault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import { readStatesByIds } from '../../api/decode.ts'
import { mostByIds, statesByIdsOperation } from '../../api/operations.ts'
import type { TenantSync } from '../tenants/tenant-sync.ts'
import type { ConnectionSyncState } from '../state.ts'

/** What hangs here keeps the pages waiting no longer; they bring it too. */
const withinMs = 5_000

/**
 * What is compared first when points are few: the watch list and the devices that somebody looks at, by their ids where
 * the service offers that, then the tenants that have such devices, then those with the most devices that were online by the last word.
 * Answers the tenants in that order. Rejects only with what ends the sync.
 */
export async function syncPriorities(sync: ConnectionSyncState, tenants: readonly TenantSync[]): Promise<TenantSync[]> {
  const { data, service, urgentKeys } = sync.options
  const found = await data.priorities({ service, keys: [...urgentKeys()] })
  const known = new Map(found.tenants.map((tenant) => [tenant.id, tenant]))
  await syncFirst(
    sync,
    tenants.flatMap(({ id: tenant }) => (known.get(tenant)?.first ?? []).map((id) => ({ tenant, id }))),
  )
  const rankOf = ({ id }: TenantSync): [boolean, number] => [
    (known.get(id)?.first.length ?? 0) > 0,
    known.get(id)?.online ?? 0,
  ]
  return tenants.toSorted(
    (one, other) => Number(rankOf(other)[0]) - Number(rankOf(one)[0]) || rankOf(other)[1] - rankOf(one)[1],
  )
}

/**
 * The same by ids alone, where pages are coming in already: the comparison waits for the last of them, for minutes where
 * points are few. Whatever fails here comes with that.
 */
export async function reconcilePriorities(sync: ConnectionSyncState): Promise<void> {
  const { data, service, urgentKeys, log } = sync.options
  try {
    const { tenants } = await data.priorities({ service, keys: [...urgentKeys()] })
    await syncFirst(
      sync,
      tenants.flatMap(({ id: tenant, first }) =>
        sync.member.reads(tenant) ? first.map((id) => ({ tenant, id })) : [],
      ),
    )
  } catch (error) {
    if (!sync.stopping.signal.aborted)
      log('info', `what is on the screen is compared with the rest (${toFault(error).kind})`)
  }
}

/** A device, and the tenant that it is asked in. */
export interface DeviceOf {
  tenant: string
  id: string
}

/** The status of these devices, for a person who waits for it. Rejects with why it cannot be read; `input` where the service does not offer it. */
export async function readStatus(sync: ConnectionSyncState, wanted: readonly DeviceOf[]): Promise<void> {
  const idType = sync.reader.tenants()?.capabilities.deviceById ?? null
  if (idType === null || sync.rejectsIds)
    throw new FaultError('input', 'scope: This service does not offer devices by their ids.')
  if (!wanted.every(({ id }) => isOfOne(sync, id)))
    throw new FaultError(
      'input',
      'scope: Two tenants have a device of this id, and the service does not say which one it means.',
    )
  try {
    for (let from = 0; from < wanted.length; from += mostByIds)
      await readSome(sync, wanted.slice(from, from + mostByIds), {
        idType,
        lane: 'person',
        signal: sync.stopping.signal,
      })
  } catch (error) {
    if (error instanceof FaultError) sync.rejectsIds ||= refusesDocument(error)
    throw error
  }
}

/** Ids may be those of one tenant alone: a device that is asked for by an id that two of them have may be either. */
const isOfOne = ({ devices }: ConnectionSyncState, id: string): boolean => devices.tenantsOf(id).length < 2

/** By their ids, where the service offers that. What fails here comes by another sync. */
export async function syncFirst(sync: ConnectionSyncState, all: readonly DeviceOf[]): Promise<void> {
  const wanted = all.filter(({ id }) => isOfOne(sync, id))
  const {
    options: { clock, log },
    reader,
    stopping: { signal },
  } = sync
  const idType = reader.tenants()?.capabilities.deviceById ?? null
  if (idType === null || sync.rejectsIds) return
  const impatient = new AbortController()
  const cancel = clock.after(withinMs, () => impatient.abort(new FaultError('timeout')))
  try {
    for (let from = 0; from < wanted.length; from += mostByIds) {
      await readSome(sync, wanted.slice(from, from + mostByIds), {
        idType,
        lane: 'reconcile',
        signal: AbortSignal.any([signal, impatient.signal]),
      })
    }
  } catch (error) {
    if (!(error instanceof FaultError) || signal.aborted || error.fault.kind === 'storage') throw error
    sync.rejectsIds ||= refusesDocument(error)
    log('info', `what is on the screen is compared with the rest (${error.fault.kind})`)
  } finally {
    cancel()
  }
}

/** Words of what may be otherwise the next time. */
const passingWords = /internal|temporar|unavailable|time(d)? ?-?out|try again|upstream|overload/i
/** Statuses that call the request wrong. */
const wrongRequest: ReadonlySet<number> = new Set([400, 413, 422, 501])

/** The service does not take such a document: it is not sent again in this run. What failed for a moment says nothing of that. */
function refusesDocument({ fault: { kind }, status, words }: FaultError): boolean {
  const { refuses } = traitsOf(kind)
  if (kind === 'cost-limit' || kind === 'forbidden') return true
  const isOfRequest = refuses === 'surely' || (refuses === 'perhaps' && wrongRequest.has(status ?? 0))
  return isOfRequest && !passingWords.test(words)
}

async function readSome(
  sync: ConnectionSyncState,
  some: readonly DeviceOf[],
  { idType, lane, signal }: { idType: string; lane: Lane; signal: AbortSignal },
): Promise<void> {
  const { api, data, service, clock, order, publish, queues } = sync.options
  const variables = Object.fromEntries(some.map(({ id }, index) => [`i${index}`, id]))
  const asked = order()
  const askedAt = clock.now()
  const { data: answer, errors } = await api.run({
    operation: statesByIdsOperation(some.length, idType),
    variables,
    lane,
    size: some.length,
    signal,
  })
  const read = readStatesByIds(answer, some.length, errors).flatMap((device, index) => {
    const { tenant, id } = some[index] ?? { tenant: '', id: null }
    return device !== null && device.id === id ? [{ tenant, device }] : []
  })
  await queues.writtenBefore(asked)
  for (const [tenant, devices] of Map.groupBy(read, (each) => each.tenant)) {
    publish(
      await data.reconciliation({
        service,
        tenant,
        requestOrder: asked,
        requestedAt: askedAt,
        at: clock.now(),
        devices: devices.map(({ device }) => device),
        partial: true,
      }),
    )
  }
}
