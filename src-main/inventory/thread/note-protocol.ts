import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Note } from '../../../src-shared/contract/note-calls.ts'
import type { NoteContent } from '../../../src-shared/model/notes.ts'
import type { CallOrder } from './call-order.ts'
import type { Change } from './change.ts'

/** The data thread's calls about notes and tags (protocol.ts). */
export interface NoteData {
  notesOf(input: { node: string }): Promise<CallOutput<'notes.of'>>
  /** Returns the notes about these devices and the places that they are in, each once and at most `limit`. */
  notesAbout(input: { keys: readonly string[]; limit: number }): Promise<{ notes: Note[] }>
  /** As the call `notes.tags`; `now`: ms. */
  tagsOf(input: CallInput<'notes.tags'> & { now: number }): Promise<CallOutput<'notes.tags'>>
  /** As the calls `notes.tag` and `notes.setTags`. */
  tag(input: CallInput<'notes.tag'> & Written): Promise<Tagged>
  setTags(input: CallInput<'notes.setTags'> & Written): Promise<Tagged>
  /** Writes a note as `notes.save` does. */
  saveNote(input: NoteContent & { node: string } & Written): Promise<{ before: NoteContent | null; change: Change }>
}

/** When it was written, ms, and in a team by which operator. */
interface Written {
  at: number
  by?: string
}

type Tagged = CallOutput<'notes.tag'> & { change: Change }

/** How the request queue orders each of these calls. */
export const noteCallOrder: { readonly [N in keyof NoteData]: CallOrder } = {
  notesOf: 'read',
  notesAbout: 'read',
  tagsOf: 'read',
  tag: 'ordered',
  setTags: 'ordered',
  saveNote: 'ordered',
}
