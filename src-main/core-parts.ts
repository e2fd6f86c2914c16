import { setFlagsFromString } from 'node:v8'
import type { EventData, EventName, Handlers } from '../src-shared/contract/contract.ts'
import { FaultError, proxyKinds } from '../src-shared/model/fault.ts'
import type { ConnectionState } from '../src-shared/model/connection.ts'
import type { Notifications } from '../src-shared/model/inventory.ts'
import type { ExpectedReboot } from '../src-shared/model/jobs.ts'
import { powerCall, startActions } from './actions/start.ts'
import { followSpares } from './incidents/service/long-standing.ts'
import { openOwnPause } from './incidents/own-pause.ts'
import { openIncidents, policyReader, type Incidents } from './incidents/open.ts'
import type { IncidentRunner } from './incidents/runner.ts'
import { createNotifier } from './notifications/notify.ts'
import { openChannels, type Channels } from './channels/channels.ts'
import { openConnections, type Connections } from './connections/connections.ts'
import type { ConnectionRecord } from './connections/stored/record.ts'
import type { InventoryData } from './inventory/thread/protocol.ts'
import type { OpenResult } from './inventory/thread/open-result.ts'
import type { Change } from './inventory/thread/change.ts'
import { createFeedNames, learnRecord, type Names } from './support/names/names.ts'
import { learningData } from './support/names/learning-data.ts'
import { openDesktopCalls } from './ipc/desktop.ts'
import { followFleet } from './ipc/fleet.ts'
import { createViewport } from './ipc/viewport.ts'
import { openAvailabilityReports } from './reports/availability.ts'
import { notifyAll } from './notifications/notify.ts'
import { openOccupancy, type Occupancy } from './occupancy/occupancy.ts'
import { startMadeUpPast } from './demo/made-up-past.ts'
import { type Banners } from './ipc/banners.ts'
import { followEnvironment } from './ipc/environment.ts'
import { reportDrift, reportOrphanedSecrets, reportUnreadable } from './ipc/startup-banners.ts'
import type { Ports } from './ports.ts'
import { joinTeam, sendTeam } from './core-team.ts'
import { sharedBy } from './team/core-team.ts'
import { markElsewhere } from './team/marks.ts'
import { startQueries } from './query/start.ts'
import { openViews, type OperatorViews } from './settings/views.ts'
import { startUpdates, type Updates } from './updates/updates.ts'
import { openBase, type Base, type CoreOptions } from './core-base.ts'
import { handlersOf, type Running } from './core-handlers.ts'

