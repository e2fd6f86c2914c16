import { FaultError } from '../../../src-shared/model/fault.ts'
import { own } from '../../../src-shared/lib/own.ts'
import { commonNameCode } from './certificate-check.ts'

/** What is wrong with a certificate, by the code of Node's error. */
export const certificateTexts: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not known here',
  CERT_UNTRUSTED: 'its authority is not trusted here',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  CERT_CHAIN_TOO_LONG: 'its chain is too long',
  INVALID_CA: 'it was issued by a certificate that is no authority',
  PATH_LENGTH_EXCEEDED: 'its authority may not make other authorities',
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: 'its authority cannot be read',
  // Node's code for all other OpenSSL errors: name constraints, a weak key or signature, an unknown condition.
  UNSPECIFIED: 'it breaks a rule that its authority or this computer sets',
  INVALID_PURPOSE: 'it may not be used for a server',
  HOSTNAME_MISMATCH: 'it is for another host name',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
  [commonNameCode]:
    'it names the host in its common name alone, which no longer counts; it needs a subject alternative name',
}

/**
 * Returns the port fault for an error of undici, ws, TLS or sockets (ports.ts, `Ports`). `host` is all that the detail
 * contains of the address.
 */
export function networkFault(thrown: unknown, host: string): FaultError {
  const chain = causesOf(thrown)
  const known = chain.find((error) => error instanceof FaultError)
  if (known !== undefined) return known
  const codes = chain.map((error) => String((error as { code?: unknown }).code ?? '')).filter((code) => code !== '')
  const names = chain.map((error) => (error instanceof Error ? error.name : ''))
  const messages = chain.map((error) => (error instanceof Error ? error.message : ''))
  return (
    byName(names, host) ??
    byCode(codes, host, thrown) ??
    byMessage(messages, host) ??
    new FaultError('reset', `${host}${codes[0] === undefined ? '' : ` (${codes[0]})`}`)
  )
}

const noProtocol = /NO_APPLICATION_PROTOCOL/

/** Returns whether a connection failed because its server offers none of the protocols that were offered to it. */
export const hasNoProtocol = (thrown: unknown): boolean =>
  causesOf(thrown).some((error) => noProtocol.test(String((error as { code?: unknown }).code)))

/** Returns the error, its causes, and the parts of an aggregate (an address tried by IPv4 and IPv6). */
export function causesOf(thrown: unknown, depth = 0): unknown[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 5) return []
  const parts = thrown instanceof AggregateError ? thrown.errors : []
  const cause = thrown instanceof Error ? [thrown.cause] : []
  return [thrown, ...[...cause, ...parts].flatMap((part) => causesOf(part, depth + 1))]
}

function byName(names: string[], host: string): FaultError | null {
  if (names.includes('TimeoutError')) return new FaultError('timeout', host)
  // undici's own timeouts are RequestAbortedErrors; only the caller's abort is an AbortError.
  return names[0] === 'AbortError' ? new FaultError('abort', host) : null
}

function byCode(codes: string[], host: string, cause: unknown): FaultError | null {
  for (const code of codes) {
    const problem = own(certificateTexts, code)
    if (problem !== undefined) return new FaultError('tls', `${host}: ${problem}`)
    if (noProtocol.test(code))
      return new FaultError('protocol', `${host}: it speaks neither HTTP/1.1 nor HTTP/2`, { cause })
    if (/^HPE_INVALID_(CONSTANT|VERSION)$/.test(code))
      return new FaultError('protocol', `${host}: what answers there is no HTTP/1.1`)
    if (/^(ENOTFOUND|EAI_\w+|ENODATA)$/.test(code)) return new FaultError('name', host)
    if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/.test(code))
      return new FaultError('connect', host)
    if (/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/.test(code)) return new FaultError('timeout', host)
    if (/^(CERT_|CRL_)/.test(code)) return new FaultError('tls', `${host}: it cannot be checked`)
    // The handshake failed apart from the certificate: another TLS version, no TLS, a cipher, a client certificate.
    if (/^(EPROTO|ERR_SSL_|ERR_TLS_|ERR_OSSL_)/.test(code))
      return new FaultError('protocol', `${host}: no secure connection could be agreed on`)
    if (/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_|HPE_|ERR_STREAM_PREMATURE_CLOSE)/.test(code))
      return new FaultError('reset', host)
  }
  return null
}

/** Returns the fault for errors of undici and ws without a code. */
function byMessage(messages: string[], host: string): FaultError | null {
  if (messages.includes('unexpected redirect'))
    return new FaultError('http', `${host} redirects to another address, which is not followed`)
  if (messages.some((text) => /^Server sent (?:an invalid|no) subprotocol$/.test(text)))
    return new FaultError('protocol', `${host}: its live connection speaks another protocol than graphql-transport-ws`)
  if (messages.includes('bad port'))
    return new FaultError('connect', `${host}: its port is one that is never called for the web`)
  if (messages.some((text) => /parse URL|Invalid URL|unknown scheme/i.test(text)))
    return new FaultError('connect', 'that is not an address that can be called')
  return null
}
