import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request as requestHttp, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { CallName, EventData, EventName, Handlers } from '../../../src-shared/contract.ts'
import { FaultError } from '../../../src-shared/fault.ts'
import { callLimit, importLimit } from '../../../src-shared/limits.ts'
import type { Spoken } from '../../../src-main/web/pipe.ts'
import { startServer } from '../../../src-main/web/server.ts'
import { openSessions } from '../../../src-main/web/sessions.ts'
import { manualClock } from '../../support/clock.ts'
import { ownFolder } from '../shell/folder.ts'

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** A core as far as a pipe can see: it counts its calls, and tells what it is told to tell. */
function spoken() {
  const listeners = new Map<EventName, (data: never) => void>()
  const heard: unknown[] = []
  const core: Spoken = {
    handlers: {
      'connections.retry': async (input: unknown) => {
        heard.push(input)
        return {}
      },
      'connections.import': async ({ text }: { text: string }) => ({ lines: [], ignored: [], stored: text.length }),
      'sync.read': async () => Promise.reject(new FaultError('stopped')),
    } as Partial<Handlers> as Handlers,
    on: (name, listener) => {
      listeners.set(name, listener as (data: never) => void)
      return () => listeners.delete(name)
    },
  }
  const tell = <N extends EventName>(name: N, data: EventData<N>) => listeners.get(name)?.(data as never)
  return { core, heard, tell, listeners }
}

async function serve() {
  const folder = path.join(ownFolder(), 'renderer')
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><html><head><title>Muster</title></head><body></body></html>')
  writeFileSync(path.join(folder, 'assets', 'index-Ab3_x-9z.js'), 'export {}')
  writeFileSync(path.join(folder, 'plain.svg'), '<svg/>')
  writeFileSync(path.join(path.dirname(folder), 'outside.txt'), 'outside')
  const clock = manualClock()
  const { core, ...rest } = spoken()
  const server = await startServer({ core, clock, log: () => {}, window: folder, port: 0, token: 'lock-token', sessions: openSessions(folder, clock) })
  onTestFinished(() => server.stop())
  return { server, clock, ...rest, get: (target: string, options?: RequestOptions) => ask(server.port, target, options) }
}

