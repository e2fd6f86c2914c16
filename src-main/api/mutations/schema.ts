import { z } from 'zod'
import { shapeOf } from '../../pacing/cost/shape.ts'
import { lazy } from '../../../src-shared/lib/lazy.ts'
import type { Operation } from '../operations.ts'
import type { MutationOffer } from './mutations.ts'

/**
 * What the schema says of the mutations that Muster can send (service-twin.md, section 10), with the types of their
 * arguments. A mutation of another name, or with another required argument or member, is not offered.
 */
export interface MutationSchema {
  reboot: { id: Argument; linkedDevices: Argument | null; result: Result } | null
  update: { id: Argument; fields: Input; result: Result } | null
  site: { fields: Input; result: Result } | null
  room: { fields: Input; result: Result } | null
  /** The root field `device(id)`: the type of its argument, and the fields of a device. */
  device: { idType: string; fields: ReadonlySet<string> } | null
}

/** An argument, with its type as written in a document. */
interface Argument {
  name: string
  type: string
}
interface Input extends Argument {
  members: ReadonlySet<string>
}

/** What a mutation returns: an object with `success` and perhaps `error`, a boolean, or the changed thing itself. */
export interface Result {
  is: 'action' | 'boolean' | 'object'
  /** The selection as written in a document; '' for a boolean. */
  selection: string
}

const [typeRef, inputField] = [
  'kind name ofType { kind name }',
  'name defaultValue type { kind name ofType { kind name } }',
]
const document = `query Mutations {
  schema: __schema {
    queryType { fields { name args { name defaultValue type { ${typeRef} } } } }
    mutationType { fields { name
      args { name defaultValue type { kind name inputFields { ${inputField} } ofType { kind name inputFields { ${inputField} } } } }
      type { kind name fields { name type { ${typeRef} } } ofType { kind name fields { name type { ${typeRef} } } } } } } }
  device: __type(name: "Device") { fields { name } } }`
const shape = lazy(() => shapeOf(document))

/** Reads the mutations, and how a device is read by its id. */
export const mutationsOperation: Operation = {
  name: 'Mutations',
  document,
  get shape() {
    return shape()
  },
}

const word = z.string().regex(/^[A-Za-z_]\w{0,100}$/)
const named = z.object({ kind: z.string(), name: z.string().nullish() })
const ref = named.extend({ ofType: named.nullish() })
const given = z.object({ name: word, defaultValue: z.unknown(), type: ref })
const inputs = z.array(given).nullish().catch(null)
const argument = given.extend({
  type: named.extend({ inputFields: inputs, ofType: named.extend({ inputFields: inputs }).nullish() }),
})
const outputs = z
  .array(z.object({ name: z.string(), type: ref }))
  .nullish()
  .catch(null)
const mutation = z.object({
  name: z.string(),
  args: z.array(argument),
  type: named.extend({ fields: outputs, ofType: named.extend({ fields: outputs }).nullish() }),
})
const schema = z.object({
  schema: z.object({
    queryType: z.object({ fields: z.array(z.object({ name: z.string(), args: z.unknown() })) }),
    mutationType: z.object({ fields: z.array(z.unknown()) }).nullable(),
  }),
  device: z
    .object({ fields: z.array(z.object({ name: z.string() })) })
    .nullish()
    .catch(null),
})

type Given = z.infer<typeof given>
type FieldArgument = z.infer<typeof argument>
type Mutation = z.infer<typeof mutation>

/** Returns what the schema says; null where the answer has no schema. */
export function readMutationSchema(data: unknown): MutationSchema | null {
  const read = schema.safeParse(data)
  if (!read.success) return null
  const { queryType, mutationType } = read.data.schema
  const fields = mutationType?.fields ?? []
  const offered = (name: string): Mutation | null => {
    const found = fields.find((each) => z.object({ name: z.literal(name) }).safeParse(each).success)
    return mutation.safeParse(found).data ?? null
  }
  const device = queryType.fields.find(({ name }) => name === 'device')
  const byId = z.array(given).safeParse(device?.args).data ?? []
  const id = onlyKnown(byId, ['id']) ? argumentOf(byId, 'id', idTypes) : null
  return {
    reboot: rebootOf(offered('rebootDevice')),
    update: updateOf(offered('updateDevice')),
    site: placeOf(offered('upsertSite')),
    room: placeOf(offered('upsertRoom')),
    device: id && { idType: id.type, fields: new Set(read.data.device?.fields.map(({ name }) => name)) },
  }
}

/** Returns the schema as the actions see it. */
export function offerOf({ reboot, update, site, room, device }: MutationSchema): MutationOffer {
  const members = (input: Input, ...names: string[]) => names.map((name) => input.members.has(name))
  const [name = false, toSite = false, toRoom = false] = update
    ? members(update.fields, 'name', 'siteId', 'roomId')
    : []
  const [ofSite = false, capacity = false, size = false, floor = false] = room
    ? members(room.fields, 'siteId', 'capacity', 'size', 'floor')
    : []
  return {
    reboot: reboot && { linkedDevices: reboot.linkedDevices !== null },
    update: name || toSite || toRoom ? { name, site: toSite, room: toRoom } : null,
    site: site && { account: site.fields.members.has('accountId') },
    room: room && { site: ofSite, capacity, size, floor },
    calls: device?.fields.has('callStatus') ?? false,
  }
}

