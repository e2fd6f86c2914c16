import { FaultError, toFault, type Fault } from '../../src-shared/fault.ts'
import type { ConnectionInput, ConnectionState, Gauge } from '../../src-shared/model.ts'
import { startPacer, type Pacer } from '../api/pacer.ts'
import { createTurns, type Turns } from '../api/turns.ts'
import type { Change, Data } from '../data/protocol.ts'
import type { Ports } from '../ports.ts'
import { loadRecords, recordOf, serviceOf, storeRecords, type ConnectionRecord, type Stored } from './record.ts'
import { startRunner, type Runner } from './runner.ts'

/** The reference service of the demo: like a connection, but never stored; its secret lives as long as its process. */
export interface DemoService {
  tokenUrl: string
  graphqlUrl: string
  subscriptionUrl: string
  clientId: string
  clientSecret: string
  ca: string
}

export interface ConnectionsOptions {
  ports: Ports
  data: Data
  demo: DemoService | null
  random: () => number
  publish: (change: Change) => void
  onState: () => void
  onGauge: () => void
}

/** All connections: stored without their secrets, each running by itself, so that one broken customer greys no other. */
export interface Connections {
  states(): ConnectionState[]
  gauges(): Gauge[]
  /** Makes or changes one. Rejects with a fault of kind `input`, `ca` or `keychain`; then nothing was changed. */
  save(input: ConnectionInput): Promise<string>
  /** What was typed for it, its secret left empty; null when there is none of this id. */
  show(id: string): ConnectionInput | null
  remove(id: string): Promise<void>
  retry(id: string): void
  read(): void
  /** How many of the stored connections cannot be read. */
  unreadable: number
  stop(): Promise<void>
}

interface Entry {
  record: ConnectionRecord
  service: string
  secret: () => Promise<string | null>
  where: ConnectionState['secret']
  runner: Runner | null
  /** Why it does not run at all. */
  fault: Fault | null
  lastReadingAt: number | null
}

interface Desk {
  options: ConnectionsOptions
  /** What the settings held at the start. */
  stored: Stored
  entries: Map<string, Entry>
  pacers: Map<string, Pacer>
  turns: Turns
  order: () => number
  /** Changes of connections go one after the other: two windows may save the same one at once. */
  alone: <T>(change: () => Promise<T>) => Promise<T>
}

export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  let position = 0
  const stored = loadRecords(options.ports.settings)
  if (stored.unreadable.length > 0) options.ports.log('error', `${stored.unreadable.length} connections in the settings cannot be read`)
  const desk: Desk = { options, stored, entries: new Map(), pacers: new Map(), turns: createTurns(), order: () => (position += 1), alone: oneByOne() }
  if (options.demo !== null) begin(desk, demoEntry(options.demo))
  else for (const record of desk.stored.records) begin(desk, await entryOf(desk, record))
  await forgetStrays(desk)
  return {
    states: () => [...desk.entries.values()].map((entry) => stateOf(entry, options.demo !== null)),
    gauges: () => gaugesOf(desk),
    unreadable: stored.unreadable.length,
    save: (input) => desk.alone(() => save(desk, input)),
    show: (id) => shownInput(desk.entries.get(id)),
    remove: (id) => desk.alone(() => remove(desk, id)),
    retry: (id) => retry(desk, id),
    read() {
      for (const { runner } of desk.entries.values()) runner?.estate.read()
    },
    async stop() {
      await Promise.all([...desk.entries.values()].map(({ runner }) => runner?.stop()))
      for (const pacer of desk.pacers.values()) pacer.stop()
    },
  }
}

/** What the cache holds of connections that are not there any more (a profile of the demo, settings put aside) is nobody's; its history stays. */
async function forgetStrays({ options, entries }: Desk): Promise<void> {
  try {
    for (const connection of await options.data.connections()) {
      if (!entries.has(connection)) options.publish(await options.data.forget({ connection, keepHistory: true }))
    }
  } catch (error) {
    options.ports.log('warn', `what is left of former connections stays for now (${toFault(error).kind})`)
  }
}

function demoEntry(demo: DemoService): Entry {
  const { clientSecret, ...addresses } = demo
  const record: ConnectionRecord = { id: 'demo', name: 'Demo fleet', subscription: '', portal: '', paused: false, ...addresses }
  return { record, service: 'demo', secret: async () => clientSecret, where: 'session', runner: null, fault: null, lastReadingAt: null }
}

async function entryOf(desk: Desk, record: ConnectionRecord): Promise<Entry> {
  const { secrets } = desk.options.ports
  const known = await secrets.get(record.id).catch(() => null)
  return {
    record,
    service: serviceOf(record.graphqlUrl),
    secret: () => secrets.get(record.id),
    where: known === null ? 'missing' : secrets.kind,
    runner: null,
    fault: null,
    lastReadingAt: null,
  }
}

/** Puts an entry in its place and starts it. A CA that cannot be read is its fault, not an error of the start. */
function begin(desk: Desk, entry: Entry): void {
  const { ports, data, random, publish, onState } = desk.options
  desk.entries.set(entry.record.id, entry)
  const { record, service, secret } = entry
  const remembered = ports.settings.get(readingKey(record.id))
  const lastReadingAt = typeof remembered === 'number' ? remembered : null
  entry.lastReadingAt = lastReadingAt
  entry.fault = null
  try {
    const pacer = pacerOf(desk, record)
    entry.runner = startRunner({
      record, service, ports, pacer, turns: desk.turns, data, secret, order: desk.order, random, lastReadingAt, publish,
      onState() {
        rememberReading(desk, entry)
        onState()
      },
    })
  } catch (error) {
    entry.fault = toFault(error)
    onState()
  }
}

