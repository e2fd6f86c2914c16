import type { TreeRow } from '../../../src-shared/model/inventory.ts'
import type { Paged } from '../../lib/list/paged.ts'

/** Nodes that can stand open at a time (contract: inventory.tree). */
const mostOpen = 5000

/** Which nodes of the tree stand open. */
export interface Expansion {
  nodes(): ReadonlySet<string>
  open(ids: readonly string[]): void
  /** These stand open instead. */
  replace(ids: readonly string[]): void
  toggle(row: TreeRow): void
  stop(): void
}

/** The lines follow from what is open: they are asked for anew when that changes. `onRegions`: the first lines are there, and the regions stand open. */
export function createExpansion(lines: Paged<TreeRow>, onRegions: () => void): Expansion {
  let nodes: ReadonlySet<string> = new Set()
  let opened = false
  const off = lines.state.subscribe(openRegions)

  function set(next: Iterable<string>) {
    nodes = new Set([...next].slice(0, mostOpen))
    lines.reset()
  }

  /** The first time that there are lines, the regions stand open, so that the tenants are in sight. */
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
