import { once } from 'node:events'
import type { RequestOptions } from 'node:http'
import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { CallName, EventData } from '../../../../src-shared/contract/contract.ts'
import { callLimit, importLimit, limitOf } from '../../../../src-shared/contract/limits.ts'
import { startServer } from '../../../../src-main/platform/web/server.ts'
import { openSessions } from '../../../../src-main/platform/web/sign-in/sessions.ts'
import { manualClock } from '../../../support/clock.ts'
import { nextFrame as next } from '../../../support/sign-in.ts'
import { ownFolder } from '../shared/folder.ts'
import { connect, inside, originOf, serve, spoken } from './served.ts'

describe('a start that fails', () => {
  it('leaves nothing running when the port is taken', async () => {
    const { server } = await serve()
    const { core, listeners } = spoken()
    const folder = ownFolder()
    const clock = manualClock()
    const second = startServer({
      core,
      clock,
      log: () => {},
      window: folder,
      port: server.port,
      token: 't',
      sessions: openSessions(folder, clock),
      onKeyGone: () => {},
    })
    await expect(second).rejects.toThrow(`Port ${server.port} on 127.0.0.1 is in use.`)
    expect([listeners.size, clock.pending()]).toEqual([0, 0])
  })
})

describe('the address', () => {
  it("answers to its own Host only, and redirects there from this computer's name", async () => {
    const running = await serve()
    const { port } = running.server
    const to = (host: string, more: RequestOptions = {}) => running.get('/a?b', { ...more, headers: { host } })
    const local = await to(`localhost:${port}`)
    expect([local.status, local.headers.location]).toEqual([307, `http://127.0.0.1:${port}/a`])
    expect((await to(`localhost:${port}`, { method: 'POST' })).status).toBe(403)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.evil.example:${port}`,
    ]) {
      expect([host, (await to(host)).status]).toEqual([host, 403])
    }
  })
})

describe('files', () => {
  it('have their type, and are cached when their name is a hash of their content', async () => {
    const running = await serve()
    const script = await running.get('/assets/index-Ab3_x-9z.js')
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const plain = await running.get('/plain.svg')
    expect(plain.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'private, no-cache' })
    expect((await running.get('/missing.js')).status).toBe(404)
  })

  it('the page runs its own scripts only, with a nonce for styles that is never the same', async () => {
    const running = await serve()
    const [one, two] = [await running.get('/'), await running.get('/')]
    const nonce = /'nonce-([^']+)'/.exec(String(one.headers['content-security-policy']))?.[1] ?? 'none'
    expect(one.text).toContain(`<head><meta property="csp-nonce" nonce="${nonce}">`)
    expect(two.text).not.toContain(nonce)
    const policy = String(one.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
    expect(policy).not.toContain('unsafe')
    expect(one.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  it.each([
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/%5c..%5coutside.txt',
    '//outside.txt',
    '/%',
    '/%00',
  ])('no spelling leads out of the folder: %s', async (target) => {
    const running = await serve()
    const reply = await running.get(target)
    expect(reply.status).toBe(404)
    expect(reply.text).not.toContain('outside')
  })

  it('are read and not written to', async () => {
    const running = await serve()
    expect((await running.get('/', { method: 'PUT' })).status).toBe(405)
  })
})

describe('pipe', () => {
  it('opens for a page with its own Origin at /pipe, and for no other', async () => {
    const { port } = (await serve()).server
    const origin = originOf(port)
    const refused = async (headers: Record<string, string>, target?: string) => {
      const [, response] = await once(connect(port, headers, target), 'unexpected-response')
      return response.statusCode as number
    }
    expect(await refused({})).toBe(403)
    expect(await refused({ origin: 'http://evil.example' })).toBe(403)
    expect(await refused({ origin: originOf(port + 1) })).toBe(403)
    expect(await refused({ origin: `http://localhost:${port}` })).toBe(403)
    expect(await refused({ origin: `http://localhost:${port}`, host: `localhost:${port}` })).toBe(403)
    // DNS rebinding: the page's own name leads here, so that Host and Origin agree.
    expect(await refused({ origin: `http://evil.example:${port}`, host: `evil.example:${port}` })).toBe(403)
    expect(await refused({ origin }, '/other')).toBe(403)
    await once(connect(port, { origin }), 'open')
  })

  it('answers calls, checks them against the contract, and returns faults as values', async () => {
    const running = await serve()
    const socket = await inside(running)
    const call = async (id: number, name: string, input: unknown) => {
      socket.send(JSON.stringify({ id, call: name, input }))
      return next(socket)
    }
    expect(await call(7, 'connections.retry', { id: 'c1' })).toEqual({ id: 7, answer: { ok: true, value: {} } })
    expect(await call(8, 'connections.retry', { id: 5 })).toMatchObject({
      id: 8,
      answer: { ok: false, fault: { kind: 'input' } },
    })
    expect(await call(9, 'constructor', {})).toMatchObject({ id: 9, answer: { ok: false, fault: { kind: 'input' } } })
    expect(await call(10, 'sync.start', { scope: 'all' })).toEqual({
      id: 10,
      answer: { ok: false, fault: { kind: 'stopped', detail: '' } },
    })
    expect(running.report).toEqual([{ id: 'c1' }])
  })

  it.each([['not json'], ['{"id":-1,"call":"sync.start","input":{}}'], ['{"call":"sync.start"}'], ['[]']])(
    'hangs up on %s',
    async (text) => {
      const socket = await inside(await serve())
      socket.send(text)
      expect((await once(socket, 'close'))[0]).toBe(1008)
    },
  )

  it(
    'accepts a call up to its limit, also the longest import, and rejects longer ones',
    { timeout: 30_000 },
    async () => {
      const running = await serve()
      const socket = await inside(running)
      const filled = (length: number) => {
        const bare = JSON.stringify({ id: 1, call: 'connections.import', input: { text: 'four', apply: false } })
        return `${bare.slice(0, -2)}${' '.repeat(length - bare.length)}}}`
      }
      socket.send(
        JSON.stringify({ id: 2, call: 'connections.import', input: { text: '連'.repeat(importLimit), apply: false } }),
      )
      expect(await next(socket)).toEqual({
        id: 2,
        answer: { ok: true, value: { lines: [], ignored: [], stored: importLimit } },
      })
      socket.send(
        JSON.stringify({
          id: 3,
          call: 'connections.import',
          input: { text: 'x'.repeat(importLimit + 1), apply: false },
        }),
      )
      expect(await next(socket)).toMatchObject({ id: 3, answer: { ok: false, fault: { kind: 'input' } } })
      socket.send(filled(callLimit))
      expect(await next(socket)).toEqual({ id: 1, answer: { ok: true, value: { lines: [], ignored: [], stored: 4 } } })
      socket.send(
        JSON.stringify({
          id: 4,
          call: 'connections.retry',
          input: { id: 'c', more: 'x'.repeat(limitOf('connections.retry')) },
        }),
      )
      expect(await next(socket)).toMatchObject({
        id: 4,
        answer: {
          ok: false,
          fault: { kind: 'input', detail: 'This is more than Muster can take at once. Do it in parts.' },
        },
      })
      const closed = once(socket, 'close')
      socket.send(filled(callLimit + 1))
      expect((await closed)[0]).toBe(1009)
    },
  )

  it('pushes events to every window', async () => {
    const running = await serve()
    const sockets = [await inside(running), await inside(running)]
    const told = sockets.map(next)
    running.tell('banners', [])
    expect(await Promise.all(told)).toEqual([
      { event: 'banners', data: [] },
      { event: 'banners', data: [] },
    ])
  })

  it('keeps only the newest state for a slow window, and closes it before patches are lost', async () => {
    const running = await serve()
    const socket = await inside(running)
    const far = String.fromCharCode(0x78).repeat(1024 * 1024)
    const notice = (text: string) => [{ id: text }] as unknown as EventData<'banners'>
    socket.pause()
    for (let piece = 0; piece < 8; piece += 1) running.tell('patch', { far, piece } as unknown as EventData<'patch'>)
    running.tell('banners', notice('old'))
    running.tell('banners', notice('new'))
    const seen: { event: string; data: { piece?: number; id?: string }[] & { piece?: number } }[] = []
    const done = new Promise<void>((resolve) =>
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data))
        seen.push(frame)
        if (frame.event === 'banners') resolve()
      }),
    )
    socket.resume()
    await done
    expect(seen.map(({ event, data }) => (event === 'patch' ? data.piece : data[0]?.id))).toEqual([
      0,
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      'new',
    ])

    const closed = once(socket, 'close')
    socket.pause()
    for (let piece = 0; piece < 40; piece += 1) running.tell('patch', { far, piece } as unknown as EventData<'patch'>)
    socket.resume()
    expect((await closed)[0]).toBe(1006)
  })

  it('pings, and closes a window that does not answer', async () => {
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

  it('stops: closes its sockets, pushes no more events, and releases the port', async () => {
    const running = await serve()
    const socket = await inside(running)
    const closed = once(socket, 'close')
    await running.server.stop()
    expect((await closed)[0]).toBe(1001)
    expect(running.listeners.size).toBe(0)
    const [error] = await once(net.connect(running.server.port, '127.0.0.1'), 'error')
    expect(error.code).toBe('ECONNREFUSED')
  })

  it('all events of the contract are pushed', async () => {
    const running = await serve()
    const { events } = await import('../../../../src-shared/contract/contract.ts')
    expect([...running.listeners.keys()].toSorted()).toEqual((Object.keys(events) as CallName[]).toSorted())
  })
})
