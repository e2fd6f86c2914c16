import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Certificate, Session } from 'electron'

/** Answers of `setCertificateVerifyProc`: trusted; not trusted; as Chromium found. */
const [trusted, refused, asFound] = [0, -2, -3]
/** net::ERR_CERT_AUTHORITY_INVALID: Chromium's most serious finding, which hides a wrong name and wrong dates. */
const authorityInvalid = -202
const serverAuth = '1.3.6.1.5.5.7.3.1'
const longestChain = 10

/** What the verify proc is given. */
export interface Presented {
  hostname: string
  certificate: Pick<Certificate, 'data' | 'issuerCert'>
  errorCode: number
}

/** Adds the trust of a connection's CA to its session. Without a CA the session stays as Chromium made it. */
export function addTrust(session: Pick<Session, 'setCertificateVerifyProc'>, added: readonly X509Certificate[], now: () => number, onRefused: (hostname: string, why: string) => void): void {
  if (added.length === 0) return
  session.setCertificateVerifyProc((request, callback) => {
    const { answer, why } = judge(request, added, now())
    if (answer === refused) onRefused(request.hostname, why)
    callback(answer)
  })
}

/**
 * A connection's CA only adds trust (invariant 8): Chromium's own verdict stands, except where all that it misses is an
 * authority that it knows. Then name, dates, purpose and every link up to the CA are checked here; any doubt refuses.
 */
export function judge(presented: Presented, added: readonly X509Certificate[], now: number): { answer: number; why: string } {
  if (added.length === 0 || presented.errorCode !== authorityInvalid) return { answer: asFound, why: '' }
  try {
    const [leaf, ...between] = chainOf(presented.certificate)
    const why = leaf === undefined ? 'it cannot be read' : against(leaf, between, presented.hostname, added, now)
    return why === null ? { answer: trusted, why: '' } : { answer: refused, why }
  } catch {
    return { answer: refused, why: 'it cannot be read' }
  }
}

/** What speaks against a server's certificate, in the words of the ports; null when nothing does. */
function against(leaf: X509Certificate, between: readonly X509Certificate[], hostname: string, added: readonly X509Certificate[], now: number): string | null {
  if (!leadsTo(added, leaf, between, now)) return isValid(leaf, now) ? 'its authority is not known here' : 'it has expired, or is not valid yet'
  if (!isFor(leaf, hostname)) return 'it is for another host name'
  return isServer(leaf) ? null : 'it is not meant for a server'
}

function chainOf(certificate: Presented['certificate']): X509Certificate[] {
  const chain: X509Certificate[] = []
  for (let at: Presented['certificate'] | undefined = certificate; at !== undefined && at !== null && chain.length < longestChain; at = at.issuerCert) {
    chain.push(new X509Certificate(at.data))
  }
  return chain
}

function isFor(leaf: X509Certificate, hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  // The common name does not count.
  return isIP(bare) === 0 ? leaf.checkHost(bare, { subject: 'never' }) !== undefined : leaf.checkIP(bare) !== undefined
}

/** Without an extended key usage a certificate is for every purpose. */
function isServer(leaf: X509Certificate): boolean {
  const purposes = leaf.keyUsage as string[] | undefined
  return purposes === undefined || purposes.includes(serverAuth)
}

/** Whether a line of valid certificates, each signed by the next, leads from the leaf to one of these. */
function leadsTo(added: readonly X509Certificate[], leaf: X509Certificate, between: readonly X509Certificate[], now: number): boolean {
  // The operator may have pasted the server's own certificate.
  if (isValid(leaf, now) && added.some(({ fingerprint256 }) => fingerprint256 === leaf.fingerprint256)) return true
  let [at, left] = [leaf, between]
  for (;;) {
    if (!isValid(at, now)) return false
    if (added.some((ca) => isValid(ca, now) && issued(ca, at))) return true
    const next = left.find((issuer) => issued(issuer, at))
    if (next === undefined) return false
    left = left.filter((other) => other !== next)
    at = next
  }
}

function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValid(certificate: X509Certificate, now: number): boolean {
  return certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime()
}
