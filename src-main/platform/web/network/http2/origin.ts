import { constants, type ClientHttp2Session } from 'node:http2'

/** Time without traffic after which a connection is closed, ms; gateways usually allow a minute. */
const idleMs = 30_000
/** Most requests at a time over a connection, also where the server allows more. */
const mostStreams = 100
/**
 * Most bytes of bodies that were given up unsent. Node 24 counts them as memory of the connection until it ends, and
 * resets every answer with ENHANCE_YOUR_CALM above `sessionMemory`.
 */
const mostUnsent = 16 * 1024 * 1024
/** Memory that Node allows a connection, MB. */
export const sessionMemory = 64

/** The right to send one request over a connection. */
export interface Turn {
  session: ClientHttp2Session
  /** Ends it, once, so that another request may begin. `unsent`: bytes of its body that were not sent. */
  end(unsent: number): void
  /** Sends no further request over this connection, which ends with the last request on it. */
  retire(): void
}

/** One shared HTTP/2 connection: opened for the first request, and again for the first one after its end. */
export interface Origin {
  /**
   * Calls `begin` once when the connection has room, or `fail` when none can be opened. Returns a function that gives
   * up waiting.
   */
  take(begin: (turn: Turn) => void, fail: (error: unknown) => void): () => void
  /** Ends the connection and fails what waits or runs. */
  close(error: Error): void
}

interface Waiting {
  begin(turn: Turn): void
  fail(error: unknown): void
}

interface Connection {
  session: ClientHttp2Session
  running: number
  unsent: number
  isRetired: boolean
}

interface State {
  open(): Promise<ClientHttp2Session>
  waiting: Set<Waiting>
  /** The connection that takes requests. */
  current: Connection | null
  /** All that are open: this one, and those that end with the last request on them. */
  connections: Set<Connection>
  isOpening: boolean
  closedBy: Error | null
}

/** `open` resolves with a session whose server has sent its settings. */
export function openOrigin(open: () => Promise<ClientHttp2Session>): Origin {
  const state: State = {
    open,
    waiting: new Set(),
    current: null,
    connections: new Set(),
    isOpening: false,
    closedBy: null,
  }
  return {
    take(begin, fail) {
      const each: Waiting = { begin, fail }
      if (state.closedBy === null) {
        state.waiting.add(each)
        advance(state)
      } else fail(state.closedBy)
      return () => void state.waiting.delete(each)
    },
    close(error) {
      state.closedBy = error
      failAll(state, error)
      for (const { session } of state.connections) session.destroy(error, constants.NGHTTP2_NO_ERROR)
    },
  }
}

/** Lets as many requests begin as the connection has room for; opens it where there is none. */
function advance(state: State): void {
  for (const each of state.waiting) {
    if (state.current === null) return connect(state)
    if (state.current.running >= roomOf(state.current.session)) return
    state.waiting.delete(each)
    each.begin(turnOn(state, state.current))
  }
}

function connect(state: State): void {
  if (state.isOpening) return
  state.isOpening = true
  state
    .open()
    .then(
      (session) => accept(state, session),
      (error: unknown) => failAll(state, error),
    )
    .finally(() => {
      state.isOpening = false
      advance(state)
    })
}

function accept(state: State, session: ClientHttp2Session): void {
  if (state.closedBy !== null) return session.destroy()
  const connection: Connection = { session, running: 0, unsent: 0, isRetired: false }
  state.current = connection
  state.connections.add(connection)
  session.on('remoteSettings', () => advance(state))
  session.on('goaway', () => retire(state, connection))
  session.on('close', () => {
    state.connections.delete(connection)
    retire(state, connection)
  })
  session.setTimeout(idleMs, () => {
    if (connection.running === 0) retire(state, connection)
  })
}

function turnOn(state: State, connection: Connection): Turn {
  let isOver = false
  connection.running += 1
  return {
    session: connection.session,
    end(unsent) {
      if (isOver) return
      isOver = true
      connection.running -= 1
      connection.unsent += unsent
      if (connection.unsent > mostUnsent) retire(state, connection)
      if (connection.isRetired && connection.running === 0) connection.session.destroy()
      advance(state)
    },
    retire: () => retire(state, connection),
  }
}

function retire(state: State, connection: Connection): void {
  if (connection.isRetired) return
  connection.isRetired = true
  if (state.current === connection) state.current = null
  if (connection.running === 0) connection.session.destroy()
  advance(state)
}

function failAll({ waiting }: State, error: unknown): void {
  const all = [...waiting]
  waiting.clear()
  for (const each of all) each.fail(error)
}

/** A limit of 0 is meant for a while, in which the session itself holds the request back. */
const roomOf = ({ remoteSettings }: ClientHttp2Session): number =>
  Math.max(1, Math.min(mostStreams, remoteSettings.maxConcurrentStreams ?? mostStreams))
