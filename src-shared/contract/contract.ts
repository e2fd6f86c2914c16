import { z } from 'zod'
import { callLimit, importLimit, lastMoment } from './limits.ts'
import { diagnosticsCalls } from './diagnostics.ts'
import { estimate, gauge, cost, refreshCost } from '../model/gauge.ts'
import { incidentCalls } from './incident-calls.ts'
import { incidentSummary, policies } from '../model/incidents.ts'
import {
  columnId,
  counts,
  deviceDetail,
  deviceRow,
  extraColumn,
  fault,
  inventoryQuery,
  nodeKind,
  banner,
  savedView,
  notifications,
  notification,
  treeRow,
} from '../model/inventory.ts'
import { settings } from '../model/settings.ts'
import { connectionInput, connectionState, importLine, legResult } from '../model/connection.ts'
import { treeSort } from '../model/tree.ts'
import { keychainState, proxyState } from '../model/environment.ts'
import { patch } from './patch.ts'
import { updates } from '../model/updates.ts'
import { addings, openRequest } from '../navigation/screens.ts'

/** 256 bits as hexadecimal digits. */
const hash = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{64}$/)
/** A place by itself, away from the tree. `connections`: as in a line of the tree (`treeRow`). */
const place = { id: z.string(), kind: nodeKind, name: z.string(), connections: z.array(z.string()).optional() }

