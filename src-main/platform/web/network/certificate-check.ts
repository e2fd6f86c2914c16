import tls, { type PeerCertificate } from 'node:tls'

/**
 * For every TLS connection of the web shell. The environment's NODE_TLS_REJECT_UNAUTHORIZED is no way to ignore a certificate
 * (invariant 8), and a name counts where Chromium takes it, which is not in the common name.
 */
export const certificateCheck = { rejectUnauthorized: true, checkServerIdentity }

/** The code of a certificate whose common name alone is right. */
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
