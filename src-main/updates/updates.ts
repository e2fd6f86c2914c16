import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { Off, Updates as Shown, UpdateState } from '../../src-shared/model/updates.ts'
import type { Log } from '../ports.ts'
import { step, triedWords, type Effect, type Input } from './state-machine.ts'
import { noPolicy } from './policy.ts'
import { trySave } from './install/pending-update.ts'
import { effectiveFeed, isSameFeed, type EffectiveFeed } from './effective-feed.ts'
import type { UpdateEnvironment, PendingUpdate, Offer, Updater } from './ports.ts'
import { createCheckSchedule } from './check-schedule.ts'
import { failureMessage } from './messages.ts'
import type { Handlers } from '../../src-shared/contract/contract.ts'

export interface UpdatesDeps {
  ground: UpdateEnvironment
  settings: { get(): Settings; onChange(listener: (settings: Settings) => void): () => void }
  clock: Clock
  /** Returns a number from 0 to 1. */
  random: () => number
  log: Log
  /** Called when `state()` changes. */
  onState: () => void
}

/** Finds, shows and downloads updates. It installs none, and does nothing at the end but stop. */
export interface Updates {
  state(): Shown
  /** Checks the feed now; the state shows the result. Throws a `FaultError` of kind `input` when updates are off. */
  check(): void
  /** Downloads what was found, at a person's request. Throws a `FaultError` of kind `input` when there is nothing. */
  download(): void
  /**
   * Restarts with the downloaded update, at a person's request. Throws a `FaultError` of kind `input` when there is
   * none.
   */
  apply(): void
  stop(): Promise<void>
}

export function startUpdates({ ground, settings, clock, random, log, onState }: UpdatesDeps): Updates {
  const { policy, feed: own } = ground.off === null ? ground : { policy: noPolicy, feed: '' }
  const kept = ground.off === null ? ground.keep.read() : null
  const by = effectiveFeed(settings.get(), policy, own)
  const waiting = kept !== null && isSameFeed(kept.offer.feed, by.feed) ? kept : null
  const known: Known = { by, found: waiting?.offer ?? null }
  let now = first(ground, known.by, waiting, clock.now())
  const times = createCheckSchedule(clock, random, () => take({ is: 'due' }))
  const does = createDoing({ ground, known, clock, log, take: (input) => void take(input) })

  function take(input: Input): boolean {
    const { next, effects } = step(now, input)
    const moved = next !== now || effects.length > 0
    now = next
    for (const effect of effects) does.run(effect)
    times.follow(now)
    if (moved) onState()
    return moved
  }

  const stopListening = settings.onChange((changed) => {
    const before = known.by
    known.by = effectiveFeed(changed, policy, own)
    const moved = !isSameFeed(before.feed, known.by.feed)
    if (moved) known.found = null
    // Reported also where the state stays, because the feed is shown with it.
    if (!take({ is: 'settings', off: offBy(ground, known.by), moved, self: known.by.self }) && !same(before, known.by))
      onState()
  })
  times.follow(now)
  if (kept !== null && waiting === null) does.run('forget')
  const wanted = (input: Input, otherwise: string) => {
    if (!take(input)) throw new FaultError('input', otherwise)
  }
  return {
    state: () => ({
      now,
      copy: ground.copy,
      by: { feed: known.by.feed.url, channel: known.by.feed.channel, self: known.by.self, fixed: known.by.fixed },
    }),
    check() {
      // A check or download in progress already does what is asked.
      if (now.is !== 'asking' && now.is !== 'downloading') wanted({ is: 'wanted' }, 'there are no updates here')
    },
    download() {
      if (now.is !== 'downloading') wanted({ is: 'consented' }, 'there is nothing to download')
    },
    apply: () => wanted({ is: 'apply' }, 'no update lies ready'),
    async stop() {
      stopListening()
      times.stop()
      await does.stop()
    },
  }
}

interface Known {
  by: EffectiveFeed
  /** The update found in this run or an earlier one. */
  found: Offer | null
}

interface DoingDeps extends Pick<UpdatesDeps, 'ground' | 'clock' | 'log'> {
  known: Known
  take: (input: Input) => void
}

