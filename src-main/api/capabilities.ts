import { z } from 'zod'
import { FaultError } from '../../src-shared/model/fault.ts'
import { traitsOf } from '../../src-shared/model/fault-traits.ts'
import type { ExtraColumn } from '../../src-shared/model/inventory.ts'
import type { Api } from './client.ts'
import { baseFieldNames, schemaOperation } from './operations.ts'

/** The features of the service beyond the documented minimum (design, section 5) that Muster uses. */
export interface Capabilities {
  /**
   * False: the service did not return its schema, so only filter and nextToken are used, and it is asked again next
   * time.
   */
  described: boolean
  pageSize: boolean
  /** The search can be ordered by `sort: { fields: [{ name, direction }] }`. */
  sort: boolean
  /**
   * The type of the argument of a root field `device(id)`, as written in a document; null where there is no such field.
   */
  deviceById: string | null
  /** The root field `clientCredential(id)`; null where there is no such field. */
  credential: CredentialField | null
  /** The type of an event of `deviceStream`; null where the schema does not tell. */
  eventType: string | null
  /** There is a subscription `peopleCountStream` (twin, section 12); null where the schema does not tell. */
  peopleCount: boolean | null
  /** Names of the root fields of queries; empty where the schema is unknown. */
  queryFields: string[]
  /** Names of the device fields; empty where the schema is unknown. */
  deviceFields: string[]
  /** True when a search has its own field `error` beside its edges; null where the schema is unknown. */
  searchError: boolean | null
  /** Extra columns: at most `maxColumns` device fields, scalars, enums and such members of objects (`user.email`). */
  columns: Offered[]
  /**
   * The fields of a device and the members of the search with their types, one word each, sorted. A difference between
   * two of them is schema drift.
   */
  fingerprint: string[]
}

/** Types of `clientCredential(id)`: of its argument, as written in a document, and the name of its own. */
export interface CredentialField {
  idType: string
  type: string
}

export type Offered = Pick<ExtraColumn, 'name' | 'type'>

/** The documented minimum: filter and nextToken (service-spec.md, section 2). */
const documentedMinimum: Capabilities = {
  described: false,
  pageSize: false,
  sort: false,
  deviceById: null,
  credential: null,
  eventType: null,
  peopleCount: null,
  queryFields: [],
  deviceFields: [],
  searchError: null,
  columns: [],
  fingerprint: [],
}

/** Largest number of extra columns. */
const maxColumns = 120

const named = z.object({ kind: z.string(), name: z.string().nullable().catch(null) })
const leaf = named.extend({ ofType: named.nullish() })
const arg = z.object({ type: named, defaultValue: z.unknown() })
/** The arguments of a field in an introspected schema. */
export const args = z.array(arg).catch([])
const member = z.object({ name: z.string(), args, type: leaf })
const members = z.array(member).nullish()
const object = named.extend({
  fields: members,
  ofType: named.extend({ fields: members, ofType: named.nullish() }).nullish(),
})
const field = z.object({ name: z.string(), args, type: object })

const inputs = z.array(z.object({ name: z.string() })).nullish()
const input = z.object({
  name: z.string(),
  type: named.extend({ inputFields: inputs, ofType: named.extend({ inputFields: inputs }).nullish() }),
})

const rootField = z.object({
  name: z.string(),
  args: z.array(z.object({ name: z.string(), type: leaf })),
  type: leaf.nullish().catch(null),
})

const subscriptionField = z.object({
  name: z.string(),
  type: named.extend({ ofType: leaf.nullish() }),
})

const schema = z.object({
  stream: z
    .object({ subscriptionType: z.object({ fields: z.array(subscriptionField) }) })
    .nullish()
    .catch(null),
  root: z
    .object({ queryType: z.object({ fields: z.array(rootField) }) })
    .nullable()
    .catch(null),
  params: z.object({ inputFields: z.array(input).nullable() }).nullable(),
  search: z
    .object({ fields: z.array(z.object({ name: z.string() })).nullable() })
    .nullable()
    .catch(null),
  device: z
    .object({ fields: z.array(field).nullable() })
    .nullable()
    .catch(null),
})

/** Reads the schema. A rejection means the documented minimum. Rejects with faults of the network and of the token. */
export async function askCapabilities(api: Api, signal: AbortSignal): Promise<Capabilities> {
  try {
    const reply = await api.run({ operation: schemaOperation, variables: {}, lane: 'visible', size: 1, signal })
    return readCapabilities(reply.data)
  } catch (error) {
    if (error instanceof FaultError && traitsOf(error.fault.kind).rejects !== null) return documentedMinimum
    throw error
  }
}

