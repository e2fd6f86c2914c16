import { createServer, type IncomingHttpHeaders } from 'node:http'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Leftovers } from './fleet.ts'
import { listeningUntil } from './listening.ts'

export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  text: string
}

interface Answer {
  status: number
  text?: string
  headers?: Record<string, string>
  /** After its text the answer goes on for ever, or its connection ends. */
  after?: 'hang' | 'cut'
}

/** What a receiver does with a request: an answer, nothing for ever, or the end of its connection. */
export type Behaviour = Answer | 'hang' | 'cut'

/** An HTTP receiver. `behaviour` is asked for each request, which is recorded first. */
export interface Receiver {
  address: string
  received: ReceivedRequest[]
  behaviour: (request: ReceivedRequest, count: number) => Behaviour
}

export async function startReceiver(leftovers: Leftovers, path = '/hook'): Promise<Receiver> {
  const receiver: Receiver = { address: '', received: [], behaviour: () => ({ status: 200, text: 'ok' }) }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, text: Buffer.concat(parts).toString() }
      receiver.received.push(one)
      const does = receiver.behaviour(one, receiver.received.length)
      if (does === 'hang') return
      if (does === 'cut') return void request.socket.destroy()
      response.writeHead(does.status, does.headers ?? {})
      if (does.after === undefined) return void response.end(does.text ?? '')
      response.write(does.text ?? '', () => does.after === 'cut' && request.socket.destroy())
    })
  })
  const port = await listeningUntil(server, (stop) => leftovers.push(stop))
  receiver.address = `http://127.0.0.1:${port}${path}`
  return receiver
}

export interface ReceivedMail {
  from: string
  to: string[]
  text: string
}

/** A mail server. `rejects` returns the reply to an address or to the data (address ''), null to accept it. */
export interface MailReceiver {
  port: number
  received: ReceivedMail[]
  logins: { user: string; password: string }[]
  rejects: (address: string) => { code: number; text: string } | null
  /** True: nothing is answered to the data of a mail. */
  hangs: boolean
}

export async function startMailReceiver(
  leftovers: Leftovers,
  more: SMTPServerOptions & { login?: { user: string; password: string } } = {},
): Promise<MailReceiver> {
  const { login, ...options } = more
  const receiver: MailReceiver = { port: 0, received: [], logins: [], rejects: () => null, hangs: false }
  const failure = (reply: { code: number; text: string }) =>
    Object.assign(new Error(reply.text), { responseCode: reply.code })
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    hideSTARTTLS: options.key === undefined,
    closeTimeout: 100,
    ...options,
    onAuth(given, _session, done) {
      const [username, password] = [given.username ?? '', given.password ?? '']
      receiver.logins.push({ user: username, password })
      if (username === login?.user && password === login.password) done(null, { user: username })
      else done(failure({ code: 535, text: 'Authentication credentials invalid' }))
    },
    onRcptTo({ address }, _session, done) {
      const reply = receiver.rejects(address)
      done(reply === null ? null : failure(reply))
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (receiver.hangs) return
        const reply = receiver.rejects('')
        if (reply !== null) return done(failure(reply))
        receiver.received.push({
          from: envelope.mailFrom === false ? '' : (envelope.mailFrom.address ?? ''),
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(parts).toString(),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  receiver.port = await listeningUntil(server.server, (stop) =>
    leftovers.push(async () => {
      server.close(() => {})
      await stop()
    }),
  )
  return receiver
}
