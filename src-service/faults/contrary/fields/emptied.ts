import { GraphQLError, responsePathAsArray } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import type { GraphContext } from '../../../graphql/context.ts'

const words = 'The inventory could not be read'

/**
 * Returns the value of the connection's own error field where devices are missing from an otherwise valid answer
 * (`edges` is empty and the total 0); null where nothing is missing. The error is in `errors`, with the search's path
 * or without, or in that field, or nowhere.
 */
export function emptied({ contrary, call }: GraphContext, info: GraphQLResolveInfo): { error: string | null } | null {
  const { emptyDevices, schema } = contrary.is
  if (emptyDevices === 'never' || !contrary.isEmptying()) return null
  if (emptyDevices === 'alone') return { error: null }
  // Without that field in the connection, nothing would report the failure.
  if (emptyDevices === 'error-field' && schema === 'full') return { error: words }
  const place =
    emptyDevices === 'errors-without-path' ? {} : { nodes: info.fieldNodes, path: responsePathAsArray(info.path) }
  ;(call.extraErrors ??= []).push(new GraphQLError(words, { ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } }))
  return { error: words }
}

/** Returns whether the list of tenants is emptied; with or without an error beside it. */
export function tenantsEmptied({ contrary, call }: GraphContext, info: GraphQLResolveInfo): boolean {
  const { emptyTenants } = contrary.is
  if (emptyTenants === 'never' || !contrary.isEmptying()) return false
  const place = { nodes: info.fieldNodes, path: responsePathAsArray(info.path) }
  if (emptyTenants === 'errors')
    (call.extraErrors ??= []).push(
      new GraphQLError('The tenants could not be read', { ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } }),
    )
  return true
}
