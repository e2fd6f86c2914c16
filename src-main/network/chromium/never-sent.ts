/**
 * Chromium's codes of failures before a request is written to a new connection: of names, refused connections, proxies
 * and tunnels, and certificates. Codes that occur before as well as after, such as a reset, are not among them.
 */
const before =
  /\bERR_(NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|ICANN_NAME_COLLISION|DNS_|CONNECTION_REFUSED|PROXY_CONNECTION_FAILED|TUNNEL_CONNECTION_FAILED|SOCKS_CONNECTION_|NO_SUPPORTED_PROXIES|MANDATORY_PROXY|PAC_|CERT_|SSL_VERSION_OR_CIPHER_MISMATCH|ALPN_NEGOTIATION_FAILED|UNSAFE_PORT|INVALID_URL|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME)/
/** A proxy asks for a login at the tunnel of a secure request; an insecure request itself is what it rejects. */
const tunnelLogin = /\bERR_PROXY_AUTH/

/** Returns whether an error of Electron's fetch on a new connection proves that the request was not sent. */
export function neverSent(thrown: unknown, address: string): boolean {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return before.test(text) || (tunnelLogin.test(text) && address.startsWith('https:'))
}
