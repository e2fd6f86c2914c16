import type { Subject } from '../actions/device-actions.ts'
import { subjectOf } from '../actions/entries/subject.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { CallOutput, Pipe } from '../../src-shared/contract/contract.ts'
import {
  everything,
  type DeviceRow,
  type InventoryQuery,
  type SavedView,
  type TreeRow,
} from '../../src-shared/model/inventory.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import { patchedRows, type Patch } from '../../src-shared/contract/patch.ts'
import { linkText } from '../lib/link-text.ts'
import { saveFile } from '../lib/save-file.ts'
import { shellOf, type Session } from '../lib/session.ts'
import { createStore, type Store } from '../lib/store.ts'
import { placeName } from '../lib/format/suggested.ts'
import { createActions, type Actions } from './actions/actions.ts'
import { createColumns, type ColumnsSource } from './columns/columns-source.ts'
import { createCursor, type CursorSource } from './table/cursor.ts'
import { createDetail, type DetailSource } from './detail/detail-source.ts'
import { leavePlace, opened, openView, startingView } from './opening.ts'
import { createHiddenSelection, type HiddenSelection } from './table/hidden-selection.ts'
import type { StoredView } from './stored-view.ts'
import { createMatching, type MatchingSource } from './filter/matching-counts.ts'
import { createPaged, indexOf, rowAt, type Paged } from '../lib/list/paged.ts'
import { queryOf, type View } from './filter/view.ts'
import { createQuery, type Query } from './filter/query.ts'
import { createScope, type ScopeSource } from './filter/scope-counts.ts'
import { createSelection, type SelectionSource } from './table/selection.ts'
import { createTree, type TreeSource } from './tree/tree-source.ts'
import type { TreeSettings } from './tree/tree-settings.ts'

/** Extra columns of the query's filter or order that are not read for all its devices. */
export type Unread = CallOutput<'inventory.rows'>['unread']

export interface Inventory extends Query {
  unread: Store<Unread>
  rows: Paged<DeviceRow>
  tree: TreeSource
  scope: ScopeSource
  matching: MatchingSource
  cursor: CursorSource
  detail: DetailSource
  selection: SelectionSource
  hidden: HiddenSelection
  columns: ColumnsSource
  actions: Actions
  /** Id of the saved view that was opened last; null without one. The query may have changed since. */
  chosenView: Store<string | null>
  /** The table's scroll position in CSS pixels, saved while another screen is shown. */
  scrolled: { top: number; left: number }
  /**
   * Set when something was opened from elsewhere: the table takes the focus as soon as possible and then sets this to
   * false.
   */
  focusRequest: Store<boolean>
  openView(view: SavedView): Promise<void>
  /** Chooses a line of the tree: its node becomes the scope; a device is opened instead. */
  choose(row: TreeRow): Promise<void>
  /** Opens a device's detail and scrolls to its row, when it has one. */
  showDevice(key: string): void
  /** Returns the devices of an action: the selected ones, or else the one at the cursor; null for none. */
  subject(): Subject | null
  stop(): void
}

/** Creates the state of the inventory screen, which follows the session's changes. */
export function startInventory(session: Session, clock: Clock, storedView: StoredView): Inventory {
  const { pipe } = session
  const request = createQuery(session, onAsked)
  const { view, ask } = request
  const unread = createStore<Unread>([])
  const chosenView = createStore<string | null>(null)
  const query = () => queryOf(view.get())
  const tree = createTree(pipe, clock, {
    shape: () => treeShape(session, view.get()),
    placeOf: (row) => ({ id: row.id, name: placeName(row, session.state.get().app?.connections ?? []) }),
  })
  const detail = createDetail(pipe)
  const columns = createColumns(session, (fault) => actions.fail(fault))
  const rows = createPaged<DeviceRow>({ load: loader(pipe, view, unread), clock })
  const cursor = createCursor({
    pipe,
    rows,
    query,
    onKey: (key) => detail.state.get().state !== 'closed' && detail.open(key),
  })
  const selection = createSelection({
    pipe,
    rows,
    query,
    cursor: () => cursor.state.get(),
    onTooMany: () => actions.tooMany(),
  })
  const hidden = createHiddenSelection({ pipe, clock, query, selection })
  const scope = createScope({ pipe, clock, path: () => view.get().path, onGone: () => leavePlace(inventory) })
  const matching = createMatching({ pipe, clock, view: view.get })
  const actions = inventoryActions(session, clock, { query, selection, columns, cursor, view })

  function onAsked(before: View, after: View) {
    if (after.filter !== before.filter || after.path !== before.path) selection.clear()
    rows.reset(true)
    cursor.locate()
    if (after.path !== before.path) followScope({ scope, tree, detail, cursor }, after.path, treeShape(session, after))
    matching.asked()
  }

  const inventory: Inventory = {
    ...request,
    unread,
    rows,
    tree,
    scope,
    matching,
    cursor,
    detail,
    selection,
    hidden,
    columns,
    actions,
    chosenView,
    ...choosing(pipe, { ask, tree, detail, cursor }),
    openView: (saved) => openView(inventory, saved),
    scrolled: { top: 0, left: 0 },
    focusRequest: createStore(false),
    subject: () => subjectOfInventory(inventory),
    stop() {
      for (const off of offs) off()
      for (const part of [scope, matching, hidden, cursor, rows, tree, columns]) part.stop()
    },
  }
  const offs = follow(session, inventory, storedView)
  return inventory
}

