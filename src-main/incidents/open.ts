import type { Change } from '../inventory/thread/change.ts'
import type { CallInput, CallOutput, Handlers } from '../../src-shared/contract/contract.ts'
import type { Assignment, Delay, IncidentSummary, Policies } from '../../src-shared/model/incidents.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Notifications, Notification } from '../../src-shared/model/inventory.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { openIncidentService, type Explain, type IncidentService } from './service/service.ts'
import { openPolicies, type PolicyService } from '../policies/policies.ts'
import { longStandingOf } from './service/long-standing.ts'
import type { Notify } from './engine/evaluate.ts'
import type { StepDeliveries } from './runner-options.ts'
import { delaysOf } from './engine/drops/delays.ts'
import { startPruning, type PruningOptions } from './stored/prune.ts'
import { startIncidentRunner, type IncidentRunner } from './runner.ts'

export interface IncidentsOptions {
  data: InventoryData
  clock: Clock
  log: Log
  settings: () => Settings
  /** Returns the ids of the connections that the operator has paused. */
  paused: () => ReadonlySet<string>
  connections: () => readonly ConnectionState[]
  /** As in `PruningOptions`. */
  clockAgrees: PruningOptions['clockAgrees']
  /** The functions of the notifications layer. */
  notifier: { notify: Notify; explain: Explain }
  /** The messages to channels. */
  channels: StepDeliveries
  onNotification: (content: Notification) => void
  onNotifications: (notifications: Notifications) => void
  onIncidents: (read: () => IncidentSummary) => void
  onDelays: (read: () => Delay[]) => void
  onPolicies: (policies: Policies) => void
  /** Left out: this Muster evaluates always. */
  team?: {
    evaluates: () => boolean
    /** Lets the member that evaluates do what `IncidentRunner.mark` does. */
    mark: IncidentRunner['mark']
    /** This Muster's operator, as the team knows them. */
    operator: string
    /** Returns the operators of all members that are known. */
    operators: () => readonly string[]
  }
}

export interface Incidents {
  runner: IncidentRunner
  service: IncidentService
  policies: PolicyService
  /** The operator in whose name incidents are marked; empty for a Muster on its own. */
  by: { by?: string }
  /** Returns the assignment to an operator. Throws a fault of kind `input` where the team has none of that name. */
  assignment(to: string): Assignment
  /** Returns devices that are down without an incident (long-standing.ts). */
  longStanding(input: CallInput<'incidents.longStanding'>): Promise<CallOutput<'incidents.longStanding'>>
  /** Returns the state that a window needs at its start. */
  state(): { notifications: Notifications; incidents: IncidentSummary; delays: Delay[]; policies: Policies }
  /** Reads everything again after the journal was changed elsewhere. */
  reload(): Promise<void>
  /** As `reload`, and drops what was not written: another member of the team has written since. */
  readAgain(): Promise<void>
  stop(): Promise<void>
}

/** Starts the incident runner, the service of its calls, and the policies. */
export async function openIncidents(options: IncidentsOptions): Promise<Incidents> {
  const { data, clock, log, connections, clockAgrees, notifier, onIncidents, onPolicies, team } = options
  const bound: Partial<Pick<Incidents, 'runner' | 'service' | 'policies'>> = {}
  const changed = () => {
    if (bound.service === undefined) return
    bound.service.changed()
    onIncidents(bound.service.summary)
  }
  const policies = await openPolicies({
    data,
    clock,
    onChange() {
      if (bound.policies === undefined) return
      onPolicies(bound.policies.policies())
      bound.runner?.recheck()
      changed()
    },
  })
  bound.policies = policies
  const alerts = await openRunner(options, policies, { changed, runner: () => bound.runner })
  bound.runner = alerts
  const runner: IncidentRunner = {
    ...alerts,
    mark: (changes, by) => (team?.evaluates() === false ? team.mark(changes, by) : alerts.mark(changes, by)),
  }
  const service = openIncidentService({ data, clock, runner, policies, connections, explain: notifier.explain })
  bound.service = service
  const stopPruning = startPruning({ data, clock, log, clockAgrees })
  return {
    runner: alerts,
    service,
    policies,
    by: team === undefined ? {} : { by: team.operator },
    assignment: (to) => assignmentTo(team, to, clock.now()),
    longStanding: (input) => longStandingOf({ data, alerts, clock }, input),
    state: () => ({
      notifications: alerts.notifications(),
      incidents: service.summary(),
      delays: delaysIn(alerts, clock),
      policies: policies.policies(),
    }),
    reload: () => policies.reload().then(alerts.reload),
    readAgain: () => policies.reload().then(alerts.readAgain),
    async stop() {
      stopPruning()
      await alerts.stop()
    },
  }
}

