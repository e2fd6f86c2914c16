import { wait } from '../../src-shared/lib/clock.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { clockAt, type Pace, type Rejected } from './accelerated.ts'
import { forkPacedSync, type PacedRead, type PacedSync } from './paced-sync.ts'
import { forkPacedService, type Addresses, type PacedService, type SetName } from './paced-service.ts'
import { forkPlainClient, type PlainClient, type PlainFigures } from './plain-client.ts'

/**
 * A full sync within the point limit, against the reference service over TLS and at accelerated time, with costs that
 * vary by a fifth: alone, beside a person, beside another client of the same credentials, with late answers, and with
 * costs that change half-way. Beside it, with its own credentials, the same by a plain client (`plain-client.ts`) for
 * as long as Muster's sync takes. Everything runs in processes of its own.
 *
 * All times and windows are those of the accelerated clock: the machine's time for an answer counts tenfold, and a
 * window lasts 6 s. So that the points limit a sync, and not the machine, the last four use fewer devices, and two of
 * them wait for the two before; test/main/pacing/proof.test.ts syncs 200,000 in each, by a simulated clock.
 */
const factor = 10
const tenants = 24
const limit = 100_000
/** Delay of a sync's start after that of a window, ms. */
const beginAtMs = 17_000
/** Returns half of the sync's cost by the formula: 19 points a device. */
const halfWay = (devices: number): number => (devices * 19) / 2

interface Workload {
  name: string
  devices: number
  person?: true
  other?: true
  late?: true
  change?: number
}

/** Workloads of a line run one after the other, the lines at the same time. */
const lines: Workload[][] = [
  [{ name: '(a) 200,000 devices alone', devices: 200_000 }],
  [{ name: '(b) 200,000 beside a person', devices: 200_000, person: true }],
  [
    { name: '(c) 60,000 beside a client that burns 30 %', devices: 60_000, other: true },
    { name: '(e) 60,000, costs 1.5 times as high from half-way on', devices: 60_000, change: 1.5 },
  ],
  [
    { name: '(d) 60,000, late answers out of order', devices: 60_000, late: true },
    { name: '(e) 60,000, costs 2.5 times as high from half-way on', devices: 60_000, change: 2.5 },
  ],
]

interface Found {
  workload: Workload
  muster: PacedRead
  naive: PlainFigures
  windows: Record<SetName, number[]>
}

export async function run(): Promise<BenchRow[]> {
  const ready: Ready[][] = []
  try {
    for (const line of lines) {
      const own: Ready[] = []
      ready.push(own)
      for (const workload of line) own.push(await prepare(workload))
    }
    const found = await Promise.all(ready.map(inTurn))
    return found
      .flat()
      .toSorted((one, other) => one.workload.name.localeCompare(other.workload.name))
      .flatMap(rowsOf)
  } finally {
    await Promise.all(ready.flat().map(({ stop }) => stop()))
  }
}

async function inTurn(line: readonly Ready[]): Promise<Found[]> {
  const found: Found[] = []
  for (const each of line) found.push(await measure(each))
  return found
}

/** All parties of one workload, before the first request. */
interface Ready {
  workload: Workload
  pace: Pace
  service: PacedService
  sync: PacedSync
  naive: PlainClient
  others: PlainClient[]
  stop(): Promise<void>
}

async function prepare(workload: Workload): Promise<Ready> {
  const pace = { factor, start: Date.now() }
  const { devices } = workload
  const change = workload.change === undefined ? null : { factor: workload.change, after: halfWay(devices) }
  const service = await forkPacedService({ devices, tenants, pace, change })
  const { at, sets } = service
  const { person = false, other = false, late = false } = workload
  const common = { at, pace, person, late }
  const naive = await forkPlainClient({ ...common, kind: 'reader', set: sets.naive })
  const others = await Promise.all(
    (other ? Object.values(sets) : []).map((set) => forkPlainClient({ ...common, kind: 'burner', set })),
  )
  const sync = await forkPacedSync({ ...common, set: sets.muster })
  return {
    workload,
    pace,
    service,
    sync,
    naive,
    others,
    async stop() {
      await Promise.all([naive, sync, ...others].map((each) => each.stop()))
      await service.stop()
    },
  }
}

/** Stops what is done, so that the machine is free for the others. */
async function measure({ workload, pace, service, sync, naive, others, stop }: Ready): Promise<Found> {
  await untilWithinWindow(service.at, pace)
  for (const each of [naive, ...others]) each.begin()
  const muster = await sync.read()
  const found = { workload, muster, naive: await naive.figures(), windows: await service.usage() }
  await stop()
  printRejections(found)
  return found
}

