import { createServer as createHttps } from 'node:https'
import net from 'node:net'
import type { Authority } from '../main/platform/web/certificates.ts'
import type { Leftovers } from '../support/fleet.ts'
import { listeningUntil } from '../support/listening.ts'
import { closedPort } from '../support/night.ts'

/** Proxies that do this with whatever asks them, by the host that is reached through them. */
const refusing: Record<string, string> = {
  'forbidding.test': 'HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n',
  'redirecting.test': 'HTTP/1.1 302 No\r\nLocation: http://elsewhere.test/\r\nContent-Length: 0\r\n\r\n',
  'asking.test': 'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="the office"\r\nContent-Length: 0\r\n\r\n',
  'asking-oddly.test':
    'HTTP/1.1 407 No\r\nProxy-Authenticate: Unheard-Of realm="the office"\r\nContent-Length: 0\r\n\r\n',
  'babbling.test': 'hello\r\n\r\n',
}

/** Proxies of all kinds, by the host that is reached through them. `stranger`: an authority that the browser does not trust. */
export async function startProxies(shared: Leftovers, stranger: Authority): Promise<Record<string, string>> {
  const proxies: Record<string, string> = {
    'away.test': `PROXY 127.0.0.1:${await closedPort()}`,
    'nameless.test': 'PROXY nosuch.invalid:3128',
    'socks-away.test': `SOCKS5 127.0.0.1:${await closedPort()}`,
  }
  const stop = (end: () => Promise<void>) => shared.push(end)
  for (const [host, answer] of Object.entries(refusing)) {
    const server = net.createServer(
      (socket) => void socket.on('error', () => socket.destroy()).once('data', () => socket.end(answer)),
    )
    proxies[host] = `PROXY 127.0.0.1:${await listeningUntil(server, stop)}`
  }
  proxies['untrusted.test'] =
    `HTTPS 127.0.0.1:${await listeningUntil(createHttps(await stranger.issue(['127.0.0.1'])), stop)}`
  return proxies
}
