import { z } from 'zod'
import { nodeKind } from '../model/inventory.ts'
import { maxTargets, targets } from '../model/jobs.ts'
import { noteContent } from '../model/notes.ts'

const node = z.string().max(2048)

/** A note with the device or place (`node`) that it is about, when it was last written, ms, and in a team by whom. */
export const note = noteContent.extend({
  node: z.string(),
  kind: nodeKind,
  name: z.string(),
  at: z.number(),
  by: z.string().optional(),
})
export type Note = z.infer<typeof note>

const keys = z.array(node).min(1).max(maxTargets)
const { tags } = noteContent.shape

/** The tags that a device has itself. */
const tagged = z.object({ key: node, tags })

/** The calls of notes and tags: a part of the contract (contract.ts). They are kept on this computer and sent to nobody. */
export const noteCalls = {
  /**
   * Returns the note of a device or a place (null: there is none), and those of the places that it is in, the nearest first.
   * `takes`: false for what takes no note: a region, all tenants, and the devices without a site or room.
   */
  'notes.of': {
    input: z.object({ node }),
    output: z.object({ takes: z.boolean(), own: note.nullable(), above: z.array(note) }),
  },
  /**
   * Returns the devices of a selection that are known now (`total`), their keys (none for more than `maxTargets`), and the tags that they
   * have themselves with the number of these devices, the most frequent first. Tags of places are not among them.
   */
  'notes.tags': {
    input: z.object({ of: targets }),
    output: z.object({
      total: z.number(),
      keys: z.array(z.string()),
      tags: z.array(z.object({ tag: z.string(), count: z.number() })),
    }),
  },
  /**
   * Adds tags to devices and removes others, in any case: all of them or, with a fault of kind `input`, none. Devices that are gone are left
   * out. Returns the tags that the changed devices had before.
   */
  'notes.tag': {
    input: z.object({ keys, add: tags, remove: z.array(tags.element).max(1000) }),
    output: z.object({ before: z.array(tagged) }),
  },
  /** Gives devices these tags and no others. Returns those that they had before, as `notes.tag` does. */
  'notes.setTags': {
    input: z.object({ devices: z.array(tagged).max(maxTargets) }),
    output: z.object({ before: z.array(tagged) }),
  },
  /**
   * Writes the note of a device or a place; without content it is removed. Returns what was there before; null: nothing. Fails
   * with a fault of kind `input` for what takes no note.
   */
  'notes.save': { input: noteContent.extend({ node }), output: z.object({ before: noteContent.nullable() }) },
} as const
