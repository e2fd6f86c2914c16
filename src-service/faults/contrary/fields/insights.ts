import { GraphQLError } from 'graphql'
import type { GraphContext } from '../../../graphql/context.ts'

/** Answers a field of configuration or analytics: as usual, with null, or with an error at the field. */
export function spoiled<T>({ contrary }: GraphContext, name: string, resolve: () => T): T | null {
  if (contrary.is.insights === 'null') return null
  if (contrary.is.insights === 'errors')
    throw new GraphQLError(`${name} is not available now`, { extensions: { code: 'INTERNAL_SERVER_ERROR' } })
  return resolve()
}
