import { setTimeout } from 'node:timers/promises'
import type { DrivenCore } from './live/core-process.ts'
import { forkFloodingService, type Flooded, type FloodingService } from './live/flood-process.ts'
import { untilQuiet } from './live/parties.ts'
import { forkReader } from './live/reader-process.ts'
import type { ServiceFacts } from './live/service-process.ts'
import type { Loop } from './live/watched-loop.ts'
import type { BenchRow } from './row.ts'
import { bundled } from './support/bundled.ts'
import { forkVerbs, moment } from './support/verbs.ts'

/**
 * 1.3 million changes of 20,000 devices in one burst, as fast as the socket takes them: what the core needs for that and how long,
 * what the journal has of it, and whether Muster ends up with the truth. Beside it a socket that reads and parses the same,
 * with nothing behind it, of another burst. Service, core and reader are processes of their own.
 */
const devices = 20_000
const tenants = 6
const rounds = 65
/** Longer than anything is held back. */
const quietMs = 100_000
const askEveryMs = 100
/** What is not right by then is told as it is. */
const patienceMs = 10 * 60_000

/** What one side took for it. Megabytes and ms; `took` from the first change on. */
interface Cost {
  resident: number
  loop: Loop
  took: number
}

interface Outcome extends Cost {
  flooded: Flooded
  /** The longest that a question of the window had to wait meanwhile, ms. */
  answer: number
  told: number
  /** Devices that Muster has wrong when it is quiet. */
  wrong: number
  /** Transitions in the journal; devices that have more of them than they changed; transitions to what was before. */
  entered: number
  overfull: number
  repeated: number
}

export async function run(): Promise<BenchRow[]> {
  const service = forkFloodingService()
  try {
    const facts = await service.ask('start', { devices, tenants })
    const bare = await readBare(service, facts)
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
    while ((await reader.ask('heard')).events < sent) await setTimeout(askEveryMs)
    const { lastAt } = await reader.ask('heard')
    return { took: lastAt - began, loop: await reader.ask('loop'), resident: await reader.ask('peakResident') }
  } finally {
    await reader.stop()
  }
}

async function readByCore(service: FloodingService, facts: ServiceFacts): Promise<Outcome> {
  const core: DrivenCore = forkVerbs(await bundled(new URL('live/core-process.ts', import.meta.url)))
  try {
    await core.ask('open', facts, { refreshMinutes: 24 * 60 }, true)
    await core.ask('watchLoop')
    const began = moment()
    const flooding = service.ask('flood', rounds)
    const { answer, took } = await untilFound(core, flooding, began)
    const told = (await untilQuiet(core, quietMs)).length
    const cost = { loop: await core.ask('loop'), resident: await core.ask('peakResident') }
    return { ...cost, took, answer, told, flooded: await flooding, ...(await comparison(service, core)) }
  } finally {
    await core.stop()
  }
}

/** Until the burst is over and nothing is left to find out. Meanwhile the core is asked all the time. */
async function untilFound(
  core: DrivenCore,
  flooding: Promise<unknown>,
  began: number,
): Promise<{ answer: number; took: number }> {
  let [isOver, answer] = [false, 0]
  void flooding.then(() => {
    isOver = true
  })
  for (;;) {
    const asked = moment()
    const isQuiet = await core.ask('isQuiet')
    answer = Math.max(answer, moment() - asked)
    if ((isOver && isQuiet) || asked - began > patienceMs) return { answer, took: moment() - began }
    await setTimeout(askEveryMs)
  }
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
  const told = (what: string, value: number, unit: string, baseline: number | null): BenchRow => ({
    name: name(what),
    value,
    unit,
    baseline,
    target: null,
    holds: null,
  })
  const most = (what: string, value: number, target: number, unit = ''): BenchRow => ({
    ...told(what, value, unit, null),
    target,
    holds: value <= target,
  })
  return [
    { ...most('peak resident memory of the core', core.resident, 500, 'MB'), baseline: bare.resident },
    told('peak heap of the core’s thread', core.loop.heap, 'MB', bare.loop.heap),
    told('told to Muster', core.flooded.sent, '', null),
    told('until nothing is left to find out', core.took, 'ms', bare.took),
    told('longest stall of the core’s event loop', core.loop.stall, 'ms', bare.loop.stall),
    {
      ...most('the same as processor time of the core’s thread', core.loop.busy, 1000, 'ms'),
      baseline: bare.loop.busy,
    },
    told('longest garbage collection', core.loop.collection, 'ms', bare.loop.collection),
    most('longest wait for an answer of the core', core.answer, 1000, 'ms'),
    told('transitions entered in the journal', core.entered, '', core.flooded.changes),
    most('devices with more transitions than they changed', core.overfull, 0),
    most('transitions to what was before', core.repeated, 0),
    most('devices with a wrong state at the end', core.wrong, 0),
    told('notices', core.told, '', null),
  ]
}
