import { z } from 'zod'
import type { Api } from '../client.ts'
import { placeTypeOperation, rootFieldsOperation } from '../operations.ts'
import type { AskedAs } from '../selection.ts'
import type { PageParams, PlaceKind, PlaceList, PlaceSource, PlaceSources } from './lists.ts'

interface Wrapped {
  kind: string
  name?: string | null | undefined
  ofType?: Wrapped | null | undefined
}

/** The schema's names become part of a document. */
const fieldName = z.string().regex(/^[A-Za-z_]\w{0,80}$/)
const named = z.object({ kind: z.string(), name: fieldName.nullish().catch(null) })
const wrapped = named.extend({
  ofType: named.extend({ ofType: named.extend({ ofType: named.nullish() }).nullish() }).nullish(),
})
const arg = z.object({ name: z.string(), defaultValue: z.unknown(), type: wrapped })
const field = z.object({ name: fieldName, args: z.array(arg).catch([]), type: wrapped })
const fields = z.array(z.unknown()).transform((list) =>
  list.flatMap((each) => {
    const read = field.safeParse(each)
    return read.success ? [read.data] : []
  }),
)
const input = z.object({ name: z.string(), type: wrapped })
const type = z.object({
  fields: fields.nullish().catch(null),
  inputFields: z.array(input).nullish().catch(null),
  enumValues: z
    .array(z.object({ name: fieldName }))
    .nullish()
    .catch(null),
})

type Type = z.infer<typeof type>
type Field = z.infer<typeof field>
/** Resolves with a type of the schema; one that cannot be read has no members. */
type Types = (name: string) => Promise<Type>

const rootFields = z.object({ root: z.object({ queryType: z.object({ fields }) }) })
const described = z.object({ type })
const unknownType: Type = { fields: null, inputFields: null, enumValues: null }

/**
 * Learns from the schema which lists of places the service offers. Null where it offers none. Each type is asked for
 * once. Rejects with a `FaultError`.
 */
export async function learnPlaceSources(api: Api, as: AskedAs): Promise<PlaceSources | null> {
  const types = readTypes(api, as)
  const reply = await api.run({ operation: rootFieldsOperation, variables: {}, size: 1, ...as })
  const read = rootFields.safeParse(reply.data)
  const root = new Map((read.success ? read.data.root.queryType.fields : []).map((each) => [each.name, each]))
  const tenant = parentIn(root, 'tenant')
  const site = parentIn(root, 'site')
  const siteData = await siteDataIn(types, root.get('siteData'))
  const roomData = await under(types, tenant, 'roomData', 'rooms')
  const siteRooms = await under(types, site, 'rooms', 'rooms')
  const accounts = await under(types, tenant, 'accounts', 'accounts')
  const nested = accounts ?? (siteData === null ? await under(types, tenant, 'sites', 'sites') : null)
  const sources = reduced({ nested, siteData, roomData, siteRooms })
  return Object.values(sources).every((source) => source === null) ? null : sources
}

/**
 * Leaves out what another list tells for less: rooms within sites where they can be read by tenant or by site, sites
 * within accounts where each site of `siteData` names its account. Leaves out accounts to which no site can be assigned,
 * and `roomData` that names no sites.
 */
function reduced(found: PlaceSources): PlaceSources {
  const roomData = found.roomData?.list.above == null ? null : found.roomData
  const rooms = roomData !== null || found.siteRooms !== null
  const siteData = without(found.siteData, { sites: false, rooms })
  const sites = siteData?.list.above?.field === 'account'
  const list = without(found.nested, { sites, rooms: rooms || siteData?.list.below != null })
  const isOfUse = list !== null && (list.list.kind === 'sites' || list.list.below !== null || sites)
  const hasSites = siteData !== null || (isOfUse && (list.list.kind === 'sites' || list.list.below !== null))
  return {
    nested: isOfUse ? list : null,
    siteData,
    roomData,
    siteRooms: roomData === null && hasSites ? found.siteRooms : null,
  }
}

