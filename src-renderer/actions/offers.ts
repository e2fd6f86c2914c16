import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type {
  ActionsState,
  JobKind,
  maxTargets as sharedMaxTargets,
  Targets,
  TenantActions,
} from '../../src-shared/model/jobs.ts'
import { forbiddingRole } from '../../src-shared/text/access.ts'
import { isolated } from '../../src-shared/text/direction.ts'
import { numberText } from '../lib/format/numbers.ts'

/** Returns the key of the tenant in a node id of the tree; null for a region, all tenants, and other ids. */
export function tenantOfNode(node: string): string | null {
  const [, rest = ''] = /^[a-z]:(.+)$/su.exec(node) ?? []
  const [service, tenant] = rest.split('/')
  if (node.startsWith('r:') || service === undefined || tenant === undefined) return null
  return `${service}/${tenant}`
}

/** Returns the key of a device's tenant. */
export const tenantOfDevice = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf('/')))

/** Returns the keys of the tenants of an action's devices; null where they are not known here. */
export function tenantsOf(targets: Targets): readonly string[] | null {
  if ('keys' in targets) return [...new Set(targets.keys.map(tenantOfDevice))]
  const tenant = tenantOfNode(targets.query.scope)
  return tenant === null ? null : [tenant]
}

/** Returns the known tenants among these; null: all of them. */
export function among({ tenants }: ActionsState, keys: readonly string[] | null): readonly TenantActions[] {
  return keys === null ? tenants : tenants.filter(({ tenant }) => keys.includes(tenant))
}

/** Returns the armed tenants, the one that is locked first at the end. */
export const armedOf = (state: ActionsState | null): readonly (TenantActions & { armedUntil: number })[] =>
  (state?.tenants ?? [])
    .flatMap((tenant) => (tenant.armedUntil === null ? [] : [{ ...tenant, armedUntil: tenant.armedUntil }]))
    .toSorted((one, other) => other.armedUntil - one.armedUntil)

/** Tied to the contract's by type: importing the value would bring its schemas into the first script. */
export const maxTargets: typeof sharedMaxTargets = 5000

/** Returns why an action cannot be taken on so many devices; '' when it can. */
export const sizeReason = ({ count }: { count: number }): string =>
  count > maxTargets ? `At most ${numberText(maxTargets)} devices at a time.` : ''

/** Returns why no actions can be taken at all; '' when they can. */
export function offText(state: ActionsState | null): string {
  if (state === null) return 'Not known yet: Muster’s core has not answered.'
  if (state.off === 'managed') return 'Actions are turned off by your organisation.'
  return state.off === 'off' ? 'Actions are turned off in the settings.' : ''
}

/**
 * Returns why an action cannot be taken on devices of these tenants (null: of any); '' when it can on at least one. What
 * concerns single devices is in the sheet.
 */
export function reasonAgainst(
  state: ActionsState | null,
  kind: JobKind,
  tenants: readonly string[] | null,
  connections: readonly ConnectionState[],
): string {
  const off = offText(state)
  if (state === null || off !== '') return off
  if (connections.length > 0 && connections.every(({ paused }) => paused)) return 'The connection is paused.'
  const known = among(state, tenants)
  if (known.some(({ offered }) => offered.includes(kind))) return ''
  const reader = known.find(({ readBy }) => readBy !== undefined)?.readBy
  if (reader !== undefined)
    return `This Muster has no client secret of the connection. ${isolated(reader)}’s Muster reads it: act on its devices there.`
  // What may change by itself comes first: another tenant may allow it soon.
  if (known.length === 0 || known.some(({ unknown }) => unknown.includes(kind)))
    return 'Not known yet: the service has not said what it offers.'
  return known.some(({ role }) => role.includes(kind)) ? roleText(connections) : 'The service does not offer it.'
}

/** Returns why a tenant cannot be acted on in any way; '' when it can. */
export function noneReason({ offered, role, unknown, readBy }: TenantActions): string {
  if (offered.length > 0) return ''
  if (readBy !== undefined) return `No client secret here, read by ${isolated(readBy)}’s Muster`
  if (unknown.length > 0) return 'Not known yet'
  return role.length > 0 ? 'Not allowed for the role' : 'The service offers no actions'
}

/** Names the role where there is one connection, which it must be. */
function roleText(connections: readonly ConnectionState[]): string {
  const [only, ...more] = connections
  const named = only?.access === undefined || more.length > 0 ? '' : forbiddingRole(only.access)
  return named === '' ? 'The role of the credentials does not allow it.' : named
}
