import { z } from 'zod'
import { callLimit, importLimit, lastMoment } from './limits.ts'
import { diagnosticsCalls } from './diagnostics.ts'
import { gauge, cost, refreshCost } from '../model/gauge.ts'
import { handoverCalls, handoverList } from './handover-calls.ts'
import { incidentCalls } from './incident-calls.ts'
import { placeCalls } from './place-calls.ts'
import { actionCalls } from './action-calls.ts'
import { jobCalls } from './job-calls.ts'
import { batchCalls } from './batch-calls.ts'
import { configurationCalls } from './configuration-calls.ts'
import { offerCalls } from './offer-calls.ts'
import { costCalls } from './cost-calls.ts'
import { queryCalls } from './query-calls.ts'
import { changesCalls } from './changes-calls.ts'
import { compareCalls } from './compare-calls.ts'
import { firmwareCalls } from './firmware-calls.ts'
import { occupancyCalls } from './occupancy-calls.ts'
import { channelCalls } from './channel-calls.ts'
import { overviewCalls } from './overview-calls.ts'
import { reportCalls } from './report-calls.ts'
import { tableCalls } from './table-calls.ts'
import { keptCalls } from './kept-calls.ts'
import { streamCalls } from './stream-calls.ts'
import { teamCalls } from './team-calls.ts'
import { mutationCalls } from './mutation-calls.ts'
import { noteCalls } from './note-calls.ts'
import { actionsState } from '../model/jobs.ts'
import { delay, incidentSummary, policies } from '../model/incidents.ts'
import {
  columnId,
  counts,
  deviceDetail,
  deviceRow,
  extraColumn,
  fault,
  inventoryQuery,
  banner,
  savedView,
  notifications,
  notification,
} from '../model/inventory.ts'
import { settings } from '../model/settings.ts'
import { connectionInput, connectionState, importLine, legResult } from '../model/connection.ts'
import { keychainState, proxyState } from '../model/environment.ts'
import { patch } from './patch.ts'
import { subscriptionState } from '../model/subscription.ts'
import { teamState } from '../model/team.ts'
import { updates } from '../model/updates.ts'
import { addings, openRequest } from '../navigation/screens.ts'

/** 256 bits as hexadecimal digits. */
const hash = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{64}$/)

/**
 * All calls and events between the window and the core: the file to read first. A call has a name, an input schema and
 * an output schema; an event has a name and a schema. The core checks every input (invariant 11); outputs are typed,
 * and checked in the tests. No output can carry a secret out of the core: a secret only goes in, with
 * `connections.save`, `connections.test`, `connections.import`, `proxies.save`, `team.test` and `team.join`.
 */
