import type { X509Certificate } from 'node:crypto'
import { pathLengthIn, readFields, usesIn } from './der.ts'

const serverAuth = '1.3.6.1.5.5.7.3.1'
/** Object identifiers of extensions, below 2.5.29. */
const [basicConstraints, keyUsage, nameConstraints] = ['551d13', '551d0f', '551d1e']
/**
 * Extensions that may be critical: those two, alternative names, extended key usage, and policies, which are not
 * required here.
 */
const knownExtensions = new Set([basicConstraints, keyUsage, '551d11', '551d25', '551d20'])
/** RSA with SHA-2, ECDSA with SHA-2, Ed25519, and RSA-PSS if both of its parameters name SHA-2. */
const strongSignature = /^(?:06092a864886f70d01010[bcd]0500|06082a8648ce3d04030[234]|06032b6570)$/u
const rsaPss = '06092a864886f70d01010a'
const isStrong = (signedBy: string): boolean =>
  strongSignature.test(signedBy) ||
  (signedBy.startsWith(rsaPss) &&
    (signedBy.slice(rsaPss.length).match(/060960864801650304020[123]/gu) ?? []).length > 1)
/** Other keys are RSA, of at least 2048 bits. */
const strongCurves = new Set(['prime256v1', 'secp384r1', 'secp521r1', 'ed25519'])
/** digitalSignature, keyEncipherment and keyAgreement: TLS needs one of them. */
const tlsUsage = 0xa8

const unknownAuthority = 'its authority is not known here'

/**
 * Returns the problem of a certificate chain, each signed by the next, that leads from the leaf to one of `added`, in
 * the ports' words; null when it is valid. Checks at least what RFC 5280 (6.1) and OpenSSL require of a server's chain;
 * rejects what cannot be checked here, such as name constraints.
 */
export function chainProblem(
  added: readonly X509Certificate[],
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
  now: number,
): string | null {
  const leafReason = certificateProblem(leaf, now)
  // The operator may have pasted the server's own certificate.
  if (leafReason !== null || added.some(({ fingerprint256 }) => fingerprint256 === leaf.fingerprint256))
    return leafReason
  let [current, remaining] = [leaf, intermediates]
  for (let depth = 0; ; depth += 1) {
    if (!isStrong(readFields(current.raw).signedBy)) return 'its signature is too weak'
    const reasons = added.filter((ca) => issued(ca, current)).map((ca) => issuerProblem(ca, depth, now))
    if (reasons.includes(null)) return null
    const next = remaining.find((issuer) => issued(issuer, current))
    const reason = next === undefined ? (reasons[0] ?? unknownAuthority) : issuerProblem(next, depth, now)
    if (next === undefined || reason !== null) return reason
    remaining = remaining.filter((other) => other !== next)
    current = next
  }
}

/**
 * Returns the problem of a leaf's use by a server; null: none. A certificate without extended key usage serves every
 * purpose.
 */
export function serverProblem(leaf: X509Certificate): string | null {
  const usage = readFields(leaf.raw).extensions.get(keyUsage)
  return isForServers(leaf) && (usage === undefined || (usesIn(usage.value) & tlsUsage) !== 0)
    ? null
    : 'it may not be used for a server'
}

function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

/** `below`: number of authorities between this one and the leaf. */
function issuerProblem(issuer: X509Certificate, depth: number, now: number): string | null {
  const { extensions } = readFields(issuer.raw)
  if (extensions.has(nameConstraints))
    return 'its authority may vouch for certain names only, and Muster cannot check which'
  const limit = extensions.get(basicConstraints)
  if (limit === undefined || depth > pathLengthIn(limit.value)) return 'its authority may not make other authorities'
  if (!isForServers(issuer)) return 'its authority may not be used for servers'
  const reason = certificateProblem(issuer, now)
  return reason === null ? null : `its authority is rejected: ${reason}`
}

function certificateProblem(certificate: X509Certificate, now: number): string | null {
  const { validFromDate, validToDate, publicKey } = certificate
  if (now < validFromDate.getTime() || now > validToDate.getTime()) return 'it has expired, or is not valid yet'
  const { modulusLength = 0, namedCurve = publicKey.asymmetricKeyType ?? '' } = publicKey.asymmetricKeyDetails ?? {}
  if (modulusLength < 2048 && !strongCurves.has(namedCurve)) return 'its key is too weak'
  const hasUnknown = [...readFields(certificate.raw).extensions].some(
    ([name, { critical }]) => critical && !knownExtensions.has(name),
  )
  return hasUnknown ? 'it holds a condition that Muster does not know' : null
}

/**
 * Returns whether a certificate is valid for servers. An extended key usage without server authentication excludes also
 * the servers below an authority.
 */
function isForServers(certificate: X509Certificate): boolean {
  const purposes = certificate.keyUsage as string[] | undefined
  return purposes === undefined || purposes.includes(serverAuth)
}
