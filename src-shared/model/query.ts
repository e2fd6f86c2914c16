import { z } from 'zod'
import { fault } from './inventory.ts'

/** A line of an answer: a part of its JSON. */
export const answerLine = z.object({
  text: z.string(),
  depth: z.number(),
  /** For a line that opens an object or list: the line that closes it. Else 0. */
  closes: z.number(),
  /** The line is longer than it is shown. */
  isCut: z.boolean(),
})
export type AnswerLine = z.infer<typeof answerLine>

export const answerSummary = z.object({
  bytes: z.number(),
  /** Bytes of it that are shown and searched: the first ones. The rest can be saved. */
  shown: z.number(),
  lines: z.number(),
  /** The answer has more lines than are kept. */
  isCut: z.boolean(),
  /** The answer has `data` that is not null. */
  hasData: z.boolean(),
  /** The first fifty of `errors`, each with its path ("tenants.0.name"; '' without). */
  errors: z.array(z.object({ message: z.string(), path: z.string() })),
})
export type AnswerSummary = z.infer<typeof answerSummary>

/** An answer as it came, whatever it says. */
export const rawAnswer = z.object({
  status: z.number(),
  /** From the sending to the end of the answer. */
  ms: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Points, as the service reports; null: it does not. `expected`: what Muster expected before. */
  cost: z.number().nullable(),
  expected: z.number(),
  /** False where the answer is longer than Muster keeps. */
  isWhole: z.boolean(),
  /** What Muster understands of a rejection; null: none. */
  fault: fault.nullable(),
  summary: answerSummary,
})
