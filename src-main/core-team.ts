import { z } from 'zod'
import { repeat, wait, type Clock } from '../src-shared/lib/clock.ts'
import { toFault } from '../src-shared/model/fault.ts'
import { connectionRecord, type ConnectionRecord } from './connections/stored/record.ts'
import type { Actions } from './actions/actions.ts'
import type { Channels } from './channels/channels.ts'
import type { Connections } from './connections/connections.ts'
import type { Base } from './core-base.ts'
import type { Banners } from './ipc/banners.ts'
import type { InventoryData } from './inventory/thread/protocol.ts'
import type { OpenResult } from './inventory/thread/open-result.ts'
import type { Change } from './inventory/thread/change.ts'
import type { LoggedCall, LoggedResult } from './inventory/thread/log-protocol.ts'
import type { Incidents } from './incidents/open.ts'
import type { Ports } from './ports.ts'
import type { MemberSettings } from './settings/team-settings.ts'
import type { OperatorViews } from './settings/views.ts'
import { isLed, type CoreTeam } from './team/core-team.ts'
import { carryOutMark } from './team/marks.ts'
import { shareOwn } from './team/share-own.ts'
import { teamStateOf } from './team/handlers.ts'
import { throttled } from './team/throttled.ts'
import { listed } from './team/handovers.ts'
import type { Message } from './team/replica/replica.ts'

/** Tells the window of the team soon. */
export function sendTeam(base: Base, connections: Connections | null): void {
  if (base.team === null || connections === null) return
  const read = () => teamStateOf({ ports: base.own, joined: base.team, connections })
  base.publisher.sendSoon('team', read)
}

/** Tells the window of the team's shift handovers. */
export function sendHandovers({ team, thread, publisher, own }: Base): void {
  if (team === null) return
  void listed(thread.data).then(
    (all) => publisher.send('handovers', all),
    (error: unknown) => own.log('warn', `the handovers could not be read (${toFault(error).kind})`),
  )
}

/** Begins to take part in the team, where this Muster is in one. Returns what ends it. */
export function joinTeam(
  base: Base,
  parts: Pick<TeamParts, 'connections' | 'incidents' | 'channels' | 'actions' | 'views' | 'publish' | 'data'>,
): () => Promise<void> {
  const { team, own, ports, local, publisher, banners, settings } = base
  if (team === null) return async () => {}
  const onState = () => {
    sendTeam(base, parts.connections)
    publisher.sendSoon('connections', parts.connections.states)
    publisher.sendSoon('gauges', parts.connections.gauges)
  }
  const onHandovers = () => sendHandovers(base)
  const onOperations = () => publisher.sendSoon('operations', () => ({}))
  const events = { onState, onHandovers, onOperations }
  return startCoreTeam(team, { ...parts, given: own, clock: ports.clock, local, banners, settings, ...events })
}

interface TeamParts {
  given: Ports
  clock: Clock
  data: InventoryData
  local: InventoryData
  connections: Connections
  incidents: Incidents
  channels: Channels
  views: OperatorViews
  settings: MemberSettings
  actions: Pick<Actions, 'team'>
  publish: (change: Change) => void
  banners: Banners
  /** The window is told of the connections and the team. */
  onState: () => void
  /** The window is told of the shift handovers. */
  onHandovers: () => void
  /** The window is told that saved operations have changed. */
  onOperations: () => void
}

/** Interval of looks whether what others read is still told of, ms, after a new start of the data thread too; evaluated incidents are shown within `followMs`. */
const watchMs = 2000
/** Time before the next try to tell the team that this copy is open, ms. */
const greetAgainMs = 2000
const followMs = 50
/** Interval of looks whether anything is left of removed connections, ms. */
const leftMs = 30_000

