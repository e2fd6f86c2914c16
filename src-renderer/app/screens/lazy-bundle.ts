import { ConnectionDialog } from '../../connections/form/form.tsx'
import { ImportDialog } from '../../connections/import/import.tsx'
import { ConnectionsScreen } from '../../connections/screen.tsx'
import { DiagnosticsScreen } from '../../diagnostics/screen.tsx'
import { SettingsScreen } from '../../settings/screen.tsx'

/** A file of its own in the build: what the window shows first is loaded without it. */
export const lazyScreens = {
  ConnectionDialog,
  ConnectionsRoom: ConnectionsScreen,
  DiagnosticsRoom: DiagnosticsScreen,
  ImportDialog,
  SettingsRoom: SettingsScreen,
}
