import { z } from 'zod'
import { lastMoment } from './limits.ts'

/**
 * What changed of a device between two times. `offline`: it is offline at the end, and was not at the beginning; `back` the other
 * way. `flapped`: it changed as often as the setting for flapping says. `appeared`: the service lists it at the end, and not at the
 * beginning; `gone` the other way. `renamed`, `moved`: its name, or its site or room, differs.
 * `firmware`: its firmware differs.
 */
export const changeKinds = ['offline', 'flapped', 'gone', 'appeared', 'moved', 'renamed', 'firmware', 'back'] as const
export const changeKind = z.enum(changeKinds)
export type ChangeKind = z.infer<typeof changeKind>

export const deviceChange = z.object({
  kind: changeKind,
  key: z.string(),
  /** When it changed, ms: of several times the last. */
  at: z.number(),
  /** The device is in the inventory, and can be opened. */
  isListed: z.boolean(),
  name: z.string(),
  tenant: z.string(),
  site: z.string(),
  room: z.string(),
  /** Name, place or firmware at the beginning, for `renamed`, `moved` and `firmware`; else ''. */
  before: z.string(),
  /** The firmware at the end, for `firmware`; else ''. */
  after: z.string(),
  /** Disconnects within the time. */
  disconnects: z.number(),
})
export type DeviceChange = z.infer<typeof deviceChange>

const moment = z.number().min(0).max(lastMoment)
const span = { from: moment, until: moment }

/** The calls of the screen Changes: a part of the contract (contract.ts), answered from this computer's disk. */
export const changesCalls = {
  /** Returns when the visit before this one ended (ms); null: not known. `used`: the operator uses the window now, which is noted. */
  'changes.visit': { input: z.object({ used: z.boolean() }), output: z.object({ lastVisit: z.number().nullable() }) },
  /**
   * Returns what changed from `from` up to `until` (ms), the last change first within each kind. `kinds`: empty for all. `text`: a part of a
   * name or place, in any case. `counts`: of each kind, with that text. `recordedSince`: the first moment of which names and places are
   * known; null: none. `statusSince`: the first moment of the time at which the status of any device is known; null: none is. `firmwareSince`: when firmware was first recorded (hourly, while a column with it is loaded); null: never. At most 20,000 changes of a kind are kept (`leftOut`: how many are not).
   */
  'changes.read': {
    input: z.object({
      ...span,
      kinds: z.array(changeKind).max(changeKinds.length),
      text: z.string().max(200),
      offset: z.number().int().min(0).max(1_000_000),
      limit: z.number().int().min(1).max(1000),
    }),
    output: z.object({
      ...span,
      recordedSince: z.number().nullable(),
      statusSince: z.number().nullable(),
      firmwareSince: z.number().nullable(),
      counts: z.record(changeKind, z.number()),
      leftOut: z.number(),
      total: z.number(),
      changes: z.array(deviceChange),
    }),
  },
  /** Returns some of these changes as CSV, from the row `from` on; the first part has the head. `next`: null at the end. */
  'changes.csv': {
    input: z.object({
      ...span,
      kinds: z.array(changeKind).max(changeKinds.length),
      text: z.string().max(200),
      row: z.number().int().min(0).max(1_000_000),
    }),
    output: z.object({ text: z.string(), next: z.number().nullable() }),
  },
} as const