/**
 * Everything that the window and the core say to each other: the file to read first. A call has a name, the schema of
 * its input and of its output; an event has a name and a schema. The core checks every input (invariant 11); outputs
 * are promised by type and checked in the tests. Nothing here can carry a secret out of the core: a secret only goes in,
 * with `connections.save`, `connections.test`, `connections.import` and `proxies.save`.
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
      /** What this shell can do on the desktop that it stands on. */
      can: z.object({
        startAtLogin: z.boolean(),
        startOther: z.boolean(),
        signOut: z.boolean(),
      }),
      keychain: keychainState,
      proxies: z.array(proxyState),
      rev: z.number(),
      totals: counts,
      connections: z.array(connectionState),
      gauges: z.array(gauge),
      banners: z.array(banner),
      settings,
      /** Where `settings.json` lies, for the person who wants to read it. */
      settingsFile: z.string(),
      columns: z.array(extraColumn),
      views: z.array(savedView),
      notifications,
      incidents: incidentSummary,
      policies,
      updates,
    }),
  },
  /**
   * A window of the table's rows. `total` counts what the query matches. `unread` names the extra columns that the
   * query sorts or filters by and that are not read for all devices of its scope: the answer is not the whole truth then.
   */
  'inventory.rows': {
    input: z.object({ query: inventoryQuery, offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    output: z.object({
      rev: z.number(),
      total: z.number(),
      offset: z.number(),
      rows: z.array(deviceRow),
      unread: z.array(z.object({ column: columnId, read: z.number(), of: z.number() })),
    }),
  },
  /** How many devices each query matches (chips, saved views). */
  'inventory.totals': {
    input: z.object({ queries: z.array(inventoryQuery).max(100) }),
    output: z.object({ rev: z.number(), totals: z.array(z.number()) }),
  },
  /** Values that a field of the filter language has in a scope and that hold `text`, most frequent first; for completion. */
  'inventory.values': {
    input: z.object({
      scope: z.string().max(2048),
      field: z.string().max(210),
      text: z.string().max(1000),
      limit: z.int().min(1).max(50),
    }),
    output: z.object({ rev: z.number(), values: z.array(z.object({ value: z.string(), count: z.number() })) }),
  },
  /** Keys of a window of a query's rows, for selections longer than what the window holds. */
  'inventory.keys': {
    input: z.object({ query: inventoryQuery, offset: z.int().min(0), limit: z.int().min(1).max(100_000) }),
    output: z.object({ rev: z.number(), keys: z.array(z.string()) }),
  },
  /** Which of these devices are not among a query's rows (`hidden`), and which are not known any more (`gone`). */
  'inventory.hidden': {
    input: z.object({ query: inventoryQuery, keys: z.array(z.string().max(2048)).max(100_000) }),
    output: z.object({ rev: z.number(), hidden: z.array(z.string()), gone: z.array(z.string()) }),
  },
  /**
   * The table as text, part after part: `after: null` begins, the answer's `after` goes on, null ends. The parts make
   * one file: rows in the query's order as they were at the beginning, each cell as it is known when its part is made,
   * and what is gone by then left out. With `keys` only those devices, in that order, also where the filter has left them
   * since; they are kept from the beginning on, and later parts leave them out (null). Cells that a spreadsheet would take
   * for a formula are made safe in `csv` and in `tsv`, which is for the clipboard; numbers are as they are. Times are ISO
   * 8601 in UTC, and `since` has `sinceKind` beside it. A `csv` or `json` has the `id` behind the columns, if not among them.
   */
  'inventory.export': {
    input: z.object({
      query: inventoryQuery,
      keys: z.array(z.string().max(2048)).max(100_000).nullable(),
      columns: z.array(columnId).min(1).max(100),
      format: z.enum(['csv', 'json', 'tsv']),
      after: z.string().max(200).nullable(),
    }),
    output: z.object({ text: z.string(), after: z.string().nullable(), total: z.number() }),
  },
  /** Where a device stands in a query's rows, from 0; null when it is not among them. */
  'inventory.locate': {
    input: z.object({ query: inventoryQuery, key: z.string().max(2048) }),
    output: z.object({ rev: z.number(), index: z.number().nullable() }),
  },
  /** Counts of a scope. Null when the scope is gone. `tenants`: those that it lies in or that lie in it, and how many of them were never read whole: the counts are so far then. */
  'inventory.counts': {
    input: z.object({ scope: z.string().max(2048) }),
    output: z.object({
      rev: z.number(),
      counts: counts.nullable(),
      tenants: z.object({ all: z.number(), unread: z.number() }),
    }),
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
      /** Siblings by name, or (`offline`) those with the most that is offline first; left out: by name. */
      sort: treeSort.optional(),
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
  /**
   * Places of the tree, each with those above it, the nearest first. `find`: whose names hold the text, those that begin
   * with it first, then tenants, sites and rooms by name, the placeless left out. `nodes`: these, as far as they are there.
   * `device`: the room of this device. `total`: how many there are, however many are given.
   */
  'inventory.places': {
    input: z.object({
      asked: z.union([
        z.object({ find: z.string().max(200) }),
        z.object({ nodes: z.array(z.string().max(2048)).max(200) }),
        z.object({ device: z.string().max(2048) }),
      ]),
      limit: z.int().min(1).max(200),
    }),
    output: z.object({ total: z.number(), places: z.array(z.object({ ...place, above: z.array(z.object(place)) })) }),
  },
  /** One device with everything known of it; null when it is gone. */
  'inventory.device': {
    input: z.object({ key: z.string().max(2048) }),
    output: z.object({ rev: z.number(), device: deviceDetail.nullable() }),
  },
  /**
   * What an operation is going to cost the credential set of a connection, before it is sent. A fault of kind `input`
   * names what is wrong with it (`document: words`), or that there is no such connection.
   */
  'cost.estimate': {
    input: z.object({
      connection: z.string().max(64),
      document: z.string().max(200_000),
      variables: z.record(z.string(), z.unknown()),
    }),
    output: estimate,
  },
  /** What `sync.start` of this scope would cost, before it is done. Nothing is sent for it. */
  'sync.cost': { input: z.object({ scope: z.string().max(2048) }), output: refreshCost },
  /**
   * Reads anew what lies in a scope (its tenants, by all connections that see them). Answers when it has begun. With
   * `status` only the status of its known devices, where `sync.cost` offers that; answers when that is read, and rejects with why it is not.
   */
  'sync.start': {
    input: z.object({ scope: z.string().max(2048), status: z.boolean().optional() }),
    output: z.object({}),
  },
  /** Makes (`id: null`) or changes a connection, and starts it. A fault of kind `input` names every faulty field in `detail`, a line each: `field: words`. */
  'connections.save': { input: connectionInput, output: z.object({ id: z.string() }) },
  /** Forgets a connection: its secret, its rows, its history. A secret in a keychain that cannot be reached now goes at the next start that reaches it, and a notice says so. */
  'connections.remove': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  /** What was typed for a connection, without its secret, to be changed. */
  'connections.show': {
    input: z.object({ id: z.string().max(64) }),
    output: z.object({ input: connectionInput.nullable() }),
  },
  /**
   * Tries each leg of what was typed, with the typed secret or the one that is known (`id`), and stores nothing.
   * Answers within a minute, all five legs in their order.
   */
  'connections.test': { input: connectionInput, output: z.object({ legs: z.array(legResult) }) },
  'connections.pause': { input: z.object({ id: z.string().max(64), paused: z.boolean() }), output: z.object({}) },
  /**
   * Connections from CSV (or lines pasted from a spreadsheet, tabs between the cells), the first line their head: `name`,
   * `token_url`, `graphql_url`, `subscription_url`, `client_id`, `client_secret`, `ca`, `subscription`, `portal`. A line
   * whose name is known changes that one. Without `apply` nothing is stored and the answer tells what would be.
   */
  'connections.import': {
    input: z.object({ text: z.string().max(importLimit), apply: z.boolean() }),
    /** `ignored`: heads of columns that are not known here. `stored`: how many were made or changed. */
    output: z.object({ lines: z.array(importLine), ignored: z.array(z.string()), stored: z.number() }),
  },
  /** All connections as CSV that `connections.import` reads, with the secrets left out. */
  'connections.export': { input: z.object({}), output: z.object({ text: z.string() }) },
  /** Devices of each connection that has read any, by its id. One that several connections read counts with each of them. */
  'connections.counts': {
    input: z.object({}),
    output: z.object({ rev: z.number(), connections: z.array(z.object({ id: z.string(), counts })) }),
  },
  /** Tries a connection again at once instead of when its time comes. */
  'connections.retry': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  /** Asks the person at the screen to unlock the keychain. Answers when that is over; whether it went well is told by the event. */
  'keychain.unlock': { input: z.object({}), output: z.object({}) },
  /** The operator's name and password for a proxy that has asked; they go into the keychain, and what waited for it goes on. */
  'proxies.save': {
    input: z.object({ address: z.string().max(300), name: z.string().max(500), password: z.string().max(4000) }),
    output: z.object({}),
  },
  /** Wipes them. */
  'proxies.forget': { input: z.object({ address: z.string().max(300) }), output: z.object({}) },
  'banners.dismiss': { input: z.object({ id: z.string().max(200) }), output: z.object({}) },
  /** What switching an extra column on would take, before it is done. A fault of kind `input` for a name that no service offers. */
  'columns.cost': { input: z.object({ name: z.string().max(200) }), output: cost },
  /** Switches an extra column on (its reading begins in the background) or off. */
  'columns.switch': { input: z.object({ name: z.string().max(200), on: z.boolean() }), output: z.object({}) },
  /** Changes the settings that are named; the others stay. */
  'settings.change': { input: settings.partial(), output: z.object({}) },
  /** Makes (`id` not known) or changes a saved view. The one default moves with `isDefault`. */
  'views.save': { input: savedView, output: z.object({}) },
  'views.remove': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  /** Tells nothing for so many minutes; 0 tells again. What happens meanwhile is kept and told as one at the end. */
  'notifications.pause': {
    input: z.object({
      minutes: z
        .int()
        .min(0)
        .max(24 * 60),
    }),
    output: z.object({}),
  },
  /** Said by whoever shows notifications: that of this telling (`at`: of then, ms) was shown, or the system did not show it. */
  'notifications.delivered': {
    input: z.object({ id: z.string().max(200), at: z.number().min(0).max(lastMoment), shown: z.boolean() }),
    output: z.object({}),
  },
  /** What a `muster://` link (link.ts) opens; whoever asks opens it. Null for one that leads nowhere, or to what is not known here: then a notice says why. */
  'links.read': {
    input: z.object({ link: z.string().max(100_000) }),
    output: z.object({ open: openRequest.nullable() }),
  },
  /** Begins a file for the person, who is asked where it goes; null when they called it off. In a browser refused (`input`): there the browser saves. Rejects with `file`. */
  'files.begin': { input: z.object({ name: z.string().max(300) }), output: z.object({ file: z.string().nullable() }) },
  /** Its next part; `base64`: the bytes that the text stands for. */
  'files.write': {
    input: z.object({ file: z.string().max(64), text: z.string().max(callLimit), base64: z.boolean().optional() }),
    output: z.object({}),
  },
  /** Puts it in its place, whole (`path`), or throws it away (''). */
  'files.end': {
    input: z.object({ file: z.string().max(64), keep: z.boolean() }),
    output: z.object({ path: z.string() }),
  },
  /** Signs out every window of a browser, the one that asks as well: each needs a new address of `npm start`. Where `can.signOut` says no: refused (`input`). */
  'windows.signOut': { input: z.object({}), output: z.object({}) },
  /** Lets a new tab of the same browser in, once and within half a minute, by the key that it made up: this is what checks a proof of that (`Verifier`), as hexadecimal digits. Refused (`input`) where no windows sign in. */
  'windows.admit': { input: z.object({ id: hash, stored: hash, muster: hash }), output: z.object({}) },
  /**
   * From the demo starts Muster for one's own connections, and the other way, beside this one; `add`: with that dialog open.
   * `url`: where it is in a browser, good for one visit; null where it opens in a window of its own. Rejects with `input`
   * where `can.startOther` says no, or when it does not start.
   */
  'start.other': {
    input: z.object({ add: z.enum(addings).nullable() }),
    output: z.object({ url: z.string().nullable() }),
  },
  /** Asks the feed for a newer version now; what comes of it is told by the event `updates`. A fault of kind `input` where there are no updates. */
  'updates.check': { input: z.object({}), output: z.object({}) },
  /** The operator's word to download what was found. */
  'updates.download': { input: z.object({}), output: z.object({}) },
  /** Ends Muster in order and starts it again, which installs what was downloaded. */
  'updates.apply': { input: z.object({}), output: z.object({}) },
  ...incidentCalls,
  ...diagnosticsCalls,
} as const

export const events = {
  patch,
  connections: z.array(connectionState),
  gauges: z.array(gauge),
  banners: z.array(banner),
  keychain: keychainState,
  proxies: z.array(proxyState),
  settings,
  columns: z.array(extraColumn),
  views: z.array(savedView),
  notifications,
  incidents: incidentSummary,
  policies,
  updates,
  /** To be shown on the desktop now. The desktop application shows it by itself and sends this to no window. */
  notification,
  open: openRequest,
} as const

export type CallName = keyof typeof calls
export type CallInput<N extends CallName> = z.infer<(typeof calls)[N]['input']>
export type CallOutput<N extends CallName> = z.infer<(typeof calls)[N]['output']>
export type FoundPlace = CallOutput<'inventory.places'>['places'][number]
export type EventName = keyof typeof events
export type EventData<N extends EventName> = z.infer<(typeof events)[N]>

/** What a call brings back over any pipe: errors cross as values. */
export const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), fault }),
])
export type Answer<T> = { ok: true; value: T } | { ok: false; fault: z.infer<typeof fault> }

/** The pipe to the core as the window sees it: a WebSocket of the web shell, or the desktop shell's bridge (bridge.ts). */
export interface Pipe {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Answer<CallOutput<N>>>
  /** Returns the way to stop listening. */
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
  /** Tells whether the core can be reached; the web shell loses it when its process ends. */
  onReach(listener: (reached: boolean) => void): () => void
}

/** Handlers of every call, as `startCore` gives them to a shell. A missing one does not compile. */
export type Handlers = { [N in CallName]: (input: CallInput<N>) => Promise<CallOutput<N>> }
