import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Calls, callsOn } from '../../src-main/inventory/thread/calls.ts'
import { startData } from '../../src-main/inventory/thread/client.ts'
import { openStore } from '../../src-main/inventory/store.ts'
import type { DeviceRow } from '../../src-shared/model/inventory.ts'
import { makeBaseline, type Baseline } from './baseline.ts'
import { cases, type Case, queryOf, pageRows } from './cases.ts'
import {
  ask,
  eventSource,
  fill,
  type Filled,
  now,
  openWorld,
  p95,
  row,
  runs,
  seed,
  timed,
  timeOf,
  timesOf,
} from './measure.ts'
import { makeWorld } from './world.ts'
import type { BenchRow } from '../row.ts'

const devices = 100_000
/** The baseline takes up to a second for one answer: fewer runs, whose worst stands for the p95. */
const baselineRuns = 4
const thread = join(import.meta.dirname, '../../src-main/inventory/thread/thread.ts')

/** The inventory engine at 100,000 devices: forty queries, opening, memory, and the path through the thread. */
export async function run(): Promise<BenchRow[]> {
  const profile = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  try {
    const world = fill(profile, makeWorld(devices, seed, now))
    return [...measure(profile, world), ...(await measureFacade(profile)), ...measureSmall()]
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

const heap = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function measure(profile: string, world: Filled): BenchRow[] {
  const before = heap()
  const opening = timed(() => openWorld(profile, world))
  const calls = opening.result
  const bytes = (heap() - before) / devices
  const cold = cases.map((one) => timed(() => ask(calls, one, 0)).ms)
  const tree = measureTree(calls)
  const warm = (heap() - before) / devices
  const answers = measureCases(calls, world)
  calls.close(undefined)
  return [
    ...answers,
    row('first answer after opening (orders by name)', cold[0] ?? 0, 'ms', null, null),
    row('worst first run of a query', Math.max(...cold.slice(1)), 'ms', null, null),
    row('tree page with 200 nodes open, p95', tree, 'ms', null, null),
    row('opening with 100,000 cached devices', opening.ms, 'ms', null, 1200),
    row('memory for each device, opened', bytes, 'bytes', null, null),
    row('memory for each device, after all queries', warm, 'bytes', null, null),
  ]
}

function measureCases(calls: Calls, world: Filled): BenchRow[] {
  const nextEvents = eventSource(calls, world)
  // All of ours first, so that the baseline's garbage is not collected in our time.
  const ours = timesOf(calls, nextEvents)
  const baseline = makeBaseline(everyRow(calls))
  const theirs = cases.map((one) =>
    Array.from({ length: baselineRuns }, (_, n) => {
      if (n % 2 === 1) nextEvents().forEach(baseline.replace)
      return compared(calls, baseline, one, n)
    }),
  )
  const figures = cases.map((one, n) => ({ one, ours: p95(ours[n] ?? []), theirs: p95(theirs[n] ?? []) }))
  const worst = (of: (figure: (typeof figures)[number]) => number) => Math.max(...figures.map(of))
  return [
    row(
      'sort + filter + page at 100,000 devices, worst p95 of 40',
      worst((f) => f.ours),
      'ms',
      worst((f) => f.theirs),
      16,
    ),
    ...figures.map(({ one, ours, theirs }) => row(one.name, ours, 'ms', theirs, null)),
  ]
}

/** Runs both, and stops the benchmark when they differ: a wrong answer has no speed. */
function compared(calls: Calls, baseline: Baseline, one: Case, n: number): number {
  const theirs = timed(() => baseline.ask(queryOf(one, n), timeOf(n), one.offset, pageRows))
  const ours = ask(calls, one, n)
  const names = (rows: DeviceRow[]) => rows.map(({ name }) => name).join('\n')
  if (ours.total !== theirs.result.total)
    throw new Error(`${one.name}: ${ours.total} rows here, ${theirs.result.total} there`)
  if (one.sort.some(({ column }) => column === 'name') && names(ours.rows) !== names(theirs.result.rows))
    throw new Error(`${one.name}: other rows`)
  return theirs.ms
}

function everyRow(calls: Calls): DeviceRow[] {
  const query = { scope: 'all', filter: '', sort: [] }
  return Array.from(
    { length: devices / 500 },
    (_, n) => calls.rows({ query, offset: n * 500, limit: 500, now }).rows,
  ).flat()
}

function measureTree(calls: Calls): number {
  let expanded: string[] = []
  while (expanded.length < 200) {
    const { rows } = calls.tree({ expanded, offset: 0, limit: 500, reveal: null })
    const more = rows.filter((line) => line.expanded === false).map((line) => line.id)
    expanded = [...expanded, ...more].slice(0, 200)
  }
  return p95(
    Array.from(
      { length: runs },
      (_, n) => timed(() => calls.tree({ expanded, offset: n * 40, limit: pageRows, reveal: null })).ms,
    ),
  )
}

/** Measures the core's path: through the facade, with both crossings of the thread. */
async function measureFacade(profile: string): Promise<BenchRow[]> {
  const { data, stop } = await startData({ profile, thread })
  const times: number[] = []
  const query = {
    scope: 'all',
    filter: 'connected:no',
    sort: [{ column: 'since' as const, direction: 'asc' as const }],
  }
  for (let n = -1; n < 4 * runs; n += 1) {
    const start = performance.now()
    await data.rows({ query, offset: 0, limit: pageRows, now })
    if (n >= 0) times.push(performance.now() - start)
  }
  await stop()
  return [row('a page through the facade, p95', p95(times), 'ms', null, null)]
}

function measureSmall(): BenchRow[] {
  const profile = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  try {
    fill(profile, makeWorld(20_000, seed, now))
    const { ms, result } = timed(() => callsOn(openStore(profile, 1, now)))
    result.close(undefined)
    return [row('opening with 20,000 cached devices', ms, 'ms', null, 300)]
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await run())
