/** Numeric thresholds of the settings and of places (contract: `nodeThresholds`). */
export type NumberSettingName =
  | 'holdOffSeconds'
  | 'recoverySeconds'
  | 'groupingSeconds'
  | 'siteDownDevices'
  | 'siteDownPercent'
  | 'flapTransitions'
  | 'flapMinutes'

export interface NumberSettingInfo {
  setting: NumberSettingName
  name: string
  /** Its description, a sentence with its limits. */
  description: string
  unit: string
  min: number
  max: number
}

export const numberSettings: readonly NumberSettingInfo[] = [
  {
    setting: 'holdOffSeconds',
    name: 'Alert delay',
    description: 'A device that comes back within this time is no incident. From 0 to 3,600 seconds.',
    unit: 'seconds',
    min: 0,
    max: 3600,
  },
  {
    setting: 'recoverySeconds',
    name: 'Recovery delay',
    description: 'A device must stay online for this time before it counts as back. From 0 to 3,600 seconds.',
    unit: 'seconds',
    min: 0,
    max: 3600,
  },
  {
    setting: 'groupingSeconds',
    name: 'Grouping time',
    description: 'Devices that go down within this time of each other are evaluated together. From 0 to 600 seconds.',
    unit: 'seconds',
    min: 0,
    max: 600,
  },
  {
    setting: 'siteDownDevices',
    name: 'Site-down threshold',
    description:
      'When this many devices of a room, site or tenant are down, one incident for the place replaces those of its devices. From 2 to 1,000 devices.',
    unit: 'devices',
    min: 2,
    max: 1000,
  },
  {
    setting: 'siteDownPercent',
    name: 'Site-down share',
    description: 'They must also be this share of the devices known there. From 1 to 100 per cent.',
    unit: 'per cent',
    min: 1,
    max: 100,
  },
  {
    setting: 'flapTransitions',
    name: 'Flap threshold',
    description:
      'A device that changes this often between online and offline is one incident, not one for each disconnect. From 3 to 100 changes.',
    unit: 'changes',
    min: 3,
    max: 100,
  },
  {
    setting: 'flapMinutes',
    name: 'Flap period',
    description: 'Older changes are not counted. From 1 to 180 minutes.',
    unit: 'minutes',
    min: 1,
    max: 180,
  },
]
