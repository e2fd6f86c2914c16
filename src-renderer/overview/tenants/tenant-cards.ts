import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Incident, Severity } from '../../../src-shared/model/incidents.ts'
import type { MapPlaces } from '../map/layout.ts'
import { countsAt, totalOf, type TileCounts } from '../map/looks.ts'
import type { Day } from '../numbers/fleet-day.ts'

/** What a card shows of a tenant. */
export interface TenantCard {
  /** Its node. */
  id: string
  name: string
  region: string
  counts: TileCounts
  /** Its last 24 hours; null while they are read. */
  day: Day | null
  incidents: number
  /** Severity of the worst of them; null without any. */
  worst: Severity | null
}

interface Given {
  places: MapPlaces
  counts: readonly number[]
  day: CallOutput<'overview.day'> | null
  incidents: readonly Incident[]
}

const severities: readonly Severity[] = ['critical', 'major', 'minor']

/** Returns the tenants, those with the most offline devices first; then by incidents, unknown devices and name. */
export function tenantCards({ places, counts, day, incidents }: Given): readonly TenantCard[] {
  const sums = tenantCounts(places, counts)
  const open = incidentsByTenant(incidents)
  const days = new Map(day?.tenants.map((tenant) => [tenant.id, tenant]))
  const cards = places.groups.flatMap(({ id, kind, name, parent }, index): TenantCard[] => {
    if (kind !== 'tenant') return []
    const its = open.get(id) ?? []
    const past = days.get(id)
    return [
      {
        id,
        name,
        region: parent === null ? '' : (places.groups.at(parent)?.name ?? ''),
        counts: sums.get(index) ?? { offline: 0, unknown: 0, online: 0 },
        day: day === null ? null : { from: day.from, until: day.until, up: past?.up ?? [], down: past?.down ?? [] },
        incidents: its.length,
        worst: severities.find((severity) => its.some((incident) => incident.severity === severity)) ?? null,
      },
    ]
  })
  return cards.sort(
    (one, other) =>
      other.counts.offline - one.counts.offline ||
      other.incidents - one.incidents ||
      other.counts.unknown - one.counts.unknown ||
      one.name.localeCompare(other.name),
  )
}

function tenantCounts({ groups, tiles }: MapPlaces, counts: readonly number[]): ReadonlyMap<number, TileCounts> {
  const sums = new Map<number, TileCounts>()
  tiles.forEach(({ group }, tile) => {
    let at: number | null = group
    while (at !== null && groups[at]?.kind !== 'tenant') at = groups[at]?.parent ?? null
    if (at === null) return
    const [before, added] = [sums.get(at), countsAt(counts, tile)]
    sums.set(at, {
      offline: (before?.offline ?? 0) + added.offline,
      unknown: (before?.unknown ?? 0) + added.unknown,
      online: (before?.online ?? 0) + added.online,
    })
  })
  return sums
}

function incidentsByTenant(incidents: readonly Incident[]): ReadonlyMap<string, readonly Incident[]> {
  const found = new Map<string, Incident[]>()
  for (const incident of incidents) {
    const tenant = incident.places.find(({ kind }) => kind === 'tenant')
    if (tenant === undefined) continue
    const all = found.get(tenant.id)
    if (all === undefined) found.set(tenant.id, [incident])
    else all.push(incident)
  }
  return found
}

/** Returns the share of a tenant's devices that is offline, from 0 to 1. */
export const offlineShare = ({ counts }: Pick<TenantCard, 'counts'>): number =>
  totalOf(counts) === 0 ? 0 : counts.offline / totalOf(counts)