/** The kinds of places that other lists tell. */
type Otherwise = Readonly<{ sites: boolean; rooms: boolean }>

const without = (source: PlaceSource | null, isOtherwise: Otherwise): PlaceSource | null =>
  source && { ...source, list: trimmed(source.list, isOtherwise) }

/** Returns a list without those below it that can be read otherwise. */
function trimmed(list: PlaceList, isOtherwise: Otherwise): PlaceList {
  const below = list.below && trimmed(list.below, isOtherwise)
  if (below === null) return list
  const isSpare = below.kind === 'rooms' ? isOtherwise.rooms : isOtherwise.sites && below.below === null
  return { ...list, below: isSpare ? null : below }
}

function readTypes(api: Api, as: AskedAs): Types {
  const known = new Map<string, Promise<Type>>()
  const read = async (name: string): Promise<Type> => {
    const reply = await api.run({ operation: placeTypeOperation, variables: { name }, size: 1, ...as })
    const found = described.safeParse(reply.data)
    return found.success ? found.data.type : unknownType
  }
  return (name) => {
    const found = known.get(name) ?? read(name)
    known.set(name, found)
    return found
  }
}

/** A root field that leads to one tenant or site. */
interface Parent {
  name: 'tenant' | 'site'
  idType: string
  type: string
}

function parentIn(root: ReadonlyMap<string, Field>, name: Parent['name']): Parent | null {
  const found = root.get(name)
  const type = found === undefined ? null : innermost(found.type).name
  const idType = found === undefined ? null : idTypeOf(found, 'id')
  return typeof type === 'string' && idType !== null ? { name, idType, type } : null
}

/** Returns the type of an argument with an id as written in a document; null where others are required too. */
function idTypeOf({ args }: Field, name: string): string | null {
  const type = args.find((each) => each.name === name)?.type
  const of = type === undefined ? null : innermost(type).name
  return (of === 'ID' || of === 'String') && args.every((each) => each.name === name || isOptional(each))
    ? `${of}!`
    : null
}

const isOptional = ({ type: { kind }, defaultValue }: z.infer<typeof arg>): boolean =>
  kind !== 'NON_NULL' || (defaultValue !== null && defaultValue !== undefined)

async function under(types: Types, parent: Parent | null, name: string, kind: PlaceKind): Promise<PlaceSource | null> {
  if (parent === null) return null
  const list = await listIn(types, parent.type, name, kind)
  return list && { parent: parent.name, idArgument: 'id', idType: parent.idType, list }
}

async function siteDataIn(types: Types, declared: Field | undefined): Promise<PlaceSource | null> {
  const idType = declared === undefined ? null : idTypeOf(declared, 'tenantId')
  if (declared === undefined || idType === null) return null
  const list = await listOf(types, declared, 'sites')
  return list && { parent: null, idArgument: 'tenantId', idType, list }
}

const memberNames: Readonly<Record<PlaceKind, readonly string[]>> = {
  accounts: ['id', 'name'],
  sites: ['id', 'name'],
  rooms: ['id', 'name', 'capacity', 'size', 'floor'],
}
const belowOf = { accounts: 'sites', sites: 'rooms', rooms: null } as const
const aboveOf = { accounts: null, sites: 'account', rooms: 'site' } as const

async function listIn(types: Types, owner: string, name: string, kind: PlaceKind): Promise<PlaceList | null> {
  const declared = fieldOf(await types(owner), name)
  return declared === undefined || !declared.args.every((each) => each.name === 'params' || isOptional(each))
    ? null
    : listOf(types, declared, kind)
}

