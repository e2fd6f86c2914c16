import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { GraphQLError, specifiedRules, validate } from 'graphql'
import type { DocumentNode, GraphQLSchema } from 'graphql'
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { boundsRule, parseBounded } from './bounds.ts'
import type { GraphContext } from './context.ts'
import { isSubscription } from './graph.ts'
import type { Session, Tokens } from './tokens.ts'

const HEARTBEAT = 15_000
const MAX_MESSAGE = 1024 * 1024
/** The longest that a timer can run. */
const MAX_TIMEOUT = 2 ** 31 - 1

/** The subscription endpoint: WebSockets that speak `graphql-transport-ws` (twin section 12). */
export type Sockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  open(): number
  /** Closes all open sockets with this code; 1006 cuts them without a goodbye. */
  drop(code: number): void
  /** Closes the sockets of that credential set with 4403. */
  dropSet(clientId: string): void
  /** The sockets that are open now stay open, but nothing is read from them or written to them any more. */
  stall(): void
  stop(): Promise<void>
}

export type SocketOptions = {
  schema: GraphQLSchema
  tokens: Tokens
  context: Omit<GraphContext, 'call'>
  /** Milliseconds since 1970. */
  now: () => number
}

type Peer = { socket: WebSocket; line: Duplex; alive: boolean; stalled: boolean; clientId: string | null }
type Extra = { session?: Session }

export function startSockets(options: SocketOptions): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, autoPong: false })
  const peers = new Set<Peer>()
  const lines = new WeakMap<IncomingMessage, Duplex>()
  server.on('connection', (socket, request) => admit(peers, socket, lines.get(request)))
  const protocol = serve(options, server, peers)
  const timer = setInterval(() => peers.forEach(beat), HEARTBEAT)
  return {
    upgrade(request, line, head) {
      lines.set(request, line)
      server.handleUpgrade(request, line, head, (socket) => server.emit('connection', socket, request))
    },
    open: () => peers.size,
    drop: (code) => peers.forEach(({ socket }) => (code === 1006 ? socket.terminate() : socket.close(code, reasonOf(code)))),
    dropSet(clientId) {
      for (const peer of peers) if (peer.clientId === clientId) peer.socket.close(CloseCode.Forbidden, reasonOf(CloseCode.Forbidden))
    },
    stall: () => peers.forEach(stall),
    async stop() {
      clearInterval(timer)
      peers.forEach(({ socket }) => socket.terminate())
      await protocol.dispose()
    },
  }
}

function serve({ schema, tokens, context, now }: SocketOptions, server: WebSocketServer, peers: ReadonlySet<Peer>) {
  return useServer<Record<string, unknown>, Extra>(
    {
      schema,
      validate: (toAnswer, document) => validate(toAnswer, document, [boundsRule, ...specifiedRules]),
      // What goes wrong inside is no reason to show a path to the client.
      isProd: true,
      connectionInitWaitTimeout: 10_000,
      // Only the payload counts: a header alone was refused by the twin (section 12), and a browser cannot send one.
      async onConnect({ connectionParams, extra }) {
        const authorization = connectionParams?.['authorization']
        const session = await tokens.session(typeof authorization === 'string' ? authorization : undefined)
        if (!session) return false
        extra.session = session
        for (const peer of peers) if (peer.socket === extra.socket) peer.clientId = session.set.clientId
        closeAtExpiry(extra.socket, session.expiresAt - now())
        return true
      },
      onSubscribe: (_context, _id, { query, operationName }) => refuseOther(query, operationName),
      context: ({ extra }): GraphContext => ({ ...context, call: { session: extra.session ?? null, charge: null } }),
    },
    server,
    0,
  )
}

/** Queries and mutations have their own address, where they are paid for. */
function refuseOther(query: string, operationName: string | null | undefined): GraphQLError[] | undefined {
  let document: DocumentNode
  try {
    document = parseBounded(query)
  } catch (error) {
    return [error instanceof GraphQLError ? error : new GraphQLError('Cannot read the query')]
  }
  if (isSubscription(document, operationName)) return undefined
  return [new GraphQLError('Only subscriptions are served here', { extensions: { code: 'BAD_REQUEST' } })]
}

function closeAtExpiry(socket: WebSocket, ms: number): void {
  const timer = setTimeout(() => socket.close(CloseCode.Forbidden, 'Token expired'), Math.min(Math.max(0, ms), MAX_TIMEOUT))
  socket.once('close', () => clearTimeout(timer))
}

function admit(peers: Set<Peer>, socket: WebSocket, line: Duplex | undefined): void {
  // A line that breaks ends in `close`; the cause does not matter here.
  socket.on('error', () => undefined)
  if (!line || socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) return
  const peer: Peer = { socket, line, alive: true, stalled: false, clientId: null }
  peers.add(peer)
  socket.on('ping', (data) => socket.pong(data))
  socket.on('pong', () => (peer.alive = true))
  socket.once('close', () => peers.delete(peer))
}

/** A peer that did not answer the last ping is gone. A stalled one cannot answer, and is left to find out by itself. */
function beat(peer: Peer): void {
  if (peer.stalled) return
  if (!peer.alive) return peer.socket.terminate()
  peer.alive = false
  peer.socket.ping()
}

/** Half open: the line stays up, but nothing comes through in either direction. */
function stall(peer: Peer): void {
  peer.stalled = true
  peer.socket.pause()
  peer.line.cork()
}

function reasonOf(code: number): string {
  return code === CloseCode.Forbidden ? 'Forbidden' : code === CloseCode.Unauthorized ? 'Unauthorized' : 'Closed by the service'
}
