import { type NoteContent, spareTags } from '../../../src-shared/model/notes.ts'
import { deviceNode } from '../keys.ts'
import { at, type Columns, textAt } from './columns/columns.ts'
import { fold } from './filter/fold.ts'
import { isPlaceless, onlyAccountAt, type Place, type Places } from './places.ts'

/** The operator's notes in memory, as the journal has them, by the node of their device or place. */
export type NotesByNode = Map<string, Kept>
type Kept = NoteContent & { at: number; by?: string }

interface Noted {
  readonly rows: Columns
  readonly places: Places
  readonly notes: NotesByNode
}

/** Most characters of a note in a row of the table. */
const shownLength = 200

/** Returns the nodes whose notes apply to what is in a place: its own and those above it, the nearest first. */
export function notedNodes(place: Place | null): { place: Place; node: string }[] {
  const nodes: { place: Place; node: string }[] = []
  for (let above = place; above !== null; above = above.parent) {
    if (!takesNote(above)) continue
    nodes.push({ place: above, node: above.id })
    const { onlyAccount } = onlyAccountAt(above)
    if (onlyAccount !== undefined) nodes.push({ place: above, node: onlyAccount })
  }
  return nodes
}

/** Returns whether a place can have a note: a region, and the devices without a site or room, can not. */
export const takesNote = (place: Place): boolean => place.kind !== 'region' && !isPlaceless(place)

/**
 * Returns a function that tells the notes of rows: the device's own and those of the places that it is in, the nearest first. Places
 * are looked up once each, so that it holds until the next change.
 */
export function noteReader({ rows, places, notes }: Noted): (slot: number) => readonly Kept[] {
  if (notes.size === 0) return () => none
  const ofRooms = new Map<number, readonly Kept[]>()
  const ofRoom = (index: number) => {
    const known = ofRooms.get(index)
    if (known !== undefined) return known
    const found = notedNodes(places.byIndex[index] ?? null).flatMap(({ node }) => notes.get(node) ?? [])
    ofRooms.set(index, found)
    return found
  }
  return (slot) => {
    const own = notes.get(deviceNode(textAt(rows.key, slot)))
    const above = ofRoom(at(rows.room, slot))
    return own === undefined ? above : [own, ...above]
  }
}

const none: readonly Kept[] = []

/** Returns the tags of some notes, each once in any case. */
export function tagsIn(notes: readonly NoteContent[]): string[] {
  const byFolded = new Map<string, string>()
  for (const { tags } of notes) for (const tag of tags) if (!byFolded.has(fold(tag))) byFolded.set(fold(tag), tag)
  return [...byFolded.values()]
}

/** Returns the text of the nearest note, cut; '' where there is none. */
export const nearestText = (notes: readonly NoteContent[]): string =>
  (notes.find(({ text }) => text !== '')?.text ?? '').replaceAll(/\s+/gu, ' ').trim().slice(0, shownLength)

/** Returns what a row shows of its notes. */
export function shownNotes(inventory: Noted, slot: number): { tags?: string[]; note?: string } {
  if (inventory.notes.size === 0) return {}
  const notes = noteReader(inventory)(slot)
  const [tags, note] = [tagsIn(notes), nearestText(notes)]
  return { ...(tags.length > 0 && { tags }), ...(note !== '' && { note }) }
}

/** Returns whether some notes have a tag that makes their device a spare. */
export const hasSpareTag = (notes: readonly NoteContent[]): boolean =>
  notes.some(({ tags }) => tags.some((tag) => spareTags.includes(fold(tag))))