/** node:http, since fetch would tidy up the path and keep Host to itself. */
function ask(port: number, target: string, options: RequestOptions = {}): Promise<Reply> {
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

async function enter(running: Awaited<ReturnType<typeof serve>>, url = running.server.newUrl()): Promise<string> {
  const reply = await running.get(new URL(url).pathname + new URL(url).search)
  return reply.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

function connect(port: number, headers: Record<string, string>, target = '/pipe', autoPong = true): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${target}`, { headers, autoPong })
  // A refused upgrade ends in an error too, when it is hung up on.
  socket.on('error', () => {})
  onTestFinished(() => socket.terminate())
  return socket
}

async function inside(running: Awaited<ReturnType<typeof serve>>, autoPong = true): Promise<WebSocket> {
  const cookie = await enter(running)
  const socket = connect(running.server.port, { cookie, origin: `http://127.0.0.1:${running.server.port}` }, '/pipe', autoPong)
  await once(socket, 'open')
  return socket
}

const next = async (socket: WebSocket): Promise<unknown> => JSON.parse(String((await once(socket, 'message'))[0]))

describe('a restart', () => {
  it('lets in the browser that had come in before, and nobody else', async () => {
    const folder = ownFolder()
    const clock = manualClock()
    const start = (port: number) => startServer({ core: spoken().core, clock, log: () => {}, window: folder, port, token: 't', sessions: openSessions(folder, clock) })
    const first = await start(0)
    const { headers } = await ask(first.port, new URL(first.newUrl()).search.replace(/^/, '/'))
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    await first.stop()
    const second = await start(first.port)
    onTestFinished(() => second.stop())
    expect((await ask(second.port, '/nothing', { headers: { cookie } })).status).toBe(404)
    expect((await ask(second.port, '/nothing', { headers: { cookie: `${cookie}x` } })).status).toBe(403)
    expect((await ask(second.port, '/nothing')).status).toBe(403)
    expect(readFileSync(path.join(folder, 'sessions.json'), 'utf8')).not.toContain(cookie.split('=')[1])
    expect(statSync(path.join(folder, 'sessions.json')).mode & 0o777).toBe(0o600)
  })
})

describe('a start that fails', () => {
  it('leaves nothing running when the port is taken', async () => {
    const { server } = await serve()
    const { core, listeners } = spoken()
    const folder = ownFolder()
    const clock = manualClock()
    const second = startServer({ core, clock, log: () => {}, window: folder, port: server.port, token: 't', sessions: openSessions(folder, clock) })
    await expect(second).rejects.toThrow(`Port ${server.port} on 127.0.0.1 is in use.`)
    expect([listeners.size, clock.pending()]).toEqual([0, 0])
  })
})

describe('the way in', () => {
  it('is a key that works once and becomes a cookie with the port in its name', async () => {
    const running = await serve()
    const target = running.server.newUrl().replace(/^http:\/\/[^/]+/, '')
    const first = await running.get(target)
    expect([first.status, first.headers.location]).toEqual([303, '/'])
    expect(first.headers['set-cookie']?.[0]).toMatch(new RegExp(`^muster-${running.server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`))
    const second = await running.get(target)
    expect([second.status, second.headers['set-cookie']]).toEqual([403, undefined])
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    expect((await running.get('/', { headers: { cookie } })).status).toBe(200)
    expect((await running.get(target, { headers: { cookie } })).status).toBe(303)
  })

  it('is closed without the cookie, for every address and for a guessed one', async () => {
    const running = await serve()
    for (const target of ['/', '/index.html', '/assets/index-Ab3_x-9z.js', '/pipe', '/nothing', '/?key=', '/?key=guess']) {
      const reply = await running.get(target, { headers: { cookie: `muster-${running.server.port}=guess` } })
      expect([target, reply.status]).toEqual([target, 403])
    }
    expect((await running.get('/')).text).toContain('npm start')
  })

  it('is not used up by a look with HEAD', async () => {
    const running = await serve()
    const url = running.server.newUrl()
    const target = new URL(url).search
    expect((await running.get(`/${target}`, { method: 'HEAD' })).status).toBe(403)
    expect(await enter(running, url)).not.toBe('')
  })

  it('answers to its own Host only', async () => {
    const running = await serve()
    const { port } = running.server
    const cookie = await enter(running)
    const status = async (host: string) => (await running.get('/', { headers: { cookie, host } })).status
    expect(await status(`localhost:${port}`)).toBe(200)
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, `127.0.0.1.evil.example:${port}`]) {
      expect([host, await status(host)]).toEqual([host, 403])
    }
    const url = running.server.newUrl()
    const rebound = await running.get(`/${new URL(url).search}`, { headers: { host: `evil.example:${port}` } })
    expect([rebound.status, rebound.headers['set-cookie']]).toEqual([403, undefined])
    expect(await enter(running, url)).not.toBe('')
  })

  it('lets a click on another site’s page keep its new cookie', async () => {
    const running = await serve()
    const reply = await running.get(`/${new URL(running.server.newUrl()).search}`, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect([reply.status, reply.headers['refresh']]).toEqual([200, '0;url=/'])
  })

  it('gives a second start a key for five minutes, for the lock’s token and never to a page', async () => {
    const running = await serve()
    const key = (headers: Record<string, string>) => running.get('/key', { method: 'POST', headers })
    expect((await key({})).status).toBe(403)
    expect((await key({ authorization: 'Bearer guess' })).status).toBe(403)
    expect((await key({ authorization: 'Bearer lock-token', origin: `http://127.0.0.1:${running.server.port}` })).status).toBe(403)
    const given = async () => String(JSON.parse((await key({ authorization: 'Bearer lock-token' })).text).url)
    const [soon, late] = [await given(), await given()]
    const printed = running.server.newUrl()
    await running.clock.advance(299_000)
    expect(await enter(running, soon)).not.toBe('')
    await running.clock.advance(1000)
    expect(await enter(running, late)).toBe('')
    expect(await enter(running, printed)).not.toBe('')
  })
})

