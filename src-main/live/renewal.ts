import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { StartedTokens } from '../auth/token.ts'
import type { Log } from '../ports.ts'
import { longestWaitMs, waitMs } from '../../src-shared/lib/retry-after.ts'
import type { Shard } from './subscriptions/shards.ts'
import { retryDelay } from './transport/backoff.ts'

/** Longest delay of the timer, ms: a service may grant tokens for years. */
const longestMs = 24 * 60 * 60_000

/** Events of a second transport while the first one is in use. */
export interface SecondSocketListeners<S = Shard> {
  onOpen(): void
  onSubscribed(shard: S): void
  /**
   * The service rejects one shard and may accept others. When the second socket does not take over, its transport ends.
   */
  onRejected?(): void
  /** `askedMs`: the delay that the service asks for. */
  onEnd(fault: Fault, askedMs?: number): void
}

/** What is renewed: `S` is what one subscription of it is for. */
interface Renewable<S> {
  subscribe(shard: S): void
  close(): void
}

export interface RenewalOptions<S, W extends Renewable<S>> {
  clock: Clock
  random: () => number
  log: Log
  tokens: Pick<StartedTokens, 'get' | 'renew' | 'renewsAt'>
  /** The token of the first transport. */
  token: string
  shards: () => readonly S[]
  open: (token: string, listeners: SecondSocketListeners<S>) => W
  /** The second transport is subscribed to these shards. */
  takeOver: (transport: W, token: string, shards: readonly S[]) => void
}

/**
 * Renews a live connection before its token expires: opens a second one with the next token, which takes over when the
 * service has confirmed its subscriptions, so that no event is lost. Retries while the first one is live. Returns a
 * function that cancels the renewal.
 */
export function startRenewal<S, W extends Renewable<S>>(options: RenewalOptions<S, W>): () => void {
  const { clock, random, log, tokens, token: before } = options
  let cancelTimer = () => {}
  let second: W | null = null
  let failures = 0
  /** The token that the socket rejects while queries accept it: nothing else requests another. */
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
