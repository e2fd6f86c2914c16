import { once } from 'node:events'
import path from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import { openRig, type Rig } from './simulated/rig.ts'
import type { BenchOptions, BenchRow } from '../row.ts'
import { seeded } from '../inventory/world.ts'

/**
 * 24 simulated hours (`--hours`) at 100 events a second through the whole core: socket protocol, event queue, data
 * thread with journal and cache on disk, engine, alerts, publisher. All in one process and on a simulated clock,
 * without the network below the socket. After every tenth of an hour, and at least sixty times, both heaps are
 * collected and measured: the difference of the last third to the first shows whether memory grows.
 *
 * A quarter of the events are transitions: devices drop one by one and recover after seconds or minutes, and every hour
 * a site drops for five minutes. The others repeat the known status. They arrive in bursts of five seconds' worth: each
 * write waits for the disk. The service's world changes with them, so that the sync at the end of the day confirms
 * them.
 */
const usualHours = 24
const devices = 20_000
const tenants = 6
const perSecond = 100
const burstSeconds = 5
const transitions = 25
/** Duration of a drop, s: most are shorter than the hold-off. */
const away = { least: 20, most: 200 }
const siteAwaySeconds = 300

export async function run({ hours }: BenchOptions): Promise<BenchRow[]> {
  const seconds = Math.round((hours ?? usualHours) * 3600)
  let notified = 0
  const rig = await openRig({
    devices,
    tenants,
    seed: 1,
    tokenSeconds: 30 * 86_400,
    start: Date.parse('2026-11-23T00:00:00Z'),
    settings: { fullSyncMinutes: 24 * 60 },
    dataThread: path.resolve('bench/live/simulated/data-thread.ts'),
    onNotification: () => {
      notified += 1
    },
  })
  const heaps = openHeaps()
  try {
    const fleet = openFleet(rig)
    const every = burstSeconds * Math.max(1, Math.floor(Math.min(360, seconds / 60) / burstSeconds))
    const found: Measured[] = []
    const began = performance.now()
    for (let second = 1; second <= seconds; second += 1) {
      fleet.second(second)
      if (second % burstSeconds === 0) await rig.pass(burstSeconds * 1_000)
      if (second % every === 0) found.push(await heaps.measure())
      if (second % 3600 === 0)
        console.log(
          `  hour ${second / 3600}: ${Math.round((performance.now() - began) / 1000)} s, ${notified} notified, ${found.at(-1)?.own ?? 0} + ${found.at(-1)?.thread ?? 0} MB`,
        )
    }
    const { totals } = await rig.core.handlers['inventory.totals']({
      queries: [{ scope: 'all', filter: 'status:offline', sort: [] }],
    })
    return rowsOf({
      found,
      seconds,
      notified,
      took: performance.now() - began,
      wrong: Math.abs((totals[0] ?? 0) - fleet.down()),
    })
  } finally {
    heaps.stop()
    await rig.stop()
  }
}

interface Fleet {
  /** Performs the events of this second, in one burst. */
  second(now: number): void
  /** Returns the number of devices that are down now. */
  down(): number
}

function openFleet({ service }: Rig): Fleet {
  const random = seeded(24)
  const all = service.world
    .devices()
    .filter(({ connected }) => connected !== null)
    .map(({ id, tenantId, name, site, connected }) => ({
      id,
      tenantId,
      name,
      site: site?.id ?? '',
      connected: connected === true,
    }))
  type Member = (typeof all)[number]
  const sites = [...Map.groupBy(all, ({ site }) => site).values()].filter(({ length }) => length >= 20 && length <= 200)
  const returns = new Map<number, Member[]>()
  const turn = (device: Member, connected: boolean) => {
    device.connected = connected
    service.world.setConnected(device.id, connected)
  }
  const repeat = ({ id, tenantId, name, connected }: Member) => {
    service.sockets.publish({ id, tenantId, name, connected })
  }
  const drop = (device: Member, backAt: number) => {
    turn(device, false)
    returns.set(backAt, [...(returns.get(backAt) ?? []), device])
  }
  const pick = (): Member | undefined => all[Math.floor(random() * all.length)]
  return {
    second(now) {
      let left = perSecond
      const back = returns.get(now) ?? []
      returns.delete(now)
      for (const device of back) turn(device, true)
      const site = now % 3600 === 1800 ? (sites[Math.floor(random() * sites.length)] ?? []) : []
      const gone = site.filter(({ connected }) => connected)
      for (const device of gone) drop(device, now + siteAwaySeconds)
      left -= back.length + gone.length
      for (let n = 0; n < transitions / 2; n += 1) {
        const device = pick()
        if (device === undefined || !device.connected) continue
        drop(device, now + away.least + Math.floor(random() ** 3 * (away.most - away.least)))
        left -= 1
      }
      for (; left > 0; left -= 1) {
        const device = pick()
        if (device !== undefined) repeat(device)
      }
    },
    down: () => all.filter(({ connected }) => !connected).length,
  }
}

/** MB after a collection: of the core's thread, and of its data thread. */
interface Measured {
  own: number
  thread: number
}

function openHeaps() {
  const channel = new BroadcastChannel('heap')
  const megabytes = (bytes: number): number => Number((bytes / 2 ** 20).toFixed(2))
  return {
    async measure(): Promise<Measured> {
      const answer = once(channel, 'message') as Promise<[MessageEvent<number>]>
      channel.postMessage('ask')
      const [{ data }] = await answer
      globalThis.gc?.()
      return { own: megabytes(process.memoryUsage().heapUsed), thread: megabytes(data) }
    },
    stop: () => channel.close(),
  }
}

interface Found {
  found: readonly Measured[]
  seconds: number
  notified: number
  took: number
  /** Difference of the number of devices shown as down. */
  wrong: number
}

function rowsOf({ found, seconds, notified, took, wrong }: Found): BenchRow[] {
  const third = Math.floor(found.length / 3)
  const mean = (part: readonly Measured[], of: (measured: Measured) => number): number =>
    part.reduce((sum, each) => sum + of(each), 0) / part.length
  const ratio = (of: (measured: Measured) => number): number =>
    Number((mean(found.slice(-third), of) / mean(found.slice(0, third), of)).toFixed(3))
  const both = ratio(({ own, thread }) => own + thread)
  const hours = Number((seconds / 3600).toFixed(2))
  const name = (what: string): string => `live day, ${hours} simulated hours at ${perSecond} events/s: ${what}`
  const noTarget = { baseline: null, target: null, holds: null }
  return [
    {
      name: name('heap after a collection, last third over the first'),
      value: both,
      unit: 'times',
      baseline: 1,
      target: 1.05,
      holds: both <= 1.05,
    },
    { name: name('the same of the core’s own thread'), value: ratio(({ own }) => own), unit: 'times', ...noTarget },
    { name: name('the same of the data thread'), value: ratio(({ thread }) => thread), unit: 'times', ...noTarget },
    {
      name: name('both at the end'),
      value: Number(((found.at(-1)?.own ?? 0) + (found.at(-1)?.thread ?? 0)).toFixed(1)),
      unit: 'MB',
      ...noTarget,
    },
    { name: name('events'), value: seconds * perSecond, unit: '', ...noTarget },
    {
      name: name('events a real second'),
      value: Math.round((seconds * perSecond) / (took / 1000)),
      unit: '1/s',
      ...noTarget,
    },
    {
      name: name('devices whose state is wrong at the end'),
      value: wrong,
      unit: '',
      baseline: null,
      target: 0,
      holds: wrong === 0,
    },
    { name: name('notified'), value: notified, unit: '', ...noTarget },
  ]
}
