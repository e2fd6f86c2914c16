import { assign, newId, note, type Draft } from '../engine/draft.ts'
import { idsInKey } from '../member-key.ts'
import { familyOf } from './split.ts'
import type { Drop } from '../engine/drop.ts'
import type { Incident } from '../engine/state.ts'

/**
 * Splits an incident with devices of several customers into one for each; they keep its notification state. The
 * customer with the most devices keeps the id. Returns whether there were several.
 */
export function splitTenants(draft: Draft, incident: Incident, drops: readonly Drop[]): boolean {
  const [main, ...others] = [...Map.groupBy(drops, ({ key }) => tenantOf(key))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  if (main === undefined || others.length === 0) return false
  draft.incidents.set(incident.id, { ...incident, ...ofTenant(incident, main) })
  const splitFrom = { id: familyOf(incident), where: incident.where }
  for (const [tenant, members] of others) {
    const made: Incident = { ...incident, id: newId(draft), ...ofTenant(incident, [tenant, members]), splitFrom }
    draft.incidents.set(made.id, made)
    assign(
      draft,
      members.map(({ key }) => key),
      made.id,
    )
    note(draft, made.id, 'opened', { kind: 'devices', count: members.length })
  }
  const count = others.reduce((sum, [, members]) => sum + members.length, 0)
  note(draft, incident.id, 'moved', { kind: 'otherTenants', count })
  return true
}

/** Returns the fields of an incident for one tenant alone. `refresh.ts` computes the rest from its devices. */
function ofTenant(
  { named, recovered, unreportedRecoveries, shape }: Incident,
  [tenant, members]: readonly [string, readonly Drop[]],
): Partial<Incident> {
  const isIn = (key: string) => tenantOf(key) === tenant
  return {
    shape: members.length > 1 ? 'several' : shape,
    path: [],
    where: { kind: 'none' },
    context: [],
    named: named.filter(({ key }) => isIn(key)),
    about: [`${tenant}/`],
    peak: members.length,
    peakInPlace: members.length,
    largest: null,
    recovered: recovered.filter(isIn),
    unreportedRecoveries: unreportedRecoveries.filter(isIn),
  }
}

const tenantOf = (key: string): string => idsInKey(key).tenantKey
