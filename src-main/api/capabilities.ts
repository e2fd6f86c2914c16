import { z } from 'zod'
import { FaultError } from '../../src-shared/fault.ts'
import type { Api } from './client.ts'
import { schemaOperation } from './operations.ts'

/** What the service offers beyond the documented minimum (design, section 5), as far as Muster uses it. */
export interface Capabilities {
  /** False: the service did not tell its schema, so only filter and nextToken are used, and it is asked again next time. */
  told: boolean
  pageSize: boolean
}

/** The documented minimum: filter and nextToken (service-spec.md, section 2). */
const documentedMinimum: Capabilities = { told: false, pageSize: false }

const schema = z.object({ params: z.object({ inputFields: z.array(z.object({ name: z.string() })).nullable() }).nullable() })

/** Asks the schema. A refusal means the documented minimum; faults of the network and the token go on to the caller. */
export async function askCapabilities(api: Api, signal: AbortSignal): Promise<Capabilities> {
  try {
    const reply = await api.run({ operation: schemaOperation, variables: {}, lane: 'visible', size: 1, signal })
    return readCapabilities(reply.data)
  } catch (error) {
    if (error instanceof FaultError && refusals.has(error.fault.kind)) return documentedMinimum
    throw error
  }
}

const refusals = new Set(['query', 'forbidden', 'http', 'not-graphql', 'cost-limit'])

function readCapabilities(data: unknown): Capabilities {
  const read = schema.safeParse(data)
  const inputs = read.success ? read.data.params?.inputFields : null
  if (inputs === null || inputs === undefined) return documentedMinimum
  return { told: true, pageSize: inputs.some((field) => field.name === 'pageSize') }
}
