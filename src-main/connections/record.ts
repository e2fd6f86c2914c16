import { z } from 'zod'
import { FaultError } from '../../src-shared/fault.ts'
import { connectionInput, type ConnectionInput } from '../../src-shared/model.ts'
import type { Settings } from '../ports.ts'

/** What is stored of a connection: everything but its secret, which is in the keychain under the connection's id. */
export const connectionRecord = connectionInput.omit({ clientSecret: true }).extend({
  id: z.string().min(1),
  // Records of older versions have neither.
  portal: connectionInput.shape.portal.default(''),
  paused: z.boolean().default(false),
})
export type ConnectionRecord = z.infer<typeof connectionRecord>

const settingsKey = 'connections'

export interface Stored {
  records: ConnectionRecord[]
  /** Entries that cannot be read; they are kept in the file as they are. */
  unreadable: unknown[]
}

export function loadRecords(settings: Settings): Stored {
  const stored = settings.get(settingsKey)
  const loaded: Stored = { records: [], unreadable: [] }
  for (const entry of Array.isArray(stored) ? (stored as unknown[]) : []) {
    const read = connectionRecord.safeParse(entry)
    if (read.success) loaded.records.push(read.data)
    else loaded.unreadable.push(entry)
  }
  return loaded
}

export function storeRecords(settings: Settings, { records, unreadable }: Stored): void {
  settings.set(settingsKey, [...records, ...unreadable])
}

/** The checked record of what was typed. Throws a fault of kind `input`; its detail begins with the field's name. */
export function recordOf(input: ConnectionInput, id: string): ConnectionRecord {
  checkAddress('tokenUrl', input.tokenUrl, 'https:')
  checkAddress('graphqlUrl', input.graphqlUrl, 'https:')
  checkAddress('subscriptionUrl', input.subscriptionUrl, 'wss:')
  const { clientSecret: _secret, ...rest } = input
  return { ...rest, id, paused: false }
}

/** Only over TLS (service-spec.md, section 4): a token would travel in clear otherwise. */
function checkAddress(field: string, text: string, protocol: 'https:' | 'wss:'): void {
  const url = URL.parse(text)
  if (url === null) throw new FaultError('input', `${field}: This is not an address. It looks like ${protocol}//host/path.`)
  if (url.protocol !== protocol) throw new FaultError('input', `${field}: The address must begin with ${protocol}//.`)
  // Not `url.hash`: it is empty for a lone '#', which a WebSocket refuses all the same.
  if (text.includes('#')) throw new FaultError('input', `${field}: Leave out the part from the # on.`)
  if (url.username !== '' || url.password !== '') throw new FaultError('input', `${field}: Leave out the name and password; the client id and secret have their own fields.`)
}

/** Identity of the service behind an address: connections that share it see the same devices (invariant 9). */
export function serviceOf(graphqlUrl: string): string {
  const url = URL.parse(graphqlUrl)
  return url === null ? graphqlUrl : `${url.host}${url.pathname.replace(/\/+$/, '')}`
}
