import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { ConnectionInput } from '../../src-shared/model/connection.ts'
import { makeAuthority } from '../main/platform/web/certificates.ts'
import type { Leftovers } from './fleet.ts'
import { listeningUntil } from './listening.ts'

/** The deviations of a service from a well-behaved one. Texts are sent unchanged. */
export interface Hostility {
  /** Seconds. */
  expiresIn?: number
  /** The whole answer to the list of tenants; a function sends it by itself. */
  tenants?: string | ((response: ServerResponse) => void)
  /** The whole answer to a page of devices; a function says it at each request. */
  page?: string | (() => string)
  /** Sends the whole answer to an operation `Mine`. */
  mine?: (response: ServerResponse) => void
  /** Its behaviour on a socket that was acknowledged. */
  socket?: (client: WebSocket) => void
  /** Its behaviour on a subscription; `id` is the message's. */
  subscribed?: (client: WebSocket, id: string) => void
}

export interface HostileService {
  input: ConnectionInput
  /** How often each was asked for. */
  asked: { tokens: number; tenants: number; pages: number; sockets: number }
  /** What each request for a token said: its header and its body. */
  credentials: string[]
}

const tenants = '{"data":{"tenants":[{"id":"t1","name":"Tenant","region":{"id":"EU-1"}}]}}'
const page =
  '{"data":{"tenant":{"inventory":{"deviceSearch":{"edges":[{"node":{"id":"d1","name":"Device","connected":true}}],"pageInfo":{"totalCount":1,"countOnPage":1,"nextToken":null,"hasNextPage":false}}}}}}'

/** A service with one tenant and one device and no schema, hostile in the given ways. */
export async function startHostile(leftovers: Leftovers, hostility: Hostility): Promise<HostileService> {
  const authority = await makeAuthority('Hostile CA')
  const credentials: string[] = []
  const asked: HostileService['asked'] = { tokens: 0, tenants: 0, pages: 0, sockets: 0 }
  const server = createServer(
    await authority.issue(['127.0.0.1']),
    (request, response) =>
      void textOf(request).then((body) => {
        response.on('error', () => {})
        const say = (answer: string): void =>
          void response
            .writeHead(200, { 'content-type': 'application/json', date: new Date().toUTCString() })
            .end(answer)
        if (request.url === '/oauth/token') {
          asked.tokens += 1
          credentials.push(`${request.headers.authorization ?? ''} ${body}`)
          return say(
            JSON.stringify({
              access_token: `hostile-${asked.tokens}`,
              token_type: 'Bearer',
              expires_in: hostility.expiresIn ?? 86_400,
            }),
          )
        }
        if (/"operationName":\s*"Tenants"/u.test(body)) {
          asked.tenants += 1
          return typeof hostility.tenants === 'function'
            ? hostility.tenants(response)
            : say(hostility.tenants ?? tenants)
        }
        if (/"operationName":\s*"Schema"/u.test(body))
          return say('{"errors":[{"message":"no introspection","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}')
        if (hostility.mine !== undefined && /"operationName":\s*"Mine"/u.test(body)) return hostility.mine(response)
        asked.pages += 1
        say(typeof hostility.page === 'function' ? hostility.page() : (hostility.page ?? page))
      }),
  )
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'graphql-transport-ws' })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      asked.sockets += 1
      client.on('error', () => {})
      client.on('message', (data) => {
        const { type, id = '' } = JSON.parse(String(data)) as { type: string; id?: string }
        if (type === 'ping') client.send('{"type":"pong"}')
        if (type === 'subscribe') hostility.subscribed?.(client, id)
        if (type !== 'connection_init') return
        client.send('{"type":"connection_ack"}')
        hostility.socket?.(client)
      })
    }),
  )
  leftovers.push(async () => {
    for (const client of sockets.clients) client.terminate()
  })
  const port = await listeningUntil(server, leftovers.push)
  const at = `127.0.0.1:${port}`
  const input = {
    id: null,
    name: 'Hostile',
    tokenUrl: `https://${at}/oauth/token`,
    graphqlUrl: `https://${at}/graphql`,
    subscriptionUrl: `wss://${at}/graphql`,
    clientId: 'me',
    clientSecret: 'hostile secret 7Qv2LmXw',
    ca: authority.ca,
    subscription: '',
    portal: '',
  }
  return { input, asked, credentials }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
