import { baseFields, textFields, timeFields } from '../../src-shared/model/base-fields.ts'
import { lazy } from '../../src-shared/lib/lazy.ts'
import { tenantsBytes, visitMarks } from './bounds.ts'
import { shapeOf, shapeOfEach, type Shape } from '../pacing/cost/shape.ts'

/**
 * Every document that Muster sends, by name; the cost gauge shows the names. Shapes follow service-spec.md, sections 2
 * and 4; `schema` reads by introspection what the service offers beyond them.
 */

/** One document and the name under which the gauge lists it. */
export interface Operation {
  name: string
  document: string
  /** The shape by which its cost is learned. */
  shape: Shape
  /** Largest answer, bytes. Default: that of a page of the requested size. */
  bytes?: number
  /** Returns the readable part of an answer that exceeds its limit; null: none. Default: no part is readable. */
  partOf?: (text: string) => string | null
}

/** Returns an operation whose shape is told when it is first needed. */
export function operation(name: string, document: string): Operation {
  const shape = lazy(() => shapeOf(document))
  return {
    name,
    document,
    get shape() {
      return shape()
    },
  }
}

/** The recommended first query of each sync: it contains the regions (section 4). */
export const tenantsOperation: Operation = Object.assign(
  operation('Tenants', 'query Tenants { tenants { id name region { id } } }'),
  { bytes: tenantsBytes, partOf: completePart },
)

/** The spec's eight device fields, as a selection. */
export const baseSelection = `id ${baseFields.map((field) => (field === 'site' || field === 'room' ? `${field} { id name }` : field)).join(' ')}`
/** Column names of the fields that the base query reads. */
export const baseFieldNames: ReadonlySet<string> = new Set([
  'id',
  'name',
  ...textFields,
  'connected',
  ...timeFields,
  'site.id',
  'site.name',
  'room.id',
  'room.name',
])
/** The fields of a reconciliation. */
export const stateFields = 'id connected lastDetected'

/** The spec's eight device fields. Variables: `tenant: ID!`, `params: DeviceFindArgs`. */
export const devicesOperation = operation('Devices', deviceSearch('Devices', baseSelection))

/** The cheap query after each (re)subscription (design, section 5). Variables as `devicesOperation`. */
export const statesOperation = operation('States', deviceSearch('States', stateFields))

/**
 * The number of devices and the first of them, to compare the assignments of two connections. Variables as
 * `devicesOperation`.
 */
export const fingerprintOperation = operation('Fingerprint', deviceSearch('Fingerprint', 'id'))

/** The ids alone, to find new and removed devices. Variables as `devicesOperation`. */
export const idsOperation = operation('Ids', deviceSearch('Ids', 'id'))

function deviceSearch(name: string, fields: string): string {
  return `query ${name}($tenant: ID!, $params: DeviceFindArgs) { tenant(id: $tenant) { inventory { deviceSearch(params: $params) {
  edges { node { ${fields} } } pageInfo { totalCount countOnPage nextToken hasNextPage } } } } }`
}

/** Devices requested at once by their ids: as many as are known to be accepted (service-twin.md, section 3). */
export const maxByIds = 25

/**
 * Returns the operation that reads the state of `count` devices, each under an alias. Variables `i0`, `i1` and so on,
 * of the type that the service's `device(id)` takes. Its cost is learned by the number of devices.
 */
export const statesByIdsOperation = (count: number, idType: string): Operation =>
  byIdsOperation('StatesByIds', stateFields, count, idType)

/** Returns the operation that reads these fields of `count` devices under aliases, as `statesByIdsOperation`. */
export function byIdsOperation(name: string, fields: string, count: number, idType: string): Operation {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const document = (of: readonly number[]): string =>
    `query ${name}(${of.map((index) => `$i${index}: ${idType}`).join(', ')}) { ${of.map((index) => `d${index}: device(id: $i${index}) { ${fields} }`).join(' ')} }`
  return { name, document: document(numbers), shape: shapeOfEach(document([0])) }
}

const named = 'kind name'
const fieldsOf = `fields { name args { type { ${named} } defaultValue } type { ${named} ofType { ${named} } } }`

/**
 * Reads the root fields, the members of the search beyond the specification's two, and the device fields beyond the
 * eight (service-twin, sections 6 and 7).
 */
export const schemaOperation = operation(
  'Schema',
  `query Schema {
  stream: __schema { subscriptionType { fields { name type { ${named} ofType { ${named} ofType { ${named} } } } } } }
  root: __schema { queryType { fields { name args { name type { ${named} ofType { ${named} } } } type { ${named} ofType { ${named} } } } } }
  search: __type(name: "DeviceConnection") { fields { name } }
  params: __type(name: "DeviceFindArgs") { inputFields { name type { ${named} inputFields { name } ofType { ${named} inputFields { name } } } } }
  device: __type(name: "Device") { fields { name args { type { ${named} } defaultValue }
    type { ${named} ${fieldsOf} ofType { ${named} ${fieldsOf} } } } } }`,
)

/** Reads the fields of one type. Variables: `name: String!`. */
export const typeOperation = operation(
  'Type',
  `query Type($name: String!) { type: __type(name: $name) { fields { name args { type { kind } defaultValue }
  type { ${named} ofType { ${named} ofType { ${named} ofType { ${named} } } } } } } }`,
)

