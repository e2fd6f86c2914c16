import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { z } from 'zod'
import type { Clock } from '../../src-shared/clock.ts'
import type { EventData, EventName, Handlers } from '../../src-shared/contract.ts'
import { callLimit } from '../../src-shared/limits.ts'
import { answer } from '../ipc/answer.ts'
import type { Log } from '../ports.ts'

/** The part of the core that a pipe needs. */
export interface Spoken {
  handlers: Handlers
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void
}

export interface PipeServer {
  /** Takes over a connection that the door has already admitted. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  stop(): Promise<void>
}

export interface PipeLimits {
  /** Bytes not yet sent above which only the newest of each state event is kept for later. */
  roomy: number
  /** Bytes not yet sent above which the window is dropped. */
  full: number
  /** Milliseconds between two pings. */
  ping: number
}

/** What a window may send. Inputs are checked by `answer`, against the contract. */
const request = z.object({ id: z.int().min(0), call: z.string().max(100), input: z.unknown() })

/** Every event of the contract, so that one more of them does not compile without being pushed. */
const pushed: Record<EventName, 'whole' | 'newest'> = {
  // A lost patch would leave the window wrong: all of them or none.
  patch: 'whole',
  // These carry the whole state, so the newest one replaces what was not sent yet.
  connections: 'newest',
  gauges: 'newest',
  notices: 'newest',
  keychain: 'newest',
  proxies: 'newest',
  settings: 'newest',
  columns: 'newest',
  views: 'newest',
  tellings: 'newest',
  incidents: 'newest',
  policies: 'newest', updates: 'newest',
  // One thing each.
  tell: 'whole',
  open: 'whole',
}

interface Client {
  socket: WebSocket
  waiting: Map<EventName, string>
  answered: boolean
}

/**
 * The web shell's pipe: one WebSocket at `/pipe`, JSON text frames.
 *
 * - window -> core `{"id": number, "call": string, "input": unknown}`, and nothing else. Ids are the window's own, whole
 *   and not negative; answers may come in another order.
 * - core -> window `{"id": number, "answer": Answer}` for each call, or `{"event": string, "data": unknown}`.
 *
 * Names, inputs, outputs and data are those of `src-shared/contract.ts`. Nothing is pushed at the start: a window that
 * has just connected asks for `app.state`. A window that is too slow to take its patches is dropped (1006); it connects
 * again and asks for `app.state`. A frame that is no call closes with 1008, one of more than `callLimit` with 1009,
 * quitting with 1001. The server pings every 15 s and drops who did not answer the ping before.
 */
export function startPipe(
  core: Spoken,
  clock: Clock,
  log: Log,
  limits: PipeLimits = { roomy: 256 * 1024, full: 16 * 1024 * 1024, ping: 15_000 },
): PipeServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: callLimit, perMessageDeflate: false })
  const clients = new Set<Client>()
  const offs = eventNames().map((name) => core.on(name, (data) => push(clients, name, data, limits, log)))
  const stopPings = pingAll(clients, clock, limits.ping)
  return {
    upgrade: (req, socket, head) => {
      server.handleUpgrade(req, socket, head, (ws) => attach(clients, ws, core.handlers, limits, log))
    },
    stop: async () => {
      for (const off of offs) off()
      stopPings()
      await Promise.all([...clients].map((client) => farewell(client, clock)))
      server.close()
    },
  }
}

function eventNames(): EventName[] {
  return Object.keys(pushed) as EventName[]
}

function attach(clients: Set<Client>, socket: WebSocket, handlers: Handlers, limits: PipeLimits, log: Log): void {
  const client: Client = { socket, waiting: new Map(), answered: true }
  clients.add(client)
  socket.on('close', () => clients.delete(client))
  socket.on('pong', () => (client.answered = true))
  socket.on('error', (error) => log('info', `a window's pipe broke: ${error.name}`))
  socket.on('message', (data, binary) => void receive(client, data, binary, handlers, limits, log))
}

async function receive(
  client: Client, data: RawData, binary: boolean, handlers: Handlers, limits: PipeLimits, log: Log,
): Promise<void> {
  const asked = binary ? null : parse(String(data))
  if (asked === null) {
    log('warn', 'a window sent something that is no call')
    client.socket.close(1008, 'not a call')
    return
  }
  const given = await answer(handlers, asked.call, asked.input)
  write(client, JSON.stringify({ id: asked.id, answer: given }), limits, log)
}

function parse(text: string): z.infer<typeof request> | null {
  try {
    return request.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Written once for all windows. */
function push(clients: Set<Client>, name: EventName, data: unknown, limits: PipeLimits, log: Log): void {
  if (clients.size === 0) return
  const text = JSON.stringify({ event: name, data })
  for (const client of clients) {
    const crowded = client.socket.bufferedAmount > limits.roomy
    if (crowded && pushed[name] === 'newest') client.waiting.set(name, text)
    else write(client, text, limits, log)
  }
}

function write(client: Client, text: string, limits: PipeLimits, log: Log): void {
  const { socket } = client
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > limits.full) {
    log('warn', 'a window was too slow for its patches and was dropped')
    socket.terminate()
    return
  }
  socket.send(text, () => flush(client, limits, log))
}

function flush(client: Client, limits: PipeLimits, log: Log): void {
  if (client.waiting.size === 0 || client.socket.bufferedAmount > limits.roomy) return
  const texts = [...client.waiting.values()]
  client.waiting.clear()
  for (const text of texts) write(client, text, limits, log)
}

function pingAll(clients: Set<Client>, clock: Clock, every: number): () => void {
  let cancel = clock.after(every, turn)
  function turn() {
    cancel = clock.after(every, turn)
    for (const client of clients) {
      if (!client.answered) client.socket.terminate()
      else if (client.socket.readyState === client.socket.OPEN) client.socket.ping()
      client.answered = false
    }
  }
  return () => cancel()
}

/** Says good-bye, and hangs up on who does not answer within 300 ms: quitting is meant to be quick. */
function farewell(client: Client, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(300, () => client.socket.terminate())
    client.socket.once('close', () => {
      cancel()
      resolve()
    })
    client.socket.close(1001, 'Muster is stopping')
  })
}
