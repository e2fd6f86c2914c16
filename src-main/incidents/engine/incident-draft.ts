import { assign, newId, note, placesOf, tenantOf, type Draft } from './draft.ts'
import type { DownDevice, DeviceGroup } from '../grouping/group.ts'
import { noUnlisted, type Incident } from './state.ts'
import type { EventDetail } from '../../../src-shared/model/messages.ts'
import { noMessage } from '../../../src-shared/model/messages.ts'
import { locationOf, namesIn } from '../places.ts'

/** More than this many devices without a common place become one incident. */
export const maxSingles = 3

/** The attributes that devices of one incident share: the kind, the way they were found, and the maintenance window. */
export interface GroupKey {
  kind: Incident['kind']
  origin: Incident['origin']
  maintenance: { id: string; name: string } | null
  /** Name of the maintenance window that the watched devices override; '' for none. */
  overrode: string
}

/** Groups devices by tenant; the largest group comes first. */
export function tenantsIn(down: readonly DownDevice[]): DownDevice[][] {
  return [...Map.groupBy(down, ({ path }) => tenantOf(path)).values()].toSorted(
    (one, other) => other.length - one.length,
  )
}

export const newLocation = ({ where, shape }: Incident): EventDetail =>
  shape === 'several' ? { kind: 'several' } : { kind: 'place', where }

export function openIncident(draft: Draft, incident: Incident, members: readonly DownDevice[]): void {
  draft.incidents.set(incident.id, incident)
  assign(
    draft,
    members.map(({ key }) => key),
    incident.id,
  )
  note(draft, incident.id, 'opened', { kind: 'devices', count: members.length })
  if (incident.maintenance !== null)
    note(draft, incident.id, 'maintenance', { kind: 'kept', window: incident.maintenance.name })
}

/** Adds devices to an incident and sets the time at which it last grew. */
export function addDevices(draft: Draft, incident: Incident, members: readonly DownDevice[]): void {
  draft.incidents.set(incident.id, { ...incident, grewAt: draft.now })
  assign(
    draft,
    members.map(({ key }) => key),
    incident.id,
  )
  note(draft, incident.id, 'grew', { kind: 'added', count: members.length })
}

export function ofPlace(draft: Draft, groupKey: GroupKey, { node, members }: DeviceGroup): Incident {
  const path = members[0]?.path ?? []
  const from = path.slice(path.indexOf(node))
  return { ...emptyIncident(draft, groupKey), shape: 'node', path: placesOf(from), ...locationOf(from) }
}

export function ofDevice(draft: Draft, groupKey: GroupKey, { path }: DownDevice): Incident {
  return {
    ...emptyIncident(draft, groupKey),
    shape: 'device',
    path: placesOf(path),
    context: namesIn(path),
    about: [`${tenantOf(path)}/`],
  }
}

/** Returns an incident without devices. `refresh.ts` computes the remaining fields from its devices. */
export function emptyIncident(draft: Draft, { kind, origin: why, maintenance, overrode }: GroupKey): Incident {
  const { now, rules } = draft
  return {
    id: newId(draft),
    kind,
    shape: 'device',
    origin: why,
    path: [],
    where: { kind: 'none' },
    context: [],
    named: [],
    since: null,
    foundAt: null,
    openedAt: now,
    grewAt: now,
    changedAt: now,
    closedAt: null,
    lastRecovery: null,
    down: 0,
    unseen: 0,
    peak: 0,
    othersDown: 0,
    peakInPlace: 0,
    total: null,
    largest: null,
    watched: 0,
    severity: 'minor',
    about: [],
    acknowledged: null,
    snoozed: null,
    renotify: false,
    maintenance,
    suppressedBy: maintenance?.name ?? '',
    overrode,
    splitFrom: null,
    muted: !rules.notifyOffline,
    notifiedAt: null,
    recoveryNotifiedAt: null,
    reason: null,
    recovered: [],
    unreportedRecoveries: [],
    unlisted: noUnlisted,
    message: noMessage,
    open: { scope: 'all', filter: '', device: null, incident: null },
  }
}
