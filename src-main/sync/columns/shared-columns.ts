import { z } from 'zod'
import { extraColumn } from '../../../src-shared/model/inventory.ts'

/** A field that a member of a team can read of its services, and how that goes. */
export const offeredColumn = extraColumn.pick({ type: true, reading: true, fault: true }).extend({
  name: z.string().max(200),
  services: z.array(z.string().max(2048)).max(1000),
})
export type OfferedColumn = z.infer<typeof offeredColumn>

/** The extra columns of a team: all members have the same ones on, and whoever reads a service says what it offers. */
export interface SharedColumns {
  /** Returns the names of those that are on; null before they were read. */
  names(): readonly string[] | null
  /** Rejects with `team-away`, or `input` where there are too many. */
  switch(name: string, on: boolean): Promise<void>
  /** Returns what other members say. */
  told(): readonly OfferedColumn[]
  /** Tells them what this member can read. */
  tell(offered: readonly OfferedColumn[]): void
}