const wrappedType = `type { ${named} ofType { ${named} ofType { ${named} ofType { ${named} } } } }`
const declaredFields = `fields { name args { name defaultValue ${wrappedType} } ${wrappedType} }`

/** Reads the root fields of queries with their arguments and types. */
export const rootFieldsOperation = operation(
  'RootFields',
  `query RootFields { root: __schema { queryType { ${declaredFields} } } }`,
)

/** Reads one type: its fields with arguments, or the members of an input, or the values of an enum. */
export const placeTypeOperation = operation(
  'PlaceType',
  `query PlaceType($name: String!) { type: __type(name: $name) { ${declaredFields} inputFields { name ${wrappedType} } enumValues { name } } }`,
)

/**
 * Returns the operation that reads places: the parts of `document(count)`. Its cost is learned by the number of places
 * that are requested in all parts.
 */
export function placesOperation(document: (count: number) => string, count: number): Operation {
  // The number of places is no page size, by which the costs of others could be told.
  const { key, once, each } = shapeOf(document(1))
  return { name: 'Places', document: document(count), shape: { key, once, each } }
}

/**
 * Returns the operation that reads these members of the caller's own credential set. Variables: `id`, of the type that
 * the service's `clientCredential(id)` takes.
 */
export const credentialOperation = (idType: string, selection: string): Operation =>
  operation('Credential', `query Credential($id: ${idType}) { credential: clientCredential(id: $id) { ${selection} } }`)

/**
 * Returns the operation that reads extra columns of devices, `user.email` for a member of an object. Variables as
 * `devicesOperation`. The name, and so the cost, follows from the columns.
 */
export function extrasOperation(columns: readonly string[]): Operation {
  const name = `Columns_${columns.map((column) => column.replaceAll('.', '_')).join('_')}`.slice(0, 120)
  return operation(name, deviceSearch(name, `id ${selectionOf(columns)}`))
}

function selectionOf(columns: readonly string[]): string {
  const objects = new Map<string, string[]>()
  for (const column of columns) {
    const [field = '', member] = column.split('.')
    objects.set(field, [...(objects.get(field) ?? []), ...(member === undefined ? [] : [member])])
  }
  return [...objects]
    .map(([field, members]) => (members.length === 0 ? field : `${field} { ${members.join(' ')} }`))
    .join(' ')
}

/** Returns the subscription that carries these fields. */
export const subscriptionOf = (selection: string): string => `subscription Devices($deviceIds: [String!]!) {
  deviceStream(deviceIds: $deviceIds) { ${selection} } }`

/** The documented subscription; a connection may set another (design, section 7). */
export const defaultSubscription = subscriptionOf('id tenantId name connected')

/** A document that Muster sends, for an operator who wants to send it too. */
export interface ReproducibleQuery {
  name: string
  document: string
  variables: unknown
  /** Describes what the variables leave out; '' when nothing. */
  remark: string
}

/** Number of ids that are listed. */
const maxShownIds = 20

/**
 * Returns the query and the default subscription that read these devices; ids as the service knows them. The query's
 * variables name the first tenant.
 */
export function queriesFor(tenants: readonly { id: string }[], deviceIds: readonly string[]): ReproducibleQuery[] {
  const [first, ...others] = tenants
  const ids = deviceIds.slice(0, maxShownIds)
  const reading = {
    name: devicesOperation.name,
    document: devicesOperation.document,
    variables: { tenant: first?.id ?? '', params: { nextToken: null } },
  }
  return [
    ...(first === undefined ? [] : [{ ...reading, remark: othersWords(others) }]),
    ...(ids.length === 0
      ? []
      : [
          {
            name: 'Devices (subscription)',
            document: defaultSubscription,
            variables: { deviceIds: ids },
            remark: idsWords(ids.length, deviceIds.length),
          },
        ]),
  ]
}

function othersWords(others: readonly { id: string }[]): string {
  if (others.length === 0) return ''
  const more = others.length > maxShownIds ? `, and ${others.length - maxShownIds} more` : ''
  return `Asked in the same way for the tenants ${others
    .slice(0, maxShownIds)
    .map(({ id }) => id)
    .join(', ')}${more}.`
}

const idsWords = (shown: number, total: number): string =>
  shown === total ? '' : `The first ${shown} of ${total} ids.`

/**
 * Returns the complete part of a JSON text that was cut off within a list of `data` (`{"data":{"tenants":[…`), closed
 * behind the last complete element. Returns null where it was cut off elsewhere, or before the first element ended.
 */
function completePart(text: string): string | null {
  let [path, end] = ['', -1]
  const isDeep = visitMarks(text, (at, mark) => {
    if (mark === 'divides') return false
    path = mark === 'opens' ? path + text.charAt(at) : path.slice(0, -1)
    if (mark === 'closes' && path === '{{[') end = at + 1
    else if (path.length < 3) end = -1
    // No requested value lies deeper.
    return path.length > 64
  })
  return isDeep || end < 0 || !path.startsWith('{{[') ? null : `${text.slice(0, end)}]}}`
}