/** Performs the effects of the state machine. */
function createDoing({ ground, known, clock, log, take }: DoingDeps) {
  const work = createCurrentTask()
  const onFailed = (thrown: unknown) => {
    const words = failureMessage(thrown)
    log('warn', `updates: ${words}`)
    take({ is: 'failed', words, at: clock.now() })
  }
  const ask = (updater: Updater) => async (signal: AbortSignal) => {
    const offer = await updater.ask(known.by.feed, signal)
    return () => {
      const before = known.found
      known.found = offer
      log('info', offer === null ? 'updates: nothing newer' : `updates: ${offer.update.version} is offered`)
      take({
        is: 'answered',
        update: offer?.update ?? null,
        same: before !== null && offer !== null && same(before.release, offer.release),
        self: known.by.self,
        at: clock.now(),
      })
    }
  }
  const download = (updater: Updater) => async (signal: AbortSignal) => {
    if (known.found === null) throw new FaultError('internal', 'there is no offer')
    await updater.download(
      known.found,
      (bytes) => {
        if (!signal.aborted) take({ is: 'progress', bytes })
      },
      signal,
    )
    return () => take({ is: 'downloaded' })
  }
  function run(effect: Effect): void {
    if (ground.off !== null) return
    const { updater, keep } = ground
    const waits = known.found === null ? null : { offer: known.found, tried: false }
    if (effect === 'ask') work.begin(ask(updater), onFailed)
    else if (effect === 'download') work.begin(download(updater), onFailed)
    else if (effect === 'call-off') work.callOff()
    else trySave(keep, effect === 'forget' ? null : waits, log)
    // Stored again as untried first: a person asks for it, so it is tried once more.
    if (effect === 'restart') updater.restart()
  }
  return { run, stop: work.stop }
}

const noFeed: Off = { reason: 'no-feed', detail: '' }

function offBy({ off }: UpdateEnvironment, { feed }: EffectiveFeed): Off | null {
  return off ?? (feed.url === '' ? noFeed : null)
}

/** Returns the first state: a failed installation of this or an earlier start, or an update that is ready. */
function first(ground: UpdateEnvironment, by: EffectiveFeed, waiting: PendingUpdate | null, at: number): UpdateState {
  const off = offBy(ground, by)
  if (off !== null) return { is: 'off', ...off }
  if (ground.off !== null || (waiting === null && ground.failure === '')) return { is: 'idle', askedAt: null }
  if (waiting !== null && !waiting.tried && ground.failure === '') return { is: 'ready', update: waiting.offer.update }
  const words = ground.failure === '' ? triedWords : ground.failure
  return {
    is: 'failed',
    what: 'install',
    words,
    at,
    update: waiting?.offer.update ?? null,
    held: waiting === null ? 'no' : 'tried',
  }
}

/** Compares plain data, whose keys have a fixed order. */
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Runs one task at a time. The result of a cancelled task is ignored. */
interface CurrentTask {
  /** `does` resolves with the function that reports its result. */
  begin(does: (signal: AbortSignal) => Promise<() => void>, onFailed: (thrown: unknown) => void): void
  callOff(): void
  /** Resolves when no task is running. */
  stop(): Promise<void>
}

function createCurrentTask(): CurrentTask {
  let current = new AbortController()
  let underWay: Promise<void> = Promise.resolve()
  const callOff = () => current.abort(new FaultError('abort'))
  return {
    begin(does, onFailed) {
      current = new AbortController()
      const { signal } = current
      underWay = underWay
        .then(() => does(signal))
        .catch((thrown: unknown) => () => onFailed(thrown))
        .then((tell) => {
          if (!signal.aborted) tell()
        })
    },
    callOff,
    stop() {
      callOff()
      return underWay
    },
  }
}

export function updateHandlers(updates: Updates): Pick<Handlers, Extract<keyof Handlers, `updates.${string}`>> {
  const done = (does: () => void) => async () => {
    does()
    return {}
  }
  return {
    'updates.check': done(updates.check),
    'updates.download': done(updates.download),
    'updates.apply': done(updates.apply),
  }
}