/** Returns the order of the tree, and which places it leaves out: empty ones, by a setting, but not the scope. */
function treeShape(session: Session, { path }: View): ReturnType<TreeSettings['shape']> {
  const settings = session.state.get().app?.settings
  return {
    sort: settings?.treeSort ?? 'name',
    ...(settings?.showEmptyPlaces === false && { withoutEmpty: { keep: path.at(-1)?.id ?? null } }),
  }
}

/** Returns the devices of an action, with the name of a single one whose row is loaded. */
function subjectOfInventory({ selection, cursor, rows, view }: Inventory): Subject | null {
  const nameOf = (key: string) => {
    const loaded = rows.state.get()
    return (
      rowAt(
        loaded,
        indexOf(loaded, (row) => row.key === key),
      )?.name ?? null
    )
  }
  const listed = { query: queryOf(view.get()), total: rows.state.get().total ?? 0 }
  return subjectOf(selection.state.get(), cursor.state.get().key, listed, nameOf)
}

/** Follows changes from elsewhere and stores the operator's view. Returns the functions that stop it. */
function follow(session: Session, inventory: Inventory, storedView: StoredView): (() => void)[] {
  const { view, chosenView, tree } = inventory
  const saveView = () => storedView.write({ chosen: chosenView.get(), view: view.get() })
  return [
    view.subscribe(saveView),
    chosenView.subscribe(saveView),
    session.onChange((change) => changed(inventory, change)),
    onSetting(session, ['treeSort', 'showEmptyPlaces'], tree.reshaped),
    onSetting(session, ['spareModels', 'spareDays'], () => changed(inventory, null)),
    session.onOpen((what) => void opened(inventory, what)),
    startingView(session, inventory, storedView),
  ]
}

function changed({ rows, tree, scope, matching, hidden, detail }: Inventory, change: Patch | null): void {
  if (change !== null) rows.apply(change.rev, (loaded) => patchedRows(loaded, change))
  rows.refresh()
  tree.lines.refresh()
  scope.refresh()
  matching.refresh()
  hidden.refresh()
  detail.changed(change)
}

function inventoryActions(
  session: Session,
  clock: Clock,
  {
    query,
    selection,
    columns,
    cursor,
    view,
  }: Pick<Inventory, 'selection' | 'columns' | 'cursor' | 'view'> & {
    query: () => InventoryQuery
  },
): Actions {
  const { pipe } = session
  return createActions({
    pipe,
    query,
    selection: selection.state.get,
    columns: () => columns.state.get().map(({ id }) => id),
    present: () => cursor.state.get().key,
    listed: () => view.get().path.at(-1)?.name ?? '',
    now: () => new Date(clock.now()),
    linkText: (link) => linkText(link, shellOf(session)),
    saveAs: (...file) => saveFile(pipe, shellOf(session), ...file),
    write: (text) =>
      navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      ),
  })
}

function choosing(
  pipe: Pipe,
  { ask, tree, detail, cursor }: Pick<Inventory, 'ask' | 'tree' | 'detail' | 'cursor'>,
): Pick<Inventory, 'choose' | 'showDevice'> {
  function showDevice(key: string) {
    detail.open(key)
    cursor.select(key)
  }
  async function choose(row: TreeRow) {
    if (row.kind !== 'device') return ask({ path: await tree.pathTo(row) })
    const key = await keyOf(pipe, row)
    if (key === null) return
    tree.device.set({ node: row.id, key })
    showDevice(key)
  }
  return { choose, showDevice }
}

/** Runs a function when one of these settings changes, but not for their first values. */
function onSetting(session: Session, names: readonly (keyof Settings)[], run: () => void): () => void {
  const present = () => {
    const settings = session.state.get().app?.settings
    return settings && JSON.stringify(names.map((name) => settings[name]))
  }
  let before = present()
  return session.state.subscribe(() => {
    const now = present()
    const changed = before !== undefined && now !== undefined && now !== before
    before = now ?? before
    if (changed) run()
  })
}

/** Follows a change of the scope: the tree reveals it, and the detail closes when its device is elsewhere. */
function followScope(
  { scope, tree, detail, cursor }: Pick<Inventory, 'scope' | 'tree' | 'detail' | 'cursor'>,
  path: View['path'],
  { withoutEmpty }: ReturnType<TreeSettings['shape']>,
): void {
  const place = path.at(-1)
  // An empty place that is the scope is in the tree, and the one before it no longer.
  if (withoutEmpty !== undefined) tree.reset()
  scope.reset()
  if (place !== undefined) tree.reveal(place.id)
  void detail.follow(place?.id ?? everything).then((closed) => closed && cursor.forget())
}

/** Returns the row key of a device's line in the tree; null when it is gone. */
async function keyOf(pipe: Pipe, { id }: TreeRow): Promise<string | null> {
  const answer = await pipe.call('inventory.rows', { query: { scope: id, filter: '', sort: [] }, offset: 0, limit: 1 })
  return answer.ok ? (answer.value.rows[0]?.key ?? null) : null
}

/** Returns a function that reads rows of the present query, and notes the columns that are not completely read. */
function loader(pipe: Pipe, view: Store<View>, unread: Store<Unread>) {
  return async (offset: number, limit: number) => {
    const asked = view.get()
    const answer = await pipe.call('inventory.rows', { query: queryOf(asked), offset, limit })
    if (answer.ok && asked === view.get()) unread.set(answer.value.unread)
    return answer
  }
}
