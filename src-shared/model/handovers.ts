import { z } from 'zod'

/** Longest text of a team's shift handover and of the note on it, in characters. */
export const maxHandoverLength = 500_000
export const maxHandoverNote = 2000
/** Most handovers that are listed. */
export const maxHandovers = 50

/** A shift handover within a team, without its text. Times in ms since the epoch. */
export const teamHandover = z.object({
  id: z.string(),
  at: z.number(),
  /** The operators who hand over and take over, by their names. */
  from: z.string(),
  to: z.string(),
  /** The span that is handed over. */
  since: z.number(),
  until: z.number(),
  note: z.string(),
  /** Null: not accepted yet. */
  accepted: z.object({ at: z.number(), by: z.string() }).nullable(),
})
export type TeamHandover = z.infer<typeof teamHandover>

/** A shift handover with its text, as Markdown. */
export const writtenHandover = teamHandover.extend({ text: z.string() })
export type WrittenHandover = z.infer<typeof writtenHandover>
