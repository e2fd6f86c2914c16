import { z } from 'zod'
import { answerSummary } from '../model/query.ts'
import { subscriptionRow, subscriptionState } from '../model/subscription.ts'

const id = z.string().max(64)
const chosen = {
  connection: id,
  document: z.string().max(1_000_000),
  /** The name of the operation, where the document has several. */
  operation: z.string().max(200).nullable(),
  variables: z.record(z.string(), z.unknown()),
}
const filter = z.string().max(1_000)

/**
 * The calls about subscriptions that the operator writes: a part of the contract (contract.ts). Their events are in the core,
 * the last ones of each, until they are forgotten. `id`: the window's own. Calls about an unknown one fail with `input`.
 */
export const streamCalls = {
  /** Starts a subscription on a socket of its own. Fails with `input` for a text that is none, or where too many run. */
  'subscription.start': { input: z.object({ id, ...chosen }), output: z.object({}) },
  /** Ends a subscription; its events are kept. */
  'subscription.stop': { input: z.object({ id }), output: z.object({}) },
  /** Returns those that run and those whose events are kept, in the order of their start. */
  'subscription.list': { input: z.object({}), output: z.object({ subscriptions: z.array(subscriptionState) }) },
  /** Returns what was started, for a window that does not know it. */
  'subscription.show': { input: z.object({ id }), output: z.object(chosen) },
  /**
   * Returns rows, the newest first, from the row `from` (0) on: those before the row of the number `before` (null: all) that
   * contain `filter` in any case ('': all), and all gaps. `total`: how many there are.
   */
  'subscription.events': {
    input: z.object({
      id,
      before: z.int().min(0).nullable(),
      filter,
      from: z.int().min(0),
      count: z.int().min(1).max(500),
    }),
    output: z.object({ total: z.number(), rows: z.array(subscriptionRow) }),
  },
  /** Makes an event (its number) an answer of the id `run`, read as those of queries are; null: it is no longer kept. */
  'subscription.event': {
    input: z.object({ id, event: z.int().min(0), run: id }),
    output: z.object({ summary: answerSummary.nullable() }),
  },
  /** Returns events as lines of JSON, the oldest first, after the row of the number `after` (0); '' behind the last one. */
  'subscription.text': {
    input: z.object({ id, filter, after: z.int().min(0) }),
    output: z.object({ text: z.string(), next: z.number() }),
  },
  'subscription.clear': { input: z.object({ id }), output: z.object({}) },
  /** Ends a subscription and forgets its events. */
  'subscription.forget': { input: z.object({ id }), output: z.object({}) },
}
