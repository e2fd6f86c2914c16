import { z } from 'zod'

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
  lines: z.number(),
  /** The answer has more lines than are kept. */
  isCut: z.boolean(),
  /** The answer has `data` that is not null. */
  hasData: z.boolean(),
  /** The first fifty of `errors`, each with its path ("tenants.0.name"; '' without). */
  errors: z.array(z.object({ message: z.string(), path: z.string() })),
})
export type AnswerSummary = z.infer<typeof answerSummary>
