/** The roles that a credential set can have, by their values in the API (twin section 8). */
export const roles = ['admin', 'it-admin', 'user', 'device_user'] as const
export type Role = (typeof roles)[number]

/**
 * Permissions of a role beyond reading the fields of the specification. The words occur in `extensions.permissions` of
 * a rejection.
 */
export type Permission =
  | 'device:details'
  | 'policy:read'
  | 'device:stream'
  | 'device:control'
  | 'device:write'
  | 'site:write'

const all: readonly Permission[] = [
  'device:details',
  'policy:read',
  'device:stream',
  'device:control',
  'device:write',
  'site:write',
]

/** `admin` and `it-admin` differ only in the management of members, which is not served here. */
const granted: Record<Role, readonly Permission[]> = {
  admin: all,
  'it-admin': all,
  user: ['device:details', 'device:stream'],
  device_user: [],
}

export function allows(role: Role, permission: Permission): boolean {
  return granted[role].includes(permission)
}

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}
