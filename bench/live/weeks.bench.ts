import { judge, type Verdict } from './weeks/verdict.ts'
import { play, type Played } from './weeks/play.ts'
import { laptop, wallDisplay } from './weeks/script.ts'
import type { BenchRow } from '../row.ts'

/**
 * Scripted weeks of a fleet through the whole core on a simulated clock, with default settings, against the reference
 * service's world, costs and point limit: site outages, single devices, blips, flapping, nightly reboots, a
 * maintenance, a closed lid, VPN drops. The expected notifications follow from the changes of the world
 * (`live/weeks/cause.ts`). Beside it the same verdict on a client with a toast for each event.
 */
const devices = 1_000
const tenants = 4
const scripts = [wallDisplay, laptop]

export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [at, write] of scripts.entries()) {
    const played = await play({ devices, tenants, seed: 60 + at, write })
    const [muster, naive] = [judge(played.week.causes, played.notified), judge(played.week.causes, played.toasted)]
    explain(played, muster)
    rows.push(...rowsOf(played.week.name, muster, naive))
  }
  return rows
}

/** Prints each mistake. */
function explain({ week }: Played, { wrong, missing }: Verdict): void {
  const clock = (at: number): string => new Date(at).toISOString().slice(0, 19)
  for (const { at, kind, title } of wrong) console.log(`  ${week.name}, not due: ${clock(at)} ${kind}: ${title}`)
  for (const { cause, due } of missing)
    console.log(`  ${week.name}, missing: ${cause.sort}, ${due.what}, due ${clock(due.from)} to ${clock(due.until)}`)
}

function rowsOf(week: string, muster: Verdict, naive: Verdict): BenchRow[] {
  const name = (what: string): string => `live weeks, ${week}, ${devices} devices: ${what}`
  return [
    {
      name: name('false notifications'),
      value: muster.wrong.length,
      unit: '',
      baseline: naive.wrong.length,
      target: 0,
      holds: muster.wrong.length === 0,
    },
    {
      name: name(`missing notifications of ${muster.required}`),
      value: muster.missing.length,
      unit: '',
      baseline: naive.missing.length,
      target: 0,
      holds: muster.missing.length === 0,
    },
    {
      name: name('notifications in total'),
      value: muster.notices,
      unit: '',
      baseline: naive.notices,
      target: null,
      holds: null,
    },
    {
      name: name('updates of a notification in place'),
      value: muster.updates,
      unit: '',
      baseline: naive.updates,
      target: null,
      holds: null,
    },
  ]
}
