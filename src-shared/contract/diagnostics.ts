import { z } from 'zod'
import { lane, waitWhys } from '../model/gauge.ts'
import { fault } from '../model/inventory.ts'
import { updates } from '../model/updates.ts'

/** The delay of a thread's event loop in the last minute, in ms. */
const delay = z.object({ p50: z.number(), p99: z.number(), max: z.number() })
export type LoopDelay = z.infer<typeof delay>

/** The moments of a start, in order. `rows`: the first rows were answered. `drawn`: a window was painted. */
export const startMoments = ['core', 'files', 'ready', 'asked', 'rows', 'drawn'] as const

/** The steps of a live connection. `renewed`: the socket with the next token took over. */
export const socketSteps = ['off', 'connecting', 'live', 'renewed', 'waiting', 'polling'] as const
export const socketMove = z.object({
  at: z.number(),
  to: z.enum(socketSteps),
  attempt: z.number().nullable(),
  fault: fault.nullable(),
})
export type SocketMove = z.infer<typeof socketMove>

/** How long the last `count` requests of a lane waited before they were sent, in ms. */
const waited = z.object({ lane, count: z.number(), p50: z.number(), max: z.number() })

const thread = z.object({
  name: z.enum(['core', 'data']),
  /** Null before the first measurement. */
  delay: delay.nullable(),
  /** Sizes in bytes. */
  heapUsed: z.number(),
  heapTotal: z.number(),
  external: z.number(),
})

/** Muster's own state in this run, without secrets. Times are ms since the epoch, durations ms, sizes bytes. */
export const diagnostics = z.object({
  at: z.number(),
  versions: z.array(z.object({ name: z.string(), version: z.string() })),
  /**
   * When the process began, and the time from then to each moment; null when it has not come. `entered`: the time
   * counts from the operator's last input of a connection or login, because that input is not part of the start.
   */
  start: z.object({
    at: z.number(),
    moments: z.array(z.object({ what: z.enum(startMoments), ms: z.number().nullable(), entered: z.boolean() })),
  }),
  threads: z.array(thread),
  /** Why the data thread is missing; '' when it is not. */
  dataSilent: z.string(),
  /** Resident memory of the whole process. */
  rss: z.number(),
  files: z.array(z.object({ name: z.string(), bytes: z.number() })),
  /** `more`: there are more rows than were counted. */
  tables: z.array(z.object({ file: z.string(), name: z.string(), rows: z.number(), more: z.boolean() })),
  connections: z.array(z.object({ id: z.string(), name: z.string(), moves: z.array(socketMove) })),
  queues: z.array(
    z.object({
      name: z.string(),
      waiting: z.number(),
      /** How long the oldest request has waited; null when none waits. */
      oldest: z.number().nullable(),
      waits: z.array(z.object({ name: z.string(), lane, why: z.enum(waitWhys), count: z.number() })),
      waited: z.array(waited),
    }),
  ),
  updates,
  /** Of a member of a team, without names; null for a Muster on its own. */
  team: z
    .object({
      link: z.enum(['connecting', 'online', 'read-only', 'lost']),
      /** Kind of the fault of a link that is lost; '' for any other. */
      fault: z.string(),
      members: z.number(),
      /** Those that were seen within the last seconds. */
      here: z.number(),
      /** Credential sets that this Muster reads, that another member does, and that nobody does. */
      sets: z.object({ own: z.number(), others: z.number(), none: z.number() }),
      /** Who turns transitions into incidents. */
      evaluator: z.enum(['self', 'other', 'none']),
      isCatchingUp: z.boolean(),
      /** As `TeamState` has them. */
      lagMs: z.number(),
      waitingActs: z.number(),
      takeovers: z.number(),
    })
    .nullable(),
  keychain: z.object({ kind: z.enum(['keychain', 'locked', 'session']), detail: z.string() }),
  /** The proxy of each host (`host:port`); null for a direct connection. `problem`: why it is unknown. */
  proxies: z.array(z.object({ host: z.string(), proxy: z.string().nullable(), problem: z.string() })),
  /** The last lines of the log, the oldest first. */
  log: z.array(z.object({ at: z.number(), level: z.string(), text: z.string() })),
})
export type Diagnostics = z.infer<typeof diagnostics>

/** A file of the support bundle, as it would be written. */
export const bundleFile = z.object({ name: z.string(), what: z.string(), bytes: z.number(), text: z.string() })
export type BundleFile = z.infer<typeof bundleFile>

/** The calls about Muster itself, a part of the contract (contract.ts). */
export const diagnosticsCalls = {
  /** Returns the diagnostics. The window calls it every few seconds while its screen is open. */
  'diagnostics.show': { input: z.object({}), output: diagnostics },
  /** Reports that a window was painted; only the first report of a run counts. */
  'diagnostics.drawn': { input: z.object({}), output: z.object({}) },
  /**
   * Returns the complete files of a support bundle. `pseudonyms` replaces the names of hosts, tenants and connections
   * by invented ones, the same each time. `names` includes device names and filter texts. `window` describes the
   * window's renderer. Nothing is written; the core keeps the last preview under its `id` until the next one.
   */
  'support.preview': {
    input: z.object({ pseudonyms: z.boolean(), names: z.boolean(), window: z.string().max(400) }),
    output: z.object({ id: z.string(), files: z.array(bundleFile) }),
  },
  /**
   * Returns files of a preview, exactly as shown, as a base64 zip. Fails with a fault of kind `input` when the preview
   * is no longer kept or no file is chosen.
   */
  'support.save': {
    input: z.object({ id: z.string().max(64), files: z.array(z.string().max(100)).max(50) }),
    output: z.object({ name: z.string(), zip: z.string() }),
  },
} as const
