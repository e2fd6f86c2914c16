import { join } from 'node:path'
import type { EventData, EventName, Handlers } from '../src-shared/contract.ts'
import { proxyKinds } from '../src-shared/fault.ts'
import { usualSettings, type ConnectionState } from '../src-shared/model.ts'
import { incidentHandlers, openIncidents, type Incidents } from './alerts/open.ts'
import { ringLog } from './alerts/log-ring.ts'
import type { Alerts } from './alerts/runner.ts'
import { incidentEvidence, shiftHandover, type TextsDeps } from './alerts/texts.ts'
import { openConnections, type Connections, type DemoService } from './connections/connections.ts'
import { startData, type StartedData } from './data/client.ts'
import type { Change, Data, Opened } from './data/protocol.ts'
import { createNames, createWays, hostIn, learnProxies, learnRecord, type LearnWays, type Names } from './diagnostics/names.ts'
import { diagnosticsHandlers } from './diagnostics/open.ts'
import { startSelf, type Self } from './diagnostics/self.ts'
import { openDesktopCalls, type DesktopAbilities, type StartOther } from './ipc/desktop.ts'
import { linkHandlers, type Here } from './ipc/links.ts'
import { createLookedAt, type LookedAt } from './ipc/looked-at.ts'
import { createNotices, type Notices } from './ipc/notices.ts'
import { followOutside, outsideHandlers, outsideState, signOutHandlers } from './ipc/outside.ts'
import { createPublisher, type Publisher } from './ipc/publish.ts'
import { sayAtStart, saySecretsLeft, sayUnreadable } from './ipc/said.ts'
import type { Ports } from './ports.ts'
import { openOperatorSettings, type OperatorSettings } from './settings/settings.ts'
import { openViews, type OperatorViews } from './settings/views.ts'
import type { Ground } from './updates/ports.ts'
import { startUpdates, type Updates } from './updates/updates.ts'

export interface CoreOptions {
  shell: 'web' | 'electron'
  /** Whether the page runs in Chromium's sandbox; left out where a browser shows it, which sees to that itself. */
  sandbox?: boolean
  version: string
  /** The demo's reference service; null for real connections. */
  demo: DemoService | null
  /** Null in a browser. */
  desktop?: DesktopAbilities | null
  /** Ends the sessions of all windows, where windows sign in. */
  signOut?: () => void
  /** How the demo opens beside one's own connections, and the other way; missing where nothing can start it. */
  startOther?: StartOther | null
  /** How this copy of Muster is renewed; left out where a browser shows it. */
  updates?: Ground
}

/** The console without a shell: a handler for every call of the contract, and its events. */
export interface Core {
  handlers: Handlers
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
  /** The computer goes to sleep, or somebody is there again: woken, or unlocked. Without these words two clocks that run apart find out. */
  power(word: 'sleeps' | 'wakes'): void
  stop(): Promise<void>
}

