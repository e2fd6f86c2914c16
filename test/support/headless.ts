import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { csvLine } from '../../src-shared/text/csv.ts'
import { connectionTo, temporaryProfile, type Leftovers, type service } from './fleet.ts'

export const metricsToken = 'token-of-the-metrics'
export type Reference = Awaited<ReturnType<typeof service>>

export interface Unit {
  folder: string
  profile: string
  list: string
  credentials: string
}

export interface UnitOptions {
  secret?: string
  hasToken?: boolean
}

/** The files of a unit: its list of connections without secrets, and its credentials. */
export function unitOf(
  leftovers: Leftovers,
  reference: Reference,
  { secret = reference.clientSecret, hasToken = true }: UnitOptions = {},
): Unit {
  const folder = temporaryProfile(leftovers)
  const credentials = path.join(folder, 'credentials')
  mkdirSync(credentials, { mode: 0o700 })
  writeFileSync(path.join(credentials, `client-secret.${reference.clientId}`), `${secret}\n`)
  if (hasToken) writeFileSync(path.join(credentials, 'metrics-token'), metricsToken)
  const { name, tokenUrl, graphqlUrl, subscriptionUrl, clientId, ca } = connectionTo(reference)
  const head = ['name', 'token_url', 'graphql_url', 'subscription_url', 'client_id', 'ca']
  const list = path.join(folder, 'connections.csv')
  writeFileSync(list, [head, [name, tokenUrl, graphqlUrl, subscriptionUrl, clientId, ca]].map(csvLine).join('\r\n'))
  return { folder, profile: path.join(folder, 'profile'), list, credentials }
}
