import { getIntrospectionQuery } from 'graphql'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Raw } from '../api/raw.ts'
import { shapeOf } from '../pacing/cost/shape.ts'

/** What reads a schema, and what follows its changes. */
export interface SchemaSource {
  /** Throws a `FaultError` for a connection that is unknown or does not run. */
  raw(connection: string): Raw
  schemaHistory: { read(connection: string, introspection: string): Promise<unknown> }
}

/** Longest answer to an introspection, bytes. */
const maxSchema = 16_000_000

/** Returns the call that reads a schema; an answer is kept as long as its connection runs. */
export function schemaReading({ raw, schemaHistory }: SchemaSource): Handlers['query.schema'] {
  const schemas = new WeakMap<Raw, string>()
  return async ({ connection, again }) => {
    const sending = raw(connection)
    const known = again ? undefined : schemas.get(sending)
    const introspection = known ?? (await introspectionOf(sending))
    schemas.set(sending, introspection)
    // Whoever waits for the schema needs no history.
    if (known === undefined) void schemaHistory.read(connection, introspection).catch(() => {})
    return { introspection }
  }
}

/** Returns the answer to an introspection. Throws what the service says instead. */
async function introspectionOf(raw: Raw): Promise<string> {
  const document = getIntrospectionQuery({ descriptions: true })
  let text = ''
  const reply = await raw.run({
    name: 'Introspection',
    document,
    operationName: null,
    variables: {},
    shape: shapeOf(document),
    size: 1,
    signal: new AbortController().signal,
    maxBytes: maxSchema,
    sink: {
      restart() {
        text = ''
      },
      async write(part) {
        text += part
      },
    },
  })
  if (reply.fault !== null) throw new FaultError(reply.fault.kind, reply.fault.detail)
  if (!reply.isWhole) throw new FaultError('http', 'the answer is too large')
  return text
}
