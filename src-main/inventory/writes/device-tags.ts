import { FaultError } from '../../../src-shared/model/fault.ts'
import { isEmptyNote, noNote, noteLimits } from '../../../src-shared/model/notes.ts'
import { fold } from '../engine/filter/fold.ts'
import { deviceNode } from '../keys.ts'
import { changeOf, type Store } from '../store.ts'
import type { NoteData } from '../thread/note-protocol.ts'
import { notesTouched, written } from './notes.ts'

type Tagged = Awaited<ReturnType<NoteData['tag']>>

/** Adds tags to devices and removes others (contract: notes.tag). */
export function changeTags(store: Store, { keys, add, remove, at, by }: Parameters<NoteData['tag']>[0]): Tagged {
  const removed = new Set(remove.map(fold))
  const wanted = keys.map((key) => {
    const kept = tagsAt(store, key).filter((tag) => !removed.has(fold(tag)))
    const present = new Set(kept.map(fold))
    return { key, tags: [...kept, ...add.filter((tag) => !present.has(fold(tag)))] }
  })
  const over = wanted.filter(({ tags }) => tags.length > noteLimits.tags).length
  if (over > 0)
    throw new FaultError('input', `add: A device has at most ${noteLimits.tags} tags; ${over} would have more.`)
  return write(store, wanted, written(at, by))
}

/** Gives devices these tags and no others (contract: notes.setTags). */
export const setTags = (store: Store, { devices, at, by }: Parameters<NoteData['setTags']>[0]): Tagged =>
  write(store, devices, written(at, by))

const tagsAt = ({ inventory }: Store, key: string): string[] => inventory.notes.get(deviceNode(key))?.tags ?? []

/** Writes the tags that differ: the disk first, then the memory. Devices that are not known are left out. */
function write(
  store: Store,
  wanted: readonly { key: string; tags: string[] }[],
  moment: ReturnType<typeof written>,
): Tagged {
  const { inventory, journal } = store
  const changed = wanted.flatMap(({ key, tags }) => {
    const slot = inventory.rows.slotOf.get(key)
    const old = tagsAt(store, key)
    if (slot === undefined || textOf(old) === textOf(tags)) return []
    const node = deviceNode(key)
    const { text, contact } = inventory.notes.get(node) ?? noNote
    const note = { text, contact, tags, ...moment }
    return [{ slot, node, note: isEmptyNote(note) ? null : note, before: { key, tags: old } }]
  })
  journal.notes.saveAll(changed)
  for (const { node, note } of changed)
    if (note === null) inventory.notes.delete(node)
    else inventory.notes.set(node, note)
  const touched = notesTouched(
    store,
    changed.map(({ slot }) => slot),
  )
  return { before: changed.map(({ before }) => before), change: changeOf(store, touched) }
}

const textOf = (tags: readonly string[]): string => JSON.stringify(tags)