/** The running parts of a core, from a start to the next one. */
export interface CoreParts {
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

/**
 * The composition root: starts all parts in order; `stop` goes the other way. `restart` stops them and starts others, with
 * the settings as they are then.
 */
export async function startParts(given: Ports, options: CoreOptions, restart: () => Promise<void>): Promise<CoreParts> {
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
  const channels = await openBaseChannels(base)
  const incidents = await openIncidentService(base, options.shell, {
    channels,
    states: () => running?.states() ?? [],
    clockAgrees: () => running?.snapshot.clockAgrees() ?? false,
  })
  await channels.importList(options.channels?.list ?? [], options.channels?.isTrusted ?? false)
  channels.start(incidents.runner)
  const data = observedData(thread.data, incidents.runner, channels, names)
  const actions = await startActions(base, options, {
    data,
    connections: () => running,
    expectReboots: (all) => incidents.runner.expectReboots(expectedBy(base, all)),
  })
  const published = followFleet(thread, [incidents.runner, policyReader(incidents), actions], publisher)
  const occupancy = startOccupancy(base, data, () => running)
  const viewport = createViewport()
  const connections = await openConnections({
    ...connectionEvents(base, options, () => running, { actions, incidents, occupancy }),
    ports,
    data,
    demo: options.demo,
    random: Math.random,
    publish: published.publish,
    preferences: settings,
    urgentKeys: () => [...settings.get().watched, ...viewport.keys()],
    ...(base.team !== null && { shared: sharedBy(base.team) }),
  })
  running = connections
  const updates = openUpdates(base, options)
  const read = () => Promise.all([notifySpares(), channels.whileErasing(incidents.reload), connections.recovered()])
  base.onRecover((reopened) => readAnew(reopened, ports, banners, published.publish, read))
  reportUnreadable(connections.unreadable, banners)
  const queries = startQueries(base, connections, actions)
  const availability = openAvailabilityReports(base, incidents.policies)
  const desktop = openDesktopCalls(options.desktop ?? null, options.startOther ?? null, ports.clock)
  self.marks.mark('ready')
  const parts = { incidents, data, connections, updates, desktop, actions, queries, availability, occupancy, channels }
  const stopTeam = joinTeam(base, { ...parts, views, publish: published.publish })
  return {
    handlers: handlersOf(base, options, { ...parts, views, published, viewport, restart }),
    on: publisher.on,
    power: powerCall(actions, connections),
    async stop() {
      base.stopping.abort(new FaultError('stopped'))
      // What cannot be written any more is not waited for.
      if (base.team?.team.state().link.is !== 'online') await stopTeam()
      await stopParts(base, parts)
      await stopTeam()
      stopFollowing()
      await thread.stop()
    },
  }
}

/** Tells a team of the reboots that this Muster awaits, and returns those of all members. */
function expectedBy({ team }: Base, own: readonly ExpectedReboot[]): readonly ExpectedReboot[] {
  if (team === null) return own
  team.expected.own(own)
  return team.expected.all()
}

type Stopped =
  | 'incidents'
  | 'connections'
  | 'actions'
  | 'desktop'
  | 'updates'
  | 'queries'
  | 'availability'
  | 'occupancy'
  | 'channels'

async function stopParts(
  { self, publisher, settings, visits, stopFilling, stopLearning }: Base,
  {
    incidents,
    connections,
    actions,
    desktop,
    updates,
    queries,
    availability,
    occupancy,
    channels,
  }: Pick<Running, Stopped>,
): Promise<void> {
  publisher.stop()
  availability.stop()
  occupancy.stop()
  await Promise.all([desktop.stop(), updates.stop(), queries.stop()])
  // First, so that nothing is sent any more; answers that are on their way come in.
  await actions.stop()
  self.stop()
  visits.stop()
  stopFilling()
  // First, so that connections that stop are not reported as incidents.
  await incidents.stop()
  await channels.stop()
  await connections.stop()
  settings.stop()
  stopLearning()
}

function startOccupancy({ ports, settings }: Base, data: InventoryData, running: () => Connections | null): Occupancy {
  const occupancy = openOccupancy({
    data,
    ...ports,
    isOn: () => settings.get().occupancy,
    sources: () => running()?.peopleSources() ?? [],
  })
  settings.onChange(occupancy.changed)
  return occupancy
}

/** Returns the listeners that pass the connections' events to the window and to the names. */
function connectionEvents(
  base: Base,
  { demo }: CoreOptions,
  running: () => Connections | null,
  { actions, incidents, occupancy }: Pick<Running, 'actions' | 'incidents' | 'occupancy'>,
) {
  const { publisher, names, learnProxiesFor, self, banners, ports } = base
  const { data } = base.thread
  const makeUpPast = startMadeUpPast({ isDemo: demo !== null, data, ...ports, incidents, notify: notifyAll })
  return {
    onState() {
      sendTeam(base, running())
      publisher.sendSoon('connections', () => running()?.states() ?? [])
      makeUpPast(running()?.states() ?? [])
      occupancy.changed()
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
function observedData(data: InventoryData, incidents: IncidentRunner, channels: Channels, names: Names): InventoryData {
  return {
    ...data,
    // Between two turns of the incidents, which would otherwise write erased devices again.
    forget: (input) => channels.whileErasing(() => incidents.whileErasing(() => data.forget(input))),
    ...learningData(data, names),
  }
}

/** Interval of the gauges' updates, ms: each answer changes one, and forty are sent together. */
const gaugeMs = 500

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
  { ports, thread: { data }, settings, publisher, team }: Base,
  shell: CoreOptions['shell'],
  {
    channels,
    states: connections,
    clockAgrees,
  }: { channels: Channels; states: () => ConnectionState[]; clockAgrees: () => boolean },
): Promise<Incidents> {
  const { clock, log } = ports
  const send = (all: Notifications) => publisher.send('notifications', own?.of(all) ?? all)
  const own = team === null ? null : openOwnPause(clock, ports.settings, () => send(incidents.runner.notifications()))
  const incidents: Incidents = await openIncidents({
    data: team === null ? data : { ...data, saveAlerts: toldTo(channels, data) },
    clock,
    log,
    connections,
    clockAgrees,
    notifier: createNotifier(shell),
    channels: channels.deliveries,
    settings: settings.get,
    paused: () => new Set(connections().flatMap(({ id, paused }) => (paused ? [id] : []))),
    onNotification: (notification) => {
      if (own?.isOn() !== true) publisher.send('notification', notification)
    },
    onNotifications: send,
    onIncidents: (read) => publisher.sendSoon('incidents', read),
    onDelays: (read) => publisher.sendSoon('delays', read),
    onPolicies: (policies) => publisher.send('policies', policies),
    ...(team !== null && {
      team: {
        evaluates: team.team.evaluates,
        mark: markElsewhere(team.team),
        operator: team.team.state().operator,
        operators: () => team.team.state().members.map(({ operator }) => operator),
      },
    }),
  })
  settings.onChange(incidents.runner.recheck)
  if (own === null) return incidents
  const runner = own.around(incidents.runner)
  return {
    ...incidents,
    runner,
    state: () => ({ ...incidents.state(), notifications: runner.notifications() }),
    async stop() {
      own.stop()
      await incidents.stop()
    },
  }
}

function openBaseChannels({ thread: { data }, ports, banners, team: joined }: Base): Promise<Channels> {
  const options = { data, ports, banners, random: Math.random }
  if (joined === null) return openChannels({ ...options, team: null })
  const { team, seen } = joined
  return openChannels({
    ...options,
    team: { sends: team.sends, canSend: team.canSend, senderOf: seen.senderOf },
  })
}

/** Returns what writes incidents, and tells the channels what was written. */
const toldTo =
  ({ team }: Channels, data: InventoryData): InventoryData['saveAlerts'] =>
  async (input) => {
    const saved = await data.saveAlerts(input)
    team.written(input)
    return saved
  }