function assignmentTo(team: IncidentsOptions['team'], to: string, at: number): Assignment {
  if (team === undefined)
    throw new FaultError('input', 'Incidents are assigned within a team, and this Muster is in none.')
  if (to !== team.operator && !team.operators().includes(to))
    throw new FaultError('input', 'Nobody in the team has this name.')
  return { at, to, by: team.operator }
}

function openRunner(
  { connections, notifier, onDelays, team, ...options }: IncidentsOptions,
  policies: PolicyService,
  { changed, runner }: { changed: () => void; runner: () => IncidentRunner | undefined },
): Promise<IncidentRunner> {
  const { data, clock, log, settings, paused, channels, onNotification, onNotifications } = options
  return startIncidentRunner({
    data,
    clock,
    log,
    settings,
    paused,
    policies: policies.state,
    notify: notifier.notify,
    ...(team !== undefined && { evaluates: team.evaluates }),
    channels,
    onNotification,
    onNotifications,
    onIncidents: changed,
    onDrops: () => onDelays(() => delaysIn(runner(), clock)),
    lastMessages: lastMessagesOf(connections),
  })
}

/** None before the runner has started. */
const delaysIn = (runner: IncidentRunner | undefined, clock: Clock): Delay[] =>
  runner === undefined ? [] : delaysOf(runner.state(), runner.rules(), clock.now())

const lastMessagesOf =
  (connections: IncidentsOptions['connections']) =>
  (ids: readonly string[]): number[] =>
    connections().flatMap(({ id, heardAt }) => (heardAt === null || !ids.includes(id) ? [] : [heardAt]))

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
  { service, policies, longStanding, by, assignment }: Incidents,
  data: InventoryData,
  clock: Clock,
): Pick<Handlers, Exclude<IncidentCall, 'incidents.evidence'>> {
  const act = async (made: Promise<number>) => ({ undo: await made })
  return {
    'incidents.list': (input) => service.list(input),
    'incidents.show': ({ id }) => service.show(id),
    'incidents.matching': (input) => data.incidentsMatching({ ...input, now: clock.now() }),
    'incidents.members': async (input) => {
      const { total, rows } = await data.incidentMembers(input)
      return {
        total,
        rows: rows.map(
          ({ key, name, at, notBefore, recoveredAt, recoveredNotBefore, unlisted, tenant, account, site }) => ({
            key,
            name,
            at,
            notBefore,
            recoveredAt,
            recoveredNotBefore,
            tenant,
            ...(account !== undefined && { account }),
            site,
            ...(unlisted && { unlisted }),
          }),
        ),
      }
    },
    'incidents.longStanding': longStanding,
    'incidents.acknowledge': ({ ids, reason }) =>
      service.mark(ids, { acknowledged: { at: clock.now(), reason, ...by } }),
    'incidents.snooze': ({ ids, until }) => service.mark(ids, { snoozed: { at: clock.now(), until, ...by } }),
    'incidents.unacknowledge': ({ ids }) => service.mark(ids, { acknowledged: null, snoozed: null }),
    'incidents.assign': async ({ ids, to }) => service.mark(ids, { assigned: to === null ? null : assignment(to) }),
    'incidents.marks': async ({ ids }) => ({ marks: service.marks(ids) }),
    'actions.undo': async ({ id }) => {
      await service.undo(id)
      return {}
    },
    'maintenance.save': (window) => act(policies.saveMaintenance(window)),
    'maintenance.remove': ({ id }) => act(policies.removeMaintenance(id)),
    'zones.set': ({ node, nodeName, zone }) => act(policies.setZone(node, nodeName, zone)),
    'thresholds.set': ({ node, nodeName, thresholds }) => act(policies.setThresholds(node, nodeName, thresholds)),
    'availability.strip': ({ subject, from, until, parts }) =>
      data.availability({ subject, from, until, parts, now: clock.now() }),
  }
}

/** Returns what reads the places of policies again when places come, go or move. */
export const policyReader = ({ policies }: Incidents) => ({
  applyChange({ structure }: Change) {
    if (structure) void policies.placesChanged()
  },
})
