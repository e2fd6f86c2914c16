import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listeningUntil } from '../listening.ts'

/** What stands between a member and the database, with verbs for misfortune. */
export interface Proxy {
  port: number
  /** Ends all connections, and each new one at once. */
  cut(): void
  /** Passes nothing on any more, in both directions, and ends nothing: a cable that was pulled. */
  freeze(): void
  /** Lets connections through again. What was frozen goes on. */
  restore(): void
  /** Ends the connection in which this text is sent next, after the server has answered and before the answer passes. */
  loseAnswerTo(text: string): void
  /** Ends the connection in which this text is sent next. Resolves with what sends the text to the server after all, until it has answered. */
  holdBack(text: string): Promise<() => Promise<void>>
}

interface Pair {
  client: Socket
  server: Socket
}

/** Starts a proxy before a port of 127.0.0.1, which lets everything through. */
export async function startProxy(to: number, onEnd: (stop: () => Promise<void>) => void): Promise<Proxy> {
  const pairs = new Set<Pair>()
  let isCut = false
  let isFrozen = false
  let lost: string | null = null
  let held: { text: string; resolve: (send: () => Promise<void>) => void } | null = null
  const serve = (client: Socket) => {
    if (isCut) return void client.destroy()
    const pair = { client, server: connect(to, '127.0.0.1') }
    const { server } = pair
    pairs.add(pair)
    let losesAnswer = false
    client.on('data', (data) => {
      if (lost !== null && data.includes(lost)) {
        losesAnswer = true
        lost = null
      }
      if (held !== null && data.includes(held.text)) {
        held.resolve(async () => {
          server.write(data)
          await once(server, 'data')
        })
        held = null
        pairs.delete(pair)
        return void client.destroy()
      }
      server.write(data)
    })
    server.on('data', (data) => (losesAnswer ? client.destroy() : client.write(data)))
    server.on('error', () => server.destroy())
    server.on('close', () => client.destroy())
    client.on('close', () => {
      if (pairs.delete(pair)) server.destroy()
    })
    if (isFrozen) pause(pair)
  }
  const port = await listeningUntil(createServer(serve), onEnd)
  onEnd(async () => {
    for (const { server } of pairs) server.destroy()
  })
  return {
    port,
    cut() {
      isCut = true
      for (const { client } of pairs) client.destroy()
    },
    freeze() {
      isFrozen = true
      for (const pair of pairs) pause(pair)
    },
    restore() {
      isCut = false
      isFrozen = false
      for (const { client, server } of pairs) {
        client.resume()
        server.resume()
      }
    },
    loseAnswerTo(text) {
      lost = text
    },
    holdBack: (text) =>
      new Promise((resolve) => {
        held = { text, resolve }
      }),
  }
}

function pause({ client, server }: Pair): void {
  client.pause()
  server.pause()
}