/** The composition root: what there is, in the order in which it starts; `stop` goes the other way. */
export async function startCore(given: Ports, options: CoreOptions): Promise<Core> {
  const self = startSelf(given.clock)
  const names = createNames()
  const ring = ringLog(names.marking(given.log), given.clock)
  const ports: Ports = { ...given, log: ring.log }
  const publisher = createPublisher(ports.clock)
  // Before everything stands there is nothing to recover: then the start itself fails, and says so.
  let recover: (reopened: Promise<Opened> | null) => void = () => {}
  const onDied = (reopened: Promise<Opened> | null) => recover(reopened)
  const thread = await startData({ profile: ports.paths.profile, thread: ports.paths.dataThread, onDied })
  self.marks.mark('files')
  const notices = createNotices(ports.clock, publisher)
  sayAtStart(ports, thread.opened, options.demo !== null, notices)
  const settings = openSettings(ports, options, notices, publisher)
  const ways = createWays(names, ports.network)
  const stopLearning = learnProxies(names, ports.proxies)
  const stopFollowing = followOutside(ports, options.demo !== null, { notices, publisher, onAnswer: () => proxyKinds.forEach((kind) => running?.retryAfter(kind)) })
  const views = await openViews({ data: thread.data, log: ports.log, onChange: (all) => publisher.tell('views', all) })
  // Null while they are opened: the first ones run by then and have something to tell, and no window listens yet.
  let running: Connections | null = null
  const incidents = await openTelling(ports, options.shell, thread, settings, publisher, { states: () => running?.states() ?? [], clockAgrees: () => running?.inside.clockAgrees() ?? false })
  const { alerts } = incidents
  const { estate, publish } = followEstate(thread, alerts, publisher)
  const data = followed(thread.data, alerts, names)
  const lookedAt = createLookedAt()
  const connections = await openConnections({
    ports, data, urgentKeys: () => [...settings.get().watched, ...lookedAt.keys()], demo: options.demo, random: Math.random, publish, preferences: settings,
    onState: () => publisher.tellSoon('connections', () => running?.states() ?? []),
    onGauge: () => publisher.tellSoon('gauges', () => running?.gauges() ?? [], gaugeMs),
    onColumns: () => publisher.tellSoon('columns', () => running?.columns.state() ?? []),
    onDrift: (connection, detail) => sayDrift(connection, detail, self, notices),
    onRecord: (record) => learnRecord(names, ways, record),
    onSecretsLeft: (count) => saySecretsLeft(count, notices),
  })
  running = connections
  const updates = openUpdates(ports, options, settings, publisher, names, ways)

  recover = (reopened) => readAnew(reopened, ports, notices, publish, () => Promise.all([incidents.reload(), connections.recovered()]))
  sayUnreadable(connections.unreadable, notices)
  const desktop = openDesktopCalls(options.desktop ?? null, options.startOther ?? null, ports.clock)
  self.marks.mark('ready')
  return {
    handlers: {
      ...inventoryHandlers(thread, ports, lookedAt, self),
      ...noting(self, connectionHandlers(connections, incidents)),
      ...operatorHandlers(settings, views, alerts, notices),
      ...noting(self, outsideHandlers(ports)), ...signOutHandlers(options), ...linkHandlers(notices, whatIsHere(thread, connections)),
      ...desktop.handlers, ...updateHandlers(updates),
      ...incidentHandlers(incidents, thread.data, ports.clock),
      ...textHandlers({ ...incidents, data: thread.data, lines: ring.lines, connections: connections.states, totals: () => estate.totals, utc: () => settings.get().times === 'utc', clock: ports.clock, version: options.version }),
      ...diagnosticsHandlers({ ports, about: options, self, names, data, inside: connections.inside, updates: updates.state, lines: ring.lines, settings: settings.get, states: connections.states }),
      'app.state': async () => ({ ...asked(self), ...about(ports, options), ...outsideState(ports), ...estate, ...connected(connections), ...incidents.state(), notices: notices.all(), settings: settings.get(), views: views.all(), updates: updates.state() }),
    },
    on: publisher.on,
    power: connections.power,
    async stop() {
      publisher.stop()
      await Promise.all([desktop.stop(), updates.stop()])
      self.stop()
      // First: what is no longer seen from now on is no news.
      await incidents.stop()
      await connections.stop()
      settings.stop()
      stopFollowing()
      stopLearning()
      await thread.stop()
    },
  }
}

/** The data thread died: what it held is on disk, and a second one has opened it. Everything is shown and read anew. */
function readAnew(reopened: Promise<Opened> | null, { log }: Ports, notices: Notices, publish: (change: Change) => void, read: () => Promise<unknown>): void {
  log('error', 'the data thread died')
  notices.say('internal', 'error', { kind: 'internal', detail: 'the data thread ended' })
  reopened?.then(({ rev, totals }) => {
    publish({ base: -1, rev, totals, devices: [], many: true, structure: true, transitions: [] })
    return read()
  }).catch(() => log('error', 'the data thread could not be started again'))
}

/** What the connections tell the data thread, heard by whom it concerns as well. */
function followed(data: Data, alerts: Alerts, names: Names): Data {
  return {
    ...data,
    // Between two turns of the alerts, or they would write back what they heard of the devices that are forgotten.
    forget: (input) => alerts.forgetting(() => data.forget(input)),
    tenants(input) {
      names.learn(input.tenants.flatMap(({ id, name }) => [id, name].map((each) => ({ kind: 'tenant', name: each }))))
      return data.tenants(input)
    },
  }
}

/** A window is there, and asks what it needs to draw itself. */
function asked({ marks }: Self): object {
  marks.mark('asked')
  return {}
}

/** Calls by which a person enters what the first rows may wait for. */
const entering: readonly string[] = ['connections.save', 'connections.import', 'proxies.save', 'keychain.unlock']