/** Begins to take part in the team. Returns what ends it. */
function startCoreTeam(core: CoreTeam, parts: TeamParts): () => Promise<void> {
  const { team, seen, looking, expected, columns, questions } = core
  const { given, connections, incidents, channels, actions, onState, banners } = parts
  let isOnline = false
  const failed = (what: string) => (error: unknown) => given.log('warn', `${what} (${toFault(error).kind})`)
  core.connections = connections
  // A change that was carried out before this Muster ended may not be in its settings yet.
  void takeOver(parts).catch(failed('the team’s connections could not be read'))
  void settingsChanged(core, parts).catch(failed('the team’s settings could not be read'))
  const follow = throttled(given.clock, followMs, async () => {
    await incidents.runner.follow()
    await channels.team.followed()
  })
  team.start({
    onCall: (call, result) => carriedOut(core, parts, call, result, follow.soon),
    onMessage: (message, isOwn, role) => received(core, parts, message, { isOwn, role }),
    onReplaced(opened, isRewound) {
      if (isRewound) banners.show('team-rewound', 'warning', { kind: 'team-rewound', detail: '' })
      looking.forget()
      actions.team.replaced()
      // Who looks at what is told anew, which the greeting at the start asks for. What it has of others came before it.
      if (!team.state().isCatchingUp)
        void core.greet().then(actions.team.caughtUp, failed('the team could not be greeted'))
      void replaced(core, parts, opened).catch(failed('the team’s data could not be shown'))
    },
    onSet: (set, leads) =>
      void leadSet(core, parts, set, leads).catch(failed('a credential set could not be taken over')),
    onEvaluating(evaluates) {
      if (evaluates) void evaluateFromNow(parts).catch(failed('the incidents could not be taken over'))
    },
    // Messages are looked at with the incidents that they tell of.
    onChannel: () =>
      void incidents.runner
        .follow()
        .then(() => channels.team.leadChanged())
        .catch(failed('messages to channels could not be taken over')),
    onErased: actions.team.erased,
    onOpened: () => void opened(core, parts).catch(failed('the team could not be told of this Muster')),
    onState() {
      looking.teamChanged()
      const { is } = team.state().link
      if (is === 'online' && !isOnline) actions.team.reached()
      isOnline = is === 'online'
      onState()
    },
    onRefused(call, fault) {
      given.log('error', `what waited for the team’s database cannot be done (${call}: ${fault.kind})`)
      banners.show('team-refused', 'warning', fault)
    },
  })
  expected.start(failed('the team could not be told of expected reboots'))
  columns.start(failed('the team could not be told of extra columns'))
  questions.start(connections.team.answer, failed('another member could not be answered'))
  looking.start({ onChange: onState, onFault: failed('the team could not be told what is looked at') })
  const stopLooking = lookOften(core, parts, failed)
  const stopTelling = seen.tell(() => ledBy(core, connections), failed('the team could not be told of the connections'))
  const stop = async () => {
    stopLooking()
    stopTelling()
    for (const each of [follow, expected, columns, questions]) each.stop()
    await looking.end()
    await team.stop()
  }
  let stopped: Promise<void> | null = null
  return () => (stopped ??= stop())
}

/** Looks now and then what is to be shown, and whether anything is left of removed connections. Returns what ends that. */
function lookOften(core: CoreTeam, parts: TeamParts, failed: (what: string) => (error: unknown) => void): () => void {
  const { clock } = parts.given
  const show = () => void showSeen(core, parts).catch(failed('what the team sees could not be shown'))
  const erase = () => void eraseLeft(core, parts).catch(failed('what is left of a connection could not be erased'))
  const looks = [repeat(clock, watchMs, show), repeat(clock, leftMs, erase)]
  return () => {
    for (const stop of looks) stop()
  }
}

/** Returns the states and gauges of what this member leads. */
function ledBy(core: CoreTeam, connections: Connections) {
  const ids = connections.team.records().map(({ id }) => id)
  const led = new Set(ids.filter((id) => isLed(core, id)))
  // Asked each second: whoever only follows does no more.
  const channels = core.team.sending()
  if (led.size === 0) return { connections: [], gauges: [], channels }
  return {
    channels,
    connections: connections.states().filter(({ id }) => led.has(id)),
    gauges: connections.gauges().filter((gauge) => gauge.connections.some((id) => led.has(id))),
  }
}

/** A copy was opened: leaders tell what they tell only once, and this Muster's own settings and connections are shared where it was asked to. */
async function opened(
  core: CoreTeam,
  { given, connections, channels, settings, actions, onState }: TeamParts,
): Promise<void> {
  const { team } = core
  while (
    !(await core.greet().then(
      () => true,
      () => false,
    ))
  ) {
    if (team.isStopped()) return
    await wait(given.clock, greetAgainMs)
  }
  team.caughtUp()
  actions.team.caughtUp()
  // Before anybody else writes in this name.
  await team.data.claimName({ name: team.state().operator })
  onState()
  await channels.team.importAll()
  await shareOwn({ core, given, connections, channels, settings })
}

