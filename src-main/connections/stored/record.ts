import { GraphQLError, Kind, OperationTypeNode, parse } from 'graphql'
import { z } from 'zod'
import { addressProblem, withoutEndSlashes } from '../../../src-shared/connections/address.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { connectionInput, type ConnectionInput } from '../../../src-shared/model/connection.ts'
import { portalProblem } from '../../../src-shared/connections/presets.ts'
import type { Settings } from '../../ports.ts'

/** A connection as stored: without its secret, which is in the keychain under the connection's id. */
export const connectionRecord = connectionInput.omit({ clientSecret: true }).extend({
  id: z.string().min(1),
  paused: z.boolean(),
  /** True when a keychain ever took its secret, which may remain there; missing in older records. */
  inKeychain: z.boolean().optional(),
})
export type ConnectionRecord = z.infer<typeof connectionRecord>

const settingsKey = 'connections'

export interface Stored {
  records: ConnectionRecord[]
  /** Entries that cannot be read; the file keeps them unchanged. */
  unreadable: unknown[]
}

export function loadRecords(settings: Settings): Stored {
  const stored = settings.get(settingsKey)
  const loaded: Stored = { records: [], unreadable: [] }
  const ids = new Set<string>()
  // A value that is not a list is kept as one unreadable entry.
  for (const entry of Array.isArray(stored) ? (stored as unknown[]) : [stored ?? []].flat()) {
    const read = connectionRecord.safeParse(entry)
    if (read.success && !ids.has(read.data.id)) loaded.records.push(read.data)
    else loaded.unreadable.push(entry)
    if (read.success) ids.add(read.data.id)
  }
  return loaded
}

export function storeRecords(settings: Settings, { records, unreadable }: Stored): void {
  settings.set(settingsKey, [...records, ...unreadable])
}

/**
 * Returns the checked record of the typed input. Throws a fault of kind `input` with all problems: one per line,
 * beginning with the field's name.
 */
export function recordOf(input: ConnectionInput, id: string): ConnectionRecord {
  const problems = problemsOf(input)
  if (problems.length > 0)
    throw new FaultError('input', problems.map(([field, subject]) => `${field}: ${subject}`).join('\n'))
  const { clientSecret: _secret, ...rest } = input
  return { ...rest, id, paused: false }
}

/** Returns the problems of the typed addresses and the document, by field, as sentences. */
export function problemsOf(
  input: Pick<ConnectionInput, 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl' | 'subscription' | 'portal'>,
): [keyof ConnectionInput, string][] {
  const problems: [keyof ConnectionInput, string | null][] = [
    ['tokenUrl', addressProblem(input.tokenUrl, 'https:')],
    ['graphqlUrl', addressProblem(input.graphqlUrl, 'https:')],
    ['subscriptionUrl', addressProblem(input.subscriptionUrl, 'wss:')],
    ['subscription', subscriptionProblem(input.subscription)],
    ['portal', portalProblem(input.portal)],
  ]
  return problems.flatMap(([field, problem]) => (problem === null ? [] : [[field, problem]]))
}

/** Where a secret is sent, and by which added trust. */
export type Addresses = Pick<ConnectionRecord, 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl' | 'ca'>

/**
 * Throws unless a known secret, and its tokens, stay with the hosts and the trust that they were given for: an operator
 * who changes these types the secret again. Otherwise an imported list, or a page that replaced the window's, could
 * send them elsewhere.
 */
export function checkKnownSecret(before: ConnectionRecord | undefined, after: ConnectionRecord, typed: string): void {
  if (before === undefined || typed !== '') return
  const changed = changesOfTrust(before, after)
  if (changed.length > 0)
    throw new FaultError('input', `clientSecret: Enter it again, because ${changed.join(', and ')}.`)
}

/** Returns, in words, to what else a secret or its tokens would be sent that were given for the former addresses. */
export function changesOfTrust(before: Addresses, after: Addresses): string[] {
  const known = new Set([before.tokenUrl, before.graphqlUrl, before.subscriptionUrl].map(hostOf))
  const pointsTo = (subject: string, field: 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl') =>
    `${subject} leads to ${hostOf(after[field])} now and not to ${hostOf(before[field])}`
  const ca = after.ca.trim()
  return [
    ...(hostOf(after.tokenUrl) === hostOf(before.tokenUrl) ? [] : [pointsTo('the token URL', 'tokenUrl')]),
    ...(known.has(hostOf(after.graphqlUrl)) ? [] : [pointsTo('the GraphQL URL', 'graphqlUrl')]),
    ...(known.has(hostOf(after.subscriptionUrl)) ? [] : [pointsTo('the subscription URL', 'subscriptionUrl')]),
    ...(ca === '' || ca === before.ca.trim() ? [] : ['another CA certificate is to be trusted']),
  ]
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? address

/**
 * Returns the problem of a subscription document that is invalid or contains no subscription; null where there is none.
 */
function subscriptionProblem(document: string): string | null {
  if (document.trim() === '') return null
  try {
    const isSubscription = parse(document).definitions.some(
      (each) => each.kind === Kind.OPERATION_DEFINITION && each.operation === OperationTypeNode.SUBSCRIPTION,
    )
    return isSubscription
      ? null
      : 'There is no subscription in it. It looks like subscription Devices($deviceIds: [String!]!) { … }.'
  } catch (error) {
    const at = error instanceof GraphQLError ? error.locations?.[0] : undefined
    return at === undefined
      ? 'This is not a GraphQL document.'
      : `This is not a GraphQL document: see line ${at.line}, column ${at.column}.`
  }
}

/** Returns the id of the service at an address: connections that share it see the same devices (invariant 9). */
export function serviceOf(graphqlUrl: string): string {
  const url = URL.parse(graphqlUrl)
  return url === null ? graphqlUrl : `${url.host}${withoutEndSlashes(url.pathname)}`
}
