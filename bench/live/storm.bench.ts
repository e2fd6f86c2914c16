import { setTimeout } from 'node:timers/promises'
import type { NotifiedAt } from './processes/core-process.ts'
import { openParties, untilQuiet, type Parties } from './processes/parties.ts'
import type { ServiceFacts } from './processes/service-process.ts'
import type { Loop } from './processes/watched-loop.ts'
import { soon } from '../support/settings.ts'
import type { BenchRow } from '../row.ts'
import { seeded } from '../inventory/world.ts'
import { messageTitle } from '../../src-shared/text/messages.ts'

/**
 * 10,000 of 20,000 devices drop within 2 s, in whole sites, and recover within 2 s after all notifications: the
 * notifications, the stall of the core's event loop, and the journal compared with the world. Service, core and a naive
 * client with a toast for each event are processes of their own, over real sockets.
 */
const devices = 20_000
const tenants = 6
const dropped = 10_000
const withinMs = 2_000
/** Longer than any delay with the settings of this run, ms. */
const quietMs = 15_000

/** All events have arrived by then, and their hold-off still runs, ms. */
const settledMs = 1_500

interface Half {
  notified: NotifiedAt[]
  /** While the events arrived; and then until all was notified. */
  arriving: Loop
  notifying: Loop
  naive: { toasts: number; stall: number }
}

export async function run(): Promise<BenchRow[]> {
  const parties = await openParties({ devices, tenants, points: false }, soon)
  try {
    const ids = wholeSites(parties.facts)
    const down = await half(parties, ids, false)
    const incidents = await parties.core.ask('incidents')
    const up = await half(parties, ids, true)
    const { lost, doubled } = comparison(await parties.core.ask('journal'), ids)
    return rowsOf({ down, up, incidents, lost, doubled })
  } finally {
    await parties.stop()
  }
}

/** Returns online devices of randomly drawn sites, until there are enough. */
function wholeSites({ devices }: ServiceFacts): string[] {
  const sites = Map.groupBy(
    devices.filter(({ connected, siteId }) => connected === true && siteId !== null),
    ({ siteId }) => siteId,
  )
  const random = seeded(6)
  const drawn = [...sites.values()].map((of) => ({ of, draw: random() })).sort((one, other) => one.draw - other.draw)
  return drawn.flatMap(({ of }) => of.map(({ id }) => id)).slice(0, dropped)
}

async function half({ service, core, naive }: Parties, ids: readonly string[], connected: boolean): Promise<Half> {
  await Promise.all([core.ask('take'), naive.ask('take'), core.ask('watchLoop'), naive.ask('watchLoop')])
  await service.ask('change', ids, connected, withinMs)
  await setTimeout(settledMs)
  const arriving = await core.ask('loop')
  await core.ask('watchLoop')
  const notified = await untilQuiet(core, quietMs)
  return {
    notified,
    arriving,
    notifying: await core.ask('loop'),
    naive: { toasts: (await naive.ask('take')).length, stall: await naive.ask('stall') },
  }
}

/** Compares the journal: each of these devices dropped and recovered once, and no other changed. */
function comparison(journal: Map<string, boolean[]>, ids: readonly string[]): { lost: number; doubled: number } {
  const entered = (id: string, connected: boolean): number =>
    (journal.get(id) ?? []).filter((each) => each === connected).length
  const lost = ids.reduce((sum, id) => sum + Number(entered(id, false) === 0) + Number(entered(id, true) === 0), 0)
  const all = [...journal.values()].reduce((sum, { length }) => sum + length, 0)
  return { lost, doubled: all - (2 * ids.length - lost) }
}

interface Found {
  down: Half
  up: Half
  /** Number of open incidents when all have dropped. */
  incidents: number
  lost: number
  doubled: number
}

function rowsOf({ down, up, incidents, lost, doubled }: Found): BenchRow[] {
  for (const { notified } of [...down.notified, ...up.notified])
    console.log(
      `  notified: ${messageTitle(notified.message, (at) => new Date(at).toISOString())} (${notified.kind}, ${notified.devices} devices)`,
    )
  const name = (what: string): string => `live storm, 10,000 of 20,000 drop in 2 s: ${what}`
  const worst = (of: (half: Half) => number): number => Number(Math.max(of(down), of(up)).toFixed(1))
  const stall = worst(({ arriving, notifying }) => Math.max(arriving.stall, notifying.stall))
  const most = Math.max(mostOfOneIncident(down.notified), mostOfOneIncident(up.notified))
  return [
    {
      name: name(`notifications when they drop, of ${incidents} incidents`),
      value: down.notified.length,
      unit: '',
      baseline: down.naive.toasts,
      target: incidents,
      holds: down.notified.length <= incidents,
    },
    {
      name: name('notifications when they recover'),
      value: up.notified.length,
      unit: '',
      baseline: up.naive.toasts,
      target: incidents,
      holds: up.notified.length <= incidents,
    },
    {
      name: name('most notifications of one incident in each direction'),
      value: most,
      unit: '',
      baseline: null,
      target: 1,
      holds: most <= 1,
    },
    {
      name: name('longest stall of the core’s event loop'),
      value: stall,
      unit: 'ms',
      baseline: worst(({ naive }) => naive.stall),
      target: 50,
      holds: stall <= 50,
    },
    {
      name: name('the same as processor time of the core’s thread'),
      value: worst(({ arriving, notifying }) => Math.max(arriving.busy, notifying.busy)),
      unit: 'ms',
      baseline: null,
      target: 50,
      holds: worst(({ arriving, notifying }) => Math.max(arriving.busy, notifying.busy)) <= 50,
    },
    {
      name: name('of it, while the events arrive'),
      value: worst(({ arriving }) => arriving.busy),
      unit: 'ms',
      baseline: null,
      target: null,
      holds: null,
    },
    {
      name: name('of it, while incidents are evaluated and notified'),
      value: worst(({ notifying }) => notifying.busy),
      unit: 'ms',
      baseline: null,
      target: null,
      holds: null,
    },
    {
      name: name('p99 turn of the loop while they arrive'),
      value: worst(({ arriving }) => arriving.p99),
      unit: 'ms',
      baseline: null,
      target: null,
      holds: null,
    },
    {
      name: name('longest garbage collection'),
      value: worst(({ arriving, notifying }) => Math.max(arriving.collection, notifying.collection)),
      unit: 'ms',
      baseline: null,
      target: null,
      holds: null,
    },
    {
      name: name('transitions that the journal lost of 20,000'),
      value: lost,
      unit: '',
      baseline: null,
      target: 0,
      holds: lost === 0,
    },
    { name: name('entered twice'), value: doubled, unit: '', baseline: null, target: 0, holds: doubled === 0 },
  ]
}

function mostOfOneIncident(notified: readonly NotifiedAt[]): number {
  const times = Map.groupBy(notified, (each) => each.notified.id)
  return Math.max(0, ...[...times.values()].map(({ length }) => length))
}
