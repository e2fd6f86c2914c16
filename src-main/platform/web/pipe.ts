import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { EventData, EventName, Handlers } from '../../../src-shared/contract/contract.ts'
import { callLimit } from '../../../src-shared/contract/limits.ts'
import { signedOutCode } from '../../../src-shared/lib/proof.ts'
import { answerText } from '../../ipc/answer.ts'
import type { Log } from '../../ports.ts'
import type { AccessGuard } from './sign-in/access-guard.ts'
import { signIn } from './sign-in/sign-in.ts'

/** The part of the core that a pipe needs. */
export interface PipeCore {
  handlers: Handlers
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
}

export interface PipeServer {
  /** Accepts a connection from our own page; returns false when too many have not signed in yet. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** Ends the sessions of all windows, which have to sign in again. */
  signOut(): void
  stop(): Promise<void>
}

export interface PipeLimits {
  /** Unsent bytes above which only the newest of each state event is stored for later. */
  congestedBytes: number
  /** Unsent bytes above which the window is dropped. */
  maxBufferedBytes: number
  /** Interval of pings, ms. */
  ping: number
  /** Number of pipes that have not signed in yet. */
  anonymous: number
}

/**
 * The form of a window's message with its members in this order, so that the call's length limit is known before
 * parsing.
 */
const envelope = /^\{"id":(\d{1,15}),"call":"([\w.]{1,100})","input":/u

/** Every event of the contract, so that a new one does not compile without an entry. */
const pushed: Record<EventName, 'whole' | 'newest'> = {
  // A lost patch would leave the window wrong: all of them or none.
  patch: 'whole',
  // These contain the whole state, so the newest one replaces unsent ones.
  connections: 'newest',
  gauges: 'newest',
  banners: 'newest',
  keychain: 'newest',
  proxies: 'newest',
  settings: 'newest',
  columns: 'newest',
  views: 'newest',
  notifications: 'newest',
  incidents: 'newest',
  delays: 'newest',
  policies: 'newest',
  updates: 'newest',
  actions: 'newest',
  subscriptions: 'newest',
  team: 'newest',
  handovers: 'newest',
  // Single events, all of which are sent.
  notification: 'whole',
  open: 'whole',
  operations: 'newest',
  restarted: 'whole',
}

interface Client {
  socket: WebSocket
  session: string
  waiting: Map<EventName, string>
  answered: boolean
}

/**
 * The web shell's pipe: one WebSocket at `/pipe`, JSON text frames. It begins with both sides' proof (sign-in.ts); then
 *
 * - window -> core `{"id": number, "call": string, "input": unknown}`, as `JSON.stringify` writes it in this order, and
 * nothing else. Ids are chosen by the window, whole and not negative; answers may arrive in another order.
 * - core -> window `{"id": number, "answer": Answer}` for each call, or `{"event": string, "data": unknown}`.
 *
 * Names, inputs, outputs and data are those of `src-shared/contract/contract.ts`. Nothing is pushed at the start: a
 * window that has just connected calls `app.state`. A window that is too slow for its patches is dropped (1006); it
 * connects again and calls `app.state`. A frame that is not a call closes with 1008, one of more than `callLimit` with
 * 1009, quitting with 1001, signing out with 4401. The server pings every 15 s and drops windows that did not answer
 * the previous ping.
 */
export function startPipe(
  core: PipeCore,
  guard: AccessGuard,
  clock: Clock,
  log: Log,
  limits: PipeLimits = defaultLimits,
): PipeServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: callLimit, perMessageDeflate: false })
  const clients = new Set<Client>()
  const anonymous = new Set<WebSocket>()
  const offs = eventNames().map((name) => core.on(name, (data) => push(clients, name, data, limits, log)))
  const stopPings = pingAll(clients, guard, clock, limits.ping)
  const accept = async (socket: WebSocket, raw: Duplex) => {
    anonymous.add(socket)
    socket.on('error', (error) => log('info', `a window's pipe broke: ${error.name}`))
    const signed = await signIn(socket, raw, guard, clock)
    anonymous.delete(socket)
    if ('fault' in signed) return log('warn', `a pipe was rejected: ${signed.fault}`)
    attach(clients, socket, signed.session, core.handlers, limits, log)
  }
  return {
    upgrade: (req, socket, head) => {
      if (anonymous.size >= limits.anonymous) return false
      server.handleUpgrade(req, socket, head, (ws) => void accept(ws, socket))
      return true
    },
    signOut: () => clients.forEach(({ socket }) => socket.close(signedOutCode, 'signed out')),
    stop: async () => {
      for (const off of offs) off()
      stopPings()
      for (const socket of anonymous) socket.terminate()
      await Promise.all([...clients].map((client) => closeGracefully(client, clock)))
      server.close()
    },
  }
}

