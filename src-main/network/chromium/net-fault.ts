import { FaultError } from '../../../src-shared/model/fault.ts'
import { own } from '../../../src-shared/lib/own.ts'

const certificateTexts: Record<string, string> = {
  ERR_CERT_AUTHORITY_INVALID: 'its authority is not known here',
  ERR_CERT_COMMON_NAME_INVALID: 'it is for another host name',
  ERR_CERT_DATE_INVALID: 'it has expired, or is not valid yet',
  ERR_CERT_REVOKED: 'it was revoked',
  ERR_CERT_WEAK_SIGNATURE_ALGORITHM: 'its signature is too weak',
  ERR_CERT_WEAK_KEY: 'its key is too weak',
  ERR_CERT_NAME_CONSTRAINT_VIOLATION: 'its authority may not vouch for this host',
  ERR_CERT_VALIDITY_TOO_LONG: 'it is valid for too long',
  // A socket reports only this, whatever the problem is.
  ERR_INSECURE_RESPONSE: 'its certificate is not trusted',
}

type Kind = 'name' | 'connect' | 'timeout' | 'proxy' | 'proxy-away' | 'proxy-login' | 'abort' | 'tls' | 'protocol'

/** Codes of Chromium's network stack with their meaning for an operator; the first match counts. */
const kinds: readonly [RegExp, Kind][] = [
  [/^ERR_(PROXY_CONNECTION_FAILED|SOCKS_CONNECTION_)/, 'proxy-away'],
  [/^ERR_PROXY_AUTH_REQUESTED/, 'proxy-login'],
  [
    /^ERR_(PROXY_|TUNNEL_|SOCKS_|NO_SUPPORTED_PROXIES|MANDATORY_PROXY|PAC_|HTTPS_PROXY_|UNABLE_TO_REUSE_CONNECTION_FOR_PROXY_AUTH)/,
    'proxy',
  ],
  [/^ERR_(NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|ICANN_NAME_COLLISION|DNS_)/, 'name'],
  [/^ERR_(CONNECTION_TIMED_OUT|TIMED_OUT)$/, 'timeout'],
  [
    /^ERR_(CONNECTION_REFUSED|CONNECTION_FAILED|ADDRESS_|INTERNET_DISCONNECTED|NETWORK_ACCESS_DENIED|BLOCKED_BY_|UNSAFE_PORT|INVALID_URL|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME)/,
    'connect',
  ],
  [/^ERR_(CERT_|CERTIFICATE_)/, 'tls'],
  [/^ERR_(SSL_|ECH_|ALPN_NEGOTIATION_FAILED)/, 'protocol'],
  [/^ERR_ABORTED$/, 'abort'],
]

const clientCertificate = 'a client certificate, which Muster does not have'

/**
 * Messages of a socket with their meaning for an operator and their detail (net/websockets/websocket_stream.cc).
 * Electron appends a code, which is less specific: that of a rejected login is `net::OK`.
 */
const handshakes: readonly [RegExp, Kind | 'token' | 'reset', (host: string) => string][] = [
  [/^HTTP Authentication failed/, 'token', (host) => `HTTP 401 from ${host}`],
  [
    /'Sec-WebSocket-Protocol' header/,
    'protocol',
    (host) => `${host}: its live connection speaks another protocol than graphql-transport-ws`,
  ],
  [/^Proxy authentication failed/, 'proxy-login', (host) => host],
  [/^Establishing a tunnel via proxy server failed/, 'proxy', (host) => host],
  [/^WebSocket opening handshake timed out/, 'timeout', (host) => host],
  // Occurs also when the service asks for a client certificate, and when the session's connections are closed
  // meanwhile.
  [
    /^WebSocket opening handshake was canceled/,
    'reset',
    (host) => `${host} (the handshake was cancelled; it may require ${clientCertificate})`,
  ],
]

/** The meaning of a rejected upgrade's status, as in the web shell. */
const rejections: Record<number, 'token' | 'forbidden' | 'not-found'> = {
  401: 'token',
  403: 'forbidden',
  404: 'not-found',
}

/**
 * Returns the port fault for an error of Electron's fetch or sockets ("net::ERR_NAME_NOT_RESOLVED", without code or
 * cause). `host` is all that the detail contains of the address.
 */
export function netFault(thrown: unknown, host: string): FaultError {
  if (thrown instanceof FaultError) return thrown
  const [name, text] = thrown instanceof Error ? [thrown.name, thrown.message] : ['', String(thrown)]
  if (name === 'TimeoutError') return new FaultError('timeout', host)
  if (name === 'AbortError') return new FaultError('abort', host)
  // A rejected upgrade has a code too, which is less specific than its status.
  const status = Number(/response code:? (\d{3})/i.exec(text)?.[1] ?? 0)
  if (status !== 0) return new FaultError(rejections[status] ?? 'http', `HTTP ${status} from ${host}`)
  const [, kind, detail] = handshakes.find(([pattern]) => pattern.test(text)) ?? []
  if (kind !== undefined && detail !== undefined) return new FaultError(kind, detail(host))
  const code = /\bERR_[A-Z0-9_]+/.exec(text)?.[0]
  return code === undefined ? byMessage(text, host) : byCode(code, host)
}

function byCode(code: string, host: string): FaultError {
  const problem = own(certificateTexts, code)
  if (problem !== undefined) return new FaultError('tls', `${host}: ${problem}`)
  if (/^ERR_(BAD_SSL_CLIENT_AUTH_CERT|SSL_CLIENT_AUTH_)/.test(code))
    return new FaultError('protocol', `${host}: it wants ${clientCertificate}`)
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset'
  if (kind === 'tls') return new FaultError('tls', `${host}: it cannot be checked`)
  if (kind === 'protocol') return new FaultError('protocol', `${host}: no secure connection could be agreed on`)
  return new FaultError(kind, kind === 'reset' ? `${host} (${code})` : host)
}

/** Returns the fault for messages without a code. */
function byMessage(text: string, host: string): FaultError {
  if (/redirect/i.test(text))
    return new FaultError('http', `${host} redirects to another address, which is not followed`)
  if (/parse URL|Invalid URL|only supports http|scheme must be/i.test(text))
    return new FaultError('connect', 'that is not an address that can be called')
  return new FaultError('reset', host)
}
