import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import { everything, type TreeRow } from '../../../src-shared/model/inventory.ts'
import type { Place } from '../filter/view.ts'
import { typedAhead } from './tree-moves.ts'
import type { TreeSettings } from './tree-settings.ts'

/** Lines of the tree that one call gives at most (contract: inventory.tree). */
const mostLines = 500
/** A search through the tree ends after so many lines: what lies further is found by the filter. */
const farthest = 20_000

/** The tree's lines beyond those that the window holds. */
export interface TreeLookup {
  /** Places from the region down to a node, by its id alone; null when it is gone. */
  pathToNode(id: string): Promise<Answer<readonly Place[] | null>>
  /** The lines of all siblings of this one, itself included. */
  siblings(row: TreeRow): Promise<readonly TreeRow[]>
  /** The next line from `from` on, going round, whose name begins so; null when there is none within reach. */
  named(text: string, from: number, total: number): Promise<number | null>
}

export function createTreeLookup(
  pipe: Pipe,
  expanded: () => ReadonlySet<string>,
  { sort, placeOf }: TreeSettings,
): TreeLookup {
  const part = (open: readonly string[], offset: number, limit: number) =>
    pipe.call('inventory.tree', { expanded: [...open], offset, limit, reveal: null, sort: sort() })

  async function lines(open: readonly string[], offset: number, limit: number): Promise<readonly TreeRow[]> {
    const answer = await part(open, offset, limit)
    return answer.ok ? answer.value.rows : []
  }

  /** Where a node stands when nothing but its ancestors is open. */
  async function found(id: string): Promise<Answer<{ open: readonly string[]; index: number } | null>> {
    const answer = await pipe.call('inventory.tree', { expanded: [], offset: 0, limit: 1, reveal: id, sort: sort() })
    if (!answer.ok) return answer
    const { expanded, index } = answer.value
    return { ok: true, value: index === null ? null : { open: expanded, index } }
  }

  /** A node's own line, wherever it stands. */
  async function lineOf(id: string): Promise<Answer<TreeRow | null>> {
    const place = await found(id)
    if (!place.ok) return place
    if (place.value === null) return { ok: true, value: null }
    const answer = await part(place.value.open, place.value.index, 1)
    return answer.ok ? { ok: true, value: answer.value.rows[0] ?? null } : answer
  }

  async function siblings(row: TreeRow): Promise<readonly TreeRow[]> {
    const answer = await found(row.id)
    const place = answer.ok ? answer.value : null
    if (place === null) return []
    // With their own children closed, siblings stand together.
    const first = place.index - (row.posInSet - 1)
    const all: TreeRow[] = []
    while (all.length < Math.min(row.setSize, farthest)) {
      const more = await lines(place.open, first + all.length, Math.min(mostLines, row.setSize - all.length))
      if (more.length === 0) break
      for (const each of more) all.push(each)
    }
    return all.filter(({ parent }) => parent === row.parent)
  }

  async function named(text: string, from: number, total: number): Promise<number | null> {
    const open = [...expanded()]
    for (let step = 0; step < Math.min(total, farthest);) {
      const offset = (from + step) % total
      const some = await lines(open, offset, Math.min(mostLines, total - offset))
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

  return { pathToNode: (id) => ancestorsOf(id, lineOf, placeOf), siblings, named }
}

/** Places from the region down to a node; null when it, or one above it, is gone. */
async function ancestorsOf(
  id: string,
  lineOf: (id: string) => Promise<Answer<TreeRow | null>>,
  placeOf: TreeSettings['placeOf'],
): Promise<Answer<readonly Place[] | null>> {
  const path: Place[] = []
  // A tree has five levels; the bound is there for a service whose parents go round in a circle.
  for (let next: string | null = id === everything ? null : id; next !== null && path.length < 8;) {
    const line: Answer<TreeRow | null> = await lineOf(next)
    if (!line.ok) return line
    if (line.value === null) return { ok: true, value: null }
    path.unshift(placeOf(line.value))
    next = line.value.parent
  }
  return { ok: true, value: path }
}
