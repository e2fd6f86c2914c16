import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BenchRow } from '../row.ts'
import { forkBare } from './bare-loop.ts'
import { addressesOf, forkReference } from '../support/reference.ts'
import { openCore } from '../support/web-shell.ts'
import { firstSync, secondSync } from './core-sync.ts'

/**
 * A full sync of 20,000 devices in 6 tenants without the point limit, beside a bare loop in a process of its own that
 * fetches and parses pages of the same size over the same network port: the difference is Muster's own work (checking,
 * cache, journal, engine, patches).
 */
const devices = 20_000
const tenants = 6
const rounds = 7
/** Muster's largest page. */
const pageSize = 250

export async function run(): Promise<BenchRow[]> {
  const reference = await forkReference({ devices, tenants })
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const bareLoop = forkBare({ ...addressesOf(reference), devices, pageSize })
  const core = await openCore(profile)
  try {
    const first = await firstSync(core, reference)
    const bare: number[] = []
    const pulls: number[] = []
    const stalls: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await bareLoop.read())
      const again = await secondSync(core)
      pulls.push(again.took)
      stalls.push(again.stall)
    }
    return rowsOf(first, median(pulls), median(bare), stalls)
  } finally {
    await core.stop()
    await bareLoop.stop()
    await reference.stop()
    rmSync(profile, { recursive: true, force: true })
  }
}

function rowsOf(first: number, pull: number, bare: number, stalls: number[]): BenchRow[] {
  const stall = median(stalls)
  const ratio = pull / bare
  return [
    {
      name: 'first sync of 20,000 devices',
      value: Math.round(first),
      unit: 'ms',
      baseline: Math.round(bare),
      target: null,
      holds: null,
    },
    {
      name: 'full sync of 20,000 devices, again (median of 7)',
      value: Math.round(pull),
      unit: 'ms',
      baseline: Math.round(bare),
      target: null,
      holds: null,
    },
    {
      name: 'full sync over a bare fetch-and-parse loop',
      value: Number(ratio.toFixed(2)),
      unit: 'times',
      baseline: 1,
      target: 1.5,
      holds: ratio <= 1.5,
    },
    {
      name: 'longest stall of the core’s event loop in a sync (median of 7)',
      value: Number(stall.toFixed(1)),
      unit: 'ms',
      baseline: null,
      target: 20,
      holds: stall <= 20,
    },
    {
      name: 'the same, worst of 7',
      value: Number(Math.max(...stalls).toFixed(1)),
      unit: 'ms',
      baseline: null,
      target: 20,
      holds: Math.max(...stalls) <= 20,
    },
  ]
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
