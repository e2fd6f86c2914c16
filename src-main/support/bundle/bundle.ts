import { X509Certificate } from 'node:crypto'
import type { BundleFile, Diagnostics } from '../../../src-shared/contract/diagnostics.ts'
import { diagnosticsText } from '../../../src-shared/text/diagnostics.ts'
import type { Settings } from '../../../src-shared/model/settings.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { certificateBlocks } from '../../../src-shared/lib/pem.ts'
import type { ConnectionRecord } from '../../connections/stored/record.ts'
import type { NamedStatistics } from '../../inventory/thread/metrics-protocol.ts'
import type { SchemaChange } from '../schema-drift.ts'
import { markedSeen, type Marker } from '../names/marker.ts'

/** The data of a bundle, before names are replaced. */
export interface BundleFacts {
  seen: Diagnostics
  /** The renderer of the window that asked. */
  window: string
  log: string
  settings: Settings
  records: readonly ConnectionRecord[]
  states: readonly ConnectionState[]
  findings: readonly SchemaChange[]
  /** Null when the journal did not answer. */
  statistics: NamedStatistics | null
  pseudonyms: boolean
  /** Marks names in fields that contain only a name, so that they are replaced. */
  mark: Marker
  /** Includes names of devices and typed filters. */
  names: boolean
}

export type DraftFile = Pick<BundleFile, 'name' | 'what' | 'text'>

/** Returns the files of a bundle, beginning with the one that explains the others. */
export function bundleOf(facts: BundleFacts): DraftFile[] {
  const { log, findings, mark } = facts
  const seen = markedSeen(facts.seen, mark)
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  const files: DraftFile[] = [
    { name: 'diagnostics.txt', what: 'What the Diagnostics room shows', text: diagnosticsText(seen) },
    { name: 'diagnostics.json', what: 'The same, for programs', text: json({ ...seen, window: facts.window }) },
    {
      name: 'connections.json',
      what: 'Addresses, client ids and state of each connection',
      text: json(facts.records.map((record) => connectionOf(facts, record))),
    },
    { name: 'sockets.json', what: 'What became of each live connection in this run', text: json(seen.connections) },
    {
      name: 'drift.json',
      what: 'What a service offered otherwise than before, in this run',
      text: json(findings.map((finding) => ({ ...finding, connection: mark.connection(finding.connection) }))),
    },
    { name: 'settings.json', what: 'The settings', text: json(settingsOf(facts)) },
    {
      name: 'journal.json',
      what: 'How much the journal holds',
      text: json(facts.statistics === null ? null : statisticsOf(facts, facts.statistics)),
    },
    { name: 'muster.log', what: 'The last lines of the log', text: log },
  ]
  return [{ name: 'about.txt', what: 'What is in here', text: aboutText(facts, files) }, ...files]
}

function connectionOf({ seen, states, mark }: BundleFacts, record: ConnectionRecord) {
  const { id, name, tokenUrl, graphqlUrl, subscriptionUrl, clientId, portal, paused, ca, subscription } = record
  const state = states.find((each) => each.id === id)
  const { secret, link, sync, lastEventAt, lastReadingAt, heardAt, faults, checks, access } = state ?? {}
  return {
    id,
    name: mark.connection(name),
    tokenUrl: encodedUrl(tokenUrl),
    graphqlUrl: encodedUrl(graphqlUrl),
    subscriptionUrl: encodedUrl(subscriptionUrl),
    clientId: mark.client(clientId),
    portal: encodedUrl(portal),
    // The name of the set may name somebody.
    ...(access !== undefined && { role: { roles: access.roles, scope: access.scope, readAt: access.readAt } }),
    paused,
    subscription,
    certificates: certificatesIn(ca, mark),
    // The content of a locked keychain is unknown.
    secretIsIn:
      secret === 'missing' && seen.keychain.kind === 'locked' ? 'the keychain, perhaps, which is locked' : secret,
    link,
    sync,
    lastEventAt,
    lastReadingAt,
    heardAt,
    faults: faults?.map((one) => ({ ...one, where: mark.where(one.where) })),
    checks,
  }
}

/** Returns an address as it is sent: one typed with a space in it is still one address. */
const encodedUrl = (address: string): string => address.trim().replaceAll(/[\s"'<>\x60\\]/gu, encodeURIComponent)

/**
 * Returns fingerprint and expiry of a CA's certificates, by which they can be recognised. The subject stays private.
 */
function certificatesIn(ca: string, mark: Marker): { fingerprint: string; until: string }[] {
  return certificateBlocks(ca).flatMap((text) => {
    try {
      const { fingerprint256, validTo } = new X509Certificate(text)
      return [{ fingerprint: mark.certificate(fingerprint256), until: validTo }]
    } catch {
      return []
    }
  })
}

function settingsOf({ settings, names, mark }: BundleFacts) {
  const { watched, filterHistory, updateCa, ...rest } = settings
  return {
    ...rest,
    updateCertificates: certificatesIn(updateCa, mark),
    watched: names ? watched.map(mark.key) : watched.length,
    filterHistory: names ? filterHistory : filterHistory.length,
  }
}

/** Returns the statistics; without names a device is shown by its position in the list. */
function statisticsOf({ names, mark }: BundleFacts, { busiest, ...rest }: NamedStatistics) {
  return {
    ...rest,
    busiest: busiest.map(({ key, name, transitions }, at) => ({
      device: names ? (name ?? mark.key(key)) : `device ${at + 1}`,
      ...(names ? { key: mark.key(key) } : {}),
      transitions,
    })),
  }
}

function aboutText({ seen, pseudonyms, names }: BundleFacts, files: readonly DraftFile[]): string {
  return [
    `Support bundle of Muster, made ${new Date(seen.at).toISOString()}.`,
    '',
    'It was made by a person, who could look at each file first and leave out any of them. Muster sends it nowhere.',
    '',
    'No client secret and no token is in it: Muster does not write them down, and what looks like one, and what the parameters of an address hold, is replaced by [hidden] or [token].',
    pseudonyms
      ? 'Names of hosts, connections, tenants and client ids, paths of addresses and fingerprints of certificates are replaced by made-up ones, the same in each bundle of this computer. A name of fewer than four letters may still stand within a sentence; a name that is also an ordinary word is replaced wherever that word stands; and what a service has said in its own words (the details of faults and the names of roles, in connections.json) may name somebody.'
      : 'Names of hosts, connections and tenants, and client ids, are as they are.',
    names
      ? 'Names of devices, and filters that were typed, are in it.'
      : 'Devices are not named, and filters that were typed are left out.',
    '',
    'Whatever of these is not there was left out:',
    ...files.map(({ name, what }) => `${name}: ${what}.`),
    '',
  ].join('\n')
}
