import { FaultError, toFault } from '../../src-shared/fault.ts'
import type { ConnectionState, LinkState } from '../../src-shared/model.ts'
import { retryDelay } from '../live/backoff.ts'
import { cycle } from './cycle.ts'
import { startEventQueue } from './events.ts'
import { note, refusedCapMs, takeWish, want, type EstateOptions, type Kind, type Running } from './running.ts'
import { sight } from './watch.ts'

/** What one connection sees, kept true: readings, the live stream, and what stands in the way. */
export interface Estate {
  state(): Pick<ConnectionState, 'link' | 'sync' | 'lastEventAt' | 'lastReadingAt' | 'heardAt' | 'faults'>
  /** Reads everything anew. */
  read(): void
  /** Tries at once what waits for its time. */
  retry(): void
  stop(): Promise<void>
}

export function startEstate(options: EstateOptions): Estate {
  const estate: Running = {
    options, stopping: new AbortController(), live: null, tenants: null, wanted: new Set(['full']), wake: () => {}, cancelFull: () => {}, cancelCatchUp: () => {}, listenSoon: false,
    faults: new Map(), sync: { state: 'idle' }, lastEventAt: null, lastReadingAt: options.lastReadingAt,
    behind: new Set(), retryAt: null, failures: 0, catchUps: 0, readableSince: null,
    queue: startEventQueue({
      clock: options.clock,
      commit: (events) => options.data.events({ service: options.service, events }),
      publish: options.publish,
      onFault: (fault, waiting) => note(estate, 'storage', 'this computer', fault && { ...fault, detail: `${fault.detail}; ${waiting} changes are waiting` }),
    }),
  }
  const working = work(estate)
  return {
    state: () => stateOf(estate),
    read: () => want(estate, 'full'),
    retry() {
      estate.live?.retry()
      want(estate, 'full')
    },
    async stop() {
      estate.stopping.abort(new FaultError('stopped'))
      estate.cancelFull()
      estate.cancelCatchUp()
      estate.live?.stop()
      estate.queue.stop()
      estate.wake()
      await working
      estate.readableSince = null
      // Whoever looks on: this connection vouches for nothing any more (invariant 4).
      await sight(estate)
    },
  }
}

function stateOf(estate: Running): ReturnType<Estate['state']> {
  const until = estate.options.pacer.holdsUntil()
  const { sync, lastEventAt, lastReadingAt } = estate
  const holding = sync.state === 'reading' && until !== null
  return {
    link: estate.live?.state() ?? linkBefore(estate),
    sync: holding ? { state: 'holding', what: sync.what, read: sync.read, expected: sync.expected, until } : sync,
    lastEventAt,
    lastReadingAt,
    heardAt: estate.live?.aliveAt() ?? null,
    faults: [...estate.faults.values()],
  }
}

/** The link before it was ever opened: the tenants come first, and they may not be had. */
function linkBefore(estate: Running): LinkState {
  const { retryAt, failures } = estate
  return retryAt === null ? { state: 'connecting', attempt: failures } : { state: 'waiting', attempt: failures, retryAt }
}

/** Does what is wanted, one thing after the other, for as long as the estate runs. */
async function work(estate: Running): Promise<void> {
  const { signal } = estate.stopping
  while (!signal.aborted) {
    const kind = takeWish(estate)
    try {
      if (kind === null) await idle(estate)
      else await cycle(estate, kind)
    } catch (error) {
      if (signal.aborted) return
      await failed(estate, kind ?? 'full', error)
    }
  }
}

/** Says what failed and waits for its time, or for somebody who wants it now. */
async function failed(estate: Running, kind: Kind, error: unknown): Promise<void> {
  const { clock, random, log } = estate.options
  const fault = toFault(error)
  log('warn', `reading failed (${fault.kind})`)
  estate.wanted.add(kind)
  estate.sync = { state: 'idle' }
  estate.failures += 1
  estate.readableSince = null
  const delay = pause(error, estate.failures, random())
  estate.retryAt = clock.now() + delay
  if (fault.kind === 'storage') note(estate, 'storage', 'this computer', fault)
  else note(estate, 'service', 'the service', fault)
  const woken = new Promise<void>((resolve) => {
    const cancel = clock.after(delay, resolve)
    estate.wake = () => {
      cancel()
      resolve()
    }
  })
  if (estate.live?.state().state === 'readings-only') await sight(estate)
  estate.options.onState()
  if (!estate.stopping.signal.aborted) await woken
  estate.retryAt = null
}

function pause(error: unknown, failures: number, random: number): number {
  const refused = ['credentials', 'no-secret'].includes(toFault(error).kind)
  return refused ? retryDelay(failures + 4, random, refusedCapMs) : retryDelay(failures, random)
}

async function idle(estate: Running): Promise<void> {
  estate.options.onState()
  if (estate.wanted.size > 0 || estate.stopping.signal.aborted) return
  await new Promise<void>((resolve) => { estate.wake = resolve })
}

