import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { Off, Updates as Shown, UpdateState } from '../../src-shared/model/updates.ts'
import type { Log } from '../ports.ts'
import { reduce, triedMessage, type Effect, type Input } from './state-machine.ts'
import { noPolicy } from './policy.ts'
import { trySave } from './install/pending-update.ts'
import { effectiveFeed, isSameFeed, type EffectiveFeed } from './effective-feed.ts'
import type { UpdateEnvironment, PendingUpdate, Offer, Updater } from './ports.ts'
import { createCheckSchedule } from './check-schedule.ts'
import { failureMessage } from './messages.ts'
import type { Handlers } from '../../src-shared/contract/contract.ts'

export interface UpdatesDeps {
  environment: UpdateEnvironment
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

export function startUpdates({ environment, settings, clock, random, log, onState }: UpdatesDeps): Updates {
  const { policy, feed: packageFeed } = environment.off === null ? environment : { policy: noPolicy, feed: '' }
  const pending = environment.off === null ? environment.pendingStore.read() : null
  const by = effectiveFeed(settings.get(), policy, packageFeed)
  const valid = pending !== null && isSameFeed(pending.offer.feed, by.feed) ? pending : null
  const known: Known = { by, found: valid?.offer ?? null }
  let now = first(environment, known.by, valid, clock.now())
  const schedule = createCheckSchedule(clock, random, () => dispatch({ is: 'due' }))
  const runner = createEffects({ environment, known, clock, log, dispatch: (input) => void dispatch(input) })

  function dispatch(input: Input): boolean {
    const { next, effects } = reduce(now, input)
    const moved = next !== now || effects.length > 0
    now = next
    for (const effect of effects) runner.run(effect)
    schedule.follow(now)
    if (moved) onState()
    return moved
  }

  const stopListening = settings.onChange((changed) => {
    const before = known.by
    known.by = effectiveFeed(changed, policy, packageFeed)
    const moved = !isSameFeed(before.feed, known.by.feed)
    if (moved) known.found = null
    // Reported also where the state stays, because the feed is shown with it.
    if (
      !dispatch({ is: 'settings', off: disabledBy(environment, known.by), moved, self: known.by.self }) &&
      !same(before, known.by)
    )
      onState()
  })
  schedule.follow(now)
  if (pending !== null && valid === null) runner.run('remove-pending')
  const request = (input: Input, problem: string) => {
    if (!dispatch(input)) throw new FaultError('input', problem)
  }
  return {
    state: () => ({
      now,
      copy: environment.copy,
      by: { feed: known.by.feed.url, channel: known.by.feed.channel, self: known.by.self, fixed: known.by.fixed },
    }),
    check() {
      // A check or download in progress already does what is asked.
      if (now.is !== 'checking' && now.is !== 'downloading') request({ is: 'requested' }, 'there are no updates here')
    },
    download() {
      if (now.is !== 'downloading') request({ is: 'consented' }, 'there is nothing to download')
    },
    apply: () => request({ is: 'apply' }, 'there is no downloaded update'),
    async stop() {
      stopListening()
      schedule.stop()
      await runner.stop()
    },
  }
}

interface Known {
  by: EffectiveFeed
  /** The update found in this run or an earlier one. */
  found: Offer | null
}

interface EffectsDeps extends Pick<UpdatesDeps, 'environment' | 'clock' | 'log'> {
  known: Known
  dispatch: (input: Input) => void
}

/** Performs the effects of the state machine. */
function createEffects({ environment, known, clock, log, dispatch }: EffectsDeps) {
  const work = createCurrentTask()
  const onFailed = (thrown: unknown) => {
    const words = failureMessage(thrown)
    log('warn', `updates: ${words}`)
    dispatch({ is: 'failed', words, at: clock.now() })
  }
  const check = (updater: Updater) => async (signal: AbortSignal) => {
    const offer = await updater.check(known.by.feed, signal)
    return () => {
      const before = known.found
      known.found = offer
      log('info', offer === null ? 'updates: nothing newer' : `updates: ${offer.update.version} is offered`)
      dispatch({
        is: 'checked',
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
        if (!signal.aborted) dispatch({ is: 'progress', bytes })
      },
      signal,
    )
    return () => dispatch({ is: 'downloaded' })
  }
  function run(effect: Effect): void {
    if (environment.off !== null) return
    const { updater, pendingStore } = environment
    const pending = known.found === null ? null : { offer: known.found, tried: false }
    if (effect === 'check') work.begin(check(updater), onFailed)
    else if (effect === 'download') work.begin(download(updater), onFailed)
    else if (effect === 'cancel') work.cancel()
    else trySave(pendingStore, effect === 'remove-pending' ? null : pending, log)
    // Stored again as untried first: a person asks for it, so it is tried once more.
    if (effect === 'restart') updater.restart()
  }
  return { run, stop: work.stop }
}

const noFeed: Off = { reason: 'no-feed', detail: '' }

function disabledBy({ off }: UpdateEnvironment, { feed }: EffectiveFeed): Off | null {
  return off ?? (feed.url === '' ? noFeed : null)
}

/** Returns the first state: a failed installation of this or an earlier start, or an update that is ready. */
function first(
  environment: UpdateEnvironment,
  by: EffectiveFeed,
  valid: PendingUpdate | null,
  at: number,
): UpdateState {
  const off = disabledBy(environment, by)
  if (off !== null) return { is: 'off', ...off }
  if (environment.off !== null || (valid === null && environment.failure === '')) return { is: 'idle', checkedAt: null }
  if (valid !== null && !valid.tried && environment.failure === '') return { is: 'ready', update: valid.offer.update }
  const words = environment.failure === '' ? triedMessage : environment.failure
  return {
    is: 'failed',
    what: 'install',
    words,
    at,
    update: valid?.offer.update ?? null,
    pending: valid === null ? 'none' : 'failed',
  }
}

/** Compares plain data, whose keys have a fixed order. */
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Runs one task at a time. The result of a cancelled task is ignored. */
interface CurrentTask {
  /** `does` resolves with the function that reports its result. */
  begin(effects: (signal: AbortSignal) => Promise<() => void>, onFailed: (thrown: unknown) => void): void
  cancel(): void
  /** Resolves when no task is running. */
  stop(): Promise<void>
}

function createCurrentTask(): CurrentTask {
  let current = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const cancel = () => current.abort(new FaultError('abort'))
  return {
    begin(effects, onFailed) {
      current = new AbortController()
      const { signal } = current
      running = running
        .then(() => effects(signal))
        .catch((thrown: unknown) => () => onFailed(thrown))
        .then((report) => {
          if (!signal.aborted) report()
        })
    },
    cancel,
    stop() {
      cancel()
      return running
    },
  }
}

export function updateHandlers(updates: Updates): Pick<Handlers, Extract<keyof Handlers, `updates.${string}`>> {
  const done = (effects: () => void) => async () => {
    effects()
    return {}
  }
  return {
    'updates.check': done(updates.check),
    'updates.download': done(updates.download),
    'updates.apply': done(updates.apply),
  }
}
