import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openWebPipe } from '../../../../src-renderer/lib/pipe/web-pipe.ts'
import { openKeys } from '../../../../src-renderer/lib/pipe/sign-in.ts'
import { answerTabs, askTabs } from '../../../../src-renderer/lib/pipe/tabs.ts'
import { manualClock } from '../../../support/clock.ts'
import { originOf } from './served.ts'

/** The window's own pipe, in a tab of a browser whose other tabs are those of the same port. */
export function openTab(port: number, key: string | null) {
  const kept = new Map<string, string>()
  const keys = openKeys({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  })
  if (key !== null) keys.take(key)
  const clock = manualClock()
  const channel = () => {
    const opened = new BroadcastChannel(`muster ${port}`)
    onTestFinished(() => opened.close())
    return opened
  }
  const pipe = openWebPipe({
    url: `ws://127.0.0.1:${port}/pipe`,
    origin: originOf(port),
    keys,
    clock,
    vouched: () => askTabs(keys, channel(), clock),
    random: () => 0,
    // As a browser does, which a page cannot change.
    dial: (url) => new WebSocket(url, { origin: originOf(port) }) as unknown as globalThis.WebSocket,
  })
  onTestFinished(() => pipe.stop())
  onTestFinished(answerTabs(pipe, channel()))
  const seen: string[] = []
  pipe.onSignInState((signInState) => seen.push(signInState))
  pipe.onReach((reached) => seen.push(reached ? 'reached' : 'lost'))
  return { kept, keys, clock, pipe, seen }
}

/** Takes the port, records all that it is sent, and says to each socket what `says` makes of its greeting. */
export async function thief(port: number, says: (hello: { id: string; nonce: string }) => Promise<unknown>) {
  const server = new WebSocketServer({ port, host: '127.0.0.1' })
  await once(server, 'listening')
  const report: string[] = []
  const headers: string[] = []
  server.on('connection', (socket, request) => {
    headers.push(JSON.stringify(request.headers))
    socket.on('message', (data) => {
      report.push(String(data))
      const { hello } = JSON.parse(String(data)) as { hello?: { id: string; nonce: string } }
      if (hello !== undefined) void says(hello).then((answer) => socket.send(JSON.stringify(answer)))
    })
  })
  const stop = () => {
    for (const socket of server.clients) socket.terminate()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(stop)
  return { report, headers, stop }
}
