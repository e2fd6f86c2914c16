import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { Duplex } from 'node:stream'
import net, { type Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { makeAuthority } from '../main/platform/web/certificates.ts'
import type { Leftovers } from './fleet.ts'
import { listeningUntil } from './listening.ts'

/** A service with the worst of manners: whatever it was given, it repeats in the texts of its errors, in every form that it knows. */
export interface EchoingService {
  ca: string
  port: number
  /** The token that it grants, which looks like nothing. */
  token: string
  /** How often it has repeated a secret: by the token endpoint, by answers, and by its socket. */
  echoes: { token: number; answer: number; socket: number }
}

const formsOf = (given: string): string =>
  [
    given,
    encodeURIComponent(given),
    Buffer.from(given).toString('base64'),
    Buffer.from(`an-id:${given}`).toString('base64url'),
    JSON.stringify({ client_secret: given }),
    Buffer.from(given).toString('hex'),
    [...given].toReversed().join(''),
    [...given].map((letter) => `&#${letter.codePointAt(0)};`).join(''),
    [...given].join('\u200B'),
    given.slice(1),
  ].join(' ')

export async function startEchoing(leftovers: Leftovers, host: string): Promise<EchoingService> {
  const authority = await makeAuthority('Echo CA')
  const token = 'opaque/Token+of=the echo 7Qv2LmXw9Zr4'
  const echoes = { token: 0, answer: 0, socket: 0 }
  /** The client that was granted the token. */
  let granted = ''
  const server = createSecure(
    await authority.issue([host, '127.0.0.1']),
    (request, response) =>
      void textOf(request).then((body) => {
        const say = (status: number, answer: unknown): void =>
          void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
        if (request.url !== '/oauth/token') {
          // Its tenants it tells: else nobody would come as far as its socket.
          if (/"operationName":\s*"Tenants"/u.test(body))
            return say(200, { data: { tenants: [{ id: 'echo-tenant', name: 'Echo tenant', region: { id: 'EU-1' } }] } })
          echoes.answer += 1
          return say(200, {
            data: null,
            errors: [
              {
                message: `no rights: ${formsOf(token)} ${formsOf(granted)}`,
                extensions: { code: 'INTERNAL_SERVER_ERROR' },
              },
            ],
          })
        }
        const secret = (JSON.parse(body) as { client_secret: string }).client_secret
        if (!secret.startsWith('wrong')) {
          granted = secret
          return say(200, { access_token: token, token_type: 'Bearer', expires_in: 3600 })
        }
        echoes.token += 1
        say(403, { error: 'access_denied', error_description: `not this one: ${formsOf(secret)}` })
      }),
  )
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'graphql-transport-ws' })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('message', () => {
        echoes.socket += 1
        client.close(4400, `${token} ${granted}`.slice(0, 120))
      })
    }),
  )
  const port = await listeningUntil(server, leftovers.push)
  return { ca: authority.ca, port, token, echoes }
}

/** A proxy that leads every name to this port of loopback, once it was given this password. */
export async function startAskingProxy(
  leftovers: Leftovers,
  password: string,
  to: number,
): Promise<{ port: number; let: string[]; refused: string[] }> {
  const seen: { let: string[]; refused: string[] } = { let: [], refused: [] }
  const proxy = createServer()
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    client.on('error', () => client.destroy())
    const given = Buffer.from(
      request.headers['proxy-authorization']?.replace(/^Basic /u, '') ?? '',
      'base64',
    ).toString()
    if (given !== `anna:${password}`) {
      seen.refused.push(request.url ?? '')
      client.end('HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm="test"\r\nContent-Length: 0\r\n\r\n')
      return
    }
    seen.let.push(request.url ?? '')
    const upstream = net.connect(to, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client)
      client.pipe(upstream)
    })
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  return { port: await listeningUntil(proxy, leftovers.push), ...seen }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
