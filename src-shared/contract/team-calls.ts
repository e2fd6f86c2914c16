import { z } from 'zod'
import { teamInput, teamLegResult, teamState } from '../model/team.ts'

/** The calls of a team: a part of the contract (contract.ts). */
export const teamCalls = {
  'team.read': { input: z.object({}), output: teamState },
  /** Returns what was typed to join, with an empty password; null for a Muster on its own. */
  'team.show': { input: z.object({}), output: z.object({ typed: teamInput.nullable() }) },
  /** Tests each leg of the typed database and stores nothing. Fails with a fault of kind `stopped` only. */
  'team.test': { input: teamInput, output: z.object({ legs: z.array(teamLegResult) }) },
  /**
   * Joins a team, or changes how this Muster reaches it. The core starts again with the team's data, which the event
   * `restarted` tells; the Muster's own data stays as it is until it leaves. `share`: its own connections are added to the
   * team's, without their secrets. Fails with the first leg's fault, or of kind `input` with a line `field: words` for
   * each field that is wrong; then nothing was changed.
   */
  'team.join': { input: z.object({ typed: teamInput, share: z.boolean() }), output: z.object({}) },
  /**
   * Tells the team which incident this Muster's operator looks at; null: none. Of several windows the last one that says so
   * counts. Does nothing for a Muster on its own.
   */
  'team.looking': { input: z.object({ incident: z.string().max(64).nullable() }), output: z.object({}) },
  /** Leaves the team. The core starts again with the Muster's own data; its copy of the team's data stays on the disk. */
  'team.leave': { input: z.object({}), output: z.object({}) },
} as const
