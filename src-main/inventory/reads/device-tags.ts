import { maxTargets } from '../../../src-shared/model/jobs.ts'
import { textAt } from '../engine/columns/columns.ts'
import { fold } from '../engine/filter/fold.ts'
import { deviceNode } from '../keys.ts'
import type { Store } from '../store.ts'
import type { NoteData } from '../thread/note-protocol.ts'
import { slotsOfTargets } from './action-devices.ts'

/** Returns the devices of a selection, and the tags that they have themselves (contract: notes.tags). */
export function tagsOf(
  store: Store,
  { of, now }: Parameters<NoteData['tagsOf']>[0],
): Awaited<ReturnType<NoteData['tagsOf']>> {
  const { total, slots } = slotsOfTargets(store, of, maxTargets, now)
  if (total > maxTargets) return { total, keys: [], tags: [] }
  const keys = slots.map((slot) => textAt(store.inventory.rows.key, slot))
  const counts = new Map<string, { tag: string; count: number }>()
  for (const key of keys)
    for (const tag of store.inventory.notes.get(deviceNode(key))?.tags ?? []) {
      const counted = counts.get(fold(tag))
      if (counted === undefined) counts.set(fold(tag), { tag, count: 1 })
      else counted.count += 1
    }
  const tags = [...counts.values()].toSorted(
    (one, other) => other.count - one.count || (fold(one.tag) < fold(other.tag) ? -1 : 1),
  )
  return { total, keys, tags }
}
