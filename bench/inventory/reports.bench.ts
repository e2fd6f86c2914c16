import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ReportInput } from '../../src-main/inventory/thread/report-protocol.ts'
import type { Calls } from '../../src-main/inventory/thread/calls.ts'
import type { BenchRow } from '../row.ts'
import { fill, now, openWorld, row, seed, timed } from './measure.ts'
import { dayMs, writePast } from './past.ts'
import { makeWorld } from './world.ts'

/**
 * Reports of availability of 100,000 devices with 400 days and 2,000,000 transitions. The baseline reads the same transitions in order of
 * entry, and adds nothing up.
 */
export async function run(): Promise<BenchRow[]> {
  const profile = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  try {
    const world = fill(profile, makeWorld(100_000, seed, now))
    writePast(profile)
    const calls = openWorld(profile, world)
    const plain = new DatabaseSync(join(profile, 'journal.db'), { readOnly: true })
    const query = plain.prepare('SELECT key, at, not_before, connected FROM transition WHERE at >= ? ORDER BY id')
    const rows = [7, 30, 365].flatMap((days) => {
      const from = now - days * dayMs
      const baseline = timed(() => {
        for (const _row of query.iterate(from));
      }).ms
      const input = inputOf(from, days)
      const turns: number[] = []
      const ms = timed(() => {
        for (;;) {
          const turn = timed(() => calls.availabilityReport(input))
          turns.push(turn.ms)
          if (turn.result !== null) return
        }
      }).ms
      return [
        row(`a report of ${days} days`, ms, 'ms', baseline, null),
        row(`its longest turn of the thread`, Math.max(...turns), 'ms', null, null),
        row(`its CSV, 100,000 lines`, timed(() => csvOf(calls, input)).ms, 'ms', null, null),
      ]
    })
    plain.close()
    calls.close(undefined)
    return rows
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

function inputOf(from: number, days: number): ReportInput {
  const boundaries = Array.from({ length: days + 1 }, (_, day) => from + day * dayMs)
  return { place: 'all', from, until: now, now, days: boundaries, hours: null, maintenance: [] }
}

function csvOf(calls: Calls, input: ReportInput): void {
  for (let offset: number | null = 0; offset !== null;) {
    const done = calls.availabilityCsv({ ...input, offset })
    if (done !== null) offset = done.answer?.next ?? null
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await run())
