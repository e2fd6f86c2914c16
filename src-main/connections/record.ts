import { GraphQLError, Kind, OperationTypeNode, parse } from 'graphql'
import { z } from 'zod'
import { FaultError } from '../../src-shared/fault.ts'
import { connectionInput, type ConnectionInput } from '../../src-shared/model.ts'
import { portalProblem } from '../../src-shared/presets.ts'
import type { Settings } from '../ports.ts'

/** What is stored of a connection: everything but its secret, which is in the keychain under the connection's id. */
export const connectionRecord = connectionInput.omit({ clientSecret: true }).extend({
  id: z.string().min(1),
  paused: z.boolean(),
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
  refuse('subscription', subscriptionProblem(input.subscription))
  refuse('portal', portalProblem(input.portal))
  const { clientSecret: _secret, ...rest } = input
  return { ...rest, id, paused: false }
}

/**
 * A secret that is known goes to the host that it was given for, the tokens that it buys go to the hosts that were told with
 * it, under the trust of then, and nowhere else: whoever changes that types it again. Else a list from somebody else, or a
 * page that took the window's place, could send them away.
 */
export function checkKnownSecret(before: ConnectionRecord | undefined, after: ConnectionRecord, typed: string): void {
  if (before === undefined || typed !== '') return
  const changed = changesOfTrust(before, after)
  if (changed.length > 0) refuse('clientSecret', `Enter it again, because ${changed.join(', and ')}.`)
}

function changesOfTrust(before: ConnectionRecord, after: ConnectionRecord): string[] {
  const known = new Set([before.tokenUrl, before.graphqlUrl, before.subscriptionUrl].map(hostOf))
  const leads = (words: string, field: 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl') => `${words} leads to ${hostOf(after[field])} now and not to ${hostOf(before[field])}`
  const ca = after.ca.trim()
  return [
    ...(hostOf(after.tokenUrl) === hostOf(before.tokenUrl) ? [] : [leads('the token address', 'tokenUrl')]),
    ...(known.has(hostOf(after.graphqlUrl)) ? [] : [leads('the GraphQL address', 'graphqlUrl')]),
    ...(known.has(hostOf(after.subscriptionUrl)) ? [] : [leads('the subscription address', 'subscriptionUrl')]),
    ...(ca === '' || ca === before.ca.trim() ? [] : ['another CA certificate is to be trusted']),
  ]
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? address

function refuse(field: keyof ConnectionInput, problem: string | null): void {
  if (problem !== null) throw new FaultError('input', `${field}: ${problem}`)
}

/** Only over TLS (service-spec.md, section 4): a token would travel in clear otherwise. */
function checkAddress(field: keyof ConnectionInput, text: string, protocol: 'https:' | 'wss:'): void {
  if (text === '') refuse(field, 'The address is missing.')
  const url = URL.parse(text)
  if (url === null || url.protocol !== protocol) return refuse(field, otherAddress(text, protocol))
  // Not `url.hash`: it is empty for a lone '#', which a WebSocket refuses all the same.
  if (text.includes('#')) refuse(field, 'Leave out the part from the # on.')
  if (url.username !== '' || url.password !== '') refuse(field, 'Leave out the name and password; the client id and secret have their own fields.')
}

/** What to write instead of an address without a scheme or with another one. Nothing of a name or password is repeated. */
function otherAddress(text: string, protocol: 'https:' | 'wss:'): string {
  const rest = /^(?:[a-z][a-z\d+.-]*:)?\/\/(.*)$/i.exec(text)?.[1] ?? text
  const meant = URL.parse(`${protocol}//${rest}`)
  if (meant === null || /[\s@#]/.test(rest)) return `This is not an address. It looks like ${protocol}//host/path.`
  return rest === text ? `Put ${protocol}// before it: ${meant.href}` : `The address must begin with ${protocol}//: ${meant.href}`
}

/** A document that cannot be read, or asks for something else, would fail with every attempt. */
function subscriptionProblem(document: string): string | null {
  if (document.trim() === '') return null
  try {
    const isSubscription = parse(document).definitions.some((each) => each.kind === Kind.OPERATION_DEFINITION && each.operation === OperationTypeNode.SUBSCRIPTION)
    return isSubscription ? null : 'There is no subscription in it. It looks like subscription Devices($deviceIds: [String!]!) { … }.'
  } catch (error) {
    const at = error instanceof GraphQLError ? error.locations?.[0] : undefined
    return at === undefined ? 'This is not a GraphQL document.' : `This is not a GraphQL document: see line ${at.line}, column ${at.column}.`
  }
}

/** Identity of the service behind an address: connections that share it see the same devices (invariant 9). */
export function serviceOf(graphqlUrl: string): string {
  const url = URL.parse(graphqlUrl)
  return url === null ? graphqlUrl : `${url.host}${url.pathname.replace(/\/+$/, '')}`
}
