import { connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, type ClientConfig } from 'pg'
import { listeningUntil } from '../listening.ts'

/** One message of the protocol: a letter, the length with itself, the rest. */
const headBytes = 5
/** The first message of a client has no letter. */
const startupHeadBytes = 4

/** Startup parameters that PgBouncer keeps for each client; it rejects others. */
const keptParameters = new Set(['user', 'database', 'application_name', 'client_encoding'])

const authenticationOk = Buffer.from('R\0\0\0\u0008\0\0\0\0', 'latin1')
/** The code of a request to cancel a statement, where others have the version of the protocol. */
const cancelCode = 80_877_102
const readyForQuery = Buffer.from('Z\0\0\0\u0005I', 'latin1')

function keyOf(key: number): Buffer {
  const message = Buffer.from('K\0\0\0\u000C\0\0\0\0\0\0\0\0', 'latin1')
  message.writeInt32BE(key, 5)
  return message
}

interface Session {
  stream: Duplex
  client: Socket | null
  /** Cancels the statement that runs, and resolves when the server has been told. */
  cancel: () => Promise<void>
}

/** The key of a client, and its session while it has one. */
type Keys = Map<number, () => Session | null>

/**
 * A transaction pooler, as PgBouncer with `pool_mode = transaction`: between two transactions a client has no session of
 * the server, and the next one is another one. It lets everybody in. Resolves with its port on 127.0.0.1.
 */
export async function startPooler(
  onEnd: (stop: () => Promise<void>) => void,
  { size, ...server }: ClientConfig & { size: number },
): Promise<number> {
  const idle: Session[] = []
  const waiting: ((session: Session) => void)[] = []
  const release = (session: Session) => {
    session.client = null
    const next = waiting.shift()
    if (next === undefined) idle.push(session)
    else next(session)
  }
  for (let index = 0; index < size; index += 1) idle.push(await openSession(server, onEnd, release))
  const take = (run: (session: Session) => void) => {
    const session = idle.shift()
    if (session === undefined) waiting.push(run)
    else run(session)
  }
  const keys: Keys = new Map()
  return listeningUntil(
    createServer((socket) => serve(socket, take, keys)),
    onEnd,
  )
}

async function openSession(
  config: ClientConfig,
  onEnd: (stop: () => Promise<void>) => void,
  release: (session: Session) => void,
): Promise<Session> {
  const client = new Client(config)
  client.on('error', () => {})
  await client.connect()
  const { stream } = client.connection
  onEnd(async () => void stream.destroy())
  // The driver has signed in, and reads no further.
  stream.removeAllListeners('data')
  const session: Session = { stream, client: null, cancel: () => cancelOf(client, config.port ?? 0) }
  const read = messages(headBytes, (message) => {
    session.client?.write(message)
    if (message.subarray(0, 1).toString() === 'Z' && message.at(-1) === 'I'.charCodeAt(0)) release(session)
  })
  stream.on('data', read)
  return session
}

function cancelOf(client: Client, port: number): Promise<void> {
  const { processID, secretKey } = client as Client & { processID: number; secretKey: number }
  const request = Buffer.alloc(16)
  for (const [index, value] of [16, cancelCode, processID, secretKey].entries()) request.writeInt32BE(value, index * 4)
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('error', () => {})
    socket.once('close', () => resolve())
  })
}

function serve(socket: Socket, take: (run: (session: Session) => void) => void, keys: Keys): void {
  let session: Session | null = null
  const key = keys.size + 1
  let queued: Buffer[] = []
  let isAsked = false
  const forward = (message: Buffer) => {
    if (message.subarray(0, 1).toString() === 'X') return void socket.end()
    if (session?.client === socket) return void session.stream.write(message)
    queued.push(message)
    if (isAsked) return
    isAsked = true
    take((taken) => {
      session = taken
      session.client = socket
      isAsked = false
      for (const each of queued) session.stream.write(each)
      queued = []
    })
  }
  let read = messages(startupHeadBytes, (startup) => {
    if (startup.readInt32BE(4) === cancelCode) {
      const asked = keys.get(startup.readInt32BE(8))?.()
      return void (asked?.cancel() ?? Promise.resolve()).then(() => socket.end())
    }
    const names = startup.subarray(8).toString().split('\0').slice(0, -2)
    if (names.some((name, index) => index % 2 === 0 && !keptParameters.has(name))) return void socket.destroy()
    read = messages(headBytes, forward)
    keys.set(key, () => (session?.client === socket ? session : null))
    socket.once('close', () => keys.set(key, () => null))
    socket.write(Buffer.concat([authenticationOk, keyOf(key), readyForQuery]))
  })
  socket.on('data', (chunk) => read(chunk))
}

/** Returns what takes pieces and hands on whole messages. */
function messages(head: number, onMessage: (message: Buffer) => void): (piece: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (piece) => {
    rest = Buffer.concat([rest, piece])
    for (;;) {
      if (rest.length < head) return
      const length = rest.readUInt32BE(head - 4) + head - 4
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      onMessage(message)
    }
  }
}
