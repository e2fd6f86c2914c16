import { devicesOperation, statesOperation } from '../api/operations.ts'
import type { Unpaid } from '../pacing/forecast.ts'
import { pageSizeFor } from './pull.ts'
import type { Running } from './running.ts'

/** Pages that are on their way at once, at most: see the pacer. */
const atOnce = 4
/** Devices on a page of a service without page sizes (service-twin.md, section 6). */
const smallPage = 10
/** Where no page has told how long one takes. */
const guessedMs = 300

/** What the running reading has still to pay; null when none runs, or when nobody knows how much there is. */
export function unpaidOf({ sync, tenants, options: { pacer } }: Running): Unpaid | null {
  if (sync.state !== 'reading' || sync.expected === null || tenants === null) return null
  const { shape } = sync.what === 'changes' ? statesOperation : devicesOperation
  const pageSize = pageSizeFor({ pacer, capabilities: tenants.capabilities }, null, shape) ?? smallPage
  const pages = Math.max(0, sync.expected - sync.read) / pageSize
  return { points: pages * pacer.prices.quote(shape, pageSize).likely, ms: (Math.ceil(pages / atOnce)) * (pacer.prices.msOf(shape, pageSize) ?? guessedMs) }
}
