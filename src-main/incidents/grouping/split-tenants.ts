import { assign, newId, note, type Draft } from '../engine/draft.ts'
import { idsInKey } from '../scope/member-key.ts'
import { familyOf } from './split.ts'
import type { Drop } from '../engine/drops/drop.ts'
import type { Incident } from '../engine/incident.ts'

/**
 * Splits an incident with devices of several customers into one for each; they keep its notification state. The
 * customer with the most devices keeps the id. Returns whether there were several.
 */
export function splitTenants(draft: Draft, incident: Incident, drops: readonly Drop[]): boolean {
  const [main, ...others] = [...Map.groupBy(drops, ({ key }) => tenantOf(key))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  if (main === undefined || others.length === 0) return false
  draft.incidents.set(incident.id, ofTenant(incident, main))
  const splitFrom = { id: familyOf(incident), where: incident.scope.where }
  for (const [tenant, members] of others) {
    const made: Incident = { ...ofTenant(incident, [tenant, members]), id: newId(draft), splitFrom }
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

/** Returns an incident with the devices of one tenant alone. `refresh.ts` computes the rest from them. */
function ofTenant(incident: Incident, [tenant, members]: readonly [string, readonly Drop[]]): Incident {
  const { scope, extent, recovery } = incident
  const isIn = (key: string) => tenantOf(key) === tenant
  return {
    ...incident,
    about: [`${tenant}/`],
    scope: { shape: members.length > 1 ? 'several' : scope.shape, path: [], where: { kind: 'none' }, context: [] },
    extent: {
      ...extent,
      named: extent.named.filter(({ key }) => isIn(key)),
      peak: members.length,
      peakInPlace: members.length,
    },
    largest: null,
    recovery: {
      ...recovery,
      recovered: recovery.recovered.filter(isIn),
      unreported: recovery.unreported.filter(isIn),
    },
  }
}

const tenantOf = (key: string): string => idsInKey(key).tenantKey
