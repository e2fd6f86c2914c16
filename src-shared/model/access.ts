import { z } from 'zod'

/** What a credential set may be held to, in the order in which it is shown. */
export const scopeNames = ['tenants', 'accounts', 'sites'] as const

/** Largest number of roles that are kept, and longest name, characters. */
export const maxRoles = 20
export const maxAccessText = 200

const count = z.int().min(0).max(1_000_000_000)

/**
 * The role and scope of a credential set, as the service tells them. `name`: of the set; '' where it tells none.
 * `scope`: number of tenants, accounts and sites to which the set is held; a member is left out where it is not held to
 * any.
 */
export const access = z.object({
  name: z.string().max(maxAccessText),
  roles: z.array(z.string().max(maxAccessText)).max(maxRoles),
  scope: z.object({ tenants: count.optional(), accounts: count.optional(), sites: count.optional() }),
})
export type Access = z.infer<typeof access>

/** `readAt`: when the service told it, ms since the epoch. */
export const datedAccess = access.extend({ readAt: z.number() })
export type DatedAccess = z.infer<typeof datedAccess>
