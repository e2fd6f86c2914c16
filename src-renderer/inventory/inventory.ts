import type { Clock } from '../../src-shared/clock.ts'
import type { DeviceRow, SortColumn, StatusFilter, TreeRow } from '../../src-shared/model.ts'
import { patchedRows, type Patch } from '../../src-shared/patch.ts'
import type { Session } from '../session.ts'
import { createStore, type Store } from '../store.ts'
import { createCursor, type CursorSource } from './cursor.ts'
import { createDetail, type DetailSource } from './detail-source.ts'
import { createPaged, type Paged } from './paged.ts'
import { firstView, queryOf, sortedBy, type Place, type View } from './query.ts'
import { createScope, type ScopeSource } from './scope-counts.ts'
import { createTree, type TreeSource } from './tree-source.ts'

export interface Inventory {
  view: Store<View>
  rows: Paged<DeviceRow>
  tree: TreeSource
  scope: ScopeSource
  cursor: CursorSource
  detail: DetailSource
  setStatus(status: StatusFilter): void
  setText(text: string): void
  sortBy(column: SortColumn, more: boolean): void
  setPath(path: readonly Place[]): void
  /** A line of the tree was chosen: its node becomes the scope; a device is shown instead. */
  choose(row: TreeRow): Promise<void>
  stop(): void
}

/** Everything that the inventory's panes show, held true by the session's word of what changed. */
export function startInventory(session: Session, clock: Clock): Inventory {
  const { pipe } = session
  const view = createStore<View>(firstView)
  const query = () => queryOf(view.get())
  const tree = createTree(pipe, clock)
  const detail = createDetail(pipe)
  const rows = createPaged<DeviceRow>({ load: (offset, limit) => pipe.call('inventory.rows', { query: query(), offset, limit }), clock })
  const follow = (key: string) => {
    if (detail.state.get().state !== 'closed') detail.open(key)
  }
  const cursor = createCursor({ pipe, rows, query, onKey: follow })
  const scope = createScope({ pipe, clock, path: () => view.get().path, onGone: () => look({ path: [] }) })

  function look(change: Partial<View>) {
    view.set({ ...view.get(), ...change })
    rows.reset()
    cursor.locate()
    if (change.path !== undefined) scope.reset()
  }

  async function choose(row: TreeRow) {
    if (row.kind !== 'device') return look({ path: await tree.pathTo(row) })
    const only = { scope: row.id, status: 'any' as const, text: '', sort: [] }
    const answer = await pipe.call('inventory.rows', { query: only, offset: 0, limit: 1 })
    const device = answer.ok ? answer.value.rows[0] : undefined
    if (device === undefined) return
    tree.device.set({ node: row.id, key: device.key })
    detail.open(device.key)
    cursor.select(device.key)
  }

  function onChange(change: Patch | null) {
    if (change !== null) rows.apply(change.rev, (held) => patchedRows(held, change))
    rows.refresh()
    tree.lines.refresh()
    scope.refresh()
    detail.changed(change)
  }

  const off = session.onChange(onChange)
  return {
    view, rows, tree, scope, cursor, detail, choose,
    setStatus: (status) => look({ status }),
    setText: (text) => look({ text }),
    setPath: (path) => look({ path }),
    sortBy(column, more) {
      const { status, sorts } = view.get()
      look({ sorts: { ...sorts, [status]: sortedBy(sorts[status], column, more) } })
    },
    stop() {
      off()
      for (const part of [scope, cursor, rows, tree]) part.stop()
    },
  }
}
