import type { Cost } from '../../../src-shared/model/gauge.ts'
import {
  devicesOperation,
  maxByIds,
  statesByIdsOperation,
  statesOperation,
  tenantsOperation,
  type Operation,
} from '../../api/operations.ts'
import { parallel } from '../../pacing/admission.ts'
import type { RemainingWork } from '../../pacing/balance/forecast.ts'
import { windowMs } from '../../pacing/balance/ledger.ts'
import { defaultPageSize } from '../../pacing/cost/selection.ts'
import { pageSizeFor, type TenantSync } from './tenant-sync.ts'
import type { Devices } from '../link/devices.ts'
import type { ConnectionSyncOptions } from '../options.ts'
import type { Priorities } from '../reader/priorities.ts'
import type { Reader } from '../reader/reader.ts'
import { largest } from '../../../src-shared/lib/extremes.ts'

/** The parts of a connection on which its costs depend. */
export interface CostSource {
  options: Pick<ConnectionSyncOptions, 'pacer' | 'dialect'>
  reader: Reader
  devices: Devices
}

/** The cost of a sync for one connection. */
export interface PartCost {
  points: number
  devices: number
  /** Time of the requests alone, without waiting for points, ms. */
  ms: number
  /** Points that the running sync still needs first. */
  ahead: number
  /** Points of a rate window that background work may use. */
  perWindow: number
  /** True when learned from the service's charges. */
  known: boolean
}

/** Assumed time of a page, ms. */
const assumedMs = 300

/**
 * Returns the cost of this operation for all devices of these tenants, page by page. `pageMs`: assumed time of a page,
 * ms.
 */
export function tenantsCost(
  sync: CostSource,
  operation: Operation,
  list: readonly TenantSync[],
  pageMs = assumedMs,
): PartCost {
  const {
    reader,
    devices: known,
    options: { pacer, dialect },
  } = sync
  const cost = noCost(sync)
  const tenants = reader.tenants()
  if (tenants === null || list.length === 0) return cost
  for (const { id, expected } of list) {
    const devices = expected ?? known.of(id)?.size ?? 0
    const size =
      pageSizeFor({ pacer, dialect, capabilities: tenants.capabilities }, devices, operation.shape) ?? defaultPageSize
    const pages = Math.max(1, Math.ceil(devices / size))
    cost.points += pages * pacer.costs.quote(operation.shape, size).likely
    cost.devices += devices
    cost.ms += pages * (pacer.costs.msOf(operation.shape, size) ?? pageMs)
  }
  return { ...cost, known: isKnown(sync, operation) }
}

export const isKnown = ({ options: { pacer } }: CostSource, { shape }: Operation): boolean =>
  pacer.costs.quote(shape, 1).certainty === 'learned'

/**
 * Returns the cost of a full sync of these tenants; null: all that this connection reads, with their list and their
 * totals. Only its own tenants count.
 */
export function fullCost(sync: CostSource, wanted: ReadonlySet<string> | null): PartCost & { tenants: number } {
  const list = sync.reader.ownTenants().filter(({ id }) => wanted === null || wanted.has(id))
  const cost = tenantsCost(sync, devicesOperation, list)
  const { costs } = sync.options.pacer
  const overhead =
    wanted === null && list.length > 0
      ? costs.quote(tenantsOperation.shape, 1).likely + list.length * costs.quote(devicesOperation.shape, 1).likely
      : 0
  return { ...cost, points: cost.points + overhead, tenants: list.length }
}

/** Returns the cost of the status of this many devices by their ids; null where the service does not offer that. */
export function statusCost(sync: CostSource & { priorities: Priorities }, devices: number): PartCost | null {
  const idType = sync.priorities.idType()
  if (idType === null) return null
  const { costs } = sync.options.pacer
  const cost = { ...noCost(sync), devices }
  for (let left = devices; left > 0; left -= maxByIds) {
    const size = Math.min(left, maxByIds)
    const { shape } = statesByIdsOperation(size, idType)
    cost.points += costs.quote(shape, size).likely
    cost.ms += costs.msOf(shape, size) ?? assumedMs
    cost.known &&= costs.quote(shape, size).certainty === 'learned'
  }
  return cost
}

