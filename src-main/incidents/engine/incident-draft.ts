import { assign, newId, note, placesOf, tenantOf, type Draft } from './draft.ts'
import type { DownDevice, DeviceGroup } from '../grouping/group.ts'
import { emptyIncident, updated, type Incident } from './incident.ts'
import type { EventDetail } from '../../../src-shared/model/messages.ts'
import { locationOf, namesIn } from '../scope/places.ts'

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

export const groupKeyOf = ({ kind, origin, delivery: { maintenance, overrode } }: Incident): GroupKey => ({
  kind,
  origin,
  maintenance,
  overrode,
})

/** Groups devices by tenant; the largest group comes first. */
export function tenantsIn(down: readonly DownDevice[]): DownDevice[][] {
  return [...Map.groupBy(down, ({ path }) => tenantOf(path)).values()].toSorted(
    (one, other) => other.length - one.length,
  )
}

export const newLocation = ({ where, shape }: Pick<Incident['scope'], 'where' | 'shape'>): EventDetail =>
  shape === 'several' ? { kind: 'several' } : { kind: 'place', where }

export function openIncident(draft: Draft, incident: Incident, members: readonly DownDevice[]): void {
  draft.incidents.set(incident.id, incident)
  assign(
    draft,
    members.map(({ key }) => key),
    incident.id,
  )
  note(draft, incident.id, 'opened', { kind: 'devices', count: members.length })
  const { maintenance } = incident.delivery
  if (maintenance !== null) note(draft, incident.id, 'maintenance', { kind: 'kept', window: maintenance.name })
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
  return updated(newIncident(draft, groupKey), 'scope', { shape: 'node', path: placesOf(from), ...locationOf(from) })
}

export function ofDevice(draft: Draft, groupKey: GroupKey, { path }: DownDevice): Incident {
  return {
    ...updated(newIncident(draft, groupKey), 'scope', { path: placesOf(path), context: namesIn(path) }),
    about: [`${tenantOf(path)}/`],
  }
}

/** Returns a new incident for devices without a common place. */
export const ofSeveral = (draft: Draft, groupKey: GroupKey): Incident =>
  updated(newIncident(draft, groupKey), 'scope', { shape: 'several' })

function newIncident(draft: Draft, { kind, origin, maintenance, overrode }: GroupKey): Incident {
  return updated({ ...emptyIncident(newId(draft), draft.now), kind, origin }, 'delivery', {
    muted: !draft.rules.notifyOffline,
    maintenance,
    suppressedBy: maintenance?.name ?? '',
    overrode,
  })
}
