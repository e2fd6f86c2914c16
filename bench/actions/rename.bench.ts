import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Core } from '../../src-main/core.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { clockAt } from '../pacing/accelerated.ts'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { addressesOf, forkReference, type Reference, type ReferenceOptions } from '../support/reference.ts'
import { openCore } from '../support/web-shell.ts'
import { firstSync } from '../sync/core-sync.ts'
import { forkBareUpdates } from './bare-updates.ts'
import { allByName, armAll, prepareJob } from './run-job.ts'

/**
 * Renaming 5,000 devices: from the operator's confirmation to the end of the job, over a bare loop that sends the same
 * operations; and with costs fifty times as high, how many rate windows it takes.
 */
const devices = 5000
const rounds = 5
const priceFactor = 50
const balance = 100_000
const windowMs = 60_000
/** Accelerates the clocks of Muster and the service, so that a rate window passes in six seconds. */
const factor = 10

interface Console {
  core: Core
  reference: Reference
}

export async function run(): Promise<BenchRow[]> {
  const { muster, bare, reused } = await timed()
  const { windows, ideal, rejections } = await counted()
  const name = (what: string) => `renaming ${devices} devices: ${what}`
  const [took, least] = [percentile(muster, 0.5), percentile(bare, 0.5)]
  return [
    { name: name(`median of ${rounds}`), value: took, unit: 'ms', baseline: least, target: null, holds: null },
    row(name('over a bare loop with a connection for each request'), took / least, 'times', 1, 1.2),
    row(name('over a bare loop that reuses connections'), took / percentile(reused, 0.5), 'times', 1, null),
    row(name(`rate windows, costs ${priceFactor} times as high`), windows, 'windows', ideal, ideal + 1),
    row(name(`rejections, costs ${priceFactor} times as high`), rejections, 'rejections', null, 0),
  ]
}

const row = (name: string, value: number, unit: string, baseline: number | null, target: number | null): BenchRow => ({
  name,
  value: Number(value.toFixed(2)),
  unit,
  baseline,
  target,
  holds: target === null ? null : value <= target,
})

/** In turn, so that the machine's pace is the same for each. */
async function timed(): Promise<Record<'muster' | 'bare' | 'reused', number[]>> {
  return withConsole({ devices, tenants: 1 }, undefined, async (console) => {
    const loop = forkBareUpdates(addressesOf(console.reference))
    const { rows } = await devicesOf(console.core)
    const times = { muster: [] as number[], bare: [] as number[], reused: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      times.muster.push((await rename(console.core, round)).took)
      const updates = rows.map((id, at) => ({ id, name: `Bare ${round} ${at}` }))
      times.bare.push(await loop.send(updates, true))
      times.reused.push(await loop.send(updates, false))
    }
    await loop.stop()
    return times
  })
}

async function counted(): Promise<{ windows: number; ideal: number; rejections: number }> {
  const pace = { factor, start: Date.now() }
  return withConsole({ devices, tenants: 1, points: true, pace }, pace, async ({ core, reference }) => {
    // After the sync, which would take most of the time at that price.
    await offered(core)
    reference.setPriceFactor(priceFactor)
    await priceLearned(reference)
    const { job, points, windows, rejections } = await rename(core, 0, reference)
    if (job.counts.done !== devices) throw new Error(`${job.counts.done} devices were renamed`)
    return { windows, ideal: Math.ceil(points / balance), rejections }
  })
}

/** Resolves when it is known what the service offers, for which its schema is read. */
async function offered(core: Core): Promise<void> {
  await armAll(core)
  const isOffered = async () => {
    const { tenants } = await core.handlers['actions.state']({})
    return tenants.every((tenant) => tenant.offered.includes('rename'))
  }
  while (!(await isOffered())) await setTimeout(50)
}

/**
 * Resolves when what Muster reads in the background has met the new price: three windows in a row without a rejection. The
 * first operation of each kind after a change of prices may be rejected; this is about the rename.
 */
async function priceLearned(reference: Reference): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    await setTimeout(windowMs / factor)
    const { rejections } = await reference.counts()
    quiet = rejections === 0 ? quiet + 1 : 0
  }
}

async function withConsole<T>(
  options: ReferenceOptions,
  pace: { factor: number; start: number } | undefined,
  use: (console: Console) => Promise<T>,
): Promise<T> {
  const reference = await forkReference(options)
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const core = await openCore(profile, pace === undefined ? systemClock : clockAt(pace))
  try {
    await firstSync(core, reference)
    return await use({ core, reference })
  } finally {
    await core.stop()
    await reference.stop()
    rmSync(profile, { recursive: true, force: true })
  }
}

/** Returns the ids of all devices. */
async function devicesOf({ handlers }: Core): Promise<{ rows: string[] }> {
  const rows: string[] = []
  for (let offset = 0; offset < devices; offset += 500) {
    const part = await handlers['inventory.rows']({ query: allByName, offset, limit: 500 })
    rows.push(...part.rows.map(({ id }) => id))
  }
  return { rows }
}

/** Renames all devices, and returns the ended job with what the service counted meanwhile. */
async function rename(core: Core, round: number, reference?: Reference) {
  await armAll(core)
  const pattern = `Renamed ${round} {n:4}`
  const start = await prepareJob(core, { kind: 'rename', targets: { query: allByName }, pattern })
  await reference?.counts()
  const began = Date.now()
  const job = await start()
  // The state is published a little later.
  const took = (job.endedAt ?? Date.now()) - began
  const counts = (await reference?.counts()) ?? { points: 0, windows: 0, rejections: 0 }
  if (job.state !== 'done' || job.counts.done !== devices) throw new Error(JSON.stringify(job))
  return { job, took, ...counts }
}
