import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request as requestHttp, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { EventData, EventName, Handlers } from '../../../../src-shared/contract/contract.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { PipeCore } from '../../../../src-main/platform/web/pipe.ts'
import { startServer } from '../../../../src-main/platform/web/server.ts'
import { openSessions } from '../../../../src-main/platform/web/sign-in/sessions.ts'
import { manualClock } from '../../../support/clock.ts'
import { keyIn, signInBy } from '../../../support/sign-in.ts'
import { ownFolder } from '../shared/folder.ts'

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A core as far as a pipe can see: it counts its calls, and pushes the events that the test gives. */
export function spoken() {
  const listeners = new Map<EventName, (data: never) => void>()
  const report: unknown[] = []
  const core: PipeCore = {
    handlers: {
      'connections.retry': async (input: unknown) => {
        report.push(input)
        return {}
      },
      'connections.import': async ({ text }: { text: string }) => ({ lines: [], ignored: [], stored: text.length }),
      'sync.start': async () => Promise.reject(new FaultError('stopped')),
    } as Partial<Handlers> as Handlers,
    on: (name, listener) => {
      listeners.set(name, listener as (data: never) => void)
      return () => listeners.delete(name)
    },
  }
  const tell = <N extends EventName>(name: N, data: EventData<N>) => listeners.get(name)?.(data as never)
  return { core, report, tell, listeners }
}

export async function serve() {
  const folder = path.join(ownFolder(), 'renderer')
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  writeFileSync(
    path.join(folder, 'index.html'),
    '<!doctype html><html><head><title>Muster</title></head><body></body></html>',
  )
  writeFileSync(path.join(folder, 'assets', 'index-Ab3_x-9z.js'), 'export {}')
  writeFileSync(path.join(folder, 'plain.svg'), '<svg/>')
  writeFileSync(path.join(path.dirname(folder), 'outside.txt'), 'outside')
  const clock = manualClock()
  const { core, ...rest } = spoken()
  const [gone, log]: [string[], string[]] = [[], []]
  const sessions = openSessions(folder, clock)
  const server = await startServer({
    core,
    clock,
    log: (_level, text) => void log.push(text),
    window: folder,
    port: 0,
    token: 'lock-token',
    sessions,
    onKeyGone: (key) => gone.push(key),
  })
  onTestFinished(() => server.stop())
  return {
    server,
    folder,
    clock,
    sessions,
    gone,
    log,
    ...rest,
    get: (target: string, options?: RequestOptions) => ask(server.port, target, options),
  }
}

/** node:http, since fetch would tidy up the path and keep Host to itself. */
export function ask(port: number, target: string, options: RequestOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = requestHttp({ host: '127.0.0.1', port, path: target, agent: false, ...options }, (response) => {
      let text = ''
      response.on('data', (piece) => (text += String(piece)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end()
  })
}

export function connect(port: number, headers: Record<string, string>, target = '/pipe', autoPong = true): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${target}`, { headers, autoPong })
  // A refused upgrade ends in an error too, when it is hung up on.
  socket.on('error', () => {})
  onTestFinished(() => socket.terminate())
  return socket
}

export const originOf = (port: number) => `http://127.0.0.1:${port}`

/** A socket from a page of Muster's own, that has proven nothing yet. */
export async function arrive(port: number, autoPong = true): Promise<WebSocket> {
  const socket = connect(port, { origin: originOf(port) }, '/pipe', autoPong)
  await once(socket, 'open')
  return socket
}

export async function inside(
  running: { server: { port: number; newUrl(): string } },
  autoPong = true,
  key = keyIn(running.server.newUrl()),
): Promise<WebSocket> {
  const socket = await arrive(running.server.port, autoPong)
  await signInBy(socket, key, originOf(running.server.port))
  return socket
}

/** How the pipe closes on this key; null when it lets it in. */
export async function refusal(port: number, key: string): Promise<number | null> {
  const socket = await arrive(port)
  const closed = once(socket, 'close').then(([code]) => code as number)
  return Promise.race([
    closed,
    signInBy(socket, key, originOf(port)).then(
      () => null,
      () => closed,
    ),
  ])
}