/** Returns the remaining cost of the running sync; null when none runs, or the cost is unknown. */
export function remainingCost({ reader, options: { pacer, dialect } }: CostSource): RemainingWork | null {
  const [progress, tenants] = [reader.state(), reader.tenants()]
  if (progress.state !== 'syncing' || progress.expected === null || tenants === null) return null
  const { shape } = progress.what === 'changes' ? statesOperation : devicesOperation
  const pageSize = pageSizeFor({ pacer, dialect, capabilities: tenants.capabilities }, null, shape) ?? defaultPageSize
  const pages = Math.max(0, progress.expected - progress.read) / pageSize
  return {
    points: pages * pacer.costs.quote(shape, pageSize).likely,
    ms: Math.ceil(pages / parallel) * (pacer.costs.msOf(shape, pageSize) ?? assumedMs),
  }
}

/** Share of the allowed points for polls of devices that the live connection does not cover. */
const pollShare = 0.25

/** Returns the time for which such polls should make these points last, ms. */
export const pacedMs = ({ options: { pacer } }: CostSource, points: number): number =>
  (points * windowMs) / Math.max(1, pacer.perWindow() * pollShare)

function noCost(sync: CostSource): PartCost {
  return {
    points: 0,
    devices: 0,
    ms: 0,
    ahead: remainingCost(sync)?.points ?? 0,
    perWindow: sync.options.pacer.perWindow(),
    known: true,
  }
}

/** Returns the parts of several connections as one: rate windows of the credential sets run in parallel. */
export function totalCost(parts: readonly (PartCost & { credentials: string })[]): Cost {
  const sum = (pick: (part: PartCost) => number) => parts.reduce((total, part) => total + pick(part), 0)
  const windows = Math.max(
    0,
    largest([...Map.groupBy(parts, ({ credentials }) => credentials).values()].map(windowsOf)),
  )
  return {
    points: sum(({ points }) => points),
    devices: sum(({ devices }) => devices),
    windows,
    ms: Math.max(0, windows - 1) * windowMs + Math.max(0, largest(parts.map(({ ms }) => ms))),
    known: parts.length > 0 && parts.every(({ known }) => known),
  }
}

/** The remaining points of a credential set. `resetAt`: ms; null where unknown. */
interface Balance {
  remaining: number
  limit: number
  resetAt: number | null
}

/** Returns the cost of a person's request, which goes first as far as the balance lasts. */
export function interactiveCost(
  parts: readonly (PartCost & { credentials: string })[],
  balanceOf: (credentials: string) => Balance,
  now: number,
): Cost {
  const waits = [...Map.groupBy(parts, ({ credentials }) => credentials)].map(([credentials, own]) => {
    const { remaining, limit, resetAt } = balanceOf(credentials)
    const over = own.reduce((sum, { points }) => sum + points, 0) - remaining
    const windows = over <= 0 ? 0 : Math.ceil(over / Math.max(1, limit))
    return {
      windows,
      ms: windows === 0 ? 0 : Math.max(0, (resetAt ?? now + windowMs) - now) + (windows - 1) * windowMs,
    }
  })
  return {
    ...totalCost(parts),
    windows: 1 + atLeastZero(waits.map(({ windows }) => windows)),
    ms: atLeastZero(waits.map(({ ms }) => ms)) + atLeastZero(parts.map(({ ms }) => ms)),
  }
}

/** Returns the largest value, at least 0. */
const atLeastZero = (values: readonly number[]): number => Math.max(0, largest(values))

/** Returns the rate windows of 60 s that one credential set needs, including earlier work. */
function windowsOf(parts: readonly PartCost[]): number {
  const points = parts.reduce((total, part) => total + part.points + part.ahead, 0)
  return Math.ceil(points / Math.max(1, parts[0]?.perWindow ?? 1))
}
