import { z } from 'zod'
import { FaultError } from '../../src-shared/fault.ts'
import { schemaOperation } from './operations.ts'
import type { Api } from './client.ts'

/** What the service offers beyond the documented minimum (design, section 5). */
export interface Capabilities {
  /** False: the service refused to tell its schema, so only filter and nextToken are used. */
  told: boolean
  pageSize: boolean
  sort: boolean
  /** Names of subscription fields; null when not told. */
  streams: string[] | null
  /** Scalar fields of Device beyond the base reading. */
  extraFields: string[]
}

/** The documented minimum: filter and nextToken (service-spec.md, section 2). */
export const documentedMinimum: Capabilities = { told: false, pageSize: false, sort: false, streams: null, extraFields: [] }

const baseFields = new Set(['id', 'name', 'hardwareModel', 'connected', 'lastDetected', 'lastConfigRequestDate', 'site', 'room'])

const named = z.object({ name: z.string() })
const type = z.object({ kind: z.string(), ofType: z.object({ kind: z.string() }).nullable().optional() })
const schema = z.object({
  params: z.object({ inputFields: z.array(named).nullable() }).nullable(),
  device: z.object({ fields: z.array(named.extend({ type })).nullable() }).nullable(),
  subscription: z.object({ fields: z.array(named).nullable() }).nullable().catch(null),
})

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
  if (!read.success || inputs === null || inputs === undefined) return documentedMinimum
  const scalars = (read.data.device?.fields ?? []).filter((field) => isScalar(field.type) && !baseFields.has(field.name))
  return {
    told: true,
    pageSize: inputs.some((field) => field.name === 'pageSize'),
    sort: inputs.some((field) => field.name === 'sort'),
    streams: read.data.subscription?.fields?.map((field) => field.name) ?? [],
    extraFields: scalars.map((field) => field.name),
  }
}

function isScalar(of: z.infer<typeof type>): boolean {
  const kind = of.kind === 'NON_NULL' ? (of.ofType?.kind ?? '') : of.kind
  return kind === 'SCALAR' || kind === 'ENUM'
}
