import tls, { type SecureContext } from 'node:tls'
import { readCertificates } from '../ca.ts'

/**
 * Returns the trust of Node, of the system, and of this CA: a connection's CA only adds trust (invariant 8). Throws a
 * `FaultError` of kind `ca` when the text has no certificate, or anything else.
 */
export function trust(ca: string): SecureContext {
  const added = readCertificates(ca).map((certificate) => certificate.toString())
  const defaultTrust = [...tls.getCACertificates('default'), ...tls.getCACertificates('system')]
  return tls.createSecureContext({ ca: [...new Set([...defaultTrust, ...added])] })
}
