import type { CallInput, CallOutput, Handlers } from '../../src-shared/contract/contract.ts'
import type { IncidentSummary, Policies } from '../../src-shared/model/incidents.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Tellings, Told } from '../../src-shared/model/inventory.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'
import { openIncidentService, type Explain, type IncidentService } from './service.ts'
import { openPolicies, type PolicyService } from '../policies/policies.ts'
import { longStandingOf } from './long-standing.ts'
import type { Notify } from './engine/evaluate.ts'
import { startPruning, type PruningOptions } from './prune.ts'
import { startIncidentRunner, type IncidentRunner } from './runner.ts'

export interface IncidentsOptions {
  data: InventoryData
  clock: Clock
  log: Log
  settings: () => Settings
  /** Ids of the connections that the operator has paused. */
  paused: () => ReadonlySet<string>
  connections: () => readonly ConnectionState[]
  /** As in `PruningOptions`. */
  clockAgrees: PruningOptions['clockAgrees']
  /** What is said of incidents: the layer above gives it. */
  notifier: { notify: Notify; explain: Explain }
  onNotification: (content: Told) => void
  onNotifications: (notifications: Tellings) => void
  onIncidents: (read: () => IncidentSummary) => void
  onPolicies: (policies: Policies) => void
}

export interface Incidents {
  runner: IncidentRunner
  service: IncidentService
  policies: PolicyService
  /** What is down without an incident (long-standing.ts). */
  longStanding(input: CallInput<'incidents.longStanding'>): Promise<CallOutput<'incidents.longStanding'>>
  /** What a window needs of it to draw itself. */
  state(): { tellings: Tellings; incidents: IncidentSummary; policies: Policies }
  /** What the journal holds has changed behind their backs. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** Incidents, what the operator laid down and says of them, and the telling of it all. */
export async function openIncidents({
  data,
  clock,
  log,
  settings,
  paused,
  connections,
  clockAgrees,
  notifier,
  onNotification: onTell,
  onNotifications: onTellings,
  onIncidents,
  onPolicies,
}: IncidentsOptions): Promise<Incidents> {
  const bound: { alerts: IncidentRunner | null; desk: IncidentService | null; laid: PolicyService | null } = {
    alerts: null,
    desk: null,
    laid: null,
  }
  const changed = () => {
    bound.desk?.changed()
    if (bound.desk !== null) onIncidents(bound.desk.summary)
  }
  const policies = await openPolicies({
    data,
    clock,
    onChange() {
      if (bound.laid === null) return
      onPolicies(bound.laid.policies())
      bound.alerts?.recheck()
      changed()
    },
  })
  bound.laid = policies
  const alerts = await startIncidentRunner({
    data,
    clock,
    log,
    settings,
    paused,
    policies: policies.state,
    notify: notifier.notify,
    onNotification: onTell,
    onNotifications: onTellings,
    onIncidents: changed,
    lastMessages: (ids) =>
      connections().flatMap(({ id, heardAt }) => (heardAt === null || !ids.includes(id) ? [] : [heardAt])),
  })
  bound.alerts = alerts
  const service = openIncidentService({ data, clock, runner: alerts, policies, connections, explain: notifier.explain })
  bound.desk = service
  const stopPruning = startPruning({ data, clock, log, clockAgrees })
  return {
    runner: alerts,
    service,
    policies,
    longStanding: (input) => longStandingOf({ data, alerts, clock }, input),
    state: () => ({ tellings: alerts.notifications(), incidents: service.summary(), policies: policies.policies() }),
    async reload() {
      await policies.reload()
      await alerts.reload()
    },
    async stop() {
      stopPruning()
      await alerts.stop()
    },
  }
}

type IncidentCall = Extract<
  keyof Handlers,
  | `incidents.${string}`
  | `maintenance.${string}`
  | 'zones.set'
  | 'thresholds.set'
  | 'actions.undo'
  | 'availability.strip'
>

export function incidentHandlers(
  { service, policies, longStanding }: Incidents,
  data: InventoryData,
  clock: Clock,
): Pick<Handlers, Exclude<IncidentCall, 'incidents.evidence'>> {
  const act = async (made: Promise<number>) => ({ undo: await made })
  return {
    'incidents.list': (input) => service.list(input),
    'incidents.show': ({ id }) => service.show(id),
    'incidents.members': async (input) => {
      const { total, rows } = await data.incidentMembers(input)
      return {
        total,
        rows: rows.map(({ key, name, at, notBefore, backAt, backNotBefore, unlisted, tenant, site }) => ({
          key,
          name,
          at,
          notBefore,
          backAt,
          backNotBefore,
          tenant,
          site,
          ...(unlisted && { unlisted }),
        })),
      }
    },
    'incidents.longStanding': longStanding,
    'incidents.acknowledge': ({ ids, reason }) => service.mark(ids, { acknowledged: { at: clock.now(), reason } }),
    'incidents.snooze': ({ ids, until }) => service.mark(ids, { snoozed: { at: clock.now(), until } }),
    'incidents.unacknowledge': ({ ids }) => service.mark(ids, { acknowledged: null, snoozed: null }),
    'actions.undo': async ({ id }) => {
      await service.undo(id)
      return {}
    },
    'maintenance.save': (window) => act(policies.saveMaintenance(window)),
    'maintenance.remove': ({ id }) => act(policies.removeMaintenance(id)),
    'zones.set': ({ node, nodeName, zone }) => act(policies.setZone(node, nodeName, zone)),
    'thresholds.set': ({ node, nodeName, rules }) => act(policies.setRules(node, nodeName, rules)),
    'availability.strip': ({ subject, from, until, parts }) =>
      data.availability({ subject, from, until, parts, now: clock.now() }),
  }
}
