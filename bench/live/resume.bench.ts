import { setTimeout } from 'node:timers/promises'
import { forkDrivenCore, type DrivenCore } from './processes/core-process.ts'
import { forkDrivenService, type DrivenService, type ServiceFacts } from './processes/service-process.ts'
import type { BenchRow } from '../row.ts'
import { moment } from '../support/verbs.ts'

/**
 * A computer that slept for an hour, in which one device in twenty changed: the time from waking until the watch list
 * and the visible rows match the service, and until all of 20,000 do. Over real sockets, with the reference service's
 * costs and its limit of 100,000 points a minute; beside the first sync of the same run, which is the time of a full
 * sync. A run takes about eight minutes, six of them for the first sync.
 *
 * During sleep the core's process is stopped, and its monotonic clock with it; its sockets are closed, as a service
 * closes those of a client that no longer answers, and its wall clock has advanced by an hour at waking.
 */
const devices = 20_000
const tenants = 6
const sleptMs = 60 * 60_000
/** Long enough for a new rate window, as in an hour of real sleep, ms. */
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
    const firstSync = moment() - began
    const urgent = await showSome(core)
    const states = new Map(facts.devices.map(({ id, connected }) => [id, connected]))
    const woken = core.ask('sleep', sleptMs)
    const changed = await changeDuringSleep(service, facts, states)
    core.wake()
    const since = await woken
    const urgentAfter = await untilAll(core, since, expectedOf(states, urgent))
    const allAfter = await untilAll(core, since, totalsOf(states))
    const missed = comparison(await core.ask('journal'), changed)
    return rowsOf({
      firstSync,
      urgentAfter,
      allAfter,
      missed,
      rejections: await service.ask('rejections'),
      changed: changed.size,
    })
  } finally {
    await Promise.all([core.stop(), service.stop()])
  }
}

/** Resolves with the ids of the visible rows, and of those on the watch list. */
async function showSome(core: DrivenCore): Promise<string[]> {
  const all = { ...screen, limit: 500 }
  const list: { id: string; key: string }[] = []
  for (let offset = 5_000; list.length < watched; offset += 1_000) {
    const { rows } = await core.ask('rows', { ...all, offset })
    list.push(...rows.filter((_row, at) => at % 25 === 0).slice(0, watched - list.length))
  }
  await core.ask('change', { watched: list.map(({ key }) => key) })
  // Last, so that these rows are in the viewport.
  const { rows } = await core.ask('rows', screen)
  return [...new Set([...rows, ...list].map(({ id }) => id))]
}

async function changeDuringSleep(
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

/** The expected count of each filter when these devices match the service. */
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

/** Resolves with the ms since then; infinity when they never match. */
async function untilAll(core: DrivenCore, since: number, expected: Expected): Promise<number> {
  while (moment() - since < patienceMs) {
    const counts = await core.ask('counts', [...expected.keys()])
    if ([...expected.values()].every((count, at) => counts[at] === count)) return moment() - since
    await setTimeout(pollMs)
  }
  return Infinity
}

/** Returns the number of missing and of wrong transitions in the journal. */
function comparison(journal: ReadonlyMap<string, readonly boolean[]>, changed: ReadonlyMap<string, boolean>): number {
  const right = [...changed].filter(
    ([id, connected]) => journal.get(id)?.length === 1 && journal.get(id)?.[0] === connected,
  ).length
  const others = [...journal.keys()].filter((id) => !changed.has(id)).length
  return changed.size - right + others
}

interface Found {
  firstSync: number
  urgentAfter: number
  allAfter: number
  missed: number
  rejections: number
  changed: number
}

function rowsOf({ firstSync, urgentAfter, allAfter, missed, rejections, changed }: Found): BenchRow[] {
  const seconds = (ms: number): number => Number((ms / 1000).toFixed(2))
  const name = (what: string): string => `live resume, 20,000 devices, an hour asleep, ${changed} changed: ${what}`
  return [
    {
      name: name(`watch list of ${watched} and ${visible} rows on the screen are right`),
      value: seconds(urgentAfter),
      unit: 's',
      baseline: seconds(firstSync),
      target: 10,
      holds: urgentAfter <= 10_000,
    },
    {
      name: name('all are right'),
      value: seconds(allAfter),
      unit: 's',
      baseline: seconds(firstSync),
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
      name: name('operations rejected for points'),
      value: rejections,
      unit: '',
      baseline: null,
      target: 0,
      holds: rejections === 0,
    },
  ]
}
