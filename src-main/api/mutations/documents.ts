import { shapeOf, shapeOfEach } from '../../pacing/cost/shape.ts'
import type { Operation } from '../operations.ts'
import type { DeviceUpdate, RoomFields, SiteFields } from './mutations.ts'
import type { MutationSchema, Result } from './schema.ts'

/** One operation with its variables, and what it returns under each alias. */
export interface Sending {
  operation: Operation
  variables: Record<string, unknown>
  /** Number of mutations in it, for the cost. */
  size: number
  aliases: readonly string[]
  result: Result
}

type Of<K extends keyof MutationSchema> = NonNullable<MutationSchema[K]>

/** Returns the document of a reboot, the same with linked devices and without. */
export function rebootOperation({ id, linkedDevices, result }: Of<'reboot'>): Operation {
  const [more, argument] =
    linkedDevices === null ? ['', ''] : [`, $linked: ${linkedDevices.type}`, `, ${linkedDevices.name}: $linked`]
  return operationOf(
    'Reboot',
    `mutation Reboot($id: ${id.type}${more}) { m0: rebootDevice(${id.name}: $id${argument}) ${result.selection} }`,
  )
}

/** Returns null where linked devices are wanted and the service cannot include them. */
export function rebootSending(reboot: Of<'reboot'>, device: string, linked: boolean): Sending | null {
  const { linkedDevices, result } = reboot
  if (linked && linkedDevices === null) return null
  return {
    operation: rebootOperation(reboot),
    variables: { id: device, ...(linkedDevices !== null && { linked }) },
    size: 1,
    aliases: ['m0'],
    result,
  }
}

const operationOf = (name: string, document: string): Operation => ({ name, document, shape: shapeOf(document) })

/** Returns the document of so many updates; its cost is learned by their number. */
export function updateOperation({ id, fields, result }: Of<'update'>, count: number): Operation {
  const document = (numbers: readonly number[]) =>
    `mutation UpdateDevices(${numbers.map((at) => `$i${at}: ${id.type}, $f${at}: ${fields.type}`).join(', ')}) { ${numbers
      .map((at) => `m${at}: updateDevice(${id.name}: $i${at}, ${fields.name}: $f${at}) ${result.selection}`)
      .join(' ')} }`
  return {
    name: 'UpdateDevices',
    document: document(Array.from({ length: count }, (_, at) => at)),
    shape: shapeOfEach(document([0])),
  }
}

export function updateSending(update: Of<'update'>, updates: readonly DeviceUpdate[]): Sending {
  const values = updates.flatMap(({ id, name, site, room }, at) => [
    [`i${at}`, id],
    [`f${at}`, given({ name, siteId: site, roomId: room })],
  ])
  return {
    operation: updateOperation(update, updates.length),
    variables: Object.fromEntries(values) as Record<string, unknown>,
    size: updates.length,
    aliases: updates.map((_, at) => `m${at}`),
    result: update.result,
  }
}

/** Returns whether the input can express every member that is given. */
export const canUpdate = ({ fields }: Of<'update'>, { name, site, room }: DeviceUpdate): boolean =>
  Object.keys(given({ name, siteId: site, roomId: room })).every((member) => fields.members.has(member))

export const siteOperation = (site: Of<'site'>): Operation => placeOperation('SaveSite', 'upsertSite', site)
export const roomOperation = (room: Of<'room'>): Operation => placeOperation('SaveRoom', 'upsertRoom', room)

const placeOperation = (name: string, field: string, { fields, result }: Of<'site'>): Operation =>
  operationOf(
    name,
    `mutation ${name}($fields: ${fields.type}) { m0: ${field}(${fields.name}: $fields) ${result.selection} }`,
  )

/** Returns null where the input lacks a member that is given. */
export function siteSending(site: Of<'site'>, { tenant, id, account, name }: SiteFields): Sending | null {
  return placeSending(siteOperation(site), site, id, { tenantId: tenant, accountId: account, name })
}

/** Returns null where the input lacks a member that is given. */
export function roomSending(room: Of<'room'>, fields: RoomFields): Sending | null {
  const { tenant, id, site, name, capacity, size, floor } = fields
  const values = { tenantId: tenant, siteId: site, name, capacity, size, floor }
  return placeSending(roomOperation(room), room, id, values)
}

/** A null clears a member, and is sent. */
function placeSending(
  operation: Operation,
  { fields: { members }, result }: Of<'site'>,
  id: string | null,
  values: Record<string, unknown>,
): Sending | null {
  const wanted = Object.entries(given({ ...values, id: id ?? undefined }))
  // A new place has nothing to clear.
  const known = wanted.filter(([member, value]) => members.has(member) || id !== null || value !== null)
  if (!known.every(([member]) => members.has(member))) return null
  return { operation, variables: { fields: Object.fromEntries(known) }, size: 1, aliases: ['m0'], result }
}

const given = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Fields of a device that are read again, where the service has them. */
const readFields = ['name', 'connected', 'lastConfigRequestDate', 'site', 'room', 'callStatus']

/** Returns the operation that reads so many devices by their ids, each under an alias. Variables `i0`, `i1` and so on. */
export function readOperation({ idType, fields }: Of<'device'>, count: number): Operation {
  const selection = readFields
    .filter((name) => fields.has(name))
    .map((name) => (name === 'site' || name === 'room' ? `${name} { id name }` : name))
    .join(' ')
  const document = (numbers: readonly number[]) =>
    `query ReadDevices(${numbers.map((at) => `$i${at}: ${idType}`).join(', ')}) { ${numbers
      .map((at) => `d${at}: device(id: $i${at}) { id ${selection} }`)
      .join(' ')} }`
  return {
    name: 'ReadDevices',
    document: document(Array.from({ length: count }, (_, at) => at)),
    shape: shapeOfEach(document([0])),
  }
}
