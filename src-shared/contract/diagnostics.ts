import { z } from 'zod'
import { lane, waitWhys } from '../model/gauge.ts'
import { fault } from '../model/inventory.ts'
import { updates } from '../model/updates.ts'

/** How late a thread's event loop was in the last minute, ms. */
const delay = z.object({ p50: z.number(), p99: z.number(), max: z.number() })
export type LoopDelay = z.infer<typeof delay>

/** Moments of a start, in their order. `rows`: the first rows were answered; `drawn`: a window stood on the screen. */
export const startMoments = ['core', 'files', 'ready', 'asked', 'rows', 'drawn'] as const

/** Steps of a live connection; `renewed`: the next token's socket took over. */
export const socketSteps = ['off', 'connecting', 'live', 'renewed', 'waiting', 'polling'] as const
export const socketMove = z.object({
  at: z.number(),
  to: z.enum(socketSteps),
  attempt: z.number().nullable(),
  fault: fault.nullable(),
})
export type SocketMove = z.infer<typeof socketMove>

/** How long requests of a lane had to wait before they were sent, ms: the last ones, `count` of them. */
const waited = z.object({ lane, count: z.number(), p50: z.number(), max: z.number() })

const thread = z.object({
  name: z.enum(['core', 'data']),
  /** Null before anything was measured. */
  delay: delay.nullable(),
  /** Bytes. */
  heapUsed: z.number(),
  heapTotal: z.number(),
  external: z.number(),
})

/** What Muster knows of itself in this run. Times are ms since the epoch, spans ms, sizes bytes. No secret is in it. */
export const diagnostics = z.object({
  at: z.number(),
  versions: z.array(z.object({ name: z.string(), version: z.string() })),
  /**
   * When the process began, and how long after that each moment came; null: it has not come. `entered`: counted from when a
   * person last entered what was missing (a connection, a login), since how long they take says nothing of a start.
   */
  start: z.object({
    at: z.number(),
    moments: z.array(z.object({ what: z.enum(startMoments), ms: z.number().nullable(), entered: z.boolean() })),
  }),
  threads: z.array(thread),
  /** Why the data thread is not among them; '' when it is. */
  dataSilent: z.string(),
  /** Of the whole process. */
  rss: z.number(),
  files: z.array(z.object({ name: z.string(), bytes: z.number() })),
  /** `more`: there are more rows than were counted. */
  tables: z.array(z.object({ file: z.string(), name: z.string(), rows: z.number(), more: z.boolean() })),
  connections: z.array(z.object({ id: z.string(), name: z.string(), moves: z.array(socketMove) })),
  queues: z.array(
    z.object({
      name: z.string(),
      waiting: z.number(),
      /** How long the oldest of them has waited; null: none waits. */
      oldest: z.number().nullable(),
      waits: z.array(z.object({ name: z.string(), lane, why: z.enum(waitWhys), count: z.number() })),
      waited: z.array(waited),
    }),
  ),
  updates,
  keychain: z.object({ kind: z.enum(['keychain', 'locked', 'session']), detail: z.string() }),
  /** By which proxy each host is reached (`host:port`); null: by none. `problem`: why it cannot be said. */
  proxies: z.array(z.object({ host: z.string(), proxy: z.string().nullable(), problem: z.string() })),
  /** The last lines of the log, the oldest first. */
  log: z.array(z.object({ at: z.number(), level: z.string(), text: z.string() })),
})
export type Diagnostics = z.infer<typeof diagnostics>

/** A file of the support bundle, as it would be written. */
export const bundleFile = z.object({ name: z.string(), what: z.string(), bytes: z.number(), text: z.string() })
export type BundleFile = z.infer<typeof bundleFile>

/** Calls about Muster itself, a part of the contract (contract.ts). */
export const diagnosticsCalls = {
  /** Asked every few seconds while somebody looks at it, and by nothing else. */
  'diagnostics.show': { input: z.object({}), output: diagnostics },
  /** A window has drawn its first picture; the first one of a run counts. */
  'diagnostics.drawn': { input: z.object({}), output: z.object({}) },
  /**
   * The files of a bundle for support, whole. `pseudonyms`: names of hosts, tenants and connections are replaced by made-up
   * ones, the same each time. `names`: with names of devices and what was typed as a filter. `window`: what draws this window.
   * Nothing is written; the last preview is kept under its `id` until the next one.
   */
  'support.preview': {
    input: z.object({ pseudonyms: z.boolean(), names: z.boolean(), window: z.string().max(400) }),
    output: z.object({ id: z.string(), files: z.array(bundleFile) }),
  },
  /** These files of a preview, exactly as they were shown, as a zip in base64. A fault of kind `input` when the preview is no longer kept, or none is chosen. */
  'support.save': {
    input: z.object({ id: z.string().max(64), files: z.array(z.string().max(100)).max(50) }),
    output: z.object({ name: z.string(), zip: z.string() }),
  },
} as const
