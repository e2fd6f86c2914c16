import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Calls } from '../../src-main/inventory/thread/calls.ts'
import type { BenchRow } from '../row.ts'
import { fill, now, openWorld, p95, row, seed, timed } from './measure.ts'
import { dayMs, pastDays, writePast } from './past.ts'
import { makeWorld } from './world.ts'

const devices = 100_000
/** Minutes of one day that are shown one after the other. */
const minutes = 200

/** The fleet at a past minute: 100,000 devices with 400 days and 2,000,000 transitions. The baseline is one query over the table. */
export async function run(): Promise<BenchRow[]> {
  const profile = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  try {
    const world = fill(profile, makeWorld(devices, seed, now))
    writePast(profile)
    const calls = openWorld(profile, world)
    const filling = fillDays(calls)
    const plain = new DatabaseSync(join(profile, 'journal.db'), { readOnly: true })
    const query = plain.prepare('SELECT key, connected, max(id) FROM transition WHERE at <= ? GROUP BY key')
    const rows = [1, 30, 200, 399].map((back) => {
      const at = now - back * dayMs
      const baseline = timed(() => query.all(at)).ms
      return row(`any minute, first one of a day ${back} d back`, timed(() => then(calls, at)).ms, 'ms', baseline, 250)
    })
    const start = now - 30 * dayMs
    then(calls, start)
    const moving = Array.from({ length: minutes }, (_, n) => timed(() => then(calls, start + n * 60_000)).ms)
    const { size } = plain.prepare('SELECT sum(length(states)) AS size FROM day_state').get() ?? {}
    plain.close()
    calls.close(undefined)
    return [
      ...rows,
      ...filling,
      row(
        'beginnings of days in the journal, per 1,000 devices and year',
        (Number(size) / 1000 / devices) * 1000 * (365 / pastDays),
        'kB',
        null,
        null,
      ),
      row(`moving along a day by minutes, p95 of ${minutes}`, p95(moving), 'ms', null, 33),
    ]
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

/** The beginnings of all days, which are written in the background. */
function fillDays(calls: Calls): BenchRow[] {
  const turns: number[] = []
  for (let isDone = false; !isDone;) {
    const turn = timed(() => calls.fillDays({ now }))
    turns.push(turn.ms)
    isDone = turn.result
  }
  const sum = turns.reduce((one, other) => one + other, 0)
  return [
    row(`writing the beginnings of ${pastDays} days, once`, sum / 1000, 's', null, null),
    row(`its longest turn of the thread`, Math.max(...turns), 'ms', null, null),
  ]
}

function then(calls: Calls, at: number): void {
  const asked = { at, tiles: 'site' as const, layout: null, place: null, now }
  while (calls.overviewThen(asked) === null);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await run())
