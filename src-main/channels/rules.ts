import { everything } from '../../src-shared/model/inventory.ts'
import type { ChannelRule } from '../../src-shared/model/channels.ts'
import type { Severity } from '../../src-shared/model/incidents.ts'
import { above } from '../../src-shared/model/tree.ts'
import type { Incident } from '../incidents/engine/incident.ts'

const ranks: Record<Severity, number> = { minor: 0, major: 1, critical: 2 }

/** Returns whether one severity is worse than another; anything is worse than none. */
export const isWorse = (one: Severity, other: Severity | null): boolean => other === null || ranks[one] > ranks[other]

/** Returns the worst of these severities; null for none. */
export const worstOf = (all: readonly Severity[]): Severity | null =>
  all.reduce<Severity | null>((worst, one) => (isWorse(one, worst) ? one : worst), null)

/** Returns the key of the tenant in a node's id, with a `/` at its end; null for all tenants. */
function tenantIn(node: string): string | null {
  if (node === everything) return null
  const [, parts = ''] = node.split(':', 2)
  const [service, tenant] = parts.split('/')
  return `${service}/${tenant}/`
}

/** Returns whether an incident is in a place, or may reach into it because its own place contains that one. */
export function touches(node: string, { scope, about }: Pick<Incident, 'scope' | 'about'>): boolean {
  const tenant = tenantIn(node)
  if (tenant === null || scope.path.some(({ id, onlyAccount }) => id === node || onlyAccount === node)) return true
  if (!about.includes(tenant)) return false
  const [deepest] = scope.path
  // The ids of sites do not name their account, and those of tenants not their region.
  return deepest === undefined || !['tenant', 'site', 'room'].includes(deepest.kind) || above(node).includes(deepest.id)
}

/** Returns whether an incident is in the places of a rule. */
export const isIn = ({ places }: Pick<ChannelRule, 'places'>, incident: Pick<Incident, 'scope' | 'about'>): boolean =>
  places.length === 0 || places.some(({ node }) => touches(node, incident))

/** Returns whether a rule wants an incident of this severity and place. */
export const wants = (
  rule: Pick<ChannelRule, 'severities' | 'places'>,
  incident: Pick<Incident, 'severity' | 'scope' | 'about'>,
): boolean => rule.severities.includes(incident.severity) && isIn(rule, incident)

/** Returns whether a rule names one of these tenants (keys with a `/` at the end) or a place in it, or all of them. */
export const wantsTenants = ({ places }: Pick<ChannelRule, 'places'>, tenants: readonly string[]): boolean =>
  places.length === 0 ||
  places.some(({ node }) => {
    const tenant = tenantIn(node)
    return tenant === null || tenants.includes(tenant)
  })