/** The same, noting when they are called. */
function noting<H extends Partial<Handlers>>({ marks }: Self, handlers: H): H {
  const noted = Object.entries(handlers).map(([name, handler]) => {
    const told = (input: never) => {
      marks.entered()
      return (handler as (input: never) => unknown)(input)
    }
    return [name, entering.includes(name) ? told : handler]
  })
  return Object.fromEntries(noted) as H
}

/** What stays as it is from the start to the end. */
function about(ports: Ports, { version, shell, demo, desktop = null, startOther = null, signOut }: CoreOptions) {
  const can = { startAtLogin: desktop?.startsAtLogin === true, startOther: startOther !== null, claimLinks: (desktop?.links ?? null) !== null, signOut: signOut !== undefined }
  return { version, shell, demo: demo !== null, can, settingsFile: join(ports.paths.profile, 'settings.json') }
}

const connected = (connections: Connections) => ({ connections: connections.states(), gauges: connections.gauges(), columns: connections.columns.state() })

/** Each answer moves a gauge, and a customer's has much to tell: forty of them are told together, as often as a person can read them. */
const gaugeMs = 500

/** What the estate amounts to, change by change; each goes to the alerts and to the window. */
function followEstate({ opened: { totals, rev } }: StartedData, alerts: Alerts, publisher: Publisher) {
  const estate = { totals, rev }
  const publish = (told: Change) => {
    const { transitions: _kept, ...change } = told
    alerts.heard(told)
    if (change.rev === change.base) return
    estate.totals = change.totals
    estate.rev = change.rev
    publisher.tell('patch', change)
  }
  return { estate, publish }
}

const whatIsHere = ({ data }: StartedData, { columns, states }: Connections): Here => ({
  columns: () => columns.state().map(({ name }) => name),
  connections: () => states().length,
  knows: async (scope) => (await data.counts({ scope })).counts !== null,
})

type InventoryCall = Extract<keyof Handlers, `inventory.${string}` | 'connections.counts'>

function inventoryHandlers({ data }: StartedData, { clock }: Ports, lookedAt: LookedAt, { marks }: Self): Pick<Handlers, InventoryCall> {
  return {
    async 'inventory.rows'(input) {
      const answer = await data.rows({ ...input, now: clock.now() })
      lookedAt.rows(answer.rows.map(({ key }) => key))
      if (answer.rows.length > 0) marks.mark('rows')
      return { ...answer, offset: input.offset }
    },
    'inventory.totals': (input) => data.totals({ ...input, now: clock.now() }),
    'inventory.values': (input) => data.values(input),
    'inventory.keys': (input) => data.keys({ ...input, now: clock.now() }),
    'inventory.hidden': (input) => data.hidden({ ...input, now: clock.now() }),
    'inventory.export': (input) => data.exportPart({ ...input, now: clock.now() }),
    'inventory.locate': (input) => data.locate({ ...input, now: clock.now() }),
    'inventory.counts': (input) => data.counts(input),
    'connections.counts': () => data.connectionCounts(),
    'inventory.tree': async (input) => ({ ...(await data.tree(input)), offset: input.offset }),
    'inventory.places': (input) => data.places(input),
    'inventory.device'(input) {
      lookedAt.device(input.key)
      return data.device(input)
    },
  }
}

const textHandlers = (deps: TextsDeps): Pick<Handlers, 'incidents.evidence' | 'handover.make'> => ({
  'incidents.evidence': async ({ id }) => ({ text: await incidentEvidence(deps, id) }),
  'handover.make': (input) => shiftHandover(deps, input),
})

type ConnectionCall = Exclude<Extract<keyof Handlers, `connections.${string}` | `sync.${string}` | `columns.${string}` | `cost.${string}`>, InventoryCall>

function connectionHandlers(connections: Connections, incidents: Incidents): Pick<Handlers, ConnectionCall> {
  return {
    'sync.cost': ({ scope }) => connections.refreshCost(scope),
    'sync.read': async ({ scope, status = false }) => {
      await (status ? connections.readStatus(scope) : connections.read(scope))
      return {}
    },
    'cost.estimate': async ({ connection, document, variables }) => connections.estimate(connection, document, variables),
    'columns.price': ({ name }) => connections.columns.price(name),
    'columns.switch': async ({ name, on }) => {
      await connections.columns.switch(name, on)
      return {}
    },
    'connections.save': async (input) => {
      const id = await connections.save(input)
      // Another address is another service: what was told of the former one has been forgotten.
      await incidents.reload()
      return { id }
    },
    'connections.show': async ({ id }) => ({ input: connections.show(id) }),
    'connections.test': async (input) => ({ legs: await connections.test(input) }),
    'connections.import': async (input) => {
      const imported = await connections.import(input)
      if (imported.stored > 0) await incidents.reload()
      return imported
    },
    'connections.export': async () => ({ text: connections.export() }),
    'connections.pause': async ({ id, paused }) => {
      await connections.pause(id, paused)
      return {}
    },
    'connections.remove': async ({ id }) => {
      await connections.remove(id)
      await incidents.reload()
      return {}
    },
    'connections.retry': async ({ id }) => {
      connections.retry(id)
      return {}
    },
  }
}

