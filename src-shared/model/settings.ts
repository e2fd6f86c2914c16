import { z } from 'zod'
import { treeSort } from './tree.ts'
import { incidentThresholds, spareSettings, defaultSpares } from './thresholds.ts'
import { updateSettings, usualUpdates } from './updates.ts'
import { columnId } from './inventory.ts'

/** The operator's settings; each is used where it says. Kept in `settings.json`, one key each. */
export const settings = z.object({
  theme: z.enum(['system', 'dark', 'light']),
  density: z.enum(['compact', 'comfortable']),
  treeSort,
  /** How times of day are written. */
  times: z.enum(['local', 'utc']),
  /** Minutes between full readings. */
  fullSyncMinutes: z
    .int()
    .min(5)
    .max(24 * 60),
  ...incidentThresholds,
  /** Hardware models of which nothing is told, unless the device or its room is on the watch list. */
  mutedModels: z.array(z.string().max(300)).max(200),
  ...spareSettings,
  /** Share of a window's points, in per cent, that only a person's own act may use. */
  reservePercent: z.int().min(0).max(50),
  /** Share of a window, in per cent, that Muster uses at most by itself; 100: all of it. */
  backgroundLimitPercent: z.int().min(10).max(100),
  /** The operator has stopped background work until they let it go on. */
  backgroundPaused: z.boolean(),
  notifyOffline: z.boolean(),
  notifyRecovered: z.boolean(),
  /** Muster itself cannot see, or sees again. */
  notifyMonitoringLost: z.boolean(),
  /** Closing the window leaves Muster in the tray; the desktop application only. */
  closeToTray: z.boolean(),
  /** The system starts Muster when its person logs in; the installed application only. */
  startAtLogin: z.boolean(),
  ...updateSettings,
  /** Shown columns in their order, with their widths in CSS pixels (null: the usual one). */
  columns: z.array(z.object({ id: columnId, width: z.number().min(40).max(1200).nullable() })).max(100),
  /** Keys of devices and ids of rooms on the watch list: compared before all others after a gap, and told also in maintenance windows. */
  watched: z.array(z.string().max(2048)).max(1000),
  /** Filters that were used, newest first. */
  filterHistory: z.array(z.string().max(10_000)).max(50),
})
export type Settings = z.infer<typeof settings>

/** The settings before the operator changed any. The demo tells sooner, so that whoever tries Muster sees it. */
export const defaultSettings = (demo: boolean): Settings => ({
  theme: 'system',
  density: 'compact',
  treeSort: 'name',
  times: 'local',
  fullSyncMinutes: 30,
  holdOffSeconds: demo ? 5 : 90,
  recoverySeconds: demo ? 5 : 60,
  groupingSeconds: demo ? 3 : 15,
  siteDownDevices: 3,
  siteDownPercent: 60,
  flapTransitions: 5,
  flapMinutes: 30,
  mutedModels: [],
  ...defaultSpares,
  reservePercent: 10,
  backgroundLimitPercent: 100,
  backgroundPaused: false,
  notifyOffline: true,
  notifyRecovered: true,
  notifyMonitoringLost: true,
  closeToTray: false,
  startAtLogin: false,
  ...usualUpdates,
  columns: [],
  watched: [],
  filterHistory: [],
})
