import type { Raw, RawSink } from '../api/raw.ts'
import type { AnswersThread } from './answers/client.ts'
import { openRawMutations, type RawMutations, type RawMutationsOptions } from './mutations/mutations.ts'
import { openSubscriptions, type Subscriptions, type SubscriptionsOptions } from './subscriptions/subscriptions.ts'

/** Subscriptions and mutations that the operator writes. */
export interface Streams {
  handlers: Subscriptions['handlers'] & RawMutations['handlers']
  /** As `RawMutations.cancel`. */
  cancel(run: string): boolean
  /** Resolves when what came of every mutation is written. */
  stop(): Promise<void>
}

export interface StreamsOptions {
  subscriptions: Pick<SubscriptionsOptions, 'clock' | 'of' | 'onState'>
  mutations: Pick<RawMutationsOptions, 'clock' | 'tenantIds' | 'estimate' | 'written'>
}

interface Shared {
  answers: AnswersThread
  /** Takes the id of an answer, once. Throws `input` where it is in use. */
  keep: (answer: string) => void
  sinkTo: (answers: AnswersThread, answer: string) => RawSink
  raw: (connection: string) => Raw
}

export function openStreams({ subscriptions, mutations }: StreamsOptions, { sinkTo, ...shared }: Shared): Streams {
  const streams = openSubscriptions({ ...subscriptions, ...shared })
  const raw = openRawMutations({ ...mutations, ...shared, sinkTo: (id) => sinkTo(shared.answers, id) })
  return {
    handlers: { ...streams.handlers, ...raw.handlers },
    cancel: raw.cancel,
    async stop() {
      streams.stop()
      await raw.stop()
    },
  }
}