export function readCapabilities(data: unknown): Capabilities {
  const read = schema.safeParse(data)
  const offered = read.success ? read.data.params?.inputFields : null
  if (!read.success || offered === null || offered === undefined) return documentedMinimum
  const fields = read.data.device?.fields ?? []
  const streamFields = read.data.stream?.subscriptionType.fields
  const rootFields = read.data.root?.queryType.fields ?? []
  return {
    described: true,
    pageSize: offered.some(({ name }) => name === 'pageSize'),
    sort: offered.some((each) => each.name === 'sort' && membersOf(each).includes('fields')),
    deviceById: idTypeIn(rootFields, 'device'),
    credential: credentialIn(rootFields),
    eventType: eventTypeIn(streamFields ?? []),
    peopleCount: streamFields?.some(({ name }) => name === 'peopleCountStream') ?? null,
    queryFields: rootFields.map(({ name }) => name),
    deviceFields: fields.map(({ name }) => name),
    searchError: read.data.search?.fields?.some(({ name }) => name === 'error') ?? null,
    columns: fields.flatMap(columnsOf).slice(0, maxColumns),
    fingerprint: [...fields.flatMap(termsOf), ...offered.flatMap((each) => inputTerms(each))].toSorted(),
  }
}

/**
 * Returns the type of the argument of a root field such as `device(id)`: `String!` in the twin (section 7), `ID!` in
 * other services; null where there is no such field.
 */
function idTypeIn(fields: readonly z.infer<typeof rootField>[], rootName: string): string | null {
  const args = fields.find(({ name }) => name === rootName)?.args ?? []
  const type = args.find(({ name }) => name === 'id')?.type
  const name = type?.ofType?.name ?? type?.name
  const isAlone = args.every((arg) => arg.name === 'id' || arg.type.kind !== 'NON_NULL')
  return isAlone && (name === 'String' || name === 'ID') ? `${name}!` : null
}

function credentialIn(fields: readonly z.infer<typeof rootField>[]): CredentialField | null {
  const declared = fields.find(({ name }) => name === 'clientCredential')?.type
  const type = declared?.kind === 'NON_NULL' ? declared.ofType : declared
  const idType = idTypeIn(fields, 'clientCredential')
  return type?.kind === 'OBJECT' && type.name !== null && idType !== null ? { idType, type: type.name } : null
}

/** Returns the name of the type of an event, which may stand in a list; null where it is no object. */
function eventTypeIn(fields: readonly z.infer<typeof subscriptionField>[]): string | null {
  const type = fields.find(({ name }) => name === 'deviceStream')?.type
  const inner = [type, type?.ofType, type?.ofType?.ofType].find((each) => each?.kind === 'OBJECT')
  return inner?.name ?? null
}

const membersOf = ({ type }: z.infer<typeof input>): string[] =>
  (type.inputFields ?? type.ofType?.inputFields ?? []).map(({ name }) => name)

/** Returns words such as `deviceSearch.filter.contains`. */
function inputTerms(each: z.infer<typeof input>): string[] {
  return [`search.${each.name}`, ...membersOf(each).map((name) => `search.${each.name}.${name}`)]
}

function termsOf({ name, type }: z.infer<typeof field>): string[] {
  const of = typeNameOf(type)
  const below = objectOf(type)?.map((each) => `${name}.${each.name}:${typeNameOf(each.type)}`) ?? []
  return [`${name}:${of}`, ...below]
}

/** Returns `String`, `String!`, or `[…]` for a list, whose element type is irrelevant here. */
function typeNameOf({ kind, name, ofType }: z.infer<typeof leaf>): string {
  if (kind === 'NON_NULL') return `${ofType?.name ?? '[…]'}!`
  return kind === 'LIST' ? '[…]' : (name ?? '?')
}

type Leaf = z.infer<typeof leaf>

/** Returns the members of an object type, nullable or not; undefined for any other type. */
const objectOf = ({ kind, fields, ofType }: z.infer<typeof object>): z.infer<typeof members> =>
  kind === 'OBJECT' ? fields : kind === 'NON_NULL' && ofType?.kind === 'OBJECT' ? ofType.fields : undefined

/** Returns the field itself, or the scalar members of its object, without those that the base query already reads. */
function columnsOf({ name, args: given, type }: z.infer<typeof field>): Offered[] {
  if (needsArguments(given)) return []
  const below = objectOf(type) ?? []
  const own = columnOf(name, type)
  const inside = below.flatMap((each) => (needsArguments(each.args) ? [] : columnOf(`${name}.${each.name}`, each.type)))
  return [...own, ...inside].filter((column) => !baseFieldNames.has(column.name))
}

/** Returns whether a field cannot be selected without arguments. */
export const needsArguments = (given: z.infer<typeof args>): boolean =>
  given.some(
    ({ type, defaultValue }) => type.kind === 'NON_NULL' && (defaultValue === null || defaultValue === undefined),
  )

/** Accepts only valid field names, because the schema's names become part of a document. */
const fieldName = /^[A-Za-z]\w{0,80}(\.[A-Za-z]\w{0,80})?$/

function columnOf(name: string, { kind, name: of, ofType }: Leaf): Offered[] {
  const inner = kind === 'NON_NULL' ? ofType : { kind, name: of }
  if (!fieldName.test(name) || inner === null || inner === undefined) return []
  if (inner.kind === 'ENUM') return [{ name, type: 'text' }]
  return inner.kind === 'SCALAR' ? [{ name, type: typeOf(inner.name ?? '') }] : []
}

function typeOf(scalar: string): Offered['type'] {
  if (scalar === 'Int' || scalar === 'Float') return 'number'
  if (scalar === 'Boolean') return 'boolean'
  return /date|time|instant/i.test(scalar) ? 'time' : 'text'
}
