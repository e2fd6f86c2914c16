import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { DrivenCore } from './processes/core-process.ts'
import { forkFloodingService, type Flooded, type FloodingService } from './processes/flood-process.ts'
import { forkReader } from './processes/reader-process.ts'
import type { ServiceFacts } from './processes/service-process.ts'
import { processorTime, type Loop } from './processes/watched-loop.ts'
import type { BenchRow } from '../row.ts'
import { bundled } from '../support/bundled.ts'
import { forkVerbs, moment } from '../support/verbs.ts'

/**
 * 1.3 million changes of 20,000 devices in one burst, as fast as the socket accepts them: the core's resources and
 * time, the journal's content, and whether Muster ends with the right state. Beside it a socket that only reads and
 * parses another such burst. Service, core and reader are processes of their own, and need more than the two processors
 * of a small machine, so the processor time of each is reported too. It takes four minutes on an idle machine, and
 * never more than fifteen.
 */
const devices = 20_000
const tenants = 6
const rounds = 65
/** Longer than any delay of a notification, ms. */
const notificationMs = 120_000
const askEveryMs = 100
/** Longest wait for the right state, ms; then the present one is reported. */
const patienceMs = 5 * 60_000
/** Longest total time, ms; then there are no results. */
const longestMs = 15 * 60_000

/** Resources of one side. Megabytes and ms; `took` from the first change on. */
interface Cost {
  resident: number
  loop: Loop
  took: number
}

/**
 * The longest wait of a query, ms: for the caller, the part within the core, and the part until the caller could read
 * the answer.
 */
interface Answers {
  answer: number
  within: number
  asker: number
}

interface Used {
  service: number
  core: number
  coreThread: number
  asker: number
}

interface Outcome extends Cost {
  flooded: Flooded
  answers: Answers
  /** Processor time in that period, ms. */
  used: Used
  notified: number
  /** Devices with a wrong status in Muster at the end. */
  wrong: number
  /** Transitions in the journal; devices with more of them than changes; transitions without a change. */
  entered: number
  overfull: number
  repeated: number
}

export async function run(): Promise<BenchRow[]> {
  const over = new AbortController()
  const tooLong = setTimeout(longestMs, null, { signal: over.signal }).then(() => {
    throw new Error(`no end within ${longestMs / 60_000} minutes`)
  })
  try {
    return await Promise.race([measured(), tooLong])
  } finally {
    tooLong.catch(() => {})
    over.abort()
  }
}

async function measured(): Promise<BenchRow[]> {
  const service = forkFloodingService()
  try {
    const facts = await service.ask('start', { devices, tenants })
    const bare = await readBare(service, facts)
    console.log(`  a socket with nothing behind it took ${Math.round(bare.took)} ms`)
    return rowsOf(await readByCore(service, facts), bare)
  } finally {
    await service.stop()
  }
}

async function readBare(service: FloodingService, facts: ServiceFacts): Promise<Cost> {
  const reader = forkReader()
  try {
    await reader.ask('open', facts)
    await reader.ask('watchLoop')
    const began = moment()
    const { sent } = await service.ask('flood', rounds)
    while ((await reader.ask('progress')).events < sent) await setTimeout(askEveryMs)
    const { lastAt } = await reader.ask('progress')
    return { took: lastAt - began, loop: await reader.ask('loop'), resident: await reader.ask('peakResident') }
  } finally {
    await reader.stop()
  }
}

async function readByCore(service: FloodingService, facts: ServiceFacts): Promise<Outcome> {
  const core: DrivenCore = forkVerbs(await bundled(new URL('processes/core-process.ts', import.meta.url)))
  try {
    await core.ask('open', facts, { fullSyncMinutes: 24 * 60 }, true)
    await core.ask('watchLoop')
    const before = await usedBy(service, core)
    const began = moment()
    const flooding = service.ask('flood', rounds)
    const { took, ...answers } = await untilFound(core, flooding, began)
    const used = difference(await usedBy(service, core), before)
    console.log(
      `  the burst and its sync took ${Math.round(took)} ms; ${notificationMs / 1000} s for its notifications`,
    )
    const notified = await notificationsWithin(core, notificationMs)
    const cost = { loop: await core.ask('loop'), resident: await core.ask('peakResident') }
    return { ...cost, took, answers, used, notified, flooded: await flooding, ...(await comparison(service, core)) }
  } finally {
    await core.stop()
  }
}

