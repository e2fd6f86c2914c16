import { buildClientSchema, type GraphQLSchema, type IntrospectionQuery } from 'graphql'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useMemo } from 'react'
import { useAppContext } from '../lib/context.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { useRunsElsewhere } from './use-runs-elsewhere.ts'

/** The schema of a connection's service: read, being read (null), or why it is not known. */
export type KnownSchema = { connection: string } & ({ schema: GraphQLSchema } | { fault: Fault })

/** Reads the schema of a connection, through the core, where this Muster has its secret. `again`: reads it anew. */
export function useSchema(connection: string | null): { known: KnownSchema | null; again: () => void } {
  const { session } = useAppContext()
  const isElsewhere = useRunsElsewhere(connection) !== null
  const elsewhere = useMemo(() => elsewhereOf(connection), [connection])
  const { value, again } = useCall<KnownSchema>(isElsewhere ? null : connection, async (last) => {
    if (connection === null) return null
    const isAgain = last?.connection === connection
    const answer = await session.pipe.call('query.schema', { connection, again: isAgain })
    if (!answer.ok) return { connection, fault: answer.fault }
    try {
      const { data } = JSON.parse(answer.value.introspection) as { data: IntrospectionQuery }
      return { connection, schema: buildClientSchema(data, { assumeValid: true }) }
    } catch {
      return { connection, fault: { kind: 'query', detail: 'The answer is no introspection.' } }
    }
  })
  if (isElsewhere) return { known: elsewhere, again }
  return { known: value?.connection === connection ? value : null, again }
}

/** This Muster has no secret of the connection, and is told no schema. */
const elsewhereOf = (connection: string | null): KnownSchema | null =>
  connection === null ? null : { connection, fault: { kind: 'team-lead', detail: '' } }
