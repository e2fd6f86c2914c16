import { parseFilter } from '../../src-shared/filter.ts'
import type { EventData } from '../../src-shared/contract.ts'
import type { AppState, Session } from '../session.ts'
import type { Inventory } from './inventory.ts'
import type { Asked, KeptView } from './kept-view.ts'

/** Somebody wants to see this: its scope, filter and device. A scope that is gone is everything. An incident, a room or a dialog is shown elsewhere, and nothing changes here. */
export async function opened(inventory: Inventory, { scope, filter, device, incident, room, dialog }: EventData<'open'>): Promise<void> {
  if (typeof incident === 'string' || room !== undefined || dialog !== undefined) return
  const path = await inventory.tree.wayTo(scope)
  inventory.ask({ path: path ?? [], filter })
  // A device of the former question has nothing to do with this one.
  if (device === null) inventory.detail.close()
  else inventory.showDevice(device)
  inventory.wantsFocus.set(true)
}

/**
 * As soon as the core said which views there are, asks what the window asked before it was loaded anew, or else opens the
 * default view; once, and not when something else was opened before. Returns the way to stop.
 */
export function startingView(session: Session, inventory: Inventory, kept: KeptView): () => void {
  let done = false
  const before = kept.read()
  const first = inventory.view.get()
  const look = () => {
    const { app } = session.state.get()
    if (done || app === null) return
    done = true
    if (inventory.view.get() === first) void begin(inventory, app, before)
  }
  const off = session.state.subscribe(look)
  look()
  return off
}

async function begin(inventory: Inventory, { views, columns }: Pick<AppState, 'views' | 'columns'>, before: Asked | null): Promise<void> {
  const view = views.find(({ id, isDefault }) => (before === null ? isDefault : id === before.chosen))
  if (view !== undefined) await inventory.openView(view)
  const canAsk = before !== null && parseFilter(before.view.filter, columns.map(({ name }) => name)).problems.length === 0
  if (canAsk) inventory.ask(before.view)
}
