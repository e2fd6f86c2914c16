import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  /** Requests of each channel, by the path of its address. */
  channels: ReadonlyMap<string, number>
}

/** The channels of this run: one that is told what the bell says, and a system that keeps alerts. */
const formats = ['slack', 'pagerduty'] as const

/** Counts the requests of channels by their path. */
async function startReceiver() {
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    request.resume().on('end', () => {
      counts.set(path, (counts.get(path) ?? 0) + 1)
      response.writeHead(202).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    take() {
      const taken = new Map(counts)
      counts.clear()
      return taken
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>

async function addChannels({ core }: Parties, { address }: Receiver): Promise<void> {
  const severities = ['critical', 'major', 'minor'] as const
  const rule = {
    places: [],
    severities: [...severities],
    recoveries: true,
    monitoringLost: true,
    hours: null,
    zone: 'UTC',
    afterMinutes: 0,
  }
  for (const format of formats)
    await core.ask('saveChannel', {
      channel: { id: format, name: format, on: true, ca: '', kind: 'webhook', format, host: '', rule },
      secret: { address: `${address}/${format}`, key: 'key' },
    })
}

export async function run(): Promise<BenchRow[]> {
  const [parties, receiver] = await Promise.all([
    openParties({ devices, tenants, points: false }, soon),
    startReceiver(),
  ])
  try {
    await addChannels(parties, receiver)
    const ids = wholeSites(parties.facts)
    const down = await half(parties, receiver, ids, false)
    const incidents = await parties.core.ask('incidents')
    const up = await half(parties, receiver, ids, true)
    const { lost, doubled } = comparison(await parties.core.ask('journal'), ids)
    return rowsOf({ down, up, incidents, lost, doubled })
  } finally {
    await Promise.all([parties.stop(), receiver.stop()])
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

async function half(
  { service, core, naive }: Parties,
  receiver: Receiver,
  ids: readonly string[],
  connected: boolean,
): Promise<Half> {
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
    channels: receiver.take(),
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
    ...formats.map((format) => {
      const value = down.channels.get(`/${format}`) ?? 0
      return {
        name: name(`messages to ${format} when they drop, beside the notifications`),
        value,
        unit: '',
        baseline: down.notified.length,
        target: down.notified.length,
        holds: value === down.notified.length,
      }
    }),
    {
      name: name('messages to slack when they recover, beside the notifications'),
      value: up.channels.get('/slack') ?? 0,
      unit: '',
      baseline: up.notified.length,
      target: up.notified.length,
      holds: up.channels.get('/slack') === up.notified.length,
    },
    {
      name: name('messages to pagerduty when they recover, for the alerts that they end'),
      value: up.channels.get('/pagerduty') ?? 0,
      unit: '',
      baseline: down.channels.get('/pagerduty') ?? 0,
      target: down.channels.get('/pagerduty') ?? 0,
      holds: up.channels.get('/pagerduty') === down.channels.get('/pagerduty'),
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
