import type { DatabaseSync } from 'node:sqlite'
import { noteContent, type NoteContent } from '../../../src-shared/model/notes.ts'
import { inTransaction } from '../database.ts'
import { fromJson, toJson } from './json.ts'

/** A note as it is kept; `at`: when it was written, ms. */
export interface StoredNote extends NoteContent {
  at: number
}

/** The operator's notes and tags, by a node of a device or a place (inventory/engine/notes.ts). */
export interface Notes {
  /** Returns all notes. One that cannot be read stays in the file and is left out. */
  all(): { node: string; note: StoredNote }[]
  /** Writes a note, on disk when this returns; null removes it. */
  save(node: string, note: StoredNote | null): void
  /** Does the same for several, all or none. */
  saveAll(notes: readonly { node: string; note: StoredNote | null }[]): void
}

export function notesIn(db: DatabaseSync): Notes {
  const all = db.prepare('SELECT node, text FROM note')
  const put = db.prepare('INSERT OR REPLACE INTO note (node, text) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM note WHERE node = ?')
  const save: Notes['save'] = (node, note) => {
    if (note === null) remove.run(node)
    else put.run(node, toJson(note))
  }
  return {
    all: () =>
      all.all().flatMap(({ node, text }) => {
        const value = fromJson(text)
        const content = noteContent.safeParse(value)
        const at = typeof value === 'object' && value !== null && 'at' in value ? Number(value.at) : Number.NaN
        return content.success ? { node: String(node), note: { ...content.data, at: Number.isNaN(at) ? 0 : at } } : []
      }),
    save,
    saveAll: (notes) =>
      inTransaction(db, () => {
        for (const { node, note } of notes) save(node, note)
      }),
  }
}
