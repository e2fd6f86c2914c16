import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { noteContent, type NoteContent } from '../../../src-shared/model/notes.ts'
import { inTransaction } from '../database.ts'
import { fromJson, toJson } from './json.ts'

/** A note as it is kept; `at`: when it was written, ms; `by`: by which operator, in a team. */
export interface StoredNote extends NoteContent {
  at: number
  by?: string
}

/** The operator's notes and tags, by a node of a device or a place (inventory/engine/notes.ts). */
export interface Notes {
  /** Returns all notes. One that cannot be read stays in the file and is left out. */
  all(): { node: string; note: StoredNote }[]
  /** Returns the note of a node; null where it has none, or one that cannot be read. */
  of(node: string): StoredNote | null
  /** Writes a note, on disk when this returns; null removes it. */
  save(node: string, note: StoredNote | null): void
  /** Does the same for several, all or none. */
  saveAll(notes: readonly { node: string; note: StoredNote | null }[]): void
}

const written = z.object({ at: z.number().catch(0), by: z.string().max(200).catch('').default('') })

/** Returns when a stored note was written, and by whom where that is known. */
function writing(value: unknown): Pick<StoredNote, 'at' | 'by'> {
  const { at, by } = written.parse(value)
  return by === '' ? { at } : { at, by }
}

function noteIn(text: unknown): StoredNote | null {
  const value = fromJson(text)
  const content = noteContent.safeParse(value)
  return content.success ? { ...content.data, ...writing(value) } : null
}

export function notesIn(db: DatabaseSync): Notes {
  const all = db.prepare('SELECT node, text FROM note')
  const one = db.prepare('SELECT text FROM note WHERE node = ?')
  const put = db.prepare('INSERT OR REPLACE INTO note (node, text) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM note WHERE node = ?')
  const save: Notes['save'] = (node, note) => {
    if (note === null) remove.run(node)
    else put.run(node, toJson(note))
  }
  return {
    all: () =>
      all.all().flatMap(({ node, text }) => {
        const note = noteIn(text)
        return note === null ? [] : { node: String(node), note }
      }),
    of: (node) => noteIn(one.get(node)?.['text']),
    save,
    saveAll: (notes) =>
      inTransaction(db, () => {
        for (const { node, note } of notes) save(node, note)
      }),
  }
}