export const calls = {
  /** Returns the state that the window needs at its start and after it lost the connection to the core. */
  'app.state': {
    input: z.object({}),
    output: z.object({
      version: z.string(),
      shell: z.enum(['electron', 'web']),
      /** True when the profile shows the demo fleet, which the window must make obvious. */
      demo: z.boolean(),
      /** The features that this shell has on this desktop. */
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
      /** Path of `settings.json`, for display. */
      settingsFile: z.string(),
      columns: z.array(extraColumn),
      views: z.array(savedView),
      notifications,
      incidents: incidentSummary,
      /** At most 500, the first to end first; sent while any changes, at most four times a second. */
      delays: z.array(delay),
      policies,
      updates,
    }),
  },
  /**
   * Returns a page of the table's rows. `total` counts the matching devices. `unread` names the extra columns that the
   * query sorts or filters by and that are not read for all devices of its scope; the answer is then incomplete.
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
  /** Returns how many devices each query matches, for chips and saved views. */
  'inventory.totals': {
    input: z.object({ queries: z.array(inventoryQuery).max(100) }),
    output: z.object({ rev: z.number(), totals: z.array(z.number()) }),
  },
  /** Returns the values of a filter field in a scope that contain `text`, most frequent first, for completion. */
  'inventory.values': {
    input: z.object({
      scope: z.string().max(2048),
      field: z.string().max(210),
      text: z.string().max(1000),
      limit: z.int().min(1).max(50),
    }),
    output: z.object({ rev: z.number(), values: z.array(z.object({ value: z.string(), count: z.number() })) }),
  },
  /** Returns the keys of a page of a query's rows, for selections that exceed the window's rows. */
  'inventory.keys': {
    input: z.object({ query: inventoryQuery, offset: z.int().min(0), limit: z.int().min(1).max(100_000) }),
    output: z.object({ rev: z.number(), keys: z.array(z.string()) }),
  },
  /** Returns which of these devices a query's rows lack (`hidden`), and which are no longer known (`gone`). */
  'inventory.hidden': {
    input: z.object({ query: inventoryQuery, keys: z.array(z.string().max(2048)).max(100_000) }),
    output: z.object({ rev: z.number(), hidden: z.array(z.string()), gone: z.array(z.string()) }),
  },
  /**
   * Returns the table as text, part by part: `after: null` begins, the answer's `after` continues, null ends. The parts
   * make one file. Its rows have the order of the query's first answer; each cell has its value at the time its part is
   * made, and devices that are gone by then are left out. With `keys` it exports only those devices, in that order,
   * even if the filter no longer matches them; the core keeps the keys, and later parts send null. `csv` and `tsv` (for
   * the clipboard) neutralize cells that a spreadsheet would take for a formula; numbers stay unchanged. Times are ISO
   * 8601 in UTC, and `since` comes with `sinceKind`. `csv` and `json` add `id` after the columns unless they include
   * it.
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
  /** Returns the index of a device in a query's rows, from 0; null when it is not among them. */
  'inventory.locate': {
    input: z.object({ query: inventoryQuery, key: z.string().max(2048) }),
    output: z.object({ rev: z.number(), index: z.number().nullable() }),
  },
  /**
   * Returns the counts of a scope; null when the scope is gone. `tenants`: the tenants that contain the scope or lie in
   * it, and how many of them were never read completely, so that the counts are incomplete.
   */
  'inventory.counts': {
    input: z.object({ scope: z.string().max(2048) }),
    output: z.object({
      rev: z.number(),
      counts: counts.nullable(),
      tenants: z.object({ all: z.number(), unread: z.number() }),
    }),
  },
  /** Returns one device with its details; null when it is gone. */
  'inventory.device': {
    input: z.object({ key: z.string().max(2048) }),
    output: z.object({ rev: z.number(), device: deviceDetail.nullable() }),
  },
  /** Returns what `sync.start` of this scope would cost. Sends nothing. */
  'sync.cost': { input: z.object({ scope: z.string().max(2048) }), output: refreshCost },
  /**
   * Reads the tenants of a scope again, through all connections that list them. Resolves when the sync has begun. With
   * `status` it reads only the status of the known devices, where `sync.cost` offers that; it then resolves when they
   * are read, and rejects when that fails.
   */
  'sync.start': {
    input: z.object({ scope: z.string().max(2048), status: z.boolean().optional() }),
    output: z.object({}),
  },
  /**
   * Creates (`id: null`) or changes a connection, and starts it. Fails with a fault of kind `input` that names every
   * invalid field in `detail`, one per line: `field: words`.
   */
  'connections.save': { input: connectionInput, output: z.object({ id: z.string() }) },
  /**
   * Removes a connection with its secret, its rows and its history. If the keychain cannot be reached now, the secret
   * is removed at the next start that reaches it, and a banner says so.
   */
  'connections.remove': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  /** Returns the input of a connection without its secret, for editing. */
  'connections.show': {
    input: z.object({ id: z.string().max(64) }),
    output: z.object({ input: connectionInput.nullable() }),
  },
  /**
   * Tests each leg of a connection input, with the entered secret or the stored one of `id`, and stores nothing.
   * Resolves within a minute with all five legs in order.
   */
  'connections.test': { input: connectionInput, output: z.object({ legs: z.array(legResult) }) },
  'connections.pause': { input: z.object({ id: z.string().max(64), paused: z.boolean() }), output: z.object({}) },
  /**
   * Imports connections from CSV or from lines pasted from a spreadsheet (cells separated by tabs). The first line has
   * the heads: `name`, `token_url`, `graphql_url`, `subscription_url`, `client_id`, `client_secret`, `ca`,
   * `subscription`, `portal`. A line with a known name changes that connection. Without `apply` nothing is stored, and
   * the answer is a preview.
   */
  'connections.import': {
    input: z.object({ text: z.string().max(importLimit), apply: z.boolean() }),
    /** `ignored`: unknown column heads. `stored`: number of connections that were created or changed. */
    output: z.object({ lines: z.array(importLine), ignored: z.array(z.string()), stored: z.number() }),
  },
  /** Returns all connections as CSV for `connections.import`, without the secrets. */
  'connections.export': { input: z.object({}), output: z.object({ text: z.string() }) },
  /** Returns device counts by connection id. A device that several connections read counts for each of them. */
  'connections.counts': {
    input: z.object({}),
    output: z.object({ rev: z.number(), connections: z.array(z.object({ id: z.string(), counts })) }),
  },
  /** Retries a connection at once instead of at its next attempt. */
  'connections.retry': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  /** Asks the operator to unlock the keychain. Resolves when the prompt is closed. */
  'keychain.unlock': { input: z.object({}), output: z.object({}) },
  /** Stores the operator's login for a proxy in the keychain, and resumes the requests that waited for it. */
  'proxies.save': {
    input: z.object({ address: z.string().max(300), name: z.string().max(500), password: z.string().max(4000) }),
    output: z.object({}),
  },
  /** Erases the name and password of a proxy. */
  'proxies.forget': { input: z.object({ address: z.string().max(300) }), output: z.object({}) },
  'banners.dismiss': { input: z.object({ id: z.string().max(200) }), output: z.object({}) },
  /** Returns the cost of switching an extra column on; null: other members of the team would read it. Fails with `input` for a name that no service offers. */
  'columns.cost': { input: z.object({ name: z.string().max(200) }), output: cost.nullable() },
  /** Switches an extra column on or off. When switched on, it is read in the background. */
  'columns.switch': { input: z.object({ name: z.string().max(200), on: z.boolean() }), output: z.object({}) },
  /** Changes the given settings; the others stay unchanged. */
  'settings.change': { input: settings.partial(), output: z.object({}) },
  /** Creates (unknown `id`) or changes a saved view. Only one view can have `isDefault`. */
  'views.save': { input: savedView, output: z.object({}) },
  'views.remove': { input: z.object({ id: z.string().max(64) }), output: z.object({}) },
  /** Pauses notifications; 0 minutes ends the pause. Changes meanwhile are notified together at its end. */
  'notifications.pause': {
    input: z.object({
      minutes: z
        .int()
        .min(0)
        .max(24 * 60),
    }),
    output: z.object({}),
  },
  /** Reports whether the desktop notification of `id` and time `at` (ms) was shown. */
  'notifications.delivered': {
    input: z.object({ id: z.string().max(200), at: z.number().min(0).max(lastMoment), shown: z.boolean() }),
    output: z.object({}),
  },
  /**
   * Returns what a `muster://` link (link.ts) opens; the caller opens it. Returns null for an invalid link or an
   * unknown target; a banner then says why.
   */
  'links.read': {
    input: z.object({ link: z.string().max(100_000) }),
    output: z.object({ open: openRequest.nullable() }),
  },
  /**
   * Begins a file whose location the operator chooses; null when they cancel. Rejects with `input` in a browser, which
   * saves files itself, and with `file` when the file cannot be written.
   */
  'files.begin': { input: z.object({ name: z.string().max(300) }), output: z.object({ file: z.string().nullable() }) },
  /** Writes the next part. With `base64` the text is decoded to bytes. */
  'files.write': {
    input: z.object({ file: z.string().max(64), text: z.string().max(callLimit), base64: z.boolean().optional() }),
    output: z.object({}),
  },
  /** Writes what the window would print, as PDF, to a file that was begun. Rejects with `input` in a browser. */
  'files.writePdf': { input: z.object({ file: z.string().max(64) }), output: z.object({}) },
  /** Moves the complete file to its place and returns its path, or discards it and returns ''. */
  'files.end': {
    input: z.object({ file: z.string().max(64), keep: z.boolean() }),
    output: z.object({ path: z.string() }),
  },
  /** Asks the operator for a folder; null when they cancel. Rejects with `input` in a browser, which has no path of a folder. */
  'files.chooseFolder': { input: z.object({}), output: z.object({ folder: z.string().nullable() }) },
  /**
   * Signs out every window in a browser, including the calling one; each then needs a new address from `npm start`.
   * Rejects with `input` where `can.signOut` is false.
   */
  'windows.signOut': { input: z.object({}), output: z.object({}) },
  /** Sets whether the desktop’s window fills the screen for the wall display; afterwards it is as it was before. Rejects with `input` in a browser, whose page does it itself. */
  'windows.fullScreen': { input: z.object({ on: z.boolean() }), output: z.object({}) },
  /**
   * Admits a new tab of the same browser, once and within half a minute, by a key that the tab generated. The input is
   * that key's `Verifier` in hexadecimal digits. Rejects with `input` where windows do not sign in.
   */
  'windows.admit': { input: z.object({ id: hash, stored: hash, muster: hash }), output: z.object({}) },
  /**
   * Starts a second Muster beside this one: from the demo with the operator's connections, and the other way round.
   * `add` opens that dialog in it. `url`: its address in a browser, valid for one visit; null when it opens its own
   * window. Rejects with `input` where `can.startOther` is false, or when it does not start.
   */
  'start.other': {
    input: z.object({ add: z.enum(addings).nullable() }),
    output: z.object({ url: z.string().nullable() }),
  },
  /** Checks the feed; the event `updates` reports the result. Fails with `input` where there are no updates. */
  'updates.check': { input: z.object({}), output: z.object({}) },
  /** Starts the download of the available update. */
  'updates.download': { input: z.object({}), output: z.object({}) },
  /** Quits Muster in order and restarts it, which installs the downloaded update. */
  'updates.apply': { input: z.object({}), output: z.object({}) },
  ...placeCalls,
  ...incidentCalls,
  ...handoverCalls,
  ...actionCalls,
  ...jobCalls,
  ...costCalls,
  ...queryCalls,
  ...occupancyCalls,
  ...channelCalls,
  ...teamCalls,
  ...overviewCalls,
  ...changesCalls,
  ...compareCalls,
  ...firmwareCalls,
  ...reportCalls,
  ...batchCalls,
  ...tableCalls,
  ...offerCalls,
  ...configurationCalls,
  ...keptCalls,
  ...streamCalls,
  ...mutationCalls,
  ...noteCalls,
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
  delays: z.array(delay),
  policies,
  updates,
  actions: actionsState,
  /** The subscriptions that the operator started; sent while anything of them changes, at most twice a second. */
  subscriptions: z.array(subscriptionState),
  /** A desktop notification. The desktop application shows it itself and sends it to no window. */
  notification,
  open: openRequest,
  team: teamState,
  /** Another member of the team has changed saved operations of the query screen. */
  operations: z.object({}),
  handovers: handoverList,
  /** The core has started again with other data: a window begins anew, as after it was opened. */
  restarted: z.object({}),
} as const

export type CallName = keyof typeof calls
export type CallInput<N extends CallName> = z.infer<(typeof calls)[N]['input']>
export type CallOutput<N extends CallName> = z.infer<(typeof calls)[N]['output']>
export type FoundPlace = CallOutput<'inventory.places'>['places'][number]
export type EventName = keyof typeof events
export type EventData<N extends EventName> = z.infer<(typeof events)[N]>

/** The result of a call over any pipe: errors cross as values. */
export const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), fault }),
])
export type Answer<T> = { ok: true; value: T } | { ok: false; fault: z.infer<typeof fault> }

/** The window's connection to the core: the web shell's WebSocket, or the desktop shell's bridge (bridge.ts). */
export interface Pipe {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Answer<CallOutput<N>>>
  /** Adds a listener. Returns a function that removes it. */
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
  /** Calls the listener when the core becomes reachable or unreachable, as when the web shell's process ends. */
  onReach(listener: (reached: boolean) => void): () => void
}

/** The handlers of all calls, as `startCore` gives them to a shell. A missing handler does not compile. */
export type Handlers = { [N in CallName]: (input: CallInput<N>) => Promise<CallOutput<N>> }
