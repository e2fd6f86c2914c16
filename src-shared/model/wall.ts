import { z } from 'zod'

/** The pages of the wall display, in their order. */
export const wallPages = ['map', 'incidents', 'tenants'] as const
export type WallPage = (typeof wallPages)[number]

/** The settings of the wall display. */
export const wallSettings = {
  /** The pages that are shown in turn. */
  wallPages: z.array(z.enum(wallPages)).min(1).max(wallPages.length),
  /** Seconds for which a page is shown. */
  wallSeconds: z.int().min(5).max(3600),
  /** Id of the saved view whose devices are shown; null for all devices. */
  wallView: z.string().max(64).nullable(),
  /** Per cent by which the display is darker in the dimmed hours; 0 for never. */
  wallDimPercent: z.int().min(0).max(90),
  /** The first dimmed hour of the day, and the first one that is not, in the zone of the times. */
  wallDimFrom: z.int().min(0).max(23),
  wallDimUntil: z.int().min(0).max(23),
}

export const defaultWall = {
  wallPages: ['map', 'tenants'] as WallPage[],
  wallSeconds: 30,
  wallView: null,
  wallDimPercent: 0,
  wallDimFrom: 22,
  wallDimUntil: 6,
}
