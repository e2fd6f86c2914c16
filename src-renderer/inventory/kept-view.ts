import { z } from 'zod'
import { sort } from '../../src-shared/model/inventory.ts'
import type { View } from './filter/view.ts'

/** What a window asked: the saved view that was opened last, and what is asked now. */
export interface Asked {
  chosen: string | null
  view: View
}

/**
 * What this window asks, kept for as long as it is open: loaded anew, after a crash or by hand, it asks the same. A new
 * window begins with the default view.
 */
export interface KeptView {
  /** Null for a window that has asked nothing yet. */
  read(): Asked | null
  write(asked: Asked): void
}

const name = 'muster view'
const sorts = z.array(sort).max(4)
const kept = z.object({
  chosen: z.string().nullable(),
  view: z.object({
    path: z.array(z.object({ id: z.string(), name: z.string() })),
    filter: z.string(),
    sorts: z.object({ down: sorts, unknown: sorts, any: sorts, connected: sorts }),
  }),
})

export function keptView(storage: Pick<Storage, 'getItem' | 'setItem'>): KeptView {
  return {
    read() {
      try {
        return kept.parse(JSON.parse(storage.getItem(name) ?? 'null'))
      } catch {
        return null
      }
    },
    write(asked) {
      try {
        storage.setItem(name, JSON.stringify(asked))
      } catch {
        // A browser may have no room, or forbid it: then a window that is loaded anew begins anew.
      }
    },
  }
}
