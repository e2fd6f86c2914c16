import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { oneByOne } from '../../../src-shared/lib/one-by-one.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Bell } from '../lead/bell.ts'
import type { Leadership } from '../lead/lease.ts'
import { runWithin } from '../lead/statement.ts'
import { follow, type Follower } from './follow.ts'
import type { Entry, LogRow, LogStore, Position, SavedState } from './log-store.ts'
import type { Snapshot } from './snapshot.ts'
import type { LogWriter } from './writer.ts'

/** Longest time of reading the state, and time before the next attempt, ms. */
const attemptMs = 15_000
const retryMs = 500

/** A state after some rows, and the rows of the own log that follow from them. */
export interface Evaluated<State> {
  state: State
  entries: readonly Entry[]
}

export interface ConsumerOptions<State> {
  store: LogStore
  clock: Clock
  /** The term of the subject whose state it is, and its writer. */
  leadership: Leadership
  writer: LogWriter
  /** The state before anything was saved, and how a state is stored. A state is a value: it is never changed. */
  initial: State
  decode: (value: Uint8Array) => State
  encode: (state: State) => Uint8Array
  /** Has no effects: what it returns may not be saved, and then it is asked again, by this member or another one. */
  evaluate: (state: State, source: string, rows: readonly LogRow[]) => Evaluated<State> | Promise<Evaluated<State>>
  /**
   * As `evaluate`, where a log is consumed for the first time and has a snapshot, or where it has lost what was
   * consumed: it goes on after the snapshot; after null, with its first row.
   */
  evaluateSnapshot: (
    state: State,
    source: string,
    snapshot: Snapshot | null,
  ) => Evaluated<State> | Promise<Evaluated<State>>
  onFault?: (fault: Fault) => void
  bell?: Bell
}

export interface Consumer<State> {
  /** Returns the state that was saved last. */
  state(): State
  /** Consumes a log from where it was consumed to. Ends with the term, or with what is returned. */
  consume(source: string): () => Promise<void>
}

/**
 * Turns the rows of logs into a state and the rows of the own log, each exactly once over all terms: the state, the rows
 * and what was consumed are saved in one transaction. Resolves when the state was read. Rejects with a `FaultError` of
 * kind `abort` when the term ends before.
 */
export async function openConsumer<State>(options: ConsumerOptions<State>): Promise<Consumer<State>> {
  const { leadership, writer } = options
  const saved = await readState(options)
  const consumed = new Map(saved?.consumed)
  let state = saved === null ? options.initial : options.decode(saved.value)
  const inOrder = oneByOne()
  const save = async (source: string, evaluated: Evaluated<State>, position: Position | null) => {
    const marks = new Map(position === null ? [] : [[source, position]])
    const value = options.encode(evaluated.state)
    const outcome = await writer.save({ value, consumed: marks }, evaluated.entries)
    if (outcome.is !== 'stored') throw new FaultError('abort', `the state was not saved: ${outcome.is}`)
    state = evaluated.state
    if (position !== null) consumed.set(source, position)
  }
  return {
    state: () => state,
    consume(source) {
      const follower = follow({
        ...options,
        subject: source,
        from: consumed.get(source) ?? null,
        onRows: (rows, position) =>
          inOrder(async () => save(source, await options.evaluate(state, source, rows), position)),
        onSnapshot: (snapshot) =>
          inOrder(async () =>
            save(source, await options.evaluateSnapshot(state, source, snapshot), snapshot?.position ?? null),
          ),
      })
      return endWith(leadership, follower)
    },
  }
}

function endWith({ signal }: Leadership, follower: Follower): () => Promise<void> {
  const stop = () => follower.stop()
  const onEnd = () => void stop()
  signal.addEventListener('abort', onEnd, { once: true })
  if (signal.aborted) onEnd()
  return async () => {
    signal.removeEventListener('abort', onEnd)
    await stop()
  }
}

async function readState<State>({
  store,
  clock,
  leadership,
  onFault,
}: ConsumerOptions<State>): Promise<SavedState | null> {
  const { subject, signal } = leadership
  for (;;) {
    if (!leadership.isCurrent()) throw new FaultError('abort', 'this member no longer leads')
    try {
      return await runWithin(clock, attemptMs, (given) => store.state(subject, { signal: given }), signal)
    } catch (error) {
      if (!signal.aborted) onFault?.(toFault(error))
    }
    await wait(clock, retryMs, signal).catch(() => {})
  }
}