const defaultLimits: PipeLimits = {
  congestedBytes: 256 * 1024,
  maxBufferedBytes: 16 * 1024 * 1024,
  ping: 15_000,
  anonymous: 32,
}

function eventNames(): EventName[] {
  return Object.keys(pushed) as EventName[]
}

function attach(
  clients: Set<Client>,
  socket: WebSocket,
  session: string,
  handlers: Handlers,
  limits: PipeLimits,
  log: Log,
): void {
  const client: Client = { socket, session, waiting: new Map(), answered: true }
  clients.add(client)
  socket.on('close', () => clients.delete(client))
  socket.on('pong', () => (client.answered = true))
  socket.on('message', (data, binary) => void receive(client, data, binary, handlers, limits, log))
}

async function receive(
  client: Client,
  data: RawData,
  binary: boolean,
  handlers: Handlers,
  limits: PipeLimits,
  log: Log,
): Promise<void> {
  // A message on a closing pipe comes from a window that was signed out.
  if (client.socket.readyState !== client.socket.OPEN) return
  const parsed = binary ? null : parse(String(data))
  if (parsed === null) {
    log('warn', 'a window sent something that is no call')
    client.socket.close(1008, 'not a call')
    return
  }
  const answer = await answerText(handlers, parsed.call, parsed.input)
  write(client, JSON.stringify({ id: parsed.id, answer: answer }), limits, log)
}

function parse(text: string): { id: number; call: string; input: string } | null {
  const [begin, id, call] = envelope.exec(text.slice(0, 200)) ?? []
  if (begin === undefined || call === undefined || !text.endsWith('}')) return null
  return { id: Number(id), call, input: text.slice(begin.length, -1) }
}

/** Sends an event, serialised once for all windows. */
function push(clients: Set<Client>, name: EventName, data: unknown, limits: PipeLimits, log: Log): void {
  if (clients.size === 0) return
  const text = JSON.stringify({ event: name, data })
  for (const client of clients) {
    const isCongested = client.socket.bufferedAmount > limits.congestedBytes
    if (isCongested && pushed[name] === 'newest') client.waiting.set(name, text)
    else write(client, text, limits, log)
  }
}

function write(client: Client, text: string, limits: PipeLimits, log: Log): void {
  const { socket } = client
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > limits.maxBufferedBytes) {
    log('warn', 'a window was too slow for its patches and was dropped')
    socket.terminate()
    return
  }
  socket.send(text, () => flush(client, limits, log))
}

function flush(client: Client, limits: PipeLimits, log: Log): void {
  if (client.waiting.size === 0 || client.socket.bufferedAmount > limits.congestedBytes) return
  const texts = [...client.waiting.values()]
  client.waiting.clear()
  for (const text of texts) write(client, text, limits, log)
}

/** Pings all windows and renews their sessions: a window that stays open for months is in use all that time. */
function pingAll(clients: Set<Client>, guard: AccessGuard, clock: Clock, every: number): () => void {
  let cancel = clock.after(every, pingRound)
  function pingRound() {
    cancel = clock.after(every, pingRound)
    for (const client of clients) {
      if (!client.answered) client.socket.terminate()
      else if (client.socket.readyState === client.socket.OPEN) client.socket.ping()
      if (client.answered) guard.used(client.session)
      client.answered = false
    }
  }
  return () => cancel()
}

/** Closes a pipe, and terminates it without an answer within 300 ms, so that quitting is quick. */
function closeGracefully(client: Client, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(300, () => client.socket.terminate())
    client.socket.once('close', () => {
      cancel()
      resolve()
    })
    client.socket.close(1001, 'Muster is stopping')
  })
}
