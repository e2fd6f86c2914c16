import type { Screen, SettingsSection } from '../../../src-shared/navigation/screens.ts'
import type { Incidents } from '../../incidents/incidents.ts'
import type { Inventory } from '../../inventory/inventory.ts'
import type { DeviceActions } from '../../actions/device-actions.ts'
import type { PolicyEditor } from '../../policies/policy-editor.ts'
import type { AppState, Session } from '../../lib/session.ts'
import type { RefreshAsk } from '../header/use-refresh.ts'
import { afterFrames } from '../../lib/ui/focus.ts'

export interface PaletteContext {
  inventory: Inventory
  incidents: Incidents
  /** The present time (ms), for actions that last until a time of day. */
  now: number
  session: Session
  policyEditor: PolicyEditor
  deviceActions: DeviceActions
  app: AppState
  onScreen: (screen: Screen, part?: SettingsSection) => void
  onHelp: () => void
  /** Opens the refresh menu with this choice. */
  onRefresh: (ask: RefreshAsk) => void
  onAdd: () => void
}

/** Returns a function that runs an action on the inventory screen after that is rendered. */
export function inInventory({ onScreen }: PaletteContext, run: () => void): () => void {
  return () => {
    onScreen('inventory')
    afterFrames(run)
  }
}

/** Returns a function that clicks the element with this id, so that its own handler runs. */
export const press = (id: string) => () => document.getElementById(id)?.click()

/** Returns the same with the focus moved first, because a dialog returns the focus to where it was. */
export const enter = (id: string) => () => {
  document.getElementById(id)?.focus()
  press(id)()
}
