import { setFlagsFromString } from 'node:v8'
import type { EventData, EventName, Handlers } from '../src-shared/contract/contract.ts'
import { proxyKinds } from '../src-shared/model/fault.ts'
import type { ConnectionState } from '../src-shared/model/connection.ts'
import type { Actions } from './actions/actions.ts'
import { powerCall, startActions } from './actions/start.ts'
import { ringLog } from './reports/log-ring.ts'
import { followSpares } from './incidents/service/long-standing.ts'
import { incidentHandlers, openIncidents, type Incidents } from './incidents/open.ts'
import type { IncidentRunner } from './incidents/runner.ts'
import { createNotifier } from './notifications/notify.ts'
import { reportHandlers } from './reports/reports.ts'
import { openConnections, type Connections, type DemoService } from './connections/connections.ts'
import { connectionHandlers } from './connections/handlers.ts'
import type { ConnectionRecord } from './connections/stored/record.ts'
import { startData } from './inventory/thread/client.ts'
import type { Change, InventoryData, OpenResult } from './inventory/thread/protocol.ts'
import {
  createFeedNames,
  createNames,
  createProxyNames,
  learnProxies,
  learnRecord,
  type Names,
} from './support/names/names.ts'
import { learningData } from './support/names/learning-data.ts'
import { diagnosticsHandlers } from './support/handlers.ts'
import { startSelf } from './support/self.ts'
import { timeCalls } from './support/startup-times.ts'
import { openDesktopCalls, type DesktopAbilities, type StartOther } from './ipc/desktop.ts'
import { inventoryHandlers } from './ipc/inventory.ts'
import { appStateHandlers } from './ipc/app-state.ts'
import { linkHandlers, linkTargets } from './ipc/links.ts'
import { followFleet, type Fleet } from './ipc/fleet.ts'
import { createViewport, type Viewport } from './ipc/viewport.ts'
import { type AvailabilityReports, openAvailabilityReports } from './reports/availability.ts'
import { changesHandlers } from './changes/changes.ts'
import { openVisits } from './changes/visits.ts'
import { startMadeUpPast } from './demo/made-up-past.ts'
import { createBanners, type Banners } from './ipc/banners.ts'
import { operatorHandlers } from './ipc/operator.ts'
import { followEnvironment, environmentHandlers, signOutHandlers } from './ipc/environment.ts'
import { createPublisher } from './ipc/publish.ts'
import { reportDrift, reportStartup, reportOrphanedSecrets, reportUnreadable } from './ipc/startup-banners.ts'
import type { Ports } from './ports.ts'
import { startDayFilling } from './overview/day-filling.ts'
import { overviewHandlers } from './overview/overview.ts'
import type { Queries } from './query/queries.ts'
import { startQueries } from './query/start.ts'
import { openSettings } from './settings/start.ts'
import { openViews, type OperatorViews } from './settings/views.ts'
import type { UpdateEnvironment } from './updates/ports.ts'
import { startUpdates, updateHandlers, type Updates } from './updates/updates.ts'

export interface CoreOptions {
  shell: 'web' | 'electron'
  /** True when the page runs in Chromium's sandbox; left out in a browser. */
  sandbox?: boolean
  version: string
  /** The demo's reference service; null for real connections. */
  demo: DemoService | null
  /** Null in a browser. */
  desktop?: DesktopAbilities | null
  /** Ends the sessions of all windows, where windows sign in. */
  signOut?: () => void
  /** Starts the demo beside one's own connections, or the other way; missing where nothing can. */
  startOther?: StartOther | null
  /** True where `power` is told of a locked screen. */
  lockEvents?: boolean
  /** True where the policy file switches actions off. */
  actionsOff?: boolean
  /** How this copy of Muster is updated; left out in a browser. */
  updates?: UpdateEnvironment
}

/** The console without a shell: a handler for every call of the contract, and its events. */
export interface Core {
  handlers: Handlers
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
  /**
   * Reports that the computer goes to sleep or its screen is locked, or that it is woken or unlocked. Without it, a
   * comparison of two clocks detects sleep.
   */
  power(word: 'sleeps' | 'wakes' | 'locks' | 'unlocks'): void
  stop(): Promise<void>
}

/**
 * Growth of a heap beyond its live size before it is collected, per cent, for both threads. V8's default is up to four
 * times where a machine has much memory: hundreds of megabytes of garbage under a burst of events.
 */
const growingPercent = 50

