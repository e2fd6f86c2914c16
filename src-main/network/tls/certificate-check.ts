import tls, { type PeerCertificate } from 'node:tls'

/**
 * Options of every TLS connection of the web shell. NODE_TLS_REJECT_UNAUTHORIZED cannot disable verification (invariant
 * 8), and the common name does not count, as in Chromium.
 */
export const certificateCheck = { rejectUnauthorized: true, checkServerIdentity }

/** The error code of a certificate that names the host only in its common name. */
export const commonNameCode = 'MUSTER_COMMON_NAME_ALONE'

function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const { CN: _common, ...subject } = certificate.subject ?? {}
  const wrong = tls.checkServerIdentity(host, { ...certificate, subject: subject as PeerCertificate['subject'] })
  if (wrong === undefined) return undefined
  const byCommonName = tls.checkServerIdentity(host, certificate) === undefined
  return byCommonName
    ? Object.assign(new Error('the name is in the common name alone'), { code: commonNameCode })
    : wrong
}