function openUpdates({ clock, log }: Ports, { updates: ground = { copy: null, off: { reason: 'web', detail: '' } } }: CoreOptions, settings: OperatorSettings, publisher: Publisher, names: Names, ways: LearnWays): Updates {
  let learned = ''
  const learn = () => {
    const { feed } = updates.state().by
    if (feed === learned) return
    learned = feed
    names.learn(hostIn(feed))
    ways([feed])
  }
  const onState = () => {
    learn()
    publisher.tellSoon('updates', () => updates.state())
  }
  const updates: Updates = startUpdates({ ground, settings, clock, log, random: Math.random, onState })
  learn()
  return updates
}

function updateHandlers(updates: Updates): Pick<Handlers, Extract<keyof Handlers, `updates.${string}`>> {
  const done = (does: () => void) => async () => {
    does()
    return {}
  }
  return { 'updates.check': done(updates.check), 'updates.download': done(updates.download), 'updates.apply': done(updates.apply) }
}

function operatorHandlers(
  settings: OperatorSettings, views: OperatorViews, alerts: Alerts, notices: Notices,
): Pick<Handlers, 'settings.change' | 'tellings.pause' | 'tellings.shown' | 'notices.dismiss' | `views.${'save' | 'remove'}`> {
  return {
    'notices.dismiss': async ({ id }) => {
      notices.take(id)
      return {}
    },
    'settings.change': async (changed) => {
      settings.change(changed)
      return {}
    },
    'tellings.pause': async ({ minutes }) => {
      await alerts.pause(minutes)
      return {}
    },
    'tellings.shown': async ({ id, at, shown }) => {
      await alerts.shown(id, at, shown)
      return {}
    },
    'views.save': async (view) => {
      await views.save(view)
      return {}
    },
    'views.remove': async ({ id }) => {
      await views.remove(id)
      return {}
    },
  }
}

/** What a service offers has changed since the last time. */
function sayDrift({ id, name }: { id: string; name: string }, detail: string, { findings }: Self, notices: Notices): void {
  findings.note(name, detail)
  notices.say(`drift ${id}`, 'info', { kind: 'schema-drift', detail: `${name}: ${detail}` })
}

/** The operator's settings; what cannot be read or kept of them is said. */
function openSettings({ settings: file, clock }: Ports, { demo }: CoreOptions, notices: Notices, publisher: Publisher): OperatorSettings {
  const settings = openOperatorSettings({ file, clock, usual: usualSettings(demo !== null), onUnwritten: (fault) => (fault === null ? notices.take('settings-unwritten') : notices.say('settings-unwritten', 'warning', fault)) })
  if (settings.unread.length > 0) notices.say('settings-usual', 'warning', { kind: 'settings-usual', detail: settings.unread.join(', ') })
  settings.onChange((now) => publisher.tell('settings', now))
  return settings
}

async function openTelling({ clock, log }: Ports, shell: CoreOptions['shell'], { data }: StartedData, settings: OperatorSettings, publisher: Publisher, { states: connections, clockAgrees }: { states: () => ConnectionState[]; clockAgrees: () => boolean }): Promise<Incidents> {
  const incidents = await openIncidents({
    data, clock, log, connections, clockAgrees, shell, settings: settings.get,
    paused: () => new Set(connections().flatMap(({ id, paused }) => (paused ? [id] : []))),
    onTell: (told) => publisher.tell('tell', told),
    onTellings: (tellings) => publisher.tell('tellings', tellings),
    onIncidents: (read) => publisher.tellSoon('incidents', read),
    onPolicies: (policies) => publisher.tell('policies', policies),
  })
  settings.onChange(incidents.alerts.recheck)
  return incidents
}

export type { DemoService }
