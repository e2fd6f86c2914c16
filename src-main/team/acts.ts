import { randomUUID } from 'node:crypto'
import { repeat, type Clock } from '../../src-shared/lib/clock.ts'
import { toFault, type Fault } from '../../src-shared/model/fault.ts'
import type { LogData, LoggedCall, LoggedResult } from '../inventory/thread/log-protocol.ts'
import type { LoggedName } from '../inventory/thread/logged-calls.ts'
import type { Item } from './replica/codec.ts'

/** Interval of tries to send what waits, ms. */
const sendMs = 3000

export interface ActsOptions {
  local: Pick<LogData, 'pendingActs' | 'keepAct' | 'dropActs'>
  clock: Clock
  /** Writes an item to the log and resolves with what came of it here. Rejects with `team-away` where it may not be there. */
  write: (item: Extract<Item, { is: 'call' }>) => Promise<unknown>
  /** Resolves when all that is in the log was carried out here. */
  caughtUp: () => Promise<void>
  /** Returns whether the log cannot be written now, as far as is known. */
  isAway: () => boolean
  onChange: () => void
  /** An act that waits, or waited, was carried out once more, after what others did before it. */
  onAgain: (act: LoggedCall, result: LoggedResult) => void
  /** An act that waited cannot be done. */
  onRefused: (call: string, fault: Fault) => void
}

/** What this member does and needs nobody else for: while the log cannot be written it is done here, and sent later in order. */
export interface Acts {
  /** Resolves with what came of it here. Rejects with its fault; then nothing was changed. */
  run(call: LoggedName, input: unknown): Promise<unknown>
  /** Returns how many wait. */
  waiting(): number
  /** Drops what waits: the database holds another team. */
  drop(): Promise<void>
  stop(): void
}

export function openActs(options: ActsOptions): Acts {
  const { local, clock, write, caughtUp, isAway, onChange, onAgain, onRefused } = options
  let waiting = 0
  let isSending = false
  const count = async () => {
    const before = waiting
    ;({ waiting } = await local.pendingActs())
    if (waiting !== before) onChange()
  }
  const send = async () => {
    await caughtUp()
    let last: string | null = null
    for (;;) {
      // An erasure may have taken some of them meanwhile.
      const { next } = await local.pendingActs()
      if (next === null || next.id === last) return
      const { id, call, input } = next
      last = id
      try {
        const value = await write({ is: 'call', call: call as LoggedName, input, act: id })
        onAgain({ call, input }, { ok: true, value })
      } catch (error) {
        const fault = toFault(error)
        if (passing.has(fault.kind)) return
        const { again } = await local.dropActs({ id })
        for (const each of again) onAgain(each.call, each.result)
        onRefused(call, fault)
      }
      await count()
    }
  }
  const attempt = async () => {
    if (waiting === 0 || isSending || isAway()) return
    isSending = true
    try {
      await send()
    } catch {
      // The database is away again: the next try sends it.
    } finally {
      isSending = false
      await count().catch(() => {})
    }
  }
  void count().catch(() => {})
  const stop = repeat(clock, sendMs, () => void attempt())
  return {
    waiting: () => waiting,
    async run(call, input) {
      const act = randomUUID()
      if (waiting === 0 && !isAway())
        try {
          return await write({ is: 'call', call, input, act })
        } catch (error) {
          if (toFault(error).kind !== 'team-away') throw error
        }
      const value = await local.keepAct({ id: act, call, input })
      await count()
      return value
    },
    async drop() {
      await local.dropActs({ id: null })
      await count()
    },
    stop,
  }
}

/** Faults after which an act waits on. */
const passing: ReadonlySet<Fault['kind']> = new Set(['team-away', 'team-old', 'stopped', 'storage', 'abort'])
