import '../../no-eval.ts'
import { ActionDialogs } from '../../actions/dialogs.tsx'
import { ActionMessage } from '../../actions/message.tsx'
import { DeviceReboot } from '../../actions/jobs/device-reboot.tsx'
import { DeviceJobs, JobsPanel } from '../../actions/jobs/job-lines.tsx'
import { ActionsScreen } from '../../actions/jobs/screen.tsx'
import { LockPanel } from '../../actions/lock/lock-panel.tsx'
import { ChangesScreen } from '../../changes/screen.tsx'
import { ConnectionDialog } from '../../connections/form/form.tsx'
import { ImportDialog } from '../../connections/import/import.tsx'
import { ConnectionsScreen } from '../../connections/screen.tsx'
import { DiagnosticsScreen } from '../../diagnostics/screen.tsx'
import { IncidentFollowUp } from '../../incidents/detail/follow-up.tsx'
import { DeviceConfiguration } from '../../inventory/detail/configuration/device-configuration.tsx'
import { OverviewScreen } from '../../overview/screen.tsx'
import { PolicyDialogs } from '../../policies/dialogs.tsx'
import { Notes } from '../../policies/notes/notes.tsx'
import { SettingsScreen } from '../../settings/screen.tsx'
import { Wall } from '../../wall/wall.tsx'

/**
 * The screens and dialogs that are not shown first. They are a separate file of the build, so that the first paint does
 * not load them.
 */
export const lazyScreens = {
  ActionDialogs,
  ActionMessage,
  ActionsScreen,
  ChangesScreen,
  ConnectionDialog,
  ConnectionsScreen,
  DeviceConfiguration,
  DeviceJobs,
  DeviceReboot,
  DiagnosticsScreen,
  ImportDialog,
  IncidentFollowUp,
  JobsPanel,
  LockPanel,
  Notes,
  OverviewScreen,
  PolicyDialogs,
  SettingsScreen,
  Wall,
}
