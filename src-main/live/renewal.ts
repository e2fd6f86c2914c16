import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { StartedTokens } from '../auth/token.ts'
import type { Log } from '../ports.ts'
import { longestWaitMs, waitMs } from '../../src-shared/lib/retry-after.ts'
import { retryDelay } from './transport/backoff.ts'
import type { Shard } from './subscriptions/shards.ts'
import type { Transport } from './transport/transport.ts'

/** A service may grant tokens for years, a timer runs for days. */
const longestMs = 24 * 60 * 60_000

/** What a second transport tells while the first one is still the one. */
export interface SecondSocketListeners {
  onOpen(): void
  onSubscribed(shard: Shard): void
  /** The service does not take one, and may take others. When the second socket does not take over, its transport ends. */
  onRejected?(): void
  /** `askedMs`: for so long the service asks to be left alone. */
  onEnd(fault: Fault, askedMs?: number): void
}

export interface RenewalOptions<W extends Transport> {
  clock: Clock
  random: () => number
  log: Log
  tokens: Pick<StartedTokens, 'get' | 'renew' | 'renewsAt'>
  /** The first transport's. */
  token: string
  shards: () => readonly Shard[]
  open: (token: string, listeners: SecondSocketListeners) => W
  /** The second transport is subscribed to these. */
  takeOver: (transport: W, token: string, shards: readonly Shard[]) => void
}

/**
 * A live connection ends with its token. Before that a second one is opened with the next token, and takes over when the
 * service has its subscriptions: nothing is missed in between. Where that fails it is tried again as long as the first one
 * lives. Returns the way to call it off.
 */
export function startRenewal<W extends Transport>(options: RenewalOptions<W>): () => void {
  const { clock, random, log, tokens, token: before } = options
  let cancelTimer = () => {}
  let second: Transport | null = null
  let failures = 0
  /** The socket does not take it, whatever the queries say: nobody else asks for another. */
  let rejected: string | null = null
  let isOver = false

  const after = (ms: number, run: () => void) => {
    cancelTimer = clock.after(ms, run)
  }
  const plan = () => {
    const due = (tokens.renewsAt(before) ?? clock.now()) - clock.now()
    after(Math.min(longestMs, Math.max(0, due)), due > longestMs ? plan : renew)
  }
  const failed = (why: string, askedMs?: number) => {
    second = null
    if (isOver) return
    log('info', `live: the next connection could not take over (${why})`)
    failures += 1
    const delay = retryDelay(failures + 2, random(), rejected === null ? undefined : longestWaitMs)
    after(delay + (askedMs === undefined ? 0 : waitMs(askedMs)), renew)
  }
  const renew = () => {
    const next = rejected === null ? tokens.get() : tokens.renew(rejected)
    next.then(
      (token) => {
        if (isOver) return
        if (token === before || token === rejected) failed('the token is the same')
        else begin(token)
      },
      () => failed('no token'),
    )
  }
  const begin = (token: string) => {
    let isOpen = false
    const shards = options.shards()
    const missing = new Set(shards)
    const check = (transport: W) => {
      if (missing.size > 0 || isOver) return
      isOver = true
      options.takeOver(transport, token, shards)
    }
    const transport = options.open(token, {
      onOpen() {
        isOpen = true
        for (const shard of shards) transport.subscribe(shard)
        check(transport)
      },
      onSubscribed(shard) {
        missing.delete(shard)
        check(transport)
      },
      onEnd({ kind }, askedMs) {
        if (kind === 'token' || (kind === 'forbidden' && !isOpen)) rejected = token
        failed(kind, askedMs)
      },
    })
    second = transport
  }

  plan()
  return () => {
    cancelTimer()
    const wasOver = isOver
    isOver = true
    if (!wasOver) second?.close()
  }
}