const readingKey = (id: string): string => `readings.${id}`

/** The age of the last full reading outlives a restart. Without it the age is only not known then: a full disk ends nothing here. */
function rememberReading(desk: Desk, entry: Entry): void {
  const { settings, log } = desk.options.ports
  const at = entry.runner?.estate.state().lastReadingAt ?? null
  if (at === null || at === entry.lastReadingAt) return
  entry.lastReadingAt = at
  try {
    settings.set(readingKey(entry.record.id), at)
  } catch {
    log('warn', 'the time of a reading could not be kept')
  }
}

/** The credential set of a connection, by its name. */
const setOf = ({ tokenUrl, clientId }: ConnectionRecord): string => `${tokenUrl} ${clientId}`

/** One queue for each credential set, shared by all connections that use it (design, section 6). */
function pacerOf(desk: Desk, record: ConnectionRecord): Pacer {
  const set = setOf(record)
  const known = desk.pacers.get(set)
  if (known !== undefined) return known
  const { ports, random, onGauge } = desk.options
  const pacer = startPacer({ clock: ports.clock, random, onChange: onGauge })
  desk.pacers.set(set, pacer)
  return pacer
}

function gaugesOf(desk: Desk): Gauge[] {
  return [...desk.pacers].map(([set, pacer]) => {
    const users = [...desk.entries.values()].filter(({ record }) => setOf(record) === set)
    return pacer.gauge(users.map(({ record }) => record.name).join(', '))
  })
}

function stateOf(entry: Entry, demo: boolean): ConnectionState {
  const { record, where, runner, fault } = entry
  const running = runner?.estate.state() ?? {
    link: { state: 'off' as const }, sync: { state: 'idle' as const }, lastEventAt: null, lastReadingAt: null, heardAt: null, faults: [],
  }
  const faults = fault === null ? running.faults : [{ where: 'the CA certificate', fault, at: 0 }, ...running.faults]
  const { ca, subscription, ...shown } = record
  return { ...shown, hasCa: ca.trim() !== '', hasSubscription: subscription.trim() !== '', demo, secret: where, ...running, faults }
}

function shownInput(entry: Entry | undefined): ConnectionInput | null {
  if (entry === undefined) return null
  const { paused: _paused, ...typed } = entry.record
  return { ...typed, clientSecret: '' }
}

async function save(desk: Desk, input: ConnectionInput): Promise<string> {
  const { ports, demo } = desk.options
  if (demo !== null) throw new FaultError('input', 'name: This is the demo. Start Muster with --no-demo to connect to your own service.')
  const before = input.id === null ? undefined : desk.entries.get(input.id)
  const record = recordOf(input, before?.record.id ?? globalThis.crypto.randomUUID())
  // Read once before anything is stored: a CA that cannot be used is said at the form.
  if (record.ca.trim() !== '') await ports.network.open(record.ca).close()
  if (before !== undefined && before.service !== serviceOf(record.graphqlUrl)) await stopAndForget(desk, before)
  if (input.clientSecret !== '') await ports.secrets.set(record.id, input.clientSecret)
  await before?.runner?.stop()
  begin(desk, await entryOf(desk, record))
  settle(desk)
  return record.id
}

/** Rows first, then the secret, then the record: what fails half-way is still listed, and can be removed again. */
async function remove(desk: Desk, id: string): Promise<void> {
  const entry = desk.entries.get(id)
  if (entry === undefined || desk.options.demo !== null) return
  await stopAndForget(desk, entry)
  await desk.options.ports.secrets.remove(id).catch((error: unknown) => {
    begin(desk, entry)
    throw error
  })
  desk.entries.delete(id)
  desk.options.ports.settings.set(readingKey(id), null)
  settle(desk)
}

/** Stops a connection and forgets what only it sees; when that cannot be done, it runs on as before. */
async function stopAndForget(desk: Desk, entry: Entry): Promise<void> {
  await entry.runner?.stop()
  entry.runner = null
  try {
    desk.options.publish(await desk.options.data.forget({ connection: entry.record.id }))
  } catch (error) {
    begin(desk, entry)
    throw error
  }
}

/** What a change of the connections leaves to be done: the file, the queues that nobody uses any more, the window. */
function settle(desk: Desk): void {
  storeAll(desk)
  const used = new Set([...desk.entries.values()].map(({ record }) => setOf(record)))
  for (const [set, pacer] of desk.pacers) {
    if (used.has(set)) continue
    pacer.stop()
    desk.pacers.delete(set)
  }
  desk.options.onState()
  desk.options.onGauge()
}

function retry(desk: Desk, id: string): void {
  const entry = desk.entries.get(id)
  if (entry === undefined) return
  if (entry.runner === null) begin(desk, entry)
  else entry.runner.estate.retry()
}

/** Runs one change after the other, whether or not the one before went well. */
function oneByOne(): Desk['alone'] {
  let last: Promise<unknown> = Promise.resolve()
  return (change) => {
    const mine = last.then(change, change)
    last = mine.catch(() => {})
    return mine
  }
}

function storeAll(desk: Desk): void {
  storeRecords(desk.options.ports.settings, { ...desk.stored, records: [...desk.entries.values()].map(({ record }) => record) })
}
