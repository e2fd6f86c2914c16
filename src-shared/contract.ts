import { z } from 'zod'
import {
  connectionInput, connectionState, counts, deviceDetail, deviceRow, fault, gauge, inventoryQuery, notice, treeRow,
} from './model.ts'
import { patch } from './patch.ts'

/**
 * Everything that the window and the core say to each other: the file to read first. A call has a name, the schema of
 * its input and of its output; an event has a name and a schema. The core checks every input (invariant 11); outputs
 * are promised by type and checked in the tests. Nothing here can carry a secret out of the core: a secret goes in
 * once, with `connections.save`.
 */
export const calls = {
  /** All that the window needs to draw itself for the first time, or after it lost the thread. */
  'app.state': {
    input: z.object({}),
    output: z.object({
      version: z.string(),
      shell: z.enum(['electron', 'web']),
      /** The profile shows the demo fleet: said where nobody can overlook it. */
      demo: z.boolean(),
      /** Where secrets are kept, in words ("Secret Service", "this session only"). */
      keychain: z.object({ kind: z.enum(['keychain', 'session']), detail: z.string() }),
      rev: z.number(),
      totals: counts,
      connections: z.array(connectionState),
      gauges: z.array(gauge),
      notices: z.array(notice),
    }),
  },
  /** A window of the table's rows. `total` counts what the query matches. */
  'inventory.rows': {
    input: z.object({ query: inventoryQuery, offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    output: z.object({ rev: z.number(), total: z.number(), offset: z.number(), rows: z.array(deviceRow) }),
  },
  /** Where a device stands in a query's rows, from 0; null when it is not among them. */
  'inventory.locate': {
    input: z.object({ query: inventoryQuery, key: z.string().max(2048) }),
    output: z.object({ rev: z.number(), index: z.number().nullable() }),
  },
  /** Counts of a scope. Null when the scope is gone. */
  'inventory.counts': {
    input: z.object({ scope: z.string().max(2048) }),
    output: z.object({ rev: z.number(), counts: counts.nullable() }),
  },
  /**
   * A window of the visible lines of the tree, given what is expanded. The core flattens; the window shows.
   * `reveal` names a node whose line is wanted: its ancestors are expanded in the answer (`expanded`) and `index` is
   * its line, null when it is gone.
   */
  'inventory.tree': {
    input: z.object({
      expanded: z.array(z.string().max(2048)).max(5000),
      offset: z.int().min(0),
      limit: z.int().min(1).max(500),
      reveal: z.string().max(2048).nullable(),
    }),
    output: z.object({
      rev: z.number(),
      total: z.number(),
      offset: z.number(),
      rows: z.array(treeRow),
      expanded: z.array(z.string()),
      index: z.number().nullable(),
    }),
  },
  /** One device with everything known of it; null when it is gone. */
  'inventory.device': {
    input: z.object({ key: z.string().max(2048) }),
    output: z.object({ rev: z.number(), device: deviceDetail.nullable() }),
  },
  /** Reads the estate anew, all connections. Answers when it has begun. */
  'sync.read': { input: z.object({}), output: z.object({}) },
  /** Makes (`id: null`) or changes a connection, and starts it. A fault of kind `input` names the field in `detail`. */
  'connections.save': { input: connectionInput, output: z.object({ id: z.string() }) },
  /** Forgets a connection: its secret, its rows, its history. */
  'connections.remove': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  /** Tries a connection again at once instead of when its time comes. */
  'connections.retry': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  'notices.dismiss': { input: z.object({ id: z.string().max(200) }), output: z.object({}) },
} as const

export const events = {
  patch,
  connections: z.array(connectionState),
  gauges: z.array(gauge),
  notices: z.array(notice),
} as const

export type CallName = keyof typeof calls
export type CallInput<N extends CallName> = z.infer<(typeof calls)[N]['input']>
export type CallOutput<N extends CallName> = z.infer<(typeof calls)[N]['output']>
export type EventName = keyof typeof events
export type EventData<N extends EventName> = z.infer<(typeof events)[N]>

/** What a call brings back over any pipe: errors cross as values. */
export const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), fault }),
])
export type Answer<T> = { ok: true; value: T } | { ok: false; fault: z.infer<typeof fault> }

/** The pipe to the core as the window sees it; each shell supplies one as `window.muster`. */
export interface Pipe {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Answer<CallOutput<N>>>
  /** Returns the way to stop listening. */
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
  /** Tells whether the core can be reached; the web shell loses it when its process ends. */
  onReach(listener: (reached: boolean) => void): () => void
}

/** Handlers of every call, as `startCore` gives them to a shell. A missing one does not compile. */
export type Handlers = { [N in CallName]: (input: CallInput<N>) => Promise<CallOutput<N>> }
