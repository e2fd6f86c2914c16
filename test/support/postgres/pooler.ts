import { createServer, type Socket } from 'node:net'
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
const keyOfNobody = Buffer.from('K\0\0\0\u000C\0\0\0\u0001\0\0\0\u0001', 'latin1')
const readyForQuery = Buffer.from('Z\0\0\0\u0005I', 'latin1')

interface Session {
  stream: Duplex
  client: Socket | null
}

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
  return listeningUntil(
    createServer((socket) => serve(socket, take)),
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
  const session: Session = { stream, client: null }
  const read = messages(headBytes, (message) => {
    session.client?.write(message)
    if (message.subarray(0, 1).toString() === 'Z' && message.at(-1) === 'I'.charCodeAt(0)) release(session)
  })
  stream.on('data', read)
  return session
}

function serve(socket: Socket, take: (run: (session: Session) => void) => void): void {
  let session: Session | null = null
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
    const names = startup.subarray(8).toString().split('\0').slice(0, -2)
    if (names.some((name, index) => index % 2 === 0 && !keptParameters.has(name))) return void socket.destroy()
    read = messages(headBytes, forward)
    socket.write(Buffer.concat([authenticationOk, keyOfNobody, readyForQuery]))
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
