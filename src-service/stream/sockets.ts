import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from 'graphql-ws'
import { WebSocketServer } from 'ws'
import type { RawData, WebSocket } from 'ws'
import { makeProtocol, isClientMessage } from './stream-protocol.ts'
import type { Listener, ProtocolOptions, ProtocolPeer } from './stream-protocol.ts'
import type { Session } from '../access/tokens.ts'
import { isUnresponsive, otherProtocol } from '../faults/contrary/transport/sockets.ts'

const HEARTBEAT = 15_000
/** Interval at which expired sockets are checked, ms. */
const TICK = 250
/** Longest time of an open socket without `connection_init`, ms of the service's clock. */
const INIT_WAIT = 10_000
const MAX_MESSAGE = 1024 * 1024
/** Longest reason of a close frame, bytes. */
const MAX_REASON = 123
/** With this many unsent bytes a subscription waits for the socket before its next event. */
const HIGH_WATER = 1024 * 1024
/** With more unsent bytes a socket is closed: it does not read. */
export const MAX_UNSENT = 8 * 1024 * 1024

/** The subscription endpoint: WebSockets with `graphql-transport-ws` (twin section 12). */
export type Sockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  open(): number
  /** Returns the largest number of unsent bytes of a socket; never more than 8 MiB. */
  unsent(): number
  /** Closes all open sockets with this code; 1006 cuts them without a close frame. */
  drop(code: number, reason?: string): void
  /** Closes the sockets of that credential set with 4403. */
  dropSet(clientId: string): void
  /** Keeps the open sockets open, but reads and writes nothing any more. */
  stall(): void
  stop(): Promise<void>
}

export type SocketOptions = ProtocolOptions & {
  /**
   * Returns the playground session of the browser that sent this; null for any other client, and when the session has
   * expired.
   */
  loginSession: (request: IncomingMessage) => Session | null
}

type Peer = ProtocolPeer & { socket: WebSocket; line: Duplex; alive: boolean; stalled: boolean; openedAt: number }

/** Starts the sockets, with timers of their own until `stop`, which cuts all sockets. */
export function startSockets(options: SocketOptions): Sockets {
  const { contrary } = options.context
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE,
    autoPong: false,
    handleProtocols: (protocols) => otherProtocol(contrary) ?? handleProtocols(protocols),
  })
  const protocol = makeProtocol(options)
  const peers = new Set<Peer>()
  const tick = setInterval(() => peers.forEach((peer) => endOverdue(peer, options.now())), TICK)
  const heartbeat = setInterval(() => peers.forEach(sendPing), HEARTBEAT)
  const admit = (socket: WebSocket, line: Duplex, request: IncomingMessage): void => {
    // A broken connection ends in `close`; its cause is irrelevant here.
    socket.on('error', () => undefined)
    if (isUnresponsive(contrary)) return
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL)
      return socket.close(CloseCode.SubprotocolNotAcceptable, 'Subprotocol not acceptable')
    const peer = makePeer(socket, line, {
      authorization: request.headers.authorization,
      loginSession: () => options.loginSession(request),
      openedAt: options.now(),
    })
    peers.add(peer)
    const listener = protocol.opened(peer)
    socket.on('message', (data, isBinary) => void receive(peer, listener, data, isBinary))
    socket.on('ping', (data) => fits(peer, data.length) && socket.pong(data))
    socket.on('pong', () => (peer.alive = true))
    socket.once('close', (code, reason) => {
      peers.delete(peer)
      void listener.closed(code, reason.toString())
    })
  }
  return {
    upgrade: (request, line, head) =>
      server.handleUpgrade(request, line, head, (socket) => admit(socket, line, request)),
    open: () => peers.size,
    unsent: () => [...peers].reduce((most, { socket }) => Math.max(most, socket.bufferedAmount), 0),
    drop: (code, reason = reasonOf(code)) =>
      peers.forEach((peer) => (code === 1006 ? peer.cut() : peer.close(code, reason))),
    dropSet(clientId) {
      for (const peer of peers)
        if (peer.session?.set.clientId === clientId) peer.close(CloseCode.Forbidden, reasonOf(CloseCode.Forbidden))
    },
    stall: () => peers.forEach(stall),
    async stop() {
      clearInterval(tick)
      clearInterval(heartbeat)
      for (const socket of server.clients) socket.terminate()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function makePeer(
  socket: WebSocket,
  line: Duplex,
  arrival: Pick<Peer, 'authorization' | 'loginSession' | 'openedAt'>,
): Peer {
  const cut = (): void => socket.terminate()
  const peer: Peer = {
    socket,
    line,
    ...arrival,
    cut,
    alive: true,
    stalled: false,
    session: null,
    initReceived: false,
    byLogin: false,
    // A stalled client has to find out itself.
    reader: { waiting: 0, watching: 0, onBehind: () => void (peer.stalled || cut()) },
    send: (text) => sendTo(peer, text),
    close(code, reason) {
      socket.close(code, Buffer.byteLength(reason) > MAX_REASON ? reasonOf(code) : reason)
    },
  }
  return peer
}

/** Resolves when the next event may follow: at once while little is unsent, otherwise when this one is sent. */
async function sendTo(peer: Peer, text: string): Promise<void> {
  const { socket } = peer
  if (socket.readyState !== socket.OPEN || peer.stalled || !fits(peer, Buffer.byteLength(text))) return
  if (socket.bufferedAmount < HIGH_WATER) socket.send(text, () => undefined)
  else await new Promise<void>((resolve) => socket.send(text, () => resolve()))
}

/** Returns whether this many more bytes fit; otherwise cuts the socket without a reason. */
function fits({ socket, cut }: Peer, bytes: number): boolean {
  if (socket.bufferedAmount + bytes <= MAX_UNSENT) return true
  cut()
  return false
}

async function receive(peer: Peer, listener: Listener, data: RawData, isBinary: boolean): Promise<void> {
  // Messages that arrive after the close are ignored.
  if (peer.socket.readyState !== peer.socket.OPEN) return
  const text = data.toString()
  if (isBinary || !isClientMessage(text)) return peer.close(CloseCode.BadRequest, 'Invalid message received')
  try {
    await listener.receive(text)
  } catch {
    peer.close(CloseCode.InternalServerError, 'Internal server error')
  }
}

/**
 * Closes a socket whose token or login has expired by the service's clock, or that sends no `connection_init` in time.
 */
function endOverdue(peer: Peer, now: number): void {
  if (peer.session && peer.session.expiresAt <= now) peer.close(CloseCode.Forbidden, 'Token expired')
  else if (peer.byLogin && peer.loginSession() === null) peer.close(CloseCode.Forbidden, 'Session over')
  else if (!peer.initReceived && now - peer.openedAt >= INIT_WAIT)
    peer.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout')
}

/** Closes a socket that did not answer the last ping. A stalled one cannot answer, and has to find out itself. */
function sendPing(peer: Peer): void {
  if (peer.stalled) return
  if (!peer.alive) return peer.cut()
  peer.alive = false
  peer.socket.ping()
}

/** Makes a socket half open: the connection stays up, but nothing passes in either direction. */
function stall(peer: Peer): void {
  peer.stalled = true
  peer.socket.pause()
  peer.line.cork()
}

const reasons = new Map<number, string>([
  [CloseCode.Forbidden, 'Forbidden'],
  [CloseCode.Unauthorized, 'Unauthorized'],
  [CloseCode.SubscriberAlreadyExists, 'Subscriber already exists'],
])

function reasonOf(code: number): string {
  return reasons.get(code) ?? 'Closed by the service'
}