async function untilWithinWindow({ graphqlUrl, ca }: Addresses, pace: Pace): Promise<void> {
  const link = openNetwork({}).open(ca)
  const response = await link.fetch(graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  })
  const toReset = Number(response.headers.get('ratelimit-reset')) * 1000
  await response.text()
  await link.close()
  await wait(clockAt(pace), (toReset + beginAtMs) % 60_000)
}

/** Prints each rejection. */
function printRejections(found: Found): void {
  const { workload, muster, naive, windows } = found
  const minutes = (muster.took / 60_000).toFixed(1)
  console.log(
    `${workload.name}: ${muster.devices} devices in ${minutes} accelerated minutes, ${windows.muster.length} windows (${Math.min(...windows.muster.slice(0, -1))} points or more), ${muster.rejected.length} rejections; plain client: ${naive.devices} devices, ${naive.rejected.length} rejections`,
  )
  for (const { at, resetAt, status, cost, remaining } of muster.rejected)
    console.log(
      `  rejected: HTTP ${status}, ${cost} points with ${remaining} left, ${((resetAt - at) / 1000).toFixed(0)} s before the reset`,
    )
}

function rowsOf(found: Found): BenchRow[] {
  const { workload, muster, naive, windows } = found
  const name = (measure: string): string => `pacer ${workload.name}, accelerated ${factor} times: ${measure}`
  if (muster.devices < workload.devices) throw new Error(`${workload.name}: ${muster.devices} devices were read`)
  const [over, naiveOver] = [overLeast(windows.muster), overLeast(windows.naive)]
  return [
    ...rejectionRows(found, name),
    {
      name: name('windows over the least that the points need'),
      value: over,
      unit: 'times',
      baseline: naiveOver,
      target: 1.1,
      holds: over <= 1.1,
    },
    ...(workload.person || workload.other || workload.late || workload.change !== undefined
      ? []
      : fullRows(windows, name)),
    ...(workload.person ? waitRows(muster, naive, name) : []),
    {
      name: name('devices read in that time'),
      value: muster.devices,
      unit: '',
      baseline: naive.devices,
      target: null,
      holds: null,
    },
  ]
}

type Name = (measure: string) => string

function rejectionRows({ workload, muster, naive }: Found, name: Name): BenchRow[] {
  const most = mostInOneWindow(muster.rejected)
  const all = { value: muster.rejected.length, unit: '', baseline: naive.rejected.length }
  if (workload.other)
    return [
      {
        name: name('most rejections in one window'),
        value: most,
        unit: '',
        baseline: mostInOneWindow(naive.rejected),
        target: 1,
        holds: most <= 1,
      },
      { name: name('rejections'), ...all, target: null, holds: null },
    ]
  const target = workload.change === undefined ? 0 : 1
  return [{ name: name('rejections'), ...all, target, holds: all.value <= target }]
}

/** Resets are reported in whole seconds: those of one window differ by a second or two. */
function mostInOneWindow(rejected: readonly Rejected[]): number {
  const [first] = rejected
  if (first === undefined) return 0
  const perWindow = Map.groupBy(rejected, ({ resetAt }) => Math.round((resetAt - first.resetAt) / 60_000))
  return Math.max(...[...perWindow.values()].map(({ length }) => length))
}

function overLeast(windows: readonly number[]): number {
  const points = windows.reduce((sum, used) => sum + used, 0)
  return Number((windows.length / Math.ceil(points / limit)).toFixed(2))
}

function fullRows({ muster, naive }: Found['windows'], name: Name): BenchRow[] {
  const least = (windows: readonly number[]): number =>
    Number(((Math.min(...windows.slice(0, -1)) / limit) * 100).toFixed(1))
  const value = least(muster)
  return [
    {
      name: name('points used of every window but the last, least'),
      value,
      unit: '%',
      baseline: least(naive),
      target: 95,
      holds: value >= 95,
    },
  ]
}

function waitRows(muster: PacedRead, naive: PlainFigures, name: Name): BenchRow[] {
  const of = (share: number): Pick<BenchRow, 'value' | 'baseline'> => ({
    value: Math.round(percentile(muster.waits, share)),
    baseline: Math.round(percentile(naive.waits, share)),
  })
  const p95 = of(0.95)
  return [
    {
      name: name('a person’s wait before the request leaves, p95'),
      ...p95,
      unit: 'accelerated ms',
      target: 250,
      holds: p95.value <= 250,
    },
    { name: name('the same, p50'), ...of(0.5), unit: 'accelerated ms', target: null, holds: null },
  ]
}
