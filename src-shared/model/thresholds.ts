import { z } from 'zod'

/**
 * Thresholds of incidents (design, section 8): the settings for everything, and the policies of a node for everything
 * below it.
 */
export const incidentThresholds = {
  /** Seconds for which a device must be down before it is in an incident, and up before it is recovered. */
  holdOffSeconds: z.int().min(0).max(3600),
  recoverySeconds: z.int().min(0).max(3600),
  /** Hold-offs that end within this many seconds of each other are evaluated together. */
  groupingSeconds: z.int().min(0).max(600),
  /** A place is down from this number of its devices, and this per cent of them, on. */
  siteDownDevices: z.int().min(2).max(1000),
  siteDownPercent: z.int().min(1).max(100),
  /** Number of transitions, and the minutes within which they make a device flap. */
  flapTransitions: z.int().min(3).max(100),
  flapMinutes: z.int().min(1).max(180),
}

/**
 * Definition of spares: offline devices of these hardware models, and those that were last seen more than this many
 * days ago (0 turns the latter off). Lists show them after all other offline devices.
 */
export const spareSettings = {
  spareModels: z.array(z.string().max(300)).max(200),
  spareDays: z.int().min(0).max(3650),
}
export const defaultSpares = { spareModels: [], spareDays: 90 }
