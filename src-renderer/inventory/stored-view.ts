import { z } from 'zod'
import { sort } from '../../src-shared/model/inventory.ts'
import type { View } from './filter/view.ts'

/** A window's last opened saved view and its present view. */
export interface StoredQuery {
  chosen: string | null
  view: View
}

/** Stores the view of this window, so that a reload restores it. A new window begins with the default view. */
export interface StoredView {
  /** Returns null for a window that has stored nothing. */
  read(): StoredQuery | null
  write(query: StoredQuery): void
}

const name = 'muster view'
const sorts = z.array(sort).max(4)
const schema = z.object({
  chosen: z.string().nullable(),
  view: z.object({
    path: z.array(z.object({ id: z.string(), name: z.string() })),
    filter: z.string(),
    sorts: z.object({ down: sorts, unknown: sorts, any: sorts, connected: sorts }),
  }),
})

export function openStoredView(storage: Pick<Storage, 'getItem' | 'setItem'>): StoredView {
  return {
    read() {
      try {
        return schema.parse(JSON.parse(storage.getItem(name) ?? 'null'))
      } catch {
        return null
      }
    },
    write(query) {
      try {
        storage.setItem(name, JSON.stringify(query))
      } catch {
        // The browser's storage may be full or forbidden; then a reload begins with the default view.
      }
    },
  }
}
