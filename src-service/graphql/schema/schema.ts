import { buildSchema } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { createSchema } from 'graphql-yoga'
import { guardDetails } from '../../access/access.ts'
import { accountTypes } from './accounts.ts'
import type { GraphContext } from '../context.ts'
import { resolvers } from './resolvers.ts'
import { insightTypes } from './insights.ts'
import { placeDataTypes } from './place-data.ts'
import { policyTypes } from './policies.ts'
import { twinTypes } from './twin-fields.ts'
import { full, minimal, shared, type Profile } from './type-definitions.ts'

/**
 * Returns the executable schema of a profile (spec section 2; `full`: twin section 16 too, with its fields by role).
 */
export function makeSchema(profile: Profile): GraphQLSchema {
  const schema = createSchema<GraphContext>({
    typeDefs:
      profile === 'full'
        ? [shared, full, accountTypes, twinTypes, placeDataTypes, policyTypes, insightTypes]
        : [shared, minimal],
    resolvers: resolvers(profile),
  })
  return profile === 'full' ? guardDetails(schema, buildSchema(shared + minimal)) : schema
}
