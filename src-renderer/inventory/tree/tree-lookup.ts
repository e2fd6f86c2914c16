import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import { everything, type TreeRow } from '../../../src-shared/model/inventory.ts'
import type { Place } from '../filter/view.ts'
import { indexOf, type Paged } from '../../lib/list/paged.ts'
import { typedAhead } from './tree-moves.ts'
import type { TreeSettings } from './tree-settings.ts'

/** The maximum number of lines in one answer (contract: inventory.tree). */
const maxLines = 500
/** A search ends after this many lines. The filter finds the rest. */
const farthest = 20_000

/** Finds lines of the tree that the window has not loaded. */
export interface TreeLookup {
  /** Returns the places from the region down to a node, by its id; null when it is gone. */
  pathToNode(id: string): Promise<Answer<readonly Place[] | null>>
  /**
   * Returns the places from the region down to this line, including it; only the line when the others cannot be read.
   */
  pathTo(row: TreeRow): Promise<readonly Place[]>
  /** Returns the index of a node's line among the visible lines; null when it is gone. */
  indexOf(id: string): Promise<number | null>
  /** Returns the lines of all siblings of this one, including it. */
  siblings(row: TreeRow): Promise<readonly TreeRow[]>
  /**
   * Returns the index of the next line from `from` on, wrapping around, whose name begins with `text`; null when there
   * is none in the searched lines.
   */
  named(text: string, from: number, total: number): Promise<number | null>
}

export function createTreeLookup(
  pipe: Pipe,
  shown: Paged<TreeRow>,
  expanded: () => ReadonlySet<string>,
  { shape, placeOf }: TreeSettings,
): TreeLookup {
  const part = (open: readonly string[], offset: number, limit: number) =>
    pipe.call('inventory.tree', { expanded: [...open], offset, limit, reveal: null, ...shape() })

  async function lines(open: readonly string[], offset: number, limit: number): Promise<readonly TreeRow[]> {
    const answer = await part(open, offset, limit)
    return answer.ok ? answer.value.rows : []
  }

  /** Returns the index of a node when only its ancestors are expanded. */
  async function found(id: string): Promise<Answer<{ open: readonly string[]; index: number } | null>> {
    const answer = await pipe.call('inventory.tree', { expanded: [], offset: 0, limit: 1, reveal: id, ...shape() })
    if (!answer.ok) return answer
    const { expanded, index } = answer.value
    return { ok: true, value: index === null ? null : { open: expanded, index } }
  }

  async function indexAmong(open: string[], reveal: string): Promise<number | null> {
    const answer = await pipe.call('inventory.tree', { expanded: open, offset: 0, limit: 1, reveal, ...shape() })
    return answer.ok ? answer.value.index : null
  }

  async function siblings(row: TreeRow): Promise<readonly TreeRow[]> {
    const answer = await found(row.id)
    const place = answer.ok ? answer.value : null
    if (place === null) return []
    // Siblings are adjacent while their own children are collapsed.
    const first = place.index - (row.posInSet - 1)
    const all: TreeRow[] = []
    while (all.length < Math.min(row.setSize, farthest)) {
      const more = await lines(place.open, first + all.length, Math.min(maxLines, row.setSize - all.length))
      if (more.length === 0) break
      for (const each of more) all.push(each)
    }
    return all.filter(({ parent }) => parent === row.parent)
  }

  async function named(text: string, from: number, total: number): Promise<number | null> {
    const open = [...expanded()]
    for (let step = 0; step < Math.min(total, farthest);) {
      const offset = (from + step) % total
      const some = await lines(open, offset, Math.min(maxLines, total - offset))
      const place = typedAhead(
        some.map(({ name }) => name),
        text,
      )
      if (place !== -1) return offset + place
      if (some.length === 0) return null
      step += some.length
    }
    return null
  }

  return {
    pathToNode: (id) => pathOf(pipe, id, placeOf),
    pathTo: (row) => pathOrOwn(pipe, row, placeOf),
    async indexOf(id) {
      const known = indexOf(shown.state.get(), (row) => row.id === id)
      return known === -1 ? indexAmong([...expanded()], id) : known
    },
    siblings,
    named,
  }
}

/** Returns the places from the region down to a node; null when it is gone. */
async function pathOf(
  pipe: Pipe,
  id: string,
  placeOf: TreeSettings['placeOf'],
): Promise<Answer<readonly Place[] | null>> {
  if (id === everything) return { ok: true, value: [] }
  const answer = await pipe.call('inventory.places', { asked: { nodes: [id] }, limit: 1 })
  if (!answer.ok) return answer
  const [place] = answer.value.places
  return { ok: true, value: place === undefined ? null : [place, ...place.above].toReversed().map(placeOf) }
}

async function pathOrOwn(pipe: Pipe, row: TreeRow, placeOf: TreeSettings['placeOf']): Promise<readonly Place[]> {
  const path = await pathOf(pipe, row.id, placeOf)
  return (path.ok && path.value) || [placeOf(row)]
}