/** The composition root: starts all parts in order; `stop` goes the other way. */
export async function startCore(given: Ports, options: CoreOptions): Promise<Core> {
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`)
  const base = await openBase(given, options)
  const { ports, self, thread, names, publisher, banners, settings } = base
  const notifySpares = followSpares(thread.data, settings)
  // Null while they are opened: the first ones already report then, and no window listens yet.
  let running: Connections | null = null
  const stopFollowing = followEnvironment(ports, options.demo !== null, {
    banners,
    publisher,
    onAnswer: () => proxyKinds.forEach((kind) => running?.retryAfter(kind)),
  })
  const views = await openSavedViews(base)
  const incidents = await openIncidentService(base, options.shell, {
    states: () => running?.states() ?? [],
    clockAgrees: () => running?.snapshot.clockAgrees() ?? false,
  })
  const data = observedData(thread.data, incidents.runner, names)
  const actions = await startActions(base, options, {
    data,
    connections: () => running,
    expectReboots: incidents.runner.expectReboots,
  })
  const { fleet, publish } = followFleet(thread, [incidents.runner, policiesOf(incidents), actions], publisher)
  const viewport = createViewport()
  const connections = await openConnections({
    ...connectionEvents(base, options, () => running, actions),
    ports,
    data,
    demo: options.demo,
    random: Math.random,
    publish,
    preferences: settings,
    urgentKeys: () => [...settings.get().watched, ...viewport.keys()],
  })
  running = connections
  const updates = openUpdates(base, options)
  base.onRecover((reopened) =>
    readAnew(reopened, ports, banners, publish, () =>
      Promise.all([notifySpares(), incidents.reload(), connections.recovered()]),
    ),
  )
  reportUnreadable(connections.unreadable, banners)
  const queries = startQueries(base, connections, actions)
  const availability = openAvailabilityReports(base, incidents.policies)
  const desktop = openDesktopCalls(options.desktop ?? null, options.startOther ?? null, ports.clock)
  self.marks.mark('ready')
  return {
    handlers: handlersOf(base, options, {
      views,
      incidents,
      fleet,
      data,
      viewport,
      connections,
      updates,
      desktop,
      actions,
      queries,
      availability,
    }),
    on: publisher.on,
    power: powerCall(actions, connections),
    async stop() {
      await stopParts(base, { incidents, connections, actions, desktop, updates, queries, availability })
      stopFollowing()
      await thread.stop()
    },
  }
}

type Stopped = 'incidents' | 'connections' | 'actions' | 'desktop' | 'updates' | 'queries' | 'availability'

async function stopParts(
  { self, publisher, settings, visits, stopFilling, stopLearning }: Base,
  { incidents, connections, actions, desktop, updates, queries, availability }: Pick<Running, Stopped>,
): Promise<void> {
  publisher.stop()
  availability.stop()
  await Promise.all([desktop.stop(), updates.stop(), queries.stop()])
  // First, so that nothing is sent any more; answers that are on their way come in.
  await actions.stop()
  self.stop()
  visits.stop()
  stopFilling()
  // First, so that connections that stop are not reported as incidents.
  await incidents.stop()
  await connections.stop()
  settings.stop()
  stopLearning()
}

interface Running {
  views: OperatorViews
  incidents: Incidents
  fleet: Fleet
  data: InventoryData
  viewport: Viewport
  connections: Connections
  updates: Updates
  desktop: ReturnType<typeof openDesktopCalls>
  actions: Actions
  queries: Queries
  availability: AvailabilityReports
}

/** Returns the handlers of every call of the contract; each room brings its own. */
function handlersOf(
  { self, names, ring, ports, thread, banners, settings, visits }: Base,
  options: CoreOptions,
  { views, incidents, fleet, data, viewport, connections, updates, desktop, actions, queries, availability }: Running,
): Handlers {
  return {
    ...inventoryHandlers({ data: thread.data, clock: ports.clock, viewport, marks: self.marks }),
    ...timeCalls(self.marks, connectionHandlers(connections, thread.data, incidents.reload)),
    ...operatorHandlers(settings, views, incidents.runner, banners),
    ...timeCalls(self.marks, environmentHandlers(ports)),
    ...signOutHandlers(options),
    ...linkHandlers(banners, linkTargets(thread.data, connections)),
    ...desktop.handlers,
    ...updateHandlers(updates),
    ...actions.handlers,
    ...queries.handlers,
    ...overviewHandlers({ data: thread.data, settings: settings.get, clock: ports.clock }),
    ...changesHandlers({ data: thread.data, settings: settings.get, clock: ports.clock, visits }),
    ...incidentHandlers(incidents, thread.data, ports.clock),
    ...availability.handlers,
    ...reportHandlers({
      ...incidents,
      data: thread.data,
      lines: ring.lines,
      connections: connections.states,
      totals: () => fleet.totals,
      utc: () => settings.get().times === 'utc',
      clock: ports.clock,
      version: options.version,
    }),
    ...diagnosticsHandlers({
      ports,
      about: options,
      self,
      names,
      data,
      snapshot: connections.snapshot,
      updates: updates.state,
      lines: ring.lines,
      settings: settings.get,
      states: connections.states,
    }),
    ...appStateHandlers({
      ports,
      options,
      marks: self.marks,
      fleet,
      connections,
      incidents,
      banners,
      settings,
      views,
      updates,
    }),
  }
}

type Recover = (reopened: Promise<OpenResult> | null) => void
type Base = Awaited<ReturnType<typeof openBase>>

/** Opens the base of everything else: the data thread, and the banners of the start. */
async function openBase(given: Ports, options: CoreOptions) {
  const self = startSelf(given.clock)
  const names = createNames()
  const ring = ringLog(names.marking(given.log), given.clock)
  const ports: Ports = { ...given, log: ring.log }
  const publisher = createPublisher(ports.clock)
  // Before all parts exist nothing can be recovered: the start itself fails and reports it.
  let recover: Recover = () => {}
  const thread = await startData({
    profile: ports.paths.profile,
    thread: ports.paths.dataThread,
    onDied: (reopened) => recover(reopened),
  })
  self.marks.mark('files')
  const banners = createBanners(ports.clock, publisher)
  reportStartup(ports, thread, options.demo !== null, banners)
  const settings = openSettings(ports, options.demo !== null, banners, publisher)
  return {
    self,
    names,
    ring,
    ports,
    publisher,
    thread,
    banners,
    settings,
    visits: openVisits(ports),
    stopFilling: startDayFilling({ data: thread.data, ...ports }),
    learnProxiesFor: createProxyNames(names, ports.network),
    stopLearning: learnProxies(names, ports.proxies),
    onRecover(next: Recover) {
      recover = next
    },
  }
}

/** Returns the listeners that pass the connections' events to the window and to the names. */
function connectionEvents(
  { publisher, names, learnProxiesFor, self, banners, thread: { data }, ports }: Base,
  { demo }: CoreOptions,
  running: () => Connections | null,
  actions: Actions,
) {
  const makeUpPast = startMadeUpPast({ isDemo: demo !== null, data, ...ports })
  return {
    onState() {
      publisher.sendSoon('connections', () => running()?.states() ?? [])
      makeUpPast(running()?.states() ?? [])
      actions.changed()
    },
    onTimeLost: actions.sleep,
    onGauge: () => publisher.sendSoon('gauges', () => running()?.gauges() ?? [], gaugeMs),
    onColumns: () => publisher.sendSoon('columns', () => running()?.columns.state() ?? []),
    onDrift: (connection: { id: string; name: string }, detail: string) =>
      reportDrift(connection, detail, self, banners),
    onRecord: (record: ConnectionRecord) => learnRecord(names, learnProxiesFor, record),
    onOrphanedSecrets: (count: number) => reportOrphanedSecrets(count, banners),
  }
}

/** Handles the death of the data thread: a second one has opened its files, and everything is shown and synced anew. */
function readAnew(
  reopened: Promise<OpenResult> | null,
  { log }: Ports,
  banners: Banners,
  publish: (change: Change) => void,
  read: () => Promise<unknown>,
): void {
  log('error', 'the data thread died')
  banners.show('internal', 'error', { kind: 'internal', detail: 'the data thread ended' })
  reopened
    ?.then(({ rev, totals }) => {
      publish({ base: -1, rev, totals, devices: [], many: true, structure: true, transitions: [] })
      return read()
    })
    .catch(() => log('error', 'the data thread could not be started again'))
}

/** Returns the data thread's calls for the connections: incidents and names learn from them first. */
function observedData(data: InventoryData, incidents: IncidentRunner, names: Names): InventoryData {
  return {
    ...data,
    // Between two turns of the incidents, which would otherwise write erased devices again.
    forget: (input) => incidents.whileErasing(() => data.forget(input)),
    ...learningData(data, names),
  }
}

/** Interval of the gauges' updates, ms: each answer changes one, and forty are sent together. */
const gaugeMs = 500

/** Returns what reads the places of policies again when places come, go or move. */
const policiesOf = ({ policies }: Incidents) => ({
  applyChange({ structure }: Change) {
    if (structure) void policies.placesChanged()
  },
})

const openSavedViews = ({ thread: { data }, ports: { log }, publisher }: Base): Promise<OperatorViews> =>
  openViews({ data, log, onChange: (all) => publisher.send('views', all) })

function openUpdates(
  { ports: { clock, log }, settings, publisher, names, learnProxiesFor }: Base,
  { updates: environment = { copy: null, off: { reason: 'web', detail: '' } } }: CoreOptions,
): Updates {
  const learn = createFeedNames(names, learnProxiesFor)
  const onState = () => {
    learn(updates.state().by.feed)
    publisher.sendSoon('updates', () => updates.state())
  }
  const updates: Updates = startUpdates({ environment, settings, clock, log, random: Math.random, onState })
  learn(updates.state().by.feed)
  return updates
}

async function openIncidentService(
  { ports: { clock, log }, thread: { data }, settings, publisher }: Base,
  shell: CoreOptions['shell'],
  { states: connections, clockAgrees }: { states: () => ConnectionState[]; clockAgrees: () => boolean },
): Promise<Incidents> {
  const incidents = await openIncidents({
    data,
    clock,
    log,
    connections,
    clockAgrees,
    notifier: createNotifier(shell),
    settings: settings.get,
    paused: () => new Set(connections().flatMap(({ id, paused }) => (paused ? [id] : []))),
    onNotification: (notification) => publisher.send('notification', notification),
    onNotifications: (all) => publisher.send('notifications', all),
    onIncidents: (read) => publisher.sendSoon('incidents', read),
    onDelays: (read) => publisher.sendSoon('delays', read),
    onPolicies: (policies) => publisher.send('policies', policies),
  })
  settings.onChange(incidents.runner.recheck)
  return incidents
}
