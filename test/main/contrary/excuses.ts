import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'

/** The differences that the faults of a tenant can excuse. */
export interface Excuses {
  /** Devices that are missing, that are gone, or that are as they were: not all of the tenant was read. */
  lists: boolean
  /** Fields of which no value came for some devices. */
  fields: ReadonlySet<string>
}

/** The faults of an incomplete sync. Faults of the clock, the socket or this computer are not among them. */
const ofReading: ReadonlySet<Fault['kind']> = new Set([
  'name',
  'connect',
  'tls',
  'protocol',
  'proxy',
  'reset',
  'timeout',
  'abort',
  'credentials',
  'token',
  'forbidden',
  'not-found',
  'http',
  'not-json',
  'not-graphql',
  'no-data',
  'query',
  'partial',
  'cost-limit',
  'exhausted',
  'unavailable',
  'paging',
  'emptied',
  'withdrawn',
  'no-tenants',
])

/** "site of 3 devices, room of 1 device: the service's words": all devices came, and these fields of some did not. */
const fieldsAlone = /^\w+ of \d+ devices?(?:, \w+ of \d+ devices?)*(?=:|$)/u
const oneField = /(\w+) of \d+ devices?/gu

export function excusesOf(faults: ConnectionState['faults']): Excuses {
  const fields = new Set<string>()
  let lists = false
  for (const { where, fault } of faults) {
    if (where === 'the live connection' || !ofReading.has(fault.kind)) continue
    const alone = fault.kind === 'partial' ? fieldsAlone.exec(fault.detail)?.[0] : undefined
    lists ||= alone === undefined
    for (const [, field = ''] of (alone ?? (fault.kind === 'partial' ? fault.detail : '')).matchAll(oneField))
      fields.add(field)
  }
  return { lists, fields }
}
