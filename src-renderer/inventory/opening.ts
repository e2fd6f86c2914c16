import { isolated } from '../../src-shared/text/direction.ts'
import { parseFilter } from '../../src-shared/filter/filter.ts'
import type { EventData } from '../../src-shared/contract/contract.ts'
import type { SavedView } from '../../src-shared/model/inventory.ts'
import type { AppState, Session } from '../lib/session.ts'
import type { Store } from '../lib/store.ts'
import type { Actions } from './actions/actions.ts'
import type { ColumnsSource } from './columns/columns-source.ts'
import type { DetailSource } from './detail/detail-source.ts'
import type { Query } from './filter/query.ts'
import type { TreeSource } from './tree/tree-source.ts'
import type { StoredQuery, StoredView } from './stored-view.ts'
import { withSort, type Place } from './filter/view.ts'

/** The parts of the inventory that an open request changes. */
export interface Opener extends Pick<Query, 'ask' | 'view'> {
  tree: Pick<TreeSource, 'pathToNode'>
  actions: Actions
  columns: Pick<ColumnsSource, 'override'>
  detail: Pick<DetailSource, 'close'>
  chosenView: Store<string | null>
  focusRequest: Store<boolean>
  openView(view: SavedView): Promise<void>
  showDevice(key: string): void
}

export async function openView(
  inventory: Opener,
  { id, query: { scope, filter, sort }, columns }: SavedView,
): Promise<void> {
  const path = await pathForScope(inventory, scope)
  if (path === null) return
  inventory.chosenView.set(id)
  inventory.columns.override(columns)
  inventory.ask(withSort({ ...inventory.view.get(), path, filter }, sort))
}

/** Leaves a place that is gone. */
export function leavePlace({ view, ask, actions }: Opener): void {
  const name = view.get().path.at(-1)?.name ?? ''
  ask({ path: [] })
  actions.fail(`“${isolated(name)}” is no longer in the fleet. The list shows all tenants.`)
}

/**
 * Returns the path to a requested place. Returns null, with a message, when there is none, because devices of another
 * place would mislead.
 */
async function pathForScope(
  { tree, actions }: Pick<Opener, 'tree' | 'actions'>,
  scope: string,
): Promise<readonly Place[] | null> {
  const path = await tree.pathToNode(scope)
  if (!path.ok) actions.fail(path.fault)
  else if (path.value === null) actions.fail('This place is not known here. The list has not changed.')
  else if (actions.state.get().failed) actions.forget()
  return path.ok ? path.value : null
}

/**
 * Applies an open request: its scope, filter and device. An incident, a screen or a dialog is opened elsewhere and
 * changes nothing here.
 */
export async function opened(
  inventory: Opener,
  { scope, filter, device, incident, screen, dialog, wall }: EventData<'open'>,
): Promise<void> {
  if (typeof incident === 'string' || screen !== undefined || dialog !== undefined || wall === true) return
  const path = await pathForScope(inventory, scope)
  if (path !== null) inventory.ask({ path, filter })
  // A device of the former query is unrelated.
  if (device === null) inventory.detail.close()
  else inventory.showDevice(device)
  inventory.focusRequest.set(true)
}

/**
 * Restores the view from before a reload, or opens the default view, once the core's saved views are known; not when
 * something else was opened before. Returns a function that stops it.
 */
export function startingView(session: Session, inventory: Opener, storedView: StoredView): () => void {
  let done = false
  const before = storedView.read()
  const first = inventory.view.get()
  const update = () => {
    const { app } = session.state.get()
    if (done || app === null) return
    done = true
    if (inventory.view.get() === first) void begin(inventory, app, before)
  }
  const off = session.state.subscribe(update)
  update()
  return off
}

async function begin(
  inventory: Opener,
  { views, columns }: Pick<AppState, 'views' | 'columns'>,
  before: StoredQuery | null,
): Promise<void> {
  const view = views.find(({ id, isDefault }) => (before === null ? isDefault : id === before.chosen))
  if (view !== undefined) await inventory.openView(view)
  const canAsk =
    before !== null &&
    parseFilter(
      before.view.filter,
      columns.map(({ name }) => name),
    ).problems.length === 0
  if (canAsk) inventory.ask(before.view)
}
