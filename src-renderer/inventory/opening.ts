import type { Told } from '../../src-shared/model.ts'
import type { Session } from '../session.ts'
import type { Inventory } from './inventory.ts'

/** Somebody wants to see this: its scope, filter and device. A scope that is gone is everything. */
export async function opened(inventory: Inventory, { scope, filter, device }: Told['open']): Promise<void> {
  const path = await inventory.tree.wayTo(scope)
  inventory.ask({ path: path ?? [], filter })
  if (device !== null) inventory.showDevice(device)
}

/** Opens the default view as soon as the core said which it is; once, and not when something else was opened before. Returns the way to stop. */
export function startingView(session: Session, inventory: Inventory): () => void {
  let done = false
  const first = inventory.view.get()
  const look = () => {
    const { app } = session.state.get()
    if (done || app === null) return
    done = true
    const view = app.views.find(({ isDefault }) => isDefault)
    if (view !== undefined && inventory.view.get() === first) void inventory.openView(view)
  }
  const off = session.state.subscribe(look)
  look()
  return off
}
