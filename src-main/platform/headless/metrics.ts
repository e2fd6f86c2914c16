import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { CallOutput, Handlers } from '../../../src-shared/contract/contract.ts'
import type { TeamState } from '../../../src-shared/model/team.ts'
import type { Gauge as Points } from '../../../src-shared/model/gauge.ts'

/** What the metrics are read from: calls of the core, as a window makes them. */
export type MetricsSource = Pick<Handlers, 'app.state' | 'inventory.tree' | 'channels.read' | 'team.read'>

export interface Metrics {
  contentType: string
  /** Returns all metrics in Prometheus' text format, as they are now; while a reading goes on, what that comes to. */
  read(): Promise<string>
}

type State = CallOutput<'app.state'>

/** Metrics of the fleet as Muster knows it, and of its own process. Names of tenants and connections are labels; no secret is. */
export function openMetrics(core: MetricsSource, version: string): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'muster_' })
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name: `muster_${name}`, help, labelNames: [...labelNames], registers: [registry] })
  const info = gauge('info', 'The version of Muster.', ['version'])
  const devices = gauge('devices', 'Devices by tenant and status.', ['tenant', 'status'])
  const incidents = gauge('incidents_open', 'Open incidents that are neither acknowledged, snoozed nor suppressed.', [
    'severity',
  ])
  const handled = gauge('incidents_handled', 'Open incidents that are acknowledged, snoozed or suppressed.', ['how'])
  const up = gauge('connection_live', 'Whether the live stream of a connection is confirmed.', ['connection'])
  const faults = gauge('connection_faults', 'Faults of a connection now.', ['connection'])
  const lastSync = gauge('connection_last_sync_seconds', 'When a connection was last read completely (Unix time).', [
    'connection',
  ])
  const lastEvent = gauge('connection_last_event_seconds', 'When the last event of a connection came (Unix time).', [
    'connection',
  ])
  const left = gauge('points_left', 'Points that are left of the rate window, by credential set.', ['connections'])
  const limit = gauge('points_limit', 'Points of a rate window, by credential set.', ['connections'])
  const rejections = new Counter({
    name: 'muster_points_rejections_total',
    help: 'Operations that the service rejected for lack of points since Muster started.',
    labelNames: ['connections'],
    registers: [registry],
  })
  const setConnections = ({ connections, gauges }: State) => {
    for (const metric of [up, faults, lastSync, lastEvent, left, limit]) metric.reset()
    for (const { name: connection, link, faults: own, lastReadingAt, lastEventAt } of connections) {
      up.set({ connection }, Number(link.state === 'live'))
      faults.set({ connection }, own.length)
      if (lastReadingAt !== null) lastSync.set({ connection }, lastReadingAt / 1000)
      if (lastEventAt !== null) lastEvent.set({ connection }, lastEventAt / 1000)
    }
    rejections.reset()
    for (const points of gauges) setPoints(points)
  }
  const setPoints = ({ name, remaining, limit: whole, known, rejections: { count } }: Points) => {
    const labels = { connections: name }
    rejections.inc(labels, count)
    // A guess is no measurement.
    if (!known) return
    left.set(labels, remaining)
    limit.set(labels, whole)
  }
  info.set({ version }, 1)
  const setDeliveries = deliveryMetrics(registry)
  const setTeam = teamMetrics(registry)
  // Two at once would reset each other's values. Who asks meanwhile gets the same, so that none wait behind one that hangs.
  let reading: Promise<string> | null = null
  const read = async () => {
    const [state, tenants] = await Promise.all([core['app.state']({}), tenantsOf(core)])
    setDeliveries((await core['channels.read']({})).channels)
    setTeam((await core['team.read']({})).joined)
    devices.reset()
    for (const { name, counts } of tenants)
      for (const [status, count] of Object.entries(counts)) devices.inc({ tenant: name, status }, count)
    const { open, acknowledged, snoozed, suppressed } = state.incidents
    for (const [severity, count] of Object.entries(open)) incidents.set({ severity }, count)
    for (const [how, count] of Object.entries({ acknowledged, snoozed, suppressed })) handled.set({ how }, count)
    setConnections(state)
    return registry.metrics()
  }
  const ended = () => void (reading = null)
  return { contentType: registry.contentType, read: () => (reading ??= read().finally(ended)) }
}

/** Returns what sets the metrics of messages to channels. Two channels of one name are added up. */
function deliveryMetrics(registry: Registry): (channels: CallOutput<'channels.read'>['channels']) => void {
  const deliveries = new Gauge({
    name: 'muster_channel_messages',
    help: 'Messages to a channel that wait or have failed.',
    labelNames: ['channel', 'state'],
    registers: [registry],
  })
  return (channels) => {
    deliveries.reset()
    for (const { channel, waiting, failed } of channels)
      for (const [state, count] of Object.entries({ waiting, failed }))
        deliveries.inc({ channel: channel.name, state }, count)
  }
}

/** Returns what sets the metrics of a team. A Muster on its own has none. */
function teamMetrics(registry: Registry): (joined: TeamState['joined']) => void {
  const gauge = (name: string, help: string) => new Gauge({ name: `muster_team_${name}`, help, registers: [registry] })
  const online = gauge('online', 'Whether the team’s database is reached.')
  const members = gauge('members', 'Members of the team that are there.')
  const leads = gauge('credential_sets_led', 'Credential sets that this Muster reads for the team.')
  const evaluates = gauge('evaluates', 'Whether this Muster keeps the team’s incidents.')
  const lag = gauge(
    'log_lag_seconds',
    'Age of the oldest row of the team’s log that was read and not carried out; 0: none.',
  )
  const takeovers = new Counter({
    name: 'muster_team_takeovers_total',
    help: 'Leases that this Muster has taken over from other members since it began to take part.',
    registers: [registry],
  })
  const all = [online, members, leads, evaluates, lag, takeovers]
  return (joined) => {
    // Without a value they are not told at all.
    for (const metric of all) metric.remove()
    if (joined === null) return
    online.set(Number(joined.link.is === 'online'))
    members.set(joined.members.filter(({ isHere }) => isHere).length)
    leads.set(joined.leads.filter(({ leader }) => leader?.isSelf === true).length)
    evaluates.set(Number(joined.evaluator?.isSelf === true))
    lag.set(joined.lagMs / 1000)
    takeovers.inc(joined.takeovers)
  }
}

/** Lines of the tree that are read at a time. */
const pageLines = 500

/** Returns the tenants with their counts: below the regions, which are opened. Two of one name are added up. */
async function tenantsOf(core: Pick<MetricsSource, 'inventory.tree'>) {
  const page = (expanded: string[], offset: number) =>
    core['inventory.tree']({ expanded, offset, limit: pageLines, reveal: null })
  const regions = (await page([], 0)).rows.map(({ id }) => id)
  const tenants: Awaited<ReturnType<typeof page>>['rows'] = []
  for (let offset = 0; ; offset += pageLines) {
    const { rows, total } = await page(regions, offset)
    for (const row of rows) if (row.kind === 'tenant') tenants.push(row)
    if (offset + rows.length >= total || rows.length === 0) return tenants
  }
}
