import { z } from 'zod'
import { treeSort } from './tree.ts'
import { incidentThresholds, spareSettings, defaultSpares } from './thresholds.ts'
import { updateSettings, defaultUpdates } from './updates.ts'
import { columnId } from './inventory.ts'
import { firmwareTarget, type FirmwareTarget } from './firmware.ts'
import { defaultReport, reportSettings } from './report-settings.ts'
import { defaultWall, wallSettings } from './wall.ts'

/** The operator's settings, stored in `settings.json` under these keys. */
export const settings = z.object({
  theme: z.enum(['system', 'dark', 'light']),
  density: z.enum(['compact', 'comfortable']),
  /** The screen that a window opens with. */
  firstScreen: z.enum(['overview', 'inventory']),
  treeSort,
  /** Accounts, sites and rooms without devices are in the tree. */
  showEmptyPlaces: z.boolean(),
  /** The zone in which times of day are written. */
  times: z.enum(['local', 'utc']),
  /** Minutes between full syncs. */
  fullSyncMinutes: z
    .int()
    .min(5)
    .max(24 * 60),
  ...incidentThresholds,
  /** Hardware models that do not notify, unless the device or its room is on the watch list. */
  mutedModels: z.array(z.string().max(300)).max(200),
  ...spareSettings,
  /** Per cent of a rate window's points that only actions of the operator may use. */
  reservePercent: z.int().min(0).max(50),
  /** Per cent of a rate window's points that background work may use; 100 for all of them. */
  backgroundLimitPercent: z.int().min(10).max(100),
  /** True while the operator has paused background work. */
  backgroundPaused: z.boolean(),
  /** The people counts of rooms are streamed, where the service offers them. */
  occupancy: z.boolean(),
  /** Actions on devices and places. False switches them off for good. */
  actions: z.boolean(),
  notifyOffline: z.boolean(),
  notifyRecovered: z.boolean(),
  /** Notifies when monitoring is lost or restored. */
  notifyMonitoringLost: z.boolean(),
  /** Closing the window leaves Muster in the tray. For the desktop application only. */
  closeToTray: z.boolean(),
  /** The system starts Muster at login. For the installed application only. */
  startAtLogin: z.boolean(),
  ...wallSettings,
  ...reportSettings,
  /** The firmware that devices of a model should have; each model once. */
  firmwareTargets: z.array(firmwareTarget).max(500),
  ...updateSettings,
  /** Shown columns in order, with their widths in CSS pixels (null for the default). */
  columns: z.array(z.object({ id: columnId, width: z.number().min(40).max(1200).nullable() })).max(100),
  /**
   * Keys of devices and ids of rooms on the watch list. They are compared first after a gap, and notify in maintenance
   * windows too.
   */
  watched: z.array(z.string().max(2048)).max(1000),
  /** Recently used filters, newest first. */
  filterHistory: z.array(z.string().max(10_000)).max(50),
})
export type Settings = z.infer<typeof settings>

/** Returns the default settings. The demo begins with the overview, and its delays are shorter, so that notifications come soon. */
export const defaultSettings = (demo: boolean): Settings => ({
  theme: 'system',
  density: 'compact',
  firstScreen: demo ? 'overview' : 'inventory',
  treeSort: 'name',
  showEmptyPlaces: true,
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
  occupancy: demo,
  actions: true,
  notifyOffline: true,
  notifyRecovered: true,
  notifyMonitoringLost: true,
  closeToTray: false,
  startAtLogin: false,
  ...defaultWall,
  ...defaultReport,
  firmwareTargets: [] as FirmwareTarget[],
  ...defaultUpdates,
  columns: [],
  watched: [],
  filterHistory: [],
})
