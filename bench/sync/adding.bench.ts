import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Core } from '../../src-main/core.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import type { BenchRow } from '../row.ts'
import { forkBare } from './bare-loop.ts'
import { percentile } from '../support/percentile.ts'
import { forkReference, type Reference } from '../support/reference.ts'
import { openCore } from '../support/web-shell.ts'

/**
 * Customers are added one after the other to an operations room with 32 others, within the point limit: from
 * `connections.save` to the first rows, and to the last. The added ones include the largest, up to the one that needs
 * more than one rate window. Beside the time in which a bare loop over the same network port, in a process of its own
 * and without the limit, fetches and parses the same pages.
 */
const devices = 30_000
const tenants = 40
/** Indexes of the added tenants; one rate window covers each of them. The largest, 0, comes last and needs two. */
const added = [7, 6, 5, 4, 3, 2, 1]
const pageSize = 250

export async function run(): Promise<BenchRow[]> {
  const reference = await forkReference({ devices, tenants, perTenant: true, points: true })
  const free = await forkReference({ devices, tenants, perTenant: true })
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const core = await openCore(profile)
  try {
    for (let place = added.length + 1; place < tenants; place += 1) await save(core, reference, place)
    await untilStates(
      core,
      (states) =>
        states.length === tenants - added.length - 1 &&
        states.every(({ lastReadingAt, sync }) => lastReadingAt !== null && sync.state === 'idle'),
    )
    const customers: (Added & { bare: number })[] = []
    for (const place of added)
      customers.push({ bare: await bareSync(free, place), ...(await add(core, reference, place)) })
    const largest = await add(core, reference, 0)
    return rowsOf(customers, largest)
  } finally {
    await core.stop()
    await reference.stop()
    await free.stop()
    rmSync(profile, { recursive: true, force: true })
  }
}

function rowsOf(customers: readonly (Added & { bare: number })[], largest: Added): BenchRow[] {
  const p95 = (of: 'first' | 'complete' | 'bare') =>
    Math.round(
      percentile(
        customers.map((customer) => customer[of]),
        0.95,
      ),
    )
  const value = p95('first')
  return [
    {
      name: `adding a customer beside 32 to 38 others, to its first rows (p95 of ${customers.length})`,
      value,
      unit: 'ms',
      baseline: null,
      target: 20_000,
      holds: value <= 20_000,
    },
    {
      name: 'the same, to its last',
      value: p95('complete'),
      unit: 'ms',
      baseline: p95('bare'),
      target: null,
      holds: null,
    },
    {
      name: `the largest customer (${largest.devices} devices), to its first rows`,
      value: Math.round(largest.first),
      unit: 'ms',
      baseline: null,
      target: 20_000,
      holds: largest.first <= 20_000,
    },
    {
      name: 'the same, to its last',
      value: Math.round(largest.complete),
      unit: 'ms',
      baseline: null,
      target: null,
      holds: null,
    },
  ]
}

function save(
  core: Core,
  { tokenUrl, graphqlUrl, subscriptionUrl, ca, sets }: Reference,
  place: number,
): Promise<string> {
  const { clientId = '', clientSecret = '' } = sets[place] ?? {}
  const input = {
    id: null,
    name: `Customer ${place + 1}`,
    tokenUrl,
    graphqlUrl,
    subscriptionUrl,
    ca,
    clientId,
    clientSecret,
    subscription: '',
    portal: '',
  }
  return core.handlers['connections.save'](input).then(({ id }) => id)
}

interface Added {
  first: number
  complete: number
  devices: number
}

async function add(core: Core, reference: Reference, place: number): Promise<Added> {
  const before = await total(core)
  const began = performance.now()
  const shown = new Promise<number>((resolve) => {
    const off = core.on('patch', ({ totals }) => {
      if (totals.connected + totals.disconnected + totals.unknown <= before) return
      off()
      resolve(performance.now() - began)
    })
  })
  const id = await save(core, reference, place)
  const first = await shown
  await untilStates(core, (states) => states.some((state) => state.id === id && state.lastReadingAt !== null))
  return { first, complete: performance.now() - began, devices: (await total(core)) - before }
}

async function total(core: Core): Promise<number> {
  const { counts } = await core.handlers['inventory.counts']({ scope: everything })
  return counts === null ? 0 : counts.connected + counts.disconnected + counts.unknown
}

type States = Awaited<ReturnType<Core['handlers']['app.state']>>['connections']

async function untilStates(core: Core, holds: (states: States) => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const off = core.on('connections', (states) => {
      if (!holds(states)) return
      off()
      resolve()
    })
    void core.handlers['app.state']({}).then(({ connections }) => {
      if (!holds(connections)) return
      off()
      resolve()
    })
  })
}

async function bareSync(reference: Reference, place: number): Promise<number> {
  const { clientId = '', clientSecret = '' } = reference.sets[place] ?? {}
  const { tokenUrl, graphqlUrl, subscriptionUrl, ca } = reference
  const loop = forkBare({ tokenUrl, graphqlUrl, subscriptionUrl, ca, clientId, clientSecret, devices: null, pageSize })
  const took = await loop.read()
  await loop.stop()
  return took
}
