import { fold } from '../engine/filter/fold.ts'
import type { IncidentData } from './incident-protocol.ts'
import { longStanding, presentNames } from '../reads/long-standing.ts'
import { policyPlaces } from '../reads/policy-places.ts'
import { availability } from '../reads/availability.ts'
import type { Store } from '../store.ts'

type IncidentCalls = {
  [N in keyof IncidentData]: (input: Parameters<IncidentData[N]>[0]) => Awaited<ReturnType<IncidentData[N]>>
}

/** The calls about incidents and policies (incident-protocol.ts), answered from the journal. */
export function incidentCalls(store: Store): IncidentCalls {
  const { alerts, policies, prune, ageing, withdrawn } = store.journal
  const { incidents } = alerts
  return {
    alerts: ({ since }) => alerts.read(since),
    saveAlerts: (input) => ({ action: alerts.save(input) }),
    withdrawn: ({ connection }) => withdrawn.of(connection),
    saveWithdrawn: ({ connection, tenants }) => withdrawn.save(connection, tenants),
    closedIncidents: ({ text, offset, limit }) => incidents.closed(textMatcher(text), offset, limit),
    storedIncident: ({ id }) => incidents.one(id),
    incidentsBetween: ({ from, until }) => incidents.between(from, until),
    incidentMembers({ id, offset, limit }) {
      const { total, rows } = incidents.members(id, offset, limit)
      return { total, rows: rows.map((row) => ({ ...row, ...presentNames(store, row.key) })) }
    },
    longStanding: (input) => longStanding(store, input),
    recurrence: ({ subjects, since }) => subjects.map((subject) => incidents.recurrence(subject, since)),
    availability: (input) => availability(store, input),
    policies: () => policies.all(),
    policyPlaces: ({ nodes }) => policyPlaces(store.inventory, nodes),
    savePolicies: (input) => ({ action: policies.save(input.policies, input.action) }),
    action: ({ id }) => policies.action(id),
    markUndone: ({ id }) => policies.undone(id),
    prune: ({ now }) => ({ deleted: prune(now), rows: ageing() }),
  }
}

/** Matches texts as the inventory's filter does: without case and accents. */
function textMatcher(text: string): ((value: string) => boolean) | null {
  const folded = fold(text.trim())
  return folded === '' ? null : (value) => fold(value).includes(folded)
}
