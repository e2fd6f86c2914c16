import { GraphQLError, responsePathAsArray } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import type { GraphContext } from '../../context.ts'

const words = 'The inventory could not be read'

/**
 * Where devices are to be missing from an answer that is good otherwise (`edges` is empty and the total 0): what the connection's
 * own field says of it. Null where nothing is missing. The error stands in `errors`, at the path of the search or at none, or else
 * in that field, or nowhere.
 */
export function emptied({ contrary, call }: GraphContext, info: GraphQLResolveInfo): { error: string | null } | null {
  const { emptyDevices, schema } = contrary.is
  if (emptyDevices === 'never' || !contrary.isEmptying()) return null
  if (emptyDevices === 'alone') return { error: null }
  // Where the connection has no such field, nothing would say that something is wrong.
  if (emptyDevices === 'error-field' && schema === 'full') return { error: words }
  const place =
    emptyDevices === 'errors-without-path' ? {} : { nodes: info.fieldNodes, path: responsePathAsArray(info.path) }
  ;(call.beside ??= []).push(new GraphQLError(words, { ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } }))
  return { error: words }
}

/** The same for the list of tenants; with or without an error beside it. */
export function tenantsEmptied({ contrary, call }: GraphContext, info: GraphQLResolveInfo): boolean {
  const { emptyTenants } = contrary.is
  if (emptyTenants === 'never' || !contrary.isEmptying()) return false
  const place = { nodes: info.fieldNodes, path: responsePathAsArray(info.path) }
  if (emptyTenants === 'errors')
    (call.beside ??= []).push(
      new GraphQLError('The tenants could not be read', { ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } }),
    )
  return true
}
