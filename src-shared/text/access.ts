import { own } from '../lib/own.ts'
import { explain, type Fault } from '../model/fault.ts'
import { scopeNames, type Access, type DatedAccess } from '../model/access.ts'
import { isolated } from './direction.ts'

/** Names of the roles in the vendor's portal (service-twin.md, section 2). */
const portalNames: Readonly<Record<string, string>> = {
  admin: 'Admin',
  'it-admin': 'Device Manager',
  user: 'Guest',
  device_user: 'App User',
}

/** Returns "Device Manager (it-admin)"; a role that the portal does not have as the service writes it. */
function roleName(role: string): string {
  const name = own(portalNames, role)
  if (name === undefined) return isolated(role)
  return name.toLowerCase() === role ? name : `${name} (${role})`
}

/** Returns the roles as "Device Manager (it-admin)"; '' where there is none. */
const rolesText = ({ roles }: Pick<Access, 'roles'>): string => roles.map(roleName).join(', ')

/** Returns the scope as "2 accounts, 1 site"; '' where the set is held to nothing. */
function scopeText({ scope }: Pick<Access, 'scope'>): string {
  return scopeNames
    .flatMap((name) => {
      const count = scope[name]
      return count === undefined ? [] : `${count} ${count === 1 ? name.slice(0, -1) : name}`
    })
    .join(', ')
}

/** Returns role and scope as "Device Manager (it-admin), 2 accounts"; '' where neither is known. */
export const accessText = (access: Pick<Access, 'roles' | 'scope'>): string =>
  [rolesText(access), scopeText(access)].filter((text) => text !== '').join(', ')

/**
 * Returns the advice for a fault of a connection. For a rejection it begins with the role, where the service told it
 * since then: an earlier one may have been changed. `since`: when the fault began, ms.
 */
export function adviceText(fault: Fault, since: number, access: DatedAccess | undefined): string {
  const { advice } = explain(fault)
  const isTold = fault.kind === 'forbidden' && access !== undefined && access.readAt >= since
  const role = isTold ? forbiddingRole(access) : ''
  return role === '' ? advice : `${role} ${advice}`
}

/** Returns “The role Guest (user) does not allow it.”, with its scope; '' where the service told no role. */
export function forbiddingRole(access: Access): string {
  const roles = rolesText(access)
  if (roles === '') return ''
  const scope = scopeText(access)
  const subject = access.roles.length === 1 ? `The role ${roles}` : `The roles ${roles}`
  return `${subject}${scope === '' ? '' : ` with ${scope}`} ${access.roles.length === 1 ? 'does' : 'do'} not allow it.`
}
