import { ConnectionDialog } from '../../connections/form/form.tsx'
import { ImportDialog } from '../../connections/import/import.tsx'
import { ConnectionsScreen } from '../../connections/screen.tsx'
import { DiagnosticsScreen } from '../../diagnostics/screen.tsx'
import { SettingsScreen } from '../../settings/screen.tsx'

/**
 * The screens and dialogs that are not shown first. They are a separate file of the build, so that the first paint does
 * not load them.
 */
export const lazyScreens = {
  ConnectionDialog,
  ConnectionsScreen,
  DiagnosticsScreen,
  ImportDialog,
  SettingsScreen,
}