/** Resolves when the burst is over and all is synced. Queries the core all the time. */
async function untilFound(
  core: DrivenCore,
  flooding: Promise<unknown>,
  began: number,
): Promise<Answers & { took: number }> {
  let [isOver, answer] = [false, 0]
  void flooding.then(() => {
    isOver = true
  })
  const own = monitorEventLoopDelay({ resolution: 1 })
  own.enable()
  for (;;) {
    const asked = moment()
    const isQuiet = await core.ask('isQuiet')
    answer = Math.max(answer, moment() - asked)
    if ((isOver && isQuiet) || asked - began > patienceMs) break
    await setTimeout(askEveryMs)
  }
  if (!isOver) throw new Error('the core does not take the burst')
  return { answer, within: await core.ask('longestAnswer'), asker: own.max / 1e6, took: moment() - began }
}

async function usedBy(service: FloodingService, core: DrivenCore): Promise<Used> {
  const [theirs, { process, thread }] = [await service.ask('processorTime'), await core.ask('processorTime')]
  return { service: theirs.process, core: process, coreThread: thread, asker: processorTime().process }
}

const difference = (after: Used, before: Used): Used => ({
  service: after.service - before.service,
  core: after.core - before.core,
  coreThread: after.coreThread - before.coreThread,
  asker: after.asker - before.asker,
})

async function notificationsWithin(core: DrivenCore, ms: number): Promise<number> {
  await setTimeout(ms)
  return (await core.ask('take')).notified.length
}

async function comparison(
  service: FloodingService,
  core: DrivenCore,
): Promise<Pick<Outcome, 'wrong' | 'entered' | 'overfull' | 'repeated'>> {
  const [truth, shown, journal] = [
    await service.ask('states'),
    await core.ask('states'),
    [...(await core.ask('journal')).values()],
  ]
  return {
    wrong: [...truth].filter(([id, connected]) => shown.get(id) !== connected).length,
    entered: journal.reduce((sum, { length }) => sum + length, 0),
    overfull: journal.filter(({ length }) => length > rounds).length,
    repeated: journal.reduce(
      (sum, each) => sum + each.filter((connected, at) => at > 0 && connected === each[at - 1]).length,
      0,
    ),
  }
}

function rowsOf(core: Outcome, bare: Cost): BenchRow[] {
  const name = (what: string): string =>
    `live flood, ${core.flooded.changes} changes of 20,000 devices in ${Math.round(core.flooded.took)} ms: ${what}`
  const untargeted = (what: string, value: number, unit: string, baseline: number | null): BenchRow => ({
    name: name(what),
    value,
    unit,
    baseline,
    target: null,
    holds: null,
  })
  const limited = (what: string, value: number, target: number, unit = ''): BenchRow => ({
    ...untargeted(what, value, unit, null),
    target,
    holds: value <= target,
  })
  return [
    { ...limited('peak resident memory of the core', core.resident, 500, 'MB'), baseline: bare.resident },
    untargeted('peak heap of the core’s thread', core.loop.heap, 'MB', bare.loop.heap),
    untargeted('events sent to Muster', core.flooded.sent, '', null),
    untargeted('until all is synced', core.took, 'ms', bare.took),
    untargeted('longest stall of the core’s event loop', core.loop.stall, 'ms', bare.loop.stall),
    {
      ...limited('the same as processor time of the core’s thread', core.loop.busy, 1000, 'ms'),
      baseline: bare.loop.busy,
    },
    untargeted('longest garbage collection', core.loop.collection, 'ms', bare.loop.collection),
    limited('longest wait for an answer of the core', core.answers.answer, 1000, 'ms'),
    untargeted('the same from the call to its answer within the core', core.answers.within, 'ms', null),
    untargeted('longest stall of the event loop of the caller', core.answers.asker, 'ms', null),
    untargeted('processor time of the core meanwhile', core.used.core, 'ms', null),
    untargeted('of it, of the core’s thread', core.used.coreThread, 'ms', null),
    untargeted('processor time of the service meanwhile', core.used.service, 'ms', null),
    untargeted('processor time of the caller meanwhile', core.used.asker, 'ms', null),
    untargeted('transitions in the journal', core.entered, '', core.flooded.changes),
    limited('devices with more transitions than changes', core.overfull, 0),
    limited('repeated transitions', core.repeated, 0),
    limited('devices with a wrong state at the end', core.wrong, 0),
    untargeted('notifications within two minutes', core.notified, '', null),
  ]
}
