import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cases } from './cases.ts'
import { ask, eventSource, fill, now, openWorld, p95, row, seed, timed, timesOf } from './measure.ts'
import { makeWorld } from './world.ts'
import type { BenchRow } from '../row.ts'

const devices = 1_000_000

/**
 * The forty queries at 1,000,000 devices. Plain objects for a table would not fit beside it, so there is no baseline.
 */
export async function run(): Promise<BenchRow[]> {
  const profile = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  try {
    const world = fill(profile, makeWorld(devices, seed, now))
    const opening = timed(() => openWorld(profile, world))
    const calls = opening.result
    const cold = cases.map((one) => timed(() => ask(calls, one, 0)).ms)
    const figures = timesOf(calls, eventSource(calls, world)).map(p95)
    calls.close(undefined)
    return [
      row('sort + filter + page at 1,000,000 devices, worst p95 of 40', Math.max(...figures), 'ms', null, 100),
      ...cases.map(({ name }, n) => row(`at 1,000,000: ${name}`, figures[n] ?? Number.NaN, 'ms', null, null)),
      row('worst first run of a query at 1,000,000', Math.max(...cold), 'ms', null, null),
      row('opening with 1,000,000 cached devices', opening.ms, 'ms', null, null),
    ]
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await run())
