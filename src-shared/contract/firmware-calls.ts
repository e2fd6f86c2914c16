import { z } from 'zod'

/** The calls of firmware: a part of the contract (contract.ts), answered from this computer's disk. */
export const firmwareCalls = {
  /**
   * Returns the firmware versions of each model, those with the most devices first, at most 500 models. `column`: the loaded extra column that has
   * them; null: none is loaded. `family`: the one with families. `versions`: the newest first, at most 100; `unread`: devices for which the column
   * was not read, or without a version. `target`: of the settings; `behind`: devices with a lower version, null without a target.
   */
  'firmware.read': {
    input: z.object({}),
    output: z.object({
      column: z.string().nullable(),
      devices: z.number(),
      models: z.array(
        z.object({
          family: z.string(),
          model: z.string(),
          devices: z.number(),
          unread: z.number(),
          target: z.string().nullable(),
          behind: z.number().nullable(),
          versions: z.array(z.object({ version: z.string(), devices: z.number() })),
          versionsLeftOut: z.number(),
        }),
      ),
      modelsLeftOut: z.number(),
    }),
  },
  /**
   * Returns how far a model is on the way to a version. `behind`: devices with a lower version, and the 20 sites with the most of them.
   * `days`: of each day (UTC, ms of its beginning) that was recorded, how many devices had the version or a higher one, of those that were read.
   */
  'firmware.progress': {
    input: z.object({ model: z.string().max(300), version: z.string().min(1).max(300) }),
    output: z.object({
      reached: z.number(),
      behind: z.number(),
      sites: z.array(z.object({ id: z.string(), name: z.string(), tenant: z.string(), behind: z.number() })),
      days: z.array(z.object({ day: z.number(), reached: z.number(), read: z.number() })),
    }),
  },
} as const
