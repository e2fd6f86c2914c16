import { FaultError } from '../../src-shared/fault.ts'
import { extrasOperation, type Operation } from '../api/operations.ts'
import { usualPageSize } from '../pacing/shape.ts'
import { toolsOf } from './cycle.ts'
import { fetchPage } from './pages.ts'
import { pageSizeFor, type ReadingTools } from './pull.ts'
import type { Running } from './running.ts'
import { unpaidOf } from './unpaid.ts'

/** What a column would take of one connection. */
export interface PartPrice {
  points: number
  devices: number
  /** Time of the requests alone, without waiting for points. */
  ms: number
  /** Points that the reading which runs has still to pay: it was there first. */
  ahead: number
  /** Points of a window that background work may use. */
  perWindow: number
  /** Learned from what the service charged. */
  known: boolean
}

/** Time of a page where none was asked for, ms. */
const guessedMs = 300

/**
 * The price of reading one further column of the tenants that this connection reads. Where it is not known yet, pages of
 * one and two devices are asked for, which cost next to nothing. Rejects with a `FaultError` when the service refuses the field.
 */
export async function priceIn(estate: Running, name: string): Promise<PartPrice> {
  const { tenants, member, ids, options: { pacer } } = estate
  const perWindow = pacer.perWindow()
  const own = (tenants?.list ?? []).filter(({ id }) => member.reads(id))
  const [first] = own
  if (tenants === null || first === undefined) return { points: 0, devices: 0, ms: 0, ahead: 0, perWindow, known: true }
  const operation = extrasOperation([name])
  const tools = { ...toolsOf(estate, 'person'), capabilities: tenants.capabilities }
  const pageMs = await probe(tools, operation, first.id)
  const known = isKnown(tools, operation)
  const price = { points: 0, devices: 0, ms: 0, ahead: unpaidOf(estate)?.points ?? 0, perWindow, known }
  for (const { id, expected } of own) {
    const devices = expected ?? ids.get(id)?.size ?? 0
    const size = pageSizeFor(tools, devices, operation.shape) ?? usualPageSize
    const pages = Math.max(1, Math.ceil(devices / size))
    price.points += pages * pacer.prices.quote(operation.shape, size).likely
    price.devices += devices
    price.ms += pages * (pacer.prices.msOf(operation.shape, size) ?? pageMs)
  }
  return price
}

/** Learns the price of a shape by asking for it, unless it is known. Answers how long a page took, ms. */
async function probe(tools: ReadingTools, operation: Operation, tenant: string): Promise<number> {
  const { capabilities, clock } = tools
  if (isKnown(tools, operation)) return guessedMs
  const sizes = capabilities.pageSize ? [1, 2] : [null]
  const begun = clock.monotonic()
  try {
    for (const pageSize of sizes) await fetchPage({ ...tools, operation, tenant, pageSize, from: null }, null)
  } catch (error) {
    if (error instanceof FaultError && refusals.has(error.fault.kind)) throw error
  }
  return Math.max(1, Math.round((clock.monotonic() - begun) / sizes.length))
}

const isKnown = ({ pacer }: ReadingTools, { shape }: Operation): boolean => pacer.prices.quote(shape, 1).certainty === 'learned'

const refusals: ReadonlySet<string> = new Set(['query', 'forbidden', 'partial', 'cost-limit', 'stopped'])
