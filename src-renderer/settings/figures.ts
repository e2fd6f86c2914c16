/** Figures by which Muster tells, of the settings and of places (contract: `nodeRules`). */
export type Figure = 'holdOffSeconds' | 'recoverySeconds' | 'gatherSeconds' | 'foldLeast' | 'foldPercent' | 'flapTransitions' | 'flapMinutes'

export interface FigureSetting {
  setting: Figure
  name: string
  /** In a sentence, with its limits. */
  does: string
  unit: string
  min: number
  max: number
}

export const figures: readonly FigureSetting[] = [
  { setting: 'holdOffSeconds', name: 'Wait before telling', does: 'A device that comes back within this time is no incident. From 0 to 3,600 seconds.', unit: 'seconds', min: 0, max: 3600 },
  { setting: 'recoverySeconds', name: 'Wait after a return', does: 'A device must stay online for this time before it counts as back. From 0 to 3,600 seconds.', unit: 'seconds', min: 0, max: 3600 },
  { setting: 'gatherSeconds', name: 'Gather', does: 'Devices whose wait is over within this time of each other are looked at together. From 0 to 600 seconds.', unit: 'seconds', min: 0, max: 600 },
  { setting: 'foldLeast', name: 'Devices that make a place down', does: 'When so many devices of a room, site or tenant are down, the place is told and not each of them. From 2 to 1,000 devices.', unit: 'devices', min: 2, max: 1000 },
  { setting: 'foldPercent', name: 'Share that makes a place down', does: 'They must also be this share of the devices known there. From 1 to 100 per cent.', unit: 'per cent', min: 1, max: 100 },
  { setting: 'flapTransitions', name: 'Changes that make a device flap', does: 'A device that changes so often between online and offline is one incident, not one for each drop. From 3 to 100 changes.', unit: 'changes', min: 3, max: 100 },
  { setting: 'flapMinutes', name: 'Time in which changes count', does: 'Changes that lie further back are not counted. From 1 to 180 minutes.', unit: 'minutes', min: 1, max: 180 },
]