describe('files', () => {
  it('come with their type, and are kept when their name says what is in them', async () => {
    const running = await serve()
    const headers = { cookie: await enter(running) }
    const script = await running.get('/assets/index-Ab3_x-9z.js', { headers })
    expect(script.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'private, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
    const plain = await running.get('/plain.svg', { headers })
    expect(plain.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'private, no-cache' })
    expect((await running.get('/missing.js', { headers })).status).toBe(404)
  })

  it('the page runs its own scripts only, with a nonce for styles that is never the same', async () => {
    const running = await serve()
    const headers = { cookie: await enter(running) }
    const [one, two] = [await running.get('/', { headers }), await running.get('/', { headers })]
    const nonce = /'nonce-([^']+)'/.exec(String(one.headers['content-security-policy']))?.[1] ?? 'none'
    expect(one.text).toContain(`<head><meta property="csp-nonce" nonce="${nonce}">`)
    expect(two.text).not.toContain(nonce)
    const policy = String(one.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
    expect(policy).not.toContain('unsafe')
    expect(one.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' })
  })

  it.each(['/../outside.txt', '/%2e%2e/outside.txt', '/..%2foutside.txt', '/assets/..%2f..%2foutside.txt', '/%5c..%5coutside.txt', '//outside.txt', '/%', '/%00'])(
    'no spelling leads out of the folder: %s', async (target) => {
      const running = await serve()
      const reply = await running.get(target, { headers: { cookie: await enter(running) } })
      expect(reply.status).toBe(404)
      expect(reply.text).not.toContain('outside')
    },
  )

  it('are read and not written to', async () => {
    const running = await serve()
    expect((await running.get('/', { method: 'PUT', headers: { cookie: await enter(running) } })).status).toBe(405)
  })
})

