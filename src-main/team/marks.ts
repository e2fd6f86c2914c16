import { z } from 'zod'
import { acknowledgement, assignment, snooze } from '../../src-shared/model/incidents.ts'
import { toFault } from '../../src-shared/model/fault.ts'
import type { IncidentRunner } from '../incidents/runner.ts'
import type { Team } from './team.ts'

/** What a member asks the one that evaluates: to acknowledge, snooze, unacknowledge or assign incidents. */
const markInput = z.object({
  changes: z
    .array(
      z.object({
        id: z.string(),
        acknowledged: acknowledgement.nullable().optional(),
        snoozed: snooze.nullable().optional(),
        assigned: assignment.nullable().optional(),
      }),
    )
    .max(10_000),
  action: z.object({ at: z.number(), kind: z.string(), before: z.unknown() }).optional(),
  undone: z.number().optional(),
})

/** Returns what lets the member that evaluates mark incidents for this one. */
export function markElsewhere(team: Pick<Team, 'ask'>): IncidentRunner['mark'] {
  return async (changes, { action, undone } = {}) => {
    const value = await team.ask('mark', { changes, action, undone })
    return z.object({ action: z.number() }).catch({ action: 0 }).parse(value).action
  }
}

/** Returns a mark in the name of who asked for it, as far as the database vouches for it. An older one, as for an undo, stays. */
function signed<T extends { by?: string | undefined }>(mark: T | null, author: (claimed: string) => string): T | null {
  return mark === null || mark.by === undefined ? mark : { ...mark, by: author(mark.by) }
}

/**
 * Marks incidents for another member, which is told of what came of it with the log. `author`: the name of who asked for it,
 * given the one that the request claims.
 */
export async function carryOutMark(
  team: Pick<Team, 'refuse'>,
  runner: Pick<IncidentRunner, 'mark'>,
  ask: string,
  input: unknown,
  author: (claimed: string) => string,
): Promise<void> {
  try {
    const { changes, action, undone } = markInput.parse(input)
    const given = changes.map(({ id, acknowledged, snoozed, assigned }) => ({
      id,
      ...(acknowledged !== undefined && { acknowledged: signed(acknowledged, author) }),
      ...(snoozed !== undefined && { snoozed: signed(snoozed, author) }),
      ...(assigned !== undefined && { assigned: signed(assigned, author) }),
    }))
    await runner.mark(given, {
      ask,
      ...(action !== undefined && { action: { ...action, before: action.before } }),
      ...(undone !== undefined && { undone }),
    })
  } catch (error) {
    team.refuse(ask, toFault(error))
  }
}
