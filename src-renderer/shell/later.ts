import { ConnectionDialog } from '../connections/form.tsx'
import { ImportDialog } from '../connections/import.tsx'
import { ConnectionsRoom } from '../connections/room.tsx'
import { DiagnosticsRoom } from '../diagnostics/room.tsx'
import { SettingsRoom } from '../settings/room.tsx'

/** A file of its own in the build: what the window shows first is loaded without it. */
export const lateRooms = { ConnectionDialog, ConnectionsRoom, DiagnosticsRoom, ImportDialog, SettingsRoom }
