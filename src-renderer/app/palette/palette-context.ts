import type { Screen, SettingsSection } from '../../../src-shared/navigation/screens.ts'
import type { Incidents } from '../../incidents/incidents.ts'
import type { Inventory } from '../../inventory/inventory.ts'
import type { PolicyEditor } from '../../policies/policy-editor.ts'
import type { AppState, Session } from '../../lib/session.ts'
import type { RefreshAsk } from '../header/use-refresh.ts'
import { afterFrames } from '../../lib/ui/focus.ts'

export interface PaletteContext {
  inventory: Inventory
  incidents: Incidents
  /** For what is offered until a time of day; ms. */
  now: number
  session: Session
  policyEditor: PolicyEditor
  app: AppState
  onScreen: (room: Screen, part?: SettingsSection) => void
  onHelp: () => void
  /** Asks what is to be read anew. */
  onRefresh: (ask: RefreshAsk) => void
  onAdd: () => void
}

/** Does it in the inventory's room, once that is drawn. */
export function inInventory({ onScreen }: PaletteContext, does: () => void): () => void {
  return () => {
    onScreen('inventory')
    afterFrames(does)
  }
}

/** Presses what is on the screen by its id: its own part knows what follows. */
export const press = (id: string) => () => document.getElementById(id)?.click()

/** The same, with the focus on it: what it opens gives the focus back to where it was. */
export const enter = (id: string) => () => {
  document.getElementById(id)?.focus()
  press(id)()
}
