import { type Calls, callsOn } from '../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../src-main/inventory/store.ts'
import type { DeviceRow } from '../../src-shared/model/inventory.ts'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { type Case, cases, queryOf, pageRows } from './cases.ts'
import { seeded, type World } from './world.ts'

export const seed = 20_260
export const now = 1_790_000_000_000
export const connection = 'bench'
/** Runs of each query; before every second one an event arrives and a second passes. */
export const runs = 30

/**
 * The devices of a world, by index. The world itself is dropped, otherwise garbage collection would walk it during the
 * queries.
 */
export interface Filled {
  service: string
  ids: string[]
  tenants: string[]
}

/** Writes a world into the profile's cache, as syncs do. */
export function fill(profile: string, world: World): Filled {
  const calls = callsOn(openStore(profile, 1, now))
  const { service, tenants } = world
  calls.tenants({
    service,
    connection,
    at: now,
    tenants: tenants.map(({ id, name, region }) => ({ id, name, region })),
  })
  for (const tenant of tenants) {
    for (let n = 0; n < tenant.devices.length; n += 500) {
      calls.page({
        service,
        tenant: tenant.id,
        generation: 1,
        requestOrder: 1,
        at: now - n,
        devices: tenant.devices.slice(n, n + 500),
        next: null,
      })
    }
    calls.finish({ service, tenant: tenant.id, generation: 1, at: now })
  }
  calls.close(undefined)
  const [ids, of] = [
    tenants.flatMap(({ devices }) => devices.map(({ id }) => id)),
    tenants.flatMap(({ id, devices }) => devices.map(() => id)),
  ]
  return { service, ids, tenants: of }
}

export function openWorld(profile: string, world: Filled): Calls {
  const calls = callsOn(openStore(profile, 1, now))
  calls.visibility({ service: world.service, connection, tenants: null, visible: true, confirmedAt: now })
  return calls
}

export function timed<T>(work: () => T): { ms: number; result: T } {
  const start = performance.now()
  const result = work()
  return { ms: performance.now() - start, result }
}

export const p95 = (times: number[]) => percentile(times, 0.95)

const round = (value: number) => Math.round(value * 100) / 100

export const row = (
  name: string,
  value: number,
  unit: string,
  baseline: number | null,
  atMost: number | null,
): BenchRow => ({
  name: `inventory: ${name}`,
  value: round(value),
  unit,
  baseline: baseline === null ? null : round(baseline),
  target: atMost,
  holds: atMost === null ? null : value <= atMost,
})

/** Returns the time of a query's n-th run, ms. */
export const timeOf = (n: number) => now + n * 500

export const ask = (calls: Calls, one: Case, n: number) =>
  calls.rows({ query: queryOf(one, n), offset: one.offset, limit: pageRows, now: timeOf(n) })

/** Returns the duration of each run of each query, ms. */
export function timesOf(calls: Calls, nextEvents: () => unknown): number[][] {
  return cases.map((one) =>
    Array.from({ length: runs }, (_, n) => {
      if (n % 2 === 1) nextEvents()
      return timed(() => ask(calls, one, n)).ms
    }),
  )
}

/** Returns a source of events for three devices each, which returns the changed rows. */
export function eventSource(calls: Calls, { service, ids, tenants }: Filled): () => DeviceRow[] {
  const random = seeded(7)
  let order = 10
  return () => {
    const picked = Array.from({ length: 3 }, () => Math.floor(random() * ids.length))
    order += 1
    const events = picked.map((n) => ({
      id: ids[n] ?? '',
      tenant: tenants[n] ?? '',
      connected: random() < 0.5,
      name: null,
      order,
      at: now + order,
    }))
    return calls.events({ service, events }).devices
  }
}
