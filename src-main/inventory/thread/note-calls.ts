import { tagsOf } from '../reads/device-tags.ts'
import { notesAbout, notesOf } from '../reads/notes.ts'
import type { Store } from '../store.ts'
import { changeTags, setTags } from '../writes/device-tags.ts'
import { saveNote } from '../writes/notes.ts'
import type { NoteData } from './note-protocol.ts'

type NoteCalls = { [N in keyof NoteData]: (input: Parameters<NoteData[N]>[0]) => Awaited<ReturnType<NoteData[N]>> }

/** The calls about notes and tags (note-protocol.ts). */
export function noteCalls(store: Store): NoteCalls {
  return {
    notesOf: ({ node }) => notesOf(store.inventory, node),
    notesAbout: ({ keys, limit }) => ({ notes: notesAbout(store.inventory, keys, limit) }),
    tagsOf: (input) => tagsOf(store, input),
    tag: (input) => changeTags(store, input),
    setTags: (input) => setTags(store, input),
    saveNote: (input) => saveNote(store, input),
  }
}
