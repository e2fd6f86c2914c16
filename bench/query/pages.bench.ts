import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { devicesOperation } from '../../src-main/api/operations.ts'
import type { Core } from '../../src-main/core.ts'
import type { BenchRow } from '../row.ts'
import { firstSync } from '../sync/core-sync.ts'
import { forkBare } from '../sync/bare-loop.ts'
import { percentile } from '../support/percentile.ts'
import { addressesOf, forkReference } from '../support/reference.ts'
import { openCore } from '../support/web-shell.ts'

/**
 * All pages of 100,000 rows as the query screen reads them, beside a bare loop in a process of its own that fetches and parses the
 * same pages over the same network port. Operations cost a hundredth: both wait for no points.
 */
const devices = 100_000
const pageSize = 500
const rounds = 3
const priceFactor = 0.01
/** A rate window holds the first sync and a round, or two rounds. */
const windowMs = 61_000
const sampleMs = 20

export async function run(): Promise<BenchRow[]> {
  const reference = await forkReference({ devices, tenants: 1, points: true, priceFactor })
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const bareLoop = forkBare({ ...addressesOf(reference), devices, pageSize })
  const core = await openCore(profile)
  try {
    await firstSync(core, reference)
    const ours: number[] = []
    const bare: number[] = []
    const memory: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      if (round % 2 === 1) await sleep(windowMs)
      bare.push(await bareLoop.read())
      const read = await readAllPages(core)
      ours.push(read.ms)
      memory.push(read.memory)
    }
    return rowsOf(ours, bare, memory)
  } finally {
    await core.stop()
    await bareLoop.stop()
    await reference.stop()
    rmSync(profile, { recursive: true, force: true })
  }
}

/** Reads all pages. Resolves with how long it took, ms, and by how much the process grew meanwhile, bytes. */
async function readAllPages({ handlers }: Core): Promise<{ ms: number; memory: number }> {
  const [connection] = (await handlers['app.state']({})).connections
  const [tenant] = (await handlers['query.tenants']({ connection: connection?.id ?? '' })).tenants
  const before = process.memoryUsage().rss
  let peak = before
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), sampleMs)
  const run = randomUUID()
  const began = performance.now()
  const { outcome } = await handlers['query.runBatch']({
    run,
    again: null,
    batch: {
      connections: [connection?.id ?? ''],
      document: devicesOperation.document,
      operation: null,
      variables: { tenant: tenant?.id, params: { nextToken: null, pageSize } },
      pages: true,
      tenants: false,
    },
  })
  const ms = performance.now() - began
  clearInterval(sampling)
  if (outcome.rows !== devices || outcome.stopped !== null) throw new Error(`${outcome.rows} rows were read`)
  await handlers['query.forget']({ run })
  return { ms, memory: peak - before }
}

function rowsOf(ours: number[], bare: number[], memory: number[]): BenchRow[] {
  const ratio = percentile(ours, 0.5) / percentile(bare, 0.5)
  return [
    {
      name: `all pages of 100,000 rows (median of ${rounds})`,
      value: Math.round(percentile(ours, 0.5)),
      unit: 'ms',
      baseline: Math.round(percentile(bare, 0.5)),
      target: null,
      holds: null,
    },
    {
      name: 'all pages of 100,000 rows over a bare paging loop',
      value: Number(ratio.toFixed(2)),
      unit: 'times',
      baseline: 1,
      target: 1.3,
      holds: ratio <= 1.3,
    },
    {
      name: 'growth of the process meanwhile, the most',
      value: Math.round(Math.max(...memory) / 1e6),
      unit: 'MB',
      baseline: null,
      target: null,
      holds: null,
    },
  ]
}
