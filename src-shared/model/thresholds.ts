import { z } from 'zod'

/** When something is an incident (design, section 8): settings for everything, and what a node may lay down for what lies below it. */
export const incidentThresholds = {
  /** Seconds for which a device must be down before it is an incident, and back before it is told. */
  holdOffSeconds: z.int().min(0).max(3600),
  recoverySeconds: z.int().min(0).max(3600),
  /** What ends its hold-off within so many seconds of each other is weighed together. */
  groupingSeconds: z.int().min(0).max(600),
  /** Devices that are down, and their share of a place's known ones in per cent, from which on the place is what is down. */
  siteDownDevices: z.int().min(2).max(1000),
  siteDownPercent: z.int().min(1).max(100),
  /** Transitions within so many minutes that make a device flap. */
  flapTransitions: z.int().min(3).max(100),
  flapMinutes: z.int().min(1).max(180),
}

/** Spares on the shelf: offline devices of these hardware models, and those that were last seen longer ago than so many days (0: none for that). They stand behind all others that are offline. */
export const spareSettings = {
  spareModels: z.array(z.string().max(300)).max(200),
  spareDays: z.int().min(0).max(3650),
}
export const defaultSpares = { spareModels: [], spareDays: 90 }
