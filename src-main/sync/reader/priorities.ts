import { FaultError, toFault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import { readStatesByIds } from '../../api/decode.ts'
import { maxByIds, statesByIdsOperation } from '../../api/operations.ts'
import type { TenantSync } from '../tenants/tenant-sync.ts'
import type { Member } from '../assignments/assignments.ts'
import type { Devices } from '../link/devices.ts'
import type { ConnectionSyncOptions } from '../options.ts'
import type { Reader } from './reader.ts'

/** Timeout of a query by ids, ms; the pages contain the same devices. */
const timeoutMs = 5_000

/** A device, and the tenant that it is requested in. */
export interface DeviceOf {
  tenant: string
  id: string
}

/** Reads the status of single devices by their ids, where the service offers that, before all others. */
export interface Priorities {
  /**
   * Returns the GraphQL type of a device's id in a query by ids; null where the service does not offer one, or has
   * rejected one.
   */
  idType(): string | null
  /**
   * Reads the most important devices, for when points are few: the watch list and the viewport, by their ids where the
   * service offers that. Returns the tenants in sync order: those with such devices, then those with the most devices
   * that were online. Rejects only with what ends the sync.
   */
  order(tenants: readonly TenantSync[]): Promise<TenantSync[]>
  /**
   * Reads the same devices by ids only, where pages already arrive: the comparison waits for the last page, for minutes
   * where points are few. The comparison covers failures. Never rejects.
   */
  reconcile(): Promise<void>
  /**
   * Reads the status of these devices for the operator. Rejects with the reason; `input` where the service does not
   * offer it.
   */
  readStatus(devices: readonly DeviceOf[]): Promise<void>
  /**
   * Reads these devices by their ids, where the service offers that. Another sync covers failures. Rejects only with
   * what ends the sync.
   */
  readFirst(devices: readonly DeviceOf[]): Promise<void>
}

export interface PrioritiesOptions {
  options: ConnectionSyncOptions
  signal: AbortSignal
  member: Pick<Member, 'reads'>
  devices: Devices
  reader: Reader
}

interface State {
  parts: PrioritiesOptions
  /** The service rejects documents with devices by their ids. */
  isRejected: boolean
}

export function createPriorities(parts: PrioritiesOptions): Priorities {
  const state: State = { parts, isRejected: false }
  return {
    idType: () => idTypeOf(state),
    order: (tenants) => order(state, tenants),
    reconcile: () => reconcile(state),
    readStatus: (devices) => readStatus(state, devices),
    readFirst: (devices) => readFirst(state, devices),
  }
}

function idTypeOf({ parts: { reader }, isRejected }: State): string | null {
  return isRejected ? null : (reader.tenants()?.capabilities.deviceById ?? null)
}

async function order(state: State, tenants: readonly TenantSync[]): Promise<TenantSync[]> {
  const { data, service, urgentKeys } = state.parts.options
  const found = await data.priorities({ service, keys: [...urgentKeys()] })
  const known = new Map(found.tenants.map((tenant) => [tenant.id, tenant]))
  await readFirst(
    state,
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

async function reconcile(state: State): Promise<void> {
  const { data, service, urgentKeys, log } = state.parts.options
  try {
    const { tenants } = await data.priorities({ service, keys: [...urgentKeys()] })
    await readFirst(
      state,
      tenants.flatMap(({ id: tenant, first }) =>
        state.parts.member.reads(tenant) ? first.map((id) => ({ tenant, id })) : [],
      ),
    )
  } catch (error) {
    if (!state.parts.signal.aborted)
      log('info', `devices on screen are compared with the rest (${toFault(error).kind})`)
  }
}

async function readStatus(state: State, wanted: readonly DeviceOf[]): Promise<void> {
  const idType = idTypeOf(state)
  if (idType === null) throw new FaultError('input', 'scope: This service does not offer devices by their ids.')
  if (!wanted.every(({ id }) => isUnambiguous(state.parts, id)))
    throw new FaultError(
      'input',
      'scope: Two tenants have a device of this id, and the service does not say which one it means.',
    )
  try {
    for (let from = 0; from < wanted.length; from += maxByIds)
      await readBatch(state.parts, wanted.slice(from, from + maxByIds), {
        idType,
        lane: 'person',
        signal: state.parts.signal,
      })
  } catch (error) {
    if (error instanceof FaultError) state.isRejected ||= rejectsDocument(error)
    throw error
  }
}

/** Returns whether only one tenant has this id: otherwise the requested device is ambiguous. */
const isUnambiguous = ({ devices }: PrioritiesOptions, id: string): boolean => devices.tenantsOf(id).length < 2

async function readFirst(state: State, all: readonly DeviceOf[]): Promise<void> {
  const wanted = all.filter(({ id }) => isUnambiguous(state.parts, id))
  const {
    options: { clock, log },
    signal,
  } = state.parts
  const idType = idTypeOf(state)
  if (idType === null) return
  const timeout = new AbortController()
  const cancel = clock.after(timeoutMs, () => timeout.abort(new FaultError('timeout')))
  try {
    for (let from = 0; from < wanted.length; from += maxByIds) {
      await readBatch(state.parts, wanted.slice(from, from + maxByIds), {
        idType,
        lane: 'reconcile',
        signal: AbortSignal.any([signal, timeout.signal]),
      })
    }
  } catch (error) {
    if (!(error instanceof FaultError) || signal.aborted || error.fault.kind === 'storage') throw error
    state.isRejected ||= rejectsDocument(error)
    log('info', `devices on screen are compared with the rest (${error.fault.kind})`)
  } finally {
    cancel()
  }
}

/** Text of a transient failure. */
const transientText = /internal|temporar|unavailable|time(d)? ?-?out|try again|upstream|overload/i
/** Statuses of an invalid request. */
const invalidStatuses: ReadonlySet<number> = new Set([400, 413, 422, 501])

/**
 * Returns whether the service rejects such a document, which is then not sent again in this run. Transient failures do
 * not count.
 */
function rejectsDocument({ fault: { kind }, status, answerText }: FaultError): boolean {
  const { rejects } = traitsOf(kind)
  if (kind === 'cost-limit' || kind === 'forbidden') return true
  const isOfRequest = rejects === 'surely' || (rejects === 'perhaps' && invalidStatuses.has(status ?? 0))
  return isOfRequest && !transientText.test(answerText)
}

async function readBatch(
  parts: PrioritiesOptions,
  batch: readonly DeviceOf[],
  { idType, lane, signal }: { idType: string; lane: Lane; signal: AbortSignal },
): Promise<void> {
  const { api, data, service, clock, order, publish, queues } = parts.options
  const variables = Object.fromEntries(batch.map(({ id }, index) => [`i${index}`, id]))
  const requestOrder = order()
  const requestedAt = clock.now()
  const { data: answer, errors } = await api.run({
    operation: statesByIdsOperation(batch.length, idType),
    variables,
    lane,
    size: batch.length,
    signal,
  })
  const read = readStatesByIds(answer, batch.length, errors).flatMap((device, index) => {
    const { tenant, id } = batch[index] ?? { tenant: '', id: null }
    return device !== null && device.id === id ? [{ tenant, device }] : []
  })
  await queues.writtenBefore(requestOrder)
  for (const [tenant, devices] of Map.groupBy(read, (each) => each.tenant)) {
    publish(
      await data.reconciliation({
        service,
        tenant,
        requestOrder,
        requestedAt,
        at: clock.now(),
        devices: devices.map(({ device }) => device),
        partial: true,
      }),
    )
  }
}
