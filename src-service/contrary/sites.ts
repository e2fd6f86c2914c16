import { GraphQLError } from 'graphql'
import type { GraphContext } from '../context.ts'
import type { Device } from '../world/device.ts'

/** The site of a device; of some that have one, by chance, it cannot be found out, and that is an error at its path. */
export function siteOf({ site }: Pick<Device, 'site'>, _args: unknown, { contrary }: GraphContext): Device['site'] {
  if (site === null || !contrary.chance(contrary.is.unresolvedSites)) return site
  throw new GraphQLError('resource mapping failed', { extensions: { code: 'INTERNAL_SERVER_ERROR' } })
}
