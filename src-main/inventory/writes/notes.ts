import { isEmptyNote, type NoteContent } from '../../../src-shared/model/notes.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { recordAll, recordChange } from '../engine/changes.ts'
import { type Inventory, newTouched, slotsBelow, type Touched } from '../engine/inventory.ts'
import type { StoredNote } from '../../storage/journal/notes.ts'
import { patchRows } from '../keys.ts'
import { noteTarget } from '../reads/notes.ts'
import { changeOf, type Store } from '../store.ts'
import type { NoteData } from '../thread/note-protocol.ts'

/** Writes a note (note-protocol.ts): the disk first, then the memory. */
export function saveNote(
  store: Store,
  { node, at, by, ...content }: Parameters<NoteData['saveNote']>[0],
): Awaited<ReturnType<NoteData['saveNote']>> {
  const { inventory, journal } = store
  const target = noteTarget(inventory, node)
  if (target === null) throw new FaultError('input', 'node: It takes no note, or is not in the fleet now.')
  const before = inventory.notes.get(node)
  const note = isEmptyNote(content) ? null : { ...content, ...written(at, by) }
  journal.notes.save(node, note)
  remember(inventory, node, note)
  const slots = slotsOfNotes(inventory, [node])
  const touched = notesTouched(store, slots)
  // A place without devices shows its note all the same.
  if (slots.length === 0) touched.structure = true
  return { before: before === undefined ? null : contentOf(before), change: changeOf(store, touched) }
}

/** Returns when a note was written, and by whom, as it is kept. */
export const written = (at: number, by: string | undefined): { at: number; by?: string } =>
  by === undefined ? { at } : { at, by }

function remember({ notes }: Inventory, node: string, note: StoredNote | null): void {
  if (note === null) notes.delete(node)
  else notes.set(node, note)
}

/** Takes the notes of these nodes into memory, as the journal has them. */
export function readNotesOf({ inventory, journal }: Store, nodes: readonly string[]): void {
  for (const node of nodes) remember(inventory, node, journal.notes.of(node))
}

/** Returns the devices that the notes of these nodes apply to. */
export function slotsOfNotes(inventory: Inventory, nodes: readonly string[]): number[] {
  const slots: number[] = []
  for (const node of nodes) {
    const target = noteTarget(inventory, node)
    if (target === null) continue
    if (target.slot === null) slotsBelow(inventory, target.place, (slot) => slots.push(slot))
    else slots.push(target.slot)
  }
  return slots
}

/** Records that the notes of these devices changed, and returns what that touches. */
export function notesTouched({ inventory }: Store, slots: readonly number[]): Touched {
  const touched = newTouched()
  if (slots.length > patchRows) {
    recordAll(inventory.changes, 'notes')
    touched.many = true
  } else
    for (const slot of slots) {
      recordChange(inventory.changes, 'notes', slot)
      touched.rows.add(slot)
    }
  return touched
}

const contentOf = ({ text, contact, tags }: NoteContent): NoteContent => ({ text, contact, tags })
