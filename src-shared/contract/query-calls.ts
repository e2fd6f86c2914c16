import { z } from 'zod'
import { answerLine, rawAnswer } from '../model/query.ts'

const id = z.string().max(64)

/** The calls of the query screen: a part of the contract (contract.ts). An answer is in the core until it is forgotten. */
export const queryCalls = {
  /**
   * Returns what a connection's service offers, as the JSON of an introspection; read once for each run of Muster, or with
   * `again` anew. Fails as the service does, and with `query` where it tells its schema to nobody.
   */
  'query.schema': {
    input: z.object({ connection: id, again: z.boolean() }),
    output: z.object({ introspection: z.string() }),
  },
  /** Returns the tenants that a connection lists, by name. */
  'query.tenants': {
    input: z.object({ connection: id }),
    output: z.object({ tenants: z.array(z.object({ id: z.string(), name: z.string() })) }),
  },
  /**
   * Runs a query of the operator's text before all other requests, and resolves with its answer, whatever that says. `run`: an
   * id of the window's own, by which it is ended and its lines are read. `operation`: its name, where the text has several. Fails
   * with `input` (`document: words`) for a text that is no query, and as the network does where there is no answer.
   */
  'query.run': {
    input: z.object({
      run: id,
      connection: id,
      document: z.string().max(1_000_000),
      operation: z.string().max(200).nullable(),
      variables: z.record(z.string(), z.unknown()),
    }),
    output: rawAnswer,
  },
  /** Ends a run that waits or is on its way; `query.run` fails with `abort` then. */
  'query.cancel': { input: z.object({ run: id }), output: z.object({}) },
  /** Returns lines of an answer, from 0; none of one that is not kept any more. */
  'query.lines': {
    input: z.object({ run: id, from: z.int().min(0), count: z.int().min(1).max(500) }),
    output: z.object({ lines: z.array(answerLine) }),
  },
  /** Returns the first line at or after `from` with this text, and from the beginning again after the end; null: none. */
  'query.find': {
    input: z.object({ run: id, text: z.string().max(1_000), from: z.int().min(0) }),
    output: z.object({ line: z.number().nullable() }),
  },
  /** Returns a part of an answer's text as the service sent it, for a file; '' behind its end. `next`: the position after it. */
  'query.text': {
    input: z.object({ run: id, from: z.int().min(0) }),
    output: z.object({ text: z.string(), next: z.number() }),
  },
  'query.forget': { input: z.object({ run: id }), output: z.object({}) },
}
