import { systemClock, type Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { tabLimits, type QueryTab } from '../../../src-shared/model/kept-queries.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { isUntouched, type Tab, type Tabs } from '../query-state.ts'
import { firstChoice } from '../table/choice.ts'

/** The pause after a change after which it is written, ms. */
const pauseMs = 500

export interface KeptTabs {
  /** Why the last change is not kept; null: it is, or is about to be. */
  problem: Store<Fault | null>
  /** Writes what is not written yet. */
  flush(): Promise<void>
  stop(): void
}

/**
 * Reads the tabs of before into the store, and from then on writes there what changes. What was done before they were read stays,
 * behind them. What cannot be written is tried again with the next change, and when the core is reached again.
 */
export function keepTabs(
  pipe: Pick<Pipe, 'call' | 'onReach'>,
  tabs: Store<Tabs>,
  clock: Pick<Clock, 'after'> = systemClock,
): KeptTabs {
  const problem = createStore<Fault | null>(null)
  const writer = writerOf(pipe, tabs, problem)
  let cancel: (() => void) | null = null
  let [isRead, isReading] = [false, false]
  const flush = async () => {
    cancel?.()
    cancel = null
    if (isRead) await writer.write()
  }
  const later = () => {
    cancel ??= clock.after(pauseMs, () => void flush())
  }
  const read = async () => {
    if (isRead || isReading) return
    isReading = true
    const answer = await pipe.call('queryTabs.list', {})
    isReading = false
    if (!answer.ok) return problem.set(answer.fault)
    isRead = true
    problem.set(null)
    writer.known(answer.value.tabs)
    tabs.set(joined(answer.value, tabs.get()))
    later()
  }
  const offs = [
    tabs.subscribe(later),
    pipe.onReach((reached) => {
      if (reached) void (isRead ? flush() : read())
    }),
  ]
  void read()
  return {
    problem,
    flush,
    stop() {
      cancel?.()
      for (const off of offs) off()
    },
  }
}

/** Returns the kept tabs, and behind them those that were opened meanwhile. */
function joined({ tabs, active }: { tabs: readonly QueryTab[]; active: string | null }, present: Tabs): Tabs {
  const kept = tabs.map((tab): Tab => ({ ...tab, run: { is: 'none' }, shown: firstChoice }))
  const own = isUntouched(present) ? [] : present.all.filter(({ id }) => kept.every((tab) => tab.id !== id))
  const all = [...kept, ...own]
  if (all.length === 0) return present
  const shown = own.length > 0 ? present.active : active
  return { all, active: all.find(({ id }) => id === shown)?.id ?? all[0]?.id ?? '' }
}

/** Writes the differences between the store and what was written last. One writing at a time. */
function writerOf(pipe: Pick<Pipe, 'call'>, tabs: Store<Tabs>, problem: Store<Fault | null>) {
  const written = new Map<string, string>()
  /** The tabs as they were written: most are the same at the next time. */
  let same = new WeakSet<Tab>()
  const forget = (id: string) => {
    written.delete(id)
    // It may be opened again as it was.
    same = new WeakSet()
  }
  let arranged = ''
  let writing: Promise<void> = Promise.resolve()
  async function writeAll() {
    const { all, active } = tabs.get()
    const problems: Fault[] = []
    for (const tab of all.filter((each) => !same.has(each))) {
      const kept = keptOf(tab)
      const text = JSON.stringify(kept)
      const isWritten = written.get(kept.id) === text
      const answer = isWritten ? done : isTooLong(kept) ? tooLong : await pipe.call('queryTabs.save', kept)
      if (!answer.ok) {
        problems.push(answer.fault)
        continue
      }
      written.set(kept.id, text)
      same.add(tab)
    }
    for (const id of [...written.keys()].filter((each) => all.every((tab) => tab.id !== each))) {
      const answer = await pipe.call('queryTabs.close', { id })
      if (answer.ok) forget(id)
      else problems.push(answer.fault)
    }
    const arrangement = { order: all.map(({ id }) => id), active }
    if (problems.length === 0 && arranged !== JSON.stringify(arrangement)) {
      const answer = await pipe.call('queryTabs.arrange', arrangement)
      if (answer.ok) arranged = JSON.stringify(arrangement)
      else problems.push(answer.fault)
    }
    problem.set(problems[0] ?? null)
  }
  return {
    known(kept: readonly QueryTab[]) {
      for (const tab of kept) written.set(tab.id, JSON.stringify(keptOf(tab)))
    },
    write() {
      writing = writing.then(writeAll)
      return writing
    },
  }
}

const keptOf = ({ id, document, variables, connection, operation, saved }: QueryTab): QueryTab => ({
  id,
  document,
  variables,
  connection,
  operation,
  saved,
})

const isTooLong = ({ document, variables }: QueryTab) =>
  document.length > tabLimits.document || variables.length > tabLimits.variables

const done = { ok: true } as const

const tooLong = {
  ok: false,
  fault: { kind: 'input', detail: 'A tab of more than 1,000,000 characters is not kept over a restart.' },
} as const
