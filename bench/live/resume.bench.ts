import { setTimeout } from 'node:timers/promises'
import { forkDrivenCore, type DrivenCore } from './processes/core-process.ts'
import { forkDrivenService, type DrivenService, type ServiceFacts } from './processes/service-process.ts'
import type { BenchRow } from '../row.ts'
import { moment } from '../support/verbs.ts'

/**
 * A computer that slept for an hour, in which one device in twenty changed: from its waking until the watch list and the
 * rows on the screen are as the service has them, and until all of 20,000 are. Over real sockets, with the reference
 * service's costs and its limit of 100,000 points a minute; the first reading of the same run stands beside it, which is
 * what it takes to read everything anew. A run takes some eight minutes, of which that first reading is six.
 *
 * Asleep, the core's process stands still, its steady clock with it; its sockets are cut, as a service does with a client that no longer
 * answers, and its wall clock has gone on by an hour when it wakes.
 */
const devices = 20_000
const tenants = 6
const sleptMs = 60 * 60_000
/** A window of points begins anew meanwhile, as in an hour of real sleep. */
const frozenMs = 61_000
const watched = 100
const visible = 50
const changedOf = 20
const patienceMs = 5 * 60_000
const pollMs = 50
const screen = {
  query: { scope: 'all', filter: '', sort: [{ column: 'name' as const, direction: 'asc' as const }] },
  offset: 0,
  limit: visible,
}

export async function run(): Promise<BenchRow[]> {
  const [service, core] = [forkDrivenService(), forkDrivenCore()]
  try {
    const facts = await service.ask('start', { devices, tenants, points: true })
    const began = moment()
    await core.ask('open', facts, {})
    const firstReading = moment() - began
    const urgent = await lookAtSome(core)
    const states = new Map(facts.devices.map(({ id, connected }) => [id, connected]))
    const woken = core.ask('sleep', sleptMs)
    const changed = await sleepOver(service, facts, states)
    core.wake()
    const since = await woken
    const urgentAfter = await untilAll(core, since, expectedOf(states, urgent))
    const allAfter = await untilAll(core, since, totalsOf(states))
    const missed = comparison(await core.ask('journal'), changed)
    return rowsOf({
      firstReading,
      urgentAfter,
      allAfter,
      missed,
      refusals: await service.ask('refusals'),
      changed: changed.size,
    })
  } finally {
    await Promise.all([core.stop(), service.stop()])
  }
}

/** The ids of the rows on the screen, and of those that are put on the watch list. */
async function lookAtSome(core: DrivenCore): Promise<string[]> {
  const all = { ...screen, limit: 500 }
  const list: { id: string; key: string }[] = []
  for (let offset = 5_000; list.length < watched; offset += 1_000) {
    const { rows } = await core.ask('rows', { ...all, offset })
    list.push(...rows.filter((_row, at) => at % 25 === 0).slice(0, watched - list.length))
  }
  await core.ask('change', { watched: list.map(({ key }) => key) })
  // Last, so that this is what is on the screen.
  const { rows } = await core.ask('rows', screen)
  return [...new Set([...rows, ...list].map(({ id }) => id))]
}

async function sleepOver(
  service: DrivenService,
  facts: ServiceFacts,
  states: Map<string, boolean | null>,
): Promise<Map<string, boolean>> {
  await setTimeout(1_000)
  await service.ask('dropSockets', 1006)
  const changed = new Map(
    facts.devices
      .filter(({ connected }, at) => at % changedOf === 0 && connected !== null)
      .map(({ id, connected }) => [id, connected !== true]),
  )
  for (const connected of [true, false])
    await service.ask(
      'change',
      [...changed].flatMap(([id, now]) => (now === connected ? [id] : [])),
      connected,
      0,
    )
  for (const [id, connected] of changed) states.set(id, connected)
  await setTimeout(frozenMs)
  return changed
}

/** What filters must count when these devices are shown as the service has them. */
type Expected = ReadonlyMap<string, number>

function expectedOf(states: ReadonlyMap<string, boolean | null>, ids: readonly string[]): Expected {
  const of = (connected: boolean | null): string[] => ids.filter((id) => states.get(id) === connected)
  const parts = [
    ['online', of(true)],
    ['offline', of(false)],
    ['unknown', of(null)],
  ] as const
  return new Map(
    parts.flatMap(([status, some]) =>
      some.length === 0 ? [] : [[`status:${status} id:${some.map((id) => `"${id}"`).join(',')}`, some.length]],
    ),
  )
}

function totalsOf(states: ReadonlyMap<string, boolean | null>): Expected {
  const count = (connected: boolean | null): number => [...states.values()].filter((each) => each === connected).length
  return new Map([
    ['status:online', count(true)],
    ['status:offline', count(false)],
    ['status:unknown', count(null)],
  ])
}

/** Ms from then on; infinity when they never were. */
async function untilAll(core: DrivenCore, since: number, expected: Expected): Promise<number> {
  while (moment() - since < patienceMs) {
    const counts = await core.ask('counts', [...expected.keys()])
    if ([...expected.values()].every((count, at) => counts[at] === count)) return moment() - since
    await setTimeout(pollMs)
  }
  return Infinity
}

/** Transitions that are missing from the journal, or are there and did not happen. */
function comparison(journal: ReadonlyMap<string, readonly boolean[]>, changed: ReadonlyMap<string, boolean>): number {
  const right = [...changed].filter(
    ([id, connected]) => journal.get(id)?.length === 1 && journal.get(id)?.[0] === connected,
  ).length
  const others = [...journal.keys()].filter((id) => !changed.has(id)).length
  return changed.size - right + others
}

interface Found {
  firstReading: number
  urgentAfter: number
  allAfter: number
  missed: number
  refusals: number
  changed: number
}

function rowsOf({ firstReading, urgentAfter, allAfter, missed, refusals, changed }: Found): BenchRow[] {
  const seconds = (ms: number): number => Number((ms / 1000).toFixed(2))
  const name = (what: string): string => `live resume, 20,000 devices, an hour asleep, ${changed} changed: ${what}`
  return [
    {
      name: name(`watch list of ${watched} and ${visible} rows on the screen are right`),
      value: seconds(urgentAfter),
      unit: 's',
      baseline: seconds(firstReading),
      target: 10,
      holds: urgentAfter <= 10_000,
    },
    {
      name: name('all are right'),
      value: seconds(allAfter),
      unit: 's',
      baseline: seconds(firstReading),
      target: null,
      holds: null,
    },
    {
      name: name('transitions of it that the journal lacks, or has wrongly'),
      value: missed,
      unit: '',
      baseline: null,
      target: 0,
      holds: missed === 0,
    },
    {
      name: name('operations refused for points'),
      value: refusals,
      unit: '',
      baseline: null,
      target: 0,
      holds: refusals === 0,
    },
  ]
}