/** Shows what a call of another member has changed. */
function carriedOut(
  core: CoreTeam,
  parts: TeamParts,
  { call, input }: LoggedCall,
  result: LoggedResult,
  follow: () => void,
): void {
  const { incidents, channels, actions, views, publish, given, onHandovers, onOperations } = parts
  parts.connections.team.carriedOut(input)
  if (!result.ok) return
  const failed = (error: unknown) =>
    given.log('warn', `a change of the team could not be taken over (${call}: ${toFault(error).kind})`)
  channels.team.heard(call, input, result.value).catch(failed)
  const change = changeIn(result.value)
  if (change !== null) publish(change)
  actions.team.carriedOut({ call, input })
  if (call === 'shareConnection' || call === 'unshareConnection') connectionChanged(core, parts, call, input)
  if (call === 'saveAlerts') follow()
  if (call === 'savePolicies' || call === 'markUndone') void incidents.policies.reload().catch(() => {})
  if (call === 'saveView' || call === 'removeView') void views.reload().catch(() => {})
  if (call === 'saveSharedSettings') void settingsChanged(core, parts).catch(failed)
  if (call === 'saveOperations' || call === 'removeOperation') onOperations()
  if (call === 'saveNote' || call === 'tag' || call === 'setTags') incidents.runner.recheck()
  if (call === 'forget') void incidents.readAgain().catch(() => {})
  if (call === 'saveHandover' || call === 'acceptHandover' || call === 'forget') onHandovers()
}

/** Takes over a connection that another member added or changed, or removed. */
function connectionChanged(
  core: CoreTeam,
  { connections, given, data, publish, onState }: TeamParts,
  call: 'shareConnection' | 'unshareConnection',
  input: unknown,
): void {
  const failed = (error: unknown) =>
    given.log('warn', `a connection of the team could not be taken over (${toFault(error).kind})`)
  if (call === 'shareConnection') {
    const [record] = readable([input], given.log)
    if (record !== undefined) void connections.team.put(record).then(onState, failed)
    return
  }
  const { id } = z.object({ id: z.string() }).parse(input)
  const led = isLed(core, id)
  const forget = async () => {
    await connections.team.remove(id)
    // What the leader still wrote goes too.
    if (led) publish(await data.forget({ connection: id }))
  }
  void forget().then(onState, failed)
}

/** Erases what is left of removed connections: whoever has removed one may have ended before it erased the data. */
async function eraseLeft({ team }: CoreTeam, { local, data, incidents, publish }: TeamParts): Promise<void> {
  if (!team.evaluates()) return
  const listed = new Set(await local.connections())
  const left = (await local.removedConnections()).filter((id) => listed.has(id))
  for (const connection of left) publish(await data.forget({ connection }))
  if (left.length > 0) await incidents.readAgain()
}

/** Returns the connections that this version can read. */
function readable(stored: readonly unknown[], log: Ports['log']): ConnectionRecord[] {
  const records = stored.flatMap((one) => connectionRecord.safeParse(one).data ?? [])
  if (records.length < stored.length)
    log('warn', `${stored.length - records.length} connections of the team cannot be read`)
  return records
}

/** Takes over the settings that the team shares, of which the names of its extra columns are one. */
async function settingsChanged({ columns }: CoreTeam, { settings, connections }: TeamParts): Promise<void> {
  await Promise.all([settings.reload(), columns.reload()])
  connections.team.columnsChanged()
}

/** Takes over the team's connections as the copy has them. The secrets of those that the team has removed go, also after a kill. */
async function takeOver({ local, connections, given }: TeamParts): Promise<void> {
  for (const id of await local.removedConnections())
    await connections.team
      .remove(id)
      .catch((error: unknown) => given.log('warn', `a removed connection is still stored (${toFault(error).kind})`))
  await connections.team.replace(readable(await local.sharedConnections(), given.log))
}

