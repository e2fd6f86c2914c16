import { OperationTypeNode } from 'graphql'
import type { CallInput, Handlers } from '../../../src-shared/contract/contract.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import {
  maxSubscriptions,
  type SubscriptionProgress,
  type SubscriptionState,
} from '../../../src-shared/model/subscription.ts'
import type { RawState, RawSubscription } from '../../live/raw/subscription.ts'
import type { RawSubscriptions } from '../../live/raw/subscriptions.ts'
import type { AnswersThread } from '../answers/client.ts'
import { operationOf } from '../operation.ts'
import { createIntake, type Intake } from './intake.ts'
import { createRate, type Rate } from './rate.ts'

type SubscriptionCall = Extract<keyof Handlers, `subscription.${string}`>

/** The operator's subscriptions. They run until they are stopped, whether a window shows them or not. */
export interface Subscriptions {
  handlers: Pick<Handlers, SubscriptionCall>
  stop(): void
}

export interface SubscriptionsOptions {
  clock: Clock
  answers: AnswersThread
  /** Notes an answer that the window keeps, under its id. */
  keep: (answer: string) => void
  /** Returns the subscriptions of a connection. Throws a `FaultError` for one that is unknown or does not run. */
  of: (connection: string) => Pick<RawSubscriptions, 'start'>
  onState: (read: () => SubscriptionState[]) => void
}

interface Running {
  input: CallInput<'subscription.start'>
  state: SubscriptionState
  rate: Rate
  intake: Intake
  raw: RawSubscription | null
  /** True where the operator has ended it: otherwise its connection did. */
  isStopped: boolean
}

export function openSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { answers } = options
  const all = new Map<string, Running>()
  const publish = () => options.onState(() => listOf(all))
  const at = (id: string): Running => {
    const found = all.get(id)
    if (found === undefined) throw new FaultError('input', 'subscription: There is no such subscription.')
    return found
  }
  const forget = async (id: string) => {
    const found = all.get(id)
    if (found === undefined) return
    end(found)
    all.delete(id)
    found.rate.stop()
    publish()
    await answers.forgetEvents(id)
  }
  return {
    handlers: {
      'subscription.start': async (input) => {
        if (all.has(input.id)) throw new FaultError('input', 'subscription: This id is in use.')
        operationOf(input, OperationTypeNode.SUBSCRIPTION)
        const over = endedIn(all)
        if (all.size - over.length >= maxSubscriptions)
          throw new FaultError('input', `subscription: ${maxSubscriptions} run already. Stop one of them first.`)
        begin(options, all, input, publish)
        // Events are in memory: of those that ended only so many are kept that all have their space.
        for (const old of over.slice(0, Math.max(0, all.size - maxSubscriptions))) await forget(old)
        return {}
      },
      'subscription.stop': async ({ id }) => {
        end(at(id))
        return {}
      },
      'subscription.list': async () => ({ subscriptions: listOf(all) }),
      'subscription.show': async ({ id }) => {
        const { connection, document, operation, variables } = at(id).input
        return { connection, document, operation, variables }
      },
      'subscription.events': ({ id, before, filter, from, count }) =>
        answers.eventRows(id, { before, filter }, { from, count }),
      'subscription.event': async ({ id, event, run }) => {
        options.keep(run)
        return { summary: await answers.openEvent(id, event, run) }
      },
      'subscription.text': ({ id, filter, after }) => answers.eventsText(id, filter, after),
      'subscription.clear': async ({ id }) => {
        const found = at(id)
        await found.intake.settled()
        await answers.clearEvents(id)
        Object.assign(found.state, { events: 0, dropped: 0, gaps: 0 })
        publish()
        return {}
      },
      'subscription.forget': async ({ id }) => {
        await forget(id)
        return {}
      },
    },
    stop() {
      for (const each of all.values()) {
        end(each)
        each.rate.stop()
      }
    },
  }
}

const listOf = (all: ReadonlyMap<string, Running>): SubscriptionState[] =>
  [...all.values()].map(({ state, rate }) => ({ ...state, rate: rate.perSecond() }))

/** Returns the ids of those that have ended, the oldest first. */
const endedIn = (all: ReadonlyMap<string, Running>): string[] =>
  [...all].flatMap(([id, { state }]) => (state.progress.is === 'ended' ? id : []))

function end(running: Running): void {
  running.isStopped = true
  running.raw?.stop()
}

function begin(
  { clock, answers, of }: SubscriptionsOptions,
  all: Map<string, Running>,
  input: CallInput<'subscription.start'>,
  publish: () => void,
): void {
  const { id, connection, document, operation, variables } = input
  const subscriptions = of(connection)
  const state: SubscriptionState = {
    id,
    connection,
    name: operationOf(input, OperationTypeNode.SUBSCRIPTION).name?.value ?? null,
    startedAt: clock.now(),
    progress: { is: 'connecting', attempt: 0 },
    events: 0,
    dropped: 0,
    gaps: 0,
    rate: 0,
    lastAt: null,
    last: 0,
  }
  const intake = createIntake({
    clock,
    add: (rows) => answers.addEvents(id, rows),
    onAdded({ last, dropped }) {
      state.last = Math.max(state.last, last)
      state.dropped += dropped
      publish()
    },
  })
  const running: Running = { input, state, rate: createRate(clock, publish), intake, raw: null, isStopped: false }
  running.raw = subscriptions.start({
    operation: { document, operationName: operation, variables },
    onEvent(text, at, hasErrors) {
      state.events += 1
      state.lastAt = at
      running.rate.count()
      intake.take({ at, gapSince: null, text, hasErrors })
    },
    onGap(gapSince, at) {
      state.gaps += 1
      intake.take({ at, gapSince, text: '', hasErrors: false })
    },
    onState(progress) {
      state.progress = progressOf(progress, running.isStopped)
      publish()
    },
  })
  all.set(id, running)
}

function progressOf(state: RawState, isStopped: boolean): SubscriptionProgress {
  if (state.is !== 'ended') return state
  const { at, end: ended } = state
  switch (ended.is) {
    case 'stopped':
      return { is: 'ended', at, reason: isStopped ? 'stopped' : 'connection', fault: null, words: [] }
    case 'completed':
      return { is: 'ended', at, reason: 'completed', fault: null, words: [] }
    case 'rejected':
      return { is: 'ended', at, reason: 'rejected', fault: ended.fault, words: ended.words.slice(0, 20) }
    case 'failed':
      return { is: 'ended', at, reason: 'failed', fault: ended.fault, words: [] }
  }
}
