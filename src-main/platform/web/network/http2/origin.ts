import { constants, type ClientHttp2Session } from 'node:http2'

/** Time without traffic after which a connection is closed, ms; gateways usually allow a minute. */
const idleMs = 30_000
/** Most requests at a time over a connection, also where the server allows more. */
const mostStreams = 100
/** Most origins that a server may claim for one connection; Node stores each of them. */
const mostOrigins = 1_000
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

/** `open` resolves with a session whose server has sent its settings. */
export function openOrigin(open: () => Promise<ClientHttp2Session>): Origin {
  const waiting = new Set<Waiting>()
  const connections = new Set<Connection>()
  let current: Connection | null = null
  let isOpening = false
  let closedBy: Error | null = null

  const failAll = (error: unknown) => {
    const all = [...waiting]
    waiting.clear()
    for (const each of all) each.fail(error)
  }
  const retire = (connection: Connection) => {
    if (connection.isRetired) return
    connection.isRetired = true
    if (current === connection) current = null
    if (connection.running === 0) connection.session.destroy()
    advance()
  }
  const turnOn = (connection: Connection): Turn => {
    connection.running += 1
    let isOver = false
    return {
      session: connection.session,
      end(unsent) {
        if (isOver) return
        isOver = true
        connection.running -= 1
        connection.unsent += unsent
        if (connection.unsent > mostUnsent) retire(connection)
        if (connection.isRetired && connection.running === 0) connection.session.destroy()
        advance()
      },
      retire: () => retire(connection),
    }
  }
  /** Lets as many requests begin as there is room for. */
  const advance = () => {
    for (const each of waiting) {
      if (current === null) return connect()
      if (current.running >= roomOf(current.session)) return
      waiting.delete(each)
      each.begin(turnOn(current))
    }
  }
  const connect = () => {
    if (isOpening) return
    isOpening = true
    open()
      .then((session) => {
        if (closedBy !== null) return session.destroy()
        const connection: Connection = { session, running: 0, unsent: 0, isRetired: false }
        current = connection
        connections.add(connection)
        session.once('close', () => connections.delete(connection))
        watch(connection, advance, () => retire(connection))
      }, failAll)
      .finally(() => {
        isOpening = false
        advance()
      })
  }
  return {
    take(begin, fail) {
      const each: Waiting = { begin, fail }
      if (closedBy === null) {
        waiting.add(each)
        advance()
      } else fail(closedBy)
      return () => void waiting.delete(each)
    },
    close(error) {
      closedBy = error
      failAll(error)
      for (const { session } of connections) session.destroy(error, constants.NGHTTP2_NO_ERROR)
    },
  }
}

/** A limit of 0 is meant for a while, in which the session itself holds the request back. */
const roomOf = ({ remoteSettings }: ClientHttp2Session): number =>
  Math.max(1, Math.min(mostStreams, remoteSettings.maxConcurrentStreams ?? mostStreams))

function watch(connection: Connection, advance: () => void, retire: () => void): void {
  const { session } = connection
  session.on('remoteSettings', advance)
  session.on('goaway', retire)
  session.on('close', retire)
  session.setTimeout(idleMs, () => {
    if (connection.running === 0) retire()
  })
  let origins = 0
  session.on('origin', (list) => {
    origins += list.length
    if (origins > mostOrigins) session.destroy(new Error('the server claims too many origins'))
  })
}