/** Returns the change in a call's value; null where it has none. */
function changeIn(value: unknown): Change | null {
  if (typeof value !== 'object' || value === null) return null
  if ('change' in value) return changeIn(value.change)
  return 'base' in value && 'transitions' in value ? (value as Change) : null
}

function received(
  core: CoreTeam,
  parts: TeamParts,
  message: Message,
  { isOwn, role }: { isOwn: boolean; role: string },
): void {
  const { team, seen, looking, expected, columns } = core
  const { connections, given, incidents, onState } = parts
  const failed = (error: unknown) =>
    given.log('warn', `a change of the team could not be taken over (${toFault(error).kind})`)
  switch (message.is) {
    case 'status':
      if (message.member === team.member()) return
      seen.heard(message)
      void showSeen(core, parts).catch(failed)
      for (const { id, lastReadingAt, lastEventAt, heardAt } of message.connections)
        connections.team.heard(id, { lastReadingAt, lastEventAt, heardAt })
      return onState()
    case 'looking':
      looking.heard(message, role)
      return onState()
    case 'columns':
      columns.heard(message)
      return connections.team.columnsChanged()
    case 'reboots':
      expected.heard(message)
      return incidents.runner.expectReboots(expected.all())
    case 'hello':
      looking.greeted(message.member)
      expected.greeted()
      columns.greeted()
      return seen.greeted()
    case 'ask':
      if (message.what === 'refresh') {
        if (!isOwn) void connections.team.read(z.string().max(2048).catch('all').parse(message.input)).catch(failed)
      } else if (team.evaluates()) {
        const author = (claimed: string) => team.authorOf(role, claimed)
        void carryOutMark(team, incidents.runner, message.id, message.input, author)
      }
      return
    case 'question':
    case 'reply':
      return core.questions.heard(message)
    case 'refused':
  }
}

/** This member turns transitions into incidents from now on, and plans what is told of them. */
async function evaluateFromNow({ incidents, channels }: TeamParts): Promise<void> {
  await Promise.all([incidents.readAgain(), channels.team.reload()])
}

/** Everything was replaced by a snapshot: the window begins anew. */
async function replaced(core: CoreTeam, parts: TeamParts, { rev, totals }: OpenResult): Promise<void> {
  const { publish, incidents, channels, views, onState, onHandovers, onOperations } = parts
  publish({ base: -1, rev, totals, devices: [], many: true, structure: true, transitions: [] })
  await takeOver(parts)
  await settingsChanged(core, parts)
  await views.reload()
  onOperations()
  await incidents.readAgain()
  await channels.team.reload()
  onHandovers()
  onState()
}

/**
 * Begins or ends to read a credential set. What the former leader saw is unknown until it was compared; what this member
 * saw is unknown here until the next leader tells of it.
 */
async function leadSet(core: CoreTeam, parts: TeamParts, set: string, leads: boolean): Promise<void> {
  const { team, seen, taken } = core
  const { connections, data, clock, publish } = parts
  if (!leads) taken.delete(set)
  else {
    for (const { id: connection } of connections.team.records()) {
      const service = connections.team.serviceOf(connection)
      if (service === null || !connections.team.setsOf({ connection }).includes(set)) continue
      const before = { service, connection, tenants: null, visible: false, confirmedAt: seen.lastHeardAt(connection) }
      publish(await data.visibility({ ...before, at: clock.now() }))
    }
    if (team.leads(set)) taken.add(set)
  }
  if (leads === team.leads(set)) await connections.team.leadChanged(set)
  await showSeen(core, parts)
}

/** Shows the devices of what this member reads, or whose leader tells of it. All others are unknown here. */
async function showSeen(core: CoreTeam, { connections, local, publish, onState }: TeamParts): Promise<void> {
  const { team, seen, taken } = core
  const isRead = (connection: string) =>
    connections.team.setsOf({ connection }).some((set) => taken.has(set) && team.leads(set))
  const ids = connections.team.records().map(({ id }) => id)
  const shown = ids.filter((id) => isRead(id) || seen.seen(id) !== null)
  const isChanged = shown.join(' ') !== core.shown.join(' ')
  core.shown = shown
  publish(await local.show({ connections: shown }))
  if (isChanged) onState()
}
