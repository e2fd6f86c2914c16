import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { chainProblem, serverProblem } from './chain.ts'

/** Answers of `setCertificateVerifyProc`: trusted; not trusted; Chromium's own result. */
export const [trusted, rejected, chromiumResult] = [0, -2, -3]
/** net::ERR_CERT_AUTHORITY_INVALID: Chromium's most serious error, which hides a wrong name and wrong dates. */
const authorityInvalid = -202
const longestChain = 10

/** A certificate in PEM, and the next one that its server sent. */
export interface Sent {
  data: string
  issuerCert?: Sent | null
}

/** The input of the verify proc. */
export interface Presented {
  hostname: string
  certificate: Sent
  errorCode: number
}

/**
 * Verifies a server's certificate. A connection's CA only adds trust (invariant 8): Chromium's result stands, except
 * where the only problem is an unknown authority. Then name, dates, purpose, limits and strength of every link up to
 * the CA are checked here; any doubt rejects.
 */
export function verifyChain(
  presented: Presented,
  added: readonly X509Certificate[],
  now: number,
): { answer: number; why: string } {
  if (added.length === 0 || presented.errorCode !== authorityInvalid) return { answer: chromiumResult, why: '' }
  try {
    const [leaf, ...intermediates] = chainOf(presented.certificate)
    const why =
      leaf === undefined ? 'it cannot be read' : leafProblem(leaf, intermediates, presented.hostname, added, now)
    return why === null ? { answer: trusted, why: '' } : { answer: rejected, why }
  } catch {
    return { answer: rejected, why: 'it cannot be read' }
  }
}

/** Returns the problem of a server's certificate, in the ports' words; null: none. */
function leafProblem(
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
  hostname: string,
  added: readonly X509Certificate[],
  now: number,
): string | null {
  return (
    chainProblem(added, leaf, intermediates, now) ??
    (isFor(leaf, hostname) ? serverProblem(leaf) : 'it is for another host name')
  )
}

function chainOf(certificate: Sent): X509Certificate[] {
  const chain: X509Certificate[] = []
  for (
    let at: Sent | null | undefined = certificate;
    at !== undefined && at !== null && chain.length < longestChain;
    at = at.issuerCert
  ) {
    chain.push(new X509Certificate(at.data))
  }
  return chain
}

function isFor(leaf: X509Certificate, hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  // The common name does not count.
  return isIP(bare) === 0 ? leaf.checkHost(bare, { subject: 'never' }) !== undefined : leaf.checkIP(bare) !== undefined
}
