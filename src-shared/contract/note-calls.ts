import { z } from 'zod'
import { nodeKind } from '../model/inventory.ts'
import { noteContent } from '../model/notes.ts'

const node = z.string().max(2048)

/** A note with the device or place (`node`) that it is about, and when it was last written, ms. */
export const note = noteContent.extend({ node: z.string(), kind: nodeKind, name: z.string(), at: z.number() })
export type Note = z.infer<typeof note>

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
   * Writes the note of a device or a place; without content it is removed. Returns what was there before; null: nothing. Fails
   * with a fault of kind `input` for what takes no note.
   */
  'notes.save': { input: noteContent.extend({ node }), output: z.object({ before: noteContent.nullable() }) },
} as const
