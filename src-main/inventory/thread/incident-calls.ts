import type { CallInput } from '../../../src-shared/contract/contract.ts'
import { deliveryCalls } from './delivery-calls.ts'
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
    ...deliveryCalls(store),
    alerts: ({ since }) => ({ ...alerts.read(since), after: store.journal.logPosition.read()?.number ?? null }),
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
    incidentsMatching: ({ ids, query, now }) => ({ ids: ids.filter(matchingTest(store, query, now)) }),
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

/** Devices of an incident that are read at a time. */
const membersAtOnce = 1000

/** Returns a test for incidents (ids) that have a device which matches the query. */
function matchingTest(
  { inventory, journal }: Store,
  query: CallInput<'incidents.matching'>['query'],
  now: number,
): (id: string) => boolean {
  const match = inventory.filters.matching(query, now)
  const { incidents } = journal.alerts
  const matches = ({ key }: { key: string }) => {
    const slot = inventory.rows.slotOf.get(key)
    return slot !== undefined && (match === null || match.mask[slot] === 1)
  }
  return (id) => {
    for (let offset = 0; ; offset += membersAtOnce) {
      const { total, rows } = incidents.members(id, offset, membersAtOnce)
      if (rows.some(matches)) return true
      if (offset + rows.length >= total) return false
    }
  }
}

/** Matches texts as the inventory's filter does: without case and accents. */
function textMatcher(text: string): ((value: string) => boolean) | null {
  const folded = fold(text.trim())
  return folded === '' ? null : (value) => fold(value).includes(folded)
}
