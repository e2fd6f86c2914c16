import type { Note } from '../../../src-shared/contract/note-calls.ts'
import { textAt } from '../engine/columns/columns.ts'
import { type Inventory, roomOf } from '../engine/inventory.ts'
import { notedNodes, takesNote } from '../engine/notes.ts'
import { type Place, placeAt } from '../engine/places.ts'
import { deviceNode, deviceOfNode } from '../keys.ts'
import type { NoteData } from '../thread/note-protocol.ts'

/** Returns the place of a node that takes a note, and for a device its room and its slot; null for any other node. */
export function noteTarget(inventory: Inventory, node: string): { place: Place; slot: number | null } | null {
  const key = deviceOfNode(node)
  if (key !== null) {
    const slot = inventory.rows.slotOf.get(key)
    return slot === undefined ? null : { place: roomOf(inventory, slot), slot }
  }
  const place = placeAt(inventory.places, node)
  return place !== undefined && takesNote(place) ? { place, slot: null } : null
}

/** Returns the note of a device or a place, and those of the places around it (contract.ts, `notes.of`). */
export function notesOf(inventory: Inventory, node: string): Awaited<ReturnType<NoteData['notesOf']>> {
  const target = noteTarget(inventory, node)
  const place = target?.place ?? placeAt(inventory.places, node) ?? null
  const all = [...(target?.slot == null ? [] : deviceNotes(inventory, target.slot)), ...placeNotes(inventory, place)]
  return {
    takes: target !== null,
    own: all.find((note) => note.node === node) ?? null,
    above: all.filter((note) => note.node !== node),
  }
}

/** Returns the notes about these devices and their places, each once; at most `limit`. Devices that are not known are left out. */
export function notesAbout(inventory: Inventory, keys: readonly string[], limit: number): Note[] {
  if (inventory.notes.size === 0) return []
  const found = new Map<string, Note>()
  for (const key of keys) {
    const slot = inventory.rows.slotOf.get(key)
    if (slot === undefined) continue
    const notes = [...deviceNotes(inventory, slot), ...placeNotes(inventory, roomOf(inventory, slot))]
    for (const note of notes) if (found.size < limit) found.set(note.node, note)
  }
  return [...found.values()]
}

function deviceNotes({ rows, notes }: Inventory, slot: number): Note[] {
  const node = deviceNode(textAt(rows.key, slot))
  const note = notes.get(node)
  return note === undefined ? [] : [{ ...note, node, kind: 'device', name: textAt(rows.name, slot) }]
}

/** Returns the notes of a place and those above it, the nearest first. */
export const placeNotes = ({ notes }: Inventory, place: Place | null): Note[] =>
  notedNodes(place).flatMap(({ place: { kind, name }, node }) => {
    const note = notes.get(node)
    return note === undefined ? [] : [{ ...note, node, kind: node.startsWith('a:') ? 'account' : kind, name }]
  })