async function listOf(types: Types, declared: Field, kind: PlaceKind): Promise<PlaceList | null> {
  const form = isList(declared.type) ? 'list' : 'connection'
  const connection = form === 'list' ? unknownType : await typeOf(types, declared)
  const node = form === 'list' ? await typeOf(types, declared) : await nodeOf(types, connection)
  const members = memberNames[kind].filter((name) => isPlain(fieldOf(node, name)))
  const params = await paramsOf(types, declared)
  if (!members.includes('id') || params === 'unusable') return null
  const pageInfo = fieldOf(connection, 'pageInfo')
  const next = belowOf[kind]
  return {
    kind,
    field: declared.name,
    form,
    params,
    pageInfo: pageInfo === undefined ? [] : plainIn(await typeOf(types, pageInfo), pageMembers),
    hasTotal: isPlain(fieldOf(connection, 'total')),
    members,
    above: await aboveIn(types, node, aboveOf[kind]),
    below: next === null ? null : await belowIn(types, node, next),
  }
}

const pageMembers = ['totalCount', 'nextToken', 'hasNextPage', 'endCursor']

async function belowIn(types: Types, node: Type, kind: 'sites' | 'rooms'): Promise<PlaceList | null> {
  const declared = fieldOf(node, kind)
  return declared === undefined || !declared.args.every((each) => each.name === 'params' || isOptional(each))
    ? null
    : listOf(types, declared, kind)
}

async function aboveIn(types: Types, node: Type, name: 'account' | 'site' | null): Promise<PlaceList['above']> {
  const declared = name === null ? undefined : fieldOf(node, name)
  if (name === null || declared === undefined || isList(declared.type) || !declared.args.every(isOptional)) return null
  const members = plainIn(await typeOf(types, declared), ['id', 'name'])
  return members.includes('id') ? { field: name, members } : null
}

async function nodeOf(types: Types, connection: Type): Promise<Type> {
  const edges = fieldOf(connection, 'edges')
  const node = edges === undefined || !isList(edges.type) ? undefined : fieldOf(await typeOf(types, edges), 'node')
  return node === undefined ? unknownType : typeOf(types, node)
}

/** Returns the members of `params` that Muster can fill; `unusable` where it requires another one. */
async function paramsOf(types: Types, { args }: Field): Promise<PageParams | null | 'unusable'> {
  const declared = args.find(({ name }) => name === 'params')
  const type = declared === undefined ? null : innermost(declared.type).name
  if (declared === undefined || typeof type !== 'string') return null
  const members = (await types(type)).inputFields ?? []
  const has = <N extends string>(...names: N[]): N | null =>
    names.find((name) => members.some((each) => each.name === name)) ?? null
  const paging = members.find(({ name }) => name === 'paging')
  const words = paging === undefined ? [] : ((await typeOf(types, paging)).enumValues ?? [])
  const read: PageParams = {
    type,
    size: has('pageSize', 'limit'),
    token: has('nextToken', 'cursor'),
    paging: words.find(({ name }) => name === 'NEXT_PAGE')?.name ?? null,
  }
  const filled = new Set<string | null>([read.size, read.token, read.paging === null ? null : 'paging'])
  return members.some(({ name, type: { kind } }) => kind === 'NON_NULL' && !filled.has(name)) ? 'unusable' : read
}

const fieldOf = ({ fields: known }: Type, name: string): Field | undefined => known?.find((each) => each.name === name)

const isPlain = (declared: Field | undefined): boolean =>
  declared !== undefined &&
  ['SCALAR', 'ENUM'].includes(innermost(declared.type).kind) &&
  !isList(declared.type) &&
  declared.args.every(isOptional)

const plainIn = (of: Type, names: readonly string[]): string[] => names.filter((name) => isPlain(fieldOf(of, name)))

function typeOf(types: Types, { type: declared }: { type: Wrapped }): Promise<Type> {
  const { name } = innermost(declared)
  return typeof name === 'string' ? types(name) : Promise.resolve(unknownType)
}

/** Returns the type within lists and non-null types. */
const innermost = (declared: Wrapped): Wrapped =>
  declared.ofType === null || declared.ofType === undefined ? declared : innermost(declared.ofType)

const isList = ({ kind, ofType }: Wrapped): boolean =>
  kind === 'LIST' || (kind === 'NON_NULL' && ofType !== null && ofType !== undefined && isList(ofType))