describe('pipe', () => {
  it('opens with cookie and own Origin at /pipe, and else not', async () => {
    const running = await serve()
    const { port } = running.server
    const cookie = await enter(running)
    const origin = `http://127.0.0.1:${port}`
    const refused = async (headers: Record<string, string>, target?: string) => {
      const [, response] = await once(connect(port, headers, target), 'unexpected-response')
      return response.statusCode as number
    }
    expect(await refused({ origin })).toBe(403)
    expect(await refused({ cookie })).toBe(403)
    expect(await refused({ cookie, origin: 'http://evil.example' })).toBe(403)
    expect(await refused({ cookie, origin: `http://localhost:${port}` })).toBe(403)
    // DNS rebinding: the page's own name leads here, so that Host and Origin agree.
    expect(await refused({ cookie, origin: `http://evil.example:${port}`, host: `evil.example:${port}` })).toBe(403)
    expect(await refused({ cookie, origin }, '/other')).toBe(403)
    await once(connect(port, { cookie, origin }), 'open')
  })

  it('answers calls, checks them against the contract, and carries faults as values', async () => {
    const running = await serve()
    const socket = await inside(running)
    const call = async (id: number, name: string, input: unknown) => {
      socket.send(JSON.stringify({ id, call: name, input }))
      return next(socket)
    }
    expect(await call(7, 'connections.retry', { id: 'c1' })).toEqual({ id: 7, answer: { ok: true, value: {} } })
    expect(await call(8, 'connections.retry', { id: 5 })).toMatchObject({ id: 8, answer: { ok: false, fault: { kind: 'input' } } })
    expect(await call(9, 'constructor', {})).toMatchObject({ id: 9, answer: { ok: false, fault: { kind: 'input' } } })
    expect(await call(10, 'sync.read', { scope: 'all' })).toEqual({ id: 10, answer: { ok: false, fault: { kind: 'stopped', detail: '' } } })
    expect(running.heard).toEqual([{ id: 'c1' }])
  })

  it.each([['not json'], ['{"id":-1,"call":"sync.read","input":{}}'], ['{"call":"sync.read"}'], ['[]']])('hangs up on %s', async (text) => {
    const socket = await inside(await serve())
    socket.send(text)
    expect((await once(socket, 'close'))[0]).toBe(1008)
  })

  it('takes a call of any length up to the limit, the longest import in any script too, and nothing longer', { timeout: 30_000 }, async () => {
    const running = await serve()
    const socket = await inside(running)
    const filled = (length: number) => {
      const bare = JSON.stringify({ id: 1, call: 'connections.retry', input: { id: 'c' }, filling: '' })
      return bare.replace('""', `"${'x'.repeat(length - bare.length)}"`)
    }
    socket.send(JSON.stringify({ id: 2, call: 'connections.import', input: { text: '連'.repeat(importLimit), apply: false } }))
    expect(await next(socket)).toEqual({ id: 2, answer: { ok: true, value: { lines: [], ignored: [], stored: importLimit } } })
    socket.send(JSON.stringify({ id: 3, call: 'connections.import', input: { text: 'x'.repeat(importLimit + 1), apply: false } }))
    expect(await next(socket)).toMatchObject({ id: 3, answer: { ok: false, fault: { kind: 'input' } } })
    socket.send(filled(callLimit))
    expect(await next(socket)).toEqual({ id: 1, answer: { ok: true, value: {} } })
    const closed = once(socket, 'close')
    socket.send(filled(callLimit + 1))
    expect((await closed)[0]).toBe(1009)
  })

  it('pushes events to every window', async () => {
    const running = await serve()
    const sockets = [await inside(running), await inside(running)]
    const told = sockets.map(next)
    running.tell('notices', [])
    expect(await Promise.all(told)).toEqual([{ event: 'notices', data: [] }, { event: 'notices', data: [] }])
  })

  it('keeps only the newest state for a window that does not read, and drops it before patches are lost', async () => {
    const running = await serve()
    const socket = await inside(running)
    const far = String.fromCharCode(0x78).repeat(1024 * 1024)
    const notice = (text: string) => [{ id: text }] as unknown as EventData<'notices'>
    socket.pause()
    for (let piece = 0; piece < 8; piece += 1) running.tell('patch', { far, piece } as unknown as EventData<'patch'>)
    running.tell('notices', notice('old'))
    running.tell('notices', notice('new'))
    const seen: { event: string; data: { piece?: number; id?: string }[] & { piece?: number } }[] = []
    const done = new Promise<void>((resolve) => socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      seen.push(frame)
      if (frame.event === 'notices') resolve()
    }))
    socket.resume()
    await done
    expect(seen.map(({ event, data }) => (event === 'patch' ? data.piece : data[0]?.id))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 'new'])

    const closed = once(socket, 'close')
    socket.pause()
    for (let piece = 0; piece < 40; piece += 1) running.tell('patch', { far, piece } as unknown as EventData<'patch'>)
    socket.resume()
    expect((await closed)[0]).toBe(1006)
  })

  it('pings, and drops a window that does not answer', async () => {
    const running = await serve()
    const [alive, dead] = [await inside(running), await inside(running, false)]
    const pinged = Promise.all([once(alive, 'ping'), once(dead, 'ping')])
    await running.clock.advance(15_000)
    await pinged
    // The living one's pong is in when what it sent after it is answered.
    alive.send(JSON.stringify({ id: 1, call: 'connections.retry', input: { id: 'c' } }))
    await next(alive)
    const again = once(alive, 'ping')
    const gone = once(dead, 'close')
    await running.clock.advance(15_000)
    expect((await gone)[0]).toBe(1006)
    await again
    expect(alive.readyState).toBe(WebSocket.OPEN)
  })

  it('stops: says good-bye, hears no more events, and lets go of the port', async () => {
    const running = await serve()
    const socket = await inside(running)
    const closed = once(socket, 'close')
    await running.server.stop()
    expect((await closed)[0]).toBe(1001)
    expect(running.listeners.size).toBe(0)
    const [error] = await once(net.connect(running.server.port, '127.0.0.1'), 'error')
    expect(error.code).toBe('ECONNREFUSED')
  })

  it('the contract’s events are all pushed', async () => {
    const running = await serve()
    const { events } = await import('../../../src-shared/contract.ts')
    expect([...running.listeners.keys()].toSorted()).toEqual((Object.keys(events) as CallName[]).toSorted())
  })
})
