import { z } from 'zod'
import { maxHandoverNote, teamHandover, writtenHandover } from '../model/handovers.ts'
import { lastMoment } from './limits.ts'

const id = z.string().max(64)
const moment = z.number().min(0).max(lastMoment)

/** The handovers of a team, the newest first, and at most `maxHandovers`. The event `handovers` tells of them. */
export const handoverList = z.array(teamHandover)

/** The calls of a team's shift handovers, a part of the contract (contract.ts). */
export const handoverCalls = {
  /**
   * Hands over to a member of the team, by the operator's name: stores the shift handover of this span for the team. Fails
   * with a fault of kind `input` for a Muster on its own, where nobody in the team has that name, and for a span that
   * `handover.make` does not take.
   */
  'handover.give': {
    input: z.object({
      to: z.string().max(200),
      note: z.string().trim().max(maxHandoverNote),
      from: moment,
      until: moment,
    }),
    output: z.object({ id: z.string() }),
  },
  /** Returns the team's handovers. Fails with a fault of kind `input` for a Muster on its own. */
  'handover.list': { input: z.object({}), output: z.object({ handovers: handoverList }) },
  /** Returns a handover with its text; null for an unknown id. Fails with a fault of kind `input` for a Muster on its own. */
  'handover.read': { input: z.object({ id }), output: z.object({ handover: writtenHandover.nullable() }) },
  /**
   * Accepts a handover; the first acceptance stays. Fails with a fault of kind `input` for one to another operator, an
   * unknown id, and a Muster on its own.
   */
  'handover.accept': { input: z.object({ id }), output: z.object({}) },
} as const
