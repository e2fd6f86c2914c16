import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { Paged } from '../../lib/list/paged.ts'

/** The maximum number of expanded nodes (contract: inventory.tree). */
const maxOpen = 5000

/** The expanded nodes of the tree. */
export interface Expansion {
  nodes(): ReadonlySet<string>
  open(ids: readonly string[]): void
  /** Replaces the expanded nodes. */
  replace(ids: readonly string[]): void
  toggle(row: TreeRow): void
  stop(): void
}

/**
 * Creates the expansion. The lines are read again when it changes. `onRegions`: called when the first lines are loaded
 * and the regions are expanded.
 */
export function createExpansion(lines: Paged<TreeRow>, onRegions: () => void): Expansion {
  let nodes: ReadonlySet<string> = new Set()
  let opened = false
  const off = lines.state.subscribe(openRegions)

  function set(next: Iterable<string>) {
    nodes = new Set([...next].slice(0, maxOpen))
    lines.reset()
  }

  /** Expands the regions when the first lines are loaded, so that the tenants are visible. */
  function openRegions() {
    if (opened || (lines.state.get().total ?? 0) === 0) return
    opened = true
    const regions =
      lines.state
        .get()
        .pages.get(0)
        ?.rows.filter(({ level }) => level === 1) ?? []
    set([...nodes, ...regions.map(({ id }) => id)])
    onRegions()
  }

  return {
    nodes: () => nodes,
    open: (ids) => set([...nodes, ...ids]),
    replace(ids) {
      if (ids.length !== nodes.size || ids.some((id) => !nodes.has(id))) set(ids)
    },
    toggle({ id, expanded }) {
      if (expanded !== null) set(expanded ? [...nodes].filter((each) => each !== id) : [...nodes, id])
    },
    stop: off,
  }
}
