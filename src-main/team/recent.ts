import type { Clock } from '../../src-shared/lib/clock.ts'
import { toFault, type Fault } from '../../src-shared/model/fault.ts'
import type { LoggedName } from '../inventory/thread/logged-calls.ts'
import type { Entry } from './log/log-store.ts'

/**
 * Rows are known for so long, ms: a failover loses the newest ones. It is less than the log keeps them (`keepMs` of the writer), so that one
 * which is not lost is found in it by its id, and not written twice.
 */
const knownMs = 5 * 60_000
const maxBytes = 1 << 24
/** Time before the next try where the log cannot be written, ms. */
const againMs = 3000

export interface RecentRowsOptions {
  clock: Clock
  /** Appends rows, each of which is in the log once. Rejects with `team-away`, or where the database rejects them. */
  post: (entries: readonly Entry[]) => Promise<number>
  /** Is called where rows cannot be written again. */
  onFault: (fault: Fault) => void
}

/** What this member wrote last for its operator: a failover of the database may lose it after it was answered. */
export interface RecentRows {
  /** Writes the rows of a call, after those that are being written again. */
  post(entries: readonly Entry[], call: LoggedName): Promise<number>
  /** Writes all of them once more, in their order, until each is in the log or too old. */
  again(): void
  /** Something was erased: what names it is not written again. */
  erased(): void
  stop(): void
}

/** Calls that name nothing but what they remove. */
const removals: ReadonlySet<LoggedName> = new Set(['forget', 'unshareConnection', 'unshareChannel'])

interface Call {
  call: LoggedName
  entries: readonly Entry[]
  monotonic: number
  /** The monotonic clock stands still while the computer sleeps. */
  wall: number
  bytes: number
}

export function createRecentRows({ clock, post, onFault }: RecentRowsOptions): RecentRows {
  let calls: Call[] = []
  let due: Call[] = []
  let writing: Promise<void> | null = null
  let cancel = () => {}
  const isKnown = ({ monotonic, wall }: Call) => clock.monotonic() - monotonic < knownMs && clock.now() - wall < knownMs
  /** Writes what is due. Stops where the log cannot be written, and tries again later. */
  const write = async () => {
    for (let call = due[0]; call !== undefined; call = due[0]) {
      try {
        if (isKnown(call)) await post(call.entries)
      } catch (error) {
        const fault = toFault(error)
        if (fault.kind === 'team-away') return void (cancel = clock.after(againMs, begin))
        onFault(fault)
      }
      if (due[0] === call) due.shift()
    }
  }
  const begin = () => {
    cancel()
    writing ??= write().finally(() => (writing = null))
  }
  return {
    async post(entries, call) {
      await writing
      const number = await post(entries)
      const bytes = entries.reduce((sum, { body }) => sum + body.length, 0)
      calls.push({ call, entries, monotonic: clock.monotonic(), wall: clock.now(), bytes })
      let sum = 0
      calls = calls
        .toReversed()
        .filter((one) => (sum += one.bytes) <= maxBytes && isKnown(one))
        .toReversed()
      return number
    },
    again() {
      due = calls.filter(isKnown)
      begin()
    },
    erased() {
      calls = calls.filter(({ call }) => removals.has(call))
      due = due.filter(({ call }) => removals.has(call))
    },
    stop: () => cancel(),
  }
}