const idTypes = ['ID', 'String']

function rebootOf(field: Mutation | null): MutationSchema['reboot'] {
  const [id, result] = [field && argumentOf(field.args, 'deviceId', idTypes), field && resultOf(field)]
  if (field === null || id === null || result === null) return null
  if (!onlyKnown(field.args, ['deviceId', 'includeLinkedDevices'])) return null
  return { id, result, linkedDevices: argumentOf(field.args, 'includeLinkedDevices', ['Boolean']) }
}

function updateOf(field: Mutation | null): MutationSchema['update'] {
  const id = field && argumentOf(field.args, 'id', idTypes)
  const change = field && changeOf(field, ['id', 'fields'], updateMembers, [])
  return id && change && { id, ...change }
}

const placeOf = (field: Mutation | null): MutationSchema['site'] =>
  field && changeOf(field, ['fields'], placeMembers, ['tenantId', 'id', 'name'])

/** The members that Muster sends, with the types that can hold its values; undefined: any enum, or a text. */
const updateMembers: Members = new Map([
  ['name', ['String']],
  ['siteId', idTypes],
  ['roomId', idTypes],
])
const placeMembers: Members = new Map([
  ['tenantId', idTypes],
  ['id', idTypes],
  ['accountId', idTypes],
  ['siteId', idTypes],
  ['name', ['String']],
  ['capacity', ['Int', 'Float']],
  ['size', undefined],
  ['floor', ['String']],
])
type Members = ReadonlyMap<string, readonly string[] | undefined>

/**
 * Returns a mutation with an input object `fields`. Null where it lacks one of `needed`, or where it requires a member
 * that Muster may leave out.
 */
function changeOf(
  field: Mutation,
  known: readonly string[],
  members: Members,
  needed: readonly string[],
): { fields: Input; result: Result } | null {
  const [own, result] = [field.args.find(({ name }) => name === 'fields'), resultOf(field)]
  const input = own === undefined ? null : inputOf(own)
  if (input === null || result === null || !onlyKnown(field.args, known)) return null
  const fitting = input.members.filter(({ name, type }) => {
    const wanted = members.get(name)
    return members.has(name) && (wanted === undefined ? isWord(type) : wanted.includes(innerName(type)))
  })
  const names = new Set(fitting.map(({ name }) => name))
  if (!onlyKnown(input.members, needed) || !needed.every((name) => names.has(name))) return null
  return { fields: { name: 'fields', type: input.type, members: names }, result }
}

function inputOf({ type }: FieldArgument): { type: string; members: Given[] } | null {
  const inner = type.kind === 'NON_NULL' ? type.ofType : type
  const name = word.safeParse(inner?.name).data
  if (inner?.kind !== 'INPUT_OBJECT' || name === undefined || !inner.inputFields) return null
  return { type: type.kind === 'NON_NULL' ? `${name}!` : name, members: inner.inputFields }
}

/** Returns an argument of one of these scalar types; null where it is missing or of another type. */
function argumentOf(
  all: readonly Pick<Given, 'name' | 'type'>[],
  name: string,
  types: readonly string[],
): Argument | null {
  const found = all.find((each) => each.name === name)
  if (found === undefined || !types.includes(innerName(found.type))) return null
  return { name, type: `${innerName(found.type)}${found.type.kind === 'NON_NULL' ? '!' : ''}` }
}

type Ref = z.infer<typeof ref>

const innerOf = (type: Ref) => (type.kind === 'NON_NULL' ? type.ofType : type)
/** Returns the name of a scalar or enum, nullable or not; '' for anything else. */
function innerName(type: Ref): string {
  const inner = innerOf(type)
  return inner?.kind === 'SCALAR' ? (inner.name ?? '') : ''
}
const isWord = (type: Ref): boolean => innerOf(type)?.kind === 'ENUM' || innerName(type) === 'String'

/** Returns whether every argument that has to be given is a known one. */
const onlyKnown = (
  all: readonly { name: string; type: { kind: string }; defaultValue?: unknown }[],
  known: readonly string[],
): boolean =>
  all.every(
    ({ name, type, defaultValue }) =>
      known.includes(name) || type.kind !== 'NON_NULL' || (defaultValue !== null && defaultValue !== undefined),
  )

function resultOf({ type }: Mutation): Result | null {
  const inner = type.kind === 'NON_NULL' ? type.ofType : type
  if (inner?.kind === 'SCALAR' && inner.name === 'Boolean') return { is: 'boolean', selection: '' }
  if (inner?.kind !== 'OBJECT') return null
  const has = (name: string, of: readonly string[]) =>
    inner.fields?.some((each) => each.name === name && of.includes(innerName(each.type))) ?? false
  if (has('success', ['Boolean']))
    return { is: 'action', selection: has('error', ['String']) ? '{ success error }' : '{ success }' }
  return has('id', [...idTypes, 'Int']) ? { is: 'object', selection: '{ id }' } : null
}
