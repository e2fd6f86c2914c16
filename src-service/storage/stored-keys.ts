import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { certify, makeAuthority } from '../net/certificates.ts'
import type { Authority, Certificates } from '../net/certificates.ts'
import { damaged, DataFolderError, KEYS_FILE, readJson, writeJson } from './data-folder.ts'
import type { KeyStorage, StoredKey } from '../access/signing-keys.ts'

const CERTIFICATES_FILE = 'certificates.json'
const FORMAT = 1
/** A server certificate that expires within this many ms is replaced at the start. It is valid for 90 days. */
const RENEW = 30 * 86_400_000

const withoutKeys = 'tokens and page tokens that were given out are then no longer good'
const withoutCertificates = 'there is then a new certificate authority, which clients have to trust'

type StoredKeys = { storage: KeyStorage; /** What page tokens are signed with. */ pageKey: Uint8Array }

/**
 * Returns the keys of a data folder, created when they are missing. Throws a DataFolderError with a message for an
 * invalid file.
 */
export function openKeys(folder: string): StoredKeys {
  const kept = membersOf(readJson(folder, KEYS_FILE, withoutKeys), folder, KEYS_FILE, withoutKeys)
  const pageKey = kept === undefined ? randomBytes(32) : Buffer.from(textOf(kept['pageKey']) ?? '', 'base64url')
  const keys = kept === undefined ? [] : listOf(kept['signing']).map(keyOf)
  const whole = keys.filter((key) => key !== null)
  if (pageKey.length !== 32 || whole.length < keys.length || (kept !== undefined && keys.length === 0))
    throw damaged(folder, KEYS_FILE, withoutKeys)
  const save = (signing: readonly StoredKey[]): void =>
    writeJson(folder, KEYS_FILE, { format: FORMAT, pageKey: pageKey.toString('base64url'), signing })
  return { pageKey, storage: { keys: whole, save, invalid: () => damaged(folder, KEYS_FILE, withoutKeys) } }
}

/**
 * Resolves with the certificates of a data folder. The authority stays while it is valid; the server's own certificate
 * is renewed in time.
 */
export async function openCertificates(folder: string): Promise<Certificates> {
  const kept = membersOf(
    readJson(folder, CERTIFICATES_FILE, withoutCertificates),
    folder,
    CERTIFICATES_FILE,
    withoutCertificates,
  )
  const before = kept === undefined ? null : certificatesOf(kept)
  if (kept !== undefined && before === null) throw damaged(folder, CERTIFICATES_FILE, withoutCertificates)
  if (before && endOf(before.certificate) > Date.now() + RENEW) return withoutAuthority(before)
  // A certificate cannot outlive its issuer.
  const authority = before && endOf(before.ca) > Date.now() + 4 * RENEW ? before : await makeAuthority()
  const made = await certify(authority)
  writeJson(folder, CERTIFICATES_FILE, { format: FORMAT, ...made, caKey: authority.caKey })
  return made
}

/** Returns the certificates without the authority's key, which stays in the file. */
function withoutAuthority({ ca, certificate, key }: Certificates): Certificates {
  return { ca, certificate, key }
}

function membersOf(value: unknown, folder: string, name: string, without: string): Record<string, unknown> | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged(folder, name, without)
  const members: Record<string, unknown> = { ...value }
  const { format } = members
  if (typeof format === 'number' && format > FORMAT)
    throw new DataFolderError(`${name} was written by a later version of this service (${format}, known is ${FORMAT})`)
  return members
}

function keyOf(value: unknown): StoredKey | null {
  const { kid, jwk, since, lifetimeSeconds, goodUntil } = objectOf(value)
  if (typeof kid !== 'string' || typeof since !== 'number' || typeof lifetimeSeconds !== 'number') return null
  if (typeof goodUntil !== 'number' && goodUntil !== null) return null
  return { kid, jwk: objectOf(jwk), since, lifetimeSeconds, goodUntil }
}

/** Returns the certificates; null when they are invalid, or do not belong together. */
function certificatesOf(kept: Record<string, unknown>): (Certificates & Authority) | null {
  const [ca, caKey, certificate, key] = [
    textOf(kept['ca']),
    textOf(kept['caKey']),
    textOf(kept['certificate']),
    textOf(kept['key']),
  ]
  if (!ca || !caKey || !certificate || !key) return null
  try {
    const [authority, leaf] = [new X509Certificate(ca), new X509Certificate(certificate)]
    const together =
      authority.checkPrivateKey(createPrivateKey(caKey)) &&
      leaf.checkPrivateKey(createPrivateKey(key)) &&
      leaf.verify(authority.publicKey)
    return together ? { ca, caKey, certificate, key } : null
  } catch {
    return null
  }
}

const endOf = (pem: string): number => new X509Certificate(pem).validToDate.getTime()
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
