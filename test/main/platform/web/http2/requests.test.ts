import { gzipSync } from 'node:zlib'
import { createServer as createHttps } from 'node:https'
import { createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { readLimited } from '../../../../../src-main/auth/limited-text.ts'
import { FaultError } from '../../../../../src-shared/model/fault.ts'
import { makeAuthority, makeSelfSigned } from '../certificates.ts'
import { listening, startProxy } from '../servers.ts'
import { faultOf, frameTypes, openLink, respond, startByHand, startHttp2, textOf, until, whenClosed } from './server.ts'

const hello = (stream: ServerHttp2Stream) => respond(stream, 'hello')
const [noError, internal, refused, cancel] = [0, 2, 7, 8]
const short = { connect: 10_000, answer: 100 }

describe('a service that offers HTTP/2 alone', () => {
  it('is asked over one connection, by all requests of a link', async () => {
    const server = await startHttp2((stream, headers) => respond(stream, `${headers[':method']} ${headers[':path']}`))
    const link = openLink(server.ca)
    const texts = await Promise.all([1, 2, 3, 4, 5].map((at) => textOf(link, `${server.url}${at}?a=b`)))
    expect(texts).toEqual([1, 2, 3, 4, 5].map((at) => `GET /${at}?a=b`))
    expect(await textOf(link, server.url, { method: 'POST', body: '{}' })).toBe('POST /')
    expect(server.sessions).toHaveLength(1)
  })

  it('gets body and headers as they were given, and its status and headers arrive', async () => {
    const seen: unknown[] = []
    const server = await startHttp2((stream, headers) => {
      let body = ''
      stream.on('data', (piece) => (body += String(piece)))
      stream.on('end', () => {
        seen.push([headers[':authority'], headers.authorization, headers['content-type'], body])
        stream.respond({ ':status': 503, 'retry-after': '40', 'ratelimit-remaining': '7' }, { endStream: true })
      })
    })
    const headers = { Authorization: 'Bearer 1', 'Content-Type': 'application/json' }
    const response = await openLink(server.ca).fetch(server.url, { method: 'POST', headers, body: '{"a":"ü"}' })
    expect(seen).toEqual([[`127.0.0.1:${server.port}`, 'Bearer 1', 'application/json', '{"a":"ü"}']])
    expect([response.status, response.headers.get('retry-after'), response.headers.get('ratelimit-remaining')]).toEqual(
      [503, '40', '7'],
    )
  })

  it('may compress, and answer more than a window at once', async () => {
    const text = 'x'.repeat(8_000_000)
    const server = await startHttp2((stream) => {
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' })
      stream.end(gzipSync(text))
    })
    expect(await textOf(openLink(server.ca), server.url)).toBe(text)
    const plain = await startHttp2((stream) => respond(stream, text))
    expect(await textOf(openLink(plain.ca), plain.url)).toHaveLength(text.length)
  })

  it('is never followed to another address', async () => {
    const server = await startHttp2((stream) =>
      stream.respond({ ':status': 307, location: 'https://elsewhere.test/' }, { endStream: true }),
    )
    const post = openLink(server.ca).fetch(server.url, { method: 'POST', body: 'secret' })
    expect(await faultOf(post)).toBe('http: 127.0.0.1 redirects to another address, which is not followed')
  })

  it('is asked over HTTP/1.1 as soon as it offers that, and over HTTP/2 again', async () => {
    const authority = await makeAuthority()
    const served = await authority.issue(['127.0.0.1'])
    const versions: string[] = []
    const answer = (request: { httpVersion: string }, response: { end(text: string): unknown }) => {
      versions.push(request.httpVersion)
      response.end('hello')
    }
    const link = openLink(authority.ca)
    let port = 0
    for (const make of [
      () => createSecureServer(served, answer),
      () => createHttps(served, answer),
      () => createSecureServer(served, answer),
    ]) {
      const server = make()
      const sockets = new Set<Socket>()
      server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
      await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
      const url = `https://127.0.0.1:${port}/`
      await until(async () => expect(await textOf(link, url)).toBe('hello'))
      const before = sockets.size
      for (let at = 0; at < 5; at += 1) expect(await textOf(link, url)).toBe('hello')
      // The other protocol is not tried each time.
      expect(sockets.size - before).toBeLessThan(3)
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    }
    expect(versions).toEqual(['2.0', '1.1', '2.0'].flatMap((version) => Array.from({ length: 6 }, () => version)))
  })
})

describe('trust over HTTP/2', () => {
  it('is that of HTTP/1.1: authority, dates and host name', async () => {
    const [authority, other] = await Promise.all([makeAuthority(), makeAuthority('other')])
    const refusedFor = async (served: Parameters<typeof startHttp2>[1], ca: string) =>
      faultOf(openLink(ca).fetch((await startHttp2(hello, served)).url))
    const issue = async (names: string[], options = {}) => ({ served: await authority.issue(names, options) })
    expect(await refusedFor({ served: await makeSelfSigned() }, '')).toBe('tls: 127.0.0.1: it is self-signed')
    expect(await refusedFor(await issue(['127.0.0.1']), other.ca)).toBe(
      'tls: 127.0.0.1: its authority is not known here',
    )
    expect(await refusedFor(await issue(['127.0.0.1'], { expired: true }), authority.ca)).toBe(
      'tls: 127.0.0.1: it has expired',
    )
    expect(await refusedFor(await issue(['elsewhere.example']), authority.ca)).toBe(
      'tls: 127.0.0.1: it is for another host name',
    )
  })

  it("checks the certificate again when another connection is opened, and a link's CA is its own", async () => {
    const authority = await makeAuthority()
    let served = await authority.issue(['127.0.0.1'])
    const server = createSecureServer({ ...served }, (_request, response) => void response.end('hello'))
    const url = `https://127.0.0.1:${await listening(server)}/`
    const link = openLink(authority.ca)
    expect(await textOf(link, url)).toBe('hello')
    expect(await faultOf(openLink('').fetch(url))).toBe('tls: 127.0.0.1: its authority is not known here')
    served = await authority.issue(['elsewhere.example'])
    server.setSecureContext(served)
    expect(await faultOf(openLink(authority.ca).fetch(url))).toBe('tls: 127.0.0.1: it is for another host name')
    expect(await textOf(link, url)).toBe('hello')
  })
})

describe('a proxy', () => {
  it('is tunnelled through with its login, once for the shared connection', async () => {
    const server = await startHttp2((stream, headers) => respond(stream, String(headers[':authority'])))
    const proxy = await startProxy(server.port, { login: 'ann:p@ss' })
    const link = openLink(server.ca, { HTTPS_PROXY: proxy.url.replace('//', '//ann:p%40ss@') })
    const texts = [await textOf(link, 'https://service.test/'), await textOf(link, 'https://service.test/again')]
    expect(texts).toEqual(['service.test', 'service.test'])
    // The first tunnel is that of HTTP/1.1, which the service rejects.
    expect(proxy.asked).toEqual(['service.test:443', 'service.test:443'])
    expect(server.sessions).toHaveLength(1)
    proxy.cut()
    await until(() => expect(server.sessions[0]?.destroyed).toBe(true))
    expect(await textOf(link, 'https://service.test/')).toBe('service.test')
    expect(await faultOf(link.fetch('https://other.test/'))).toBe('tls: other.test:443: it is for another host name')
  })
})

describe('a request over HTTP/2 fails', () => {
  it('as a timeout without an answer or the rest of it, and the next one has another connection', async () => {
    const server = await startHttp2((stream, headers) => {
      if (headers[':path'] === '/hello') hello(stream)
      if (headers[':path'] !== '/half') return
      stream.respond({ ':status': 200 })
      stream.write('half')
    })
    const link = openLink(server.ca, {}, short)
    expect(await faultOf(link.fetch(`${server.url}silent`))).toBe('timeout: 127.0.0.1')
    const response = await link.fetch(`${server.url}half`)
    expect(await faultOf(response.text())).toBe('timeout: 127.0.0.1')
    expect(await textOf(link, `${server.url}hello`)).toBe('hello')
    expect(server.sessions).toHaveLength(3)
    await until(() => expect(server.sessions.map(({ destroyed }) => destroyed)).toEqual([true, true, false]))
  })

  it('as an abort, or with the reason, and resets its stream alone', async () => {
    const server = await startHttp2((stream, headers) => {
      if (headers[':path'] === '/hello') hello(stream)
    })
    const link = openLink(server.ca)
    const [first, second] = [new AbortController(), new AbortController()]
    const aborted = faultOf(link.fetch(server.url, { method: 'POST', body: 'x', signal: first.signal }))
    const stopped = faultOf(link.fetch(server.url, { signal: second.signal }))
    await until(() => expect(server.sessions).toHaveLength(1))
    expect(await textOf(link, `${server.url}hello`)).toBe('hello')
    first.abort()
    second.abort(new FaultError('stopped'))
    expect([await aborted, await stopped]).toEqual(['abort: 127.0.0.1', 'stopped'])
    await whenClosed(server, [noError, cancel, cancel])
    expect(await textOf(link, `${server.url}hello`)).toBe('hello')
    expect(server.sessions).toHaveLength(1)
  })

  it.each([noError, internal, refused, cancel])('as a reset when the service resets it with %i', async (code) => {
    const server = await startByHand((request) => request.reset(code))
    expect(await faultOf(openLink(server.ca).fetch(server.url))).toMatch(/^reset: 127\.0\.0\.1/)
  })

  it.each([internal, refused, cancel])('as a reset when its answer is reset with %i in the middle', async (code) => {
    const server = await startByHand((request) => {
      request.answer()
      request.body('half')
      request.reset(code)
    })
    expect(await faultOf(textOf(openLink(server.ca), server.url))).toMatch(/^reset: 127\.0\.0\.1/)
  })

  it('as a reset when its answer is shorter than announced', async () => {
    const server = await startHttp2((stream, headers) => {
      if (headers[':path'] === '/hello') return hello(stream)
      stream.respond({ ':status': 200, 'content-length': 100 })
      stream.end('half')
    })
    const link = openLink(server.ca)
    expect(await faultOf(textOf(link, server.url))).toMatch(/^reset: 127\.0\.0\.1/)
    expect(await textOf(link, `${server.url}hello`)).toBe('hello')
    expect(server.sessions).toHaveLength(1)
  })

  it('as a reset when the connection ends, and the next one opens another', async () => {
    const server = await startHttp2((stream, headers) => {
      if (headers[':path'] === '/hello') hello(stream)
      else stream.session?.destroy()
    })
    const link = openLink(server.ca)
    expect(await faultOf(link.fetch(server.url))).toMatch(/^reset: 127\.0\.0\.1/)
    expect(await textOf(link, `${server.url}hello`)).toBe('hello')
    expect(server.sessions).toHaveLength(2)
  })

  it('as a reset when the connection ends before all that came was read', async () => {
    const server = await startHttp2((stream) => respond(stream, 'x'.repeat(4_000_000)))
    const response = await openLink(server.ca).fetch(server.url)
    server.sessions[0]?.destroy()
    await until(() => expect(server.sessions[0]?.destroyed).toBe(true))
    expect(await faultOf(response.text())).toMatch(/^reset: 127\.0\.0\.1/)
  })

  it('as a reset when what answers speaks no HTTP/2, as a timeout when it says nothing', async () => {
    const authority = await makeAuthority()
    const served = { ...(await authority.issue(['127.0.0.1'])), ALPNProtocols: ['h2'] }
    const chatter = await listening(tls.createServer(served, (socket) => void socket.end('these are no frames')))
    expect(await faultOf(openLink(authority.ca).fetch(`https://127.0.0.1:${chatter}/`))).toMatch(/^reset: 127\.0\.0\.1/)
    const silent = await listening(tls.createServer(served))
    const link = openLink(authority.ca, {}, { connect: 300, answer: 10_000 })
    expect(await faultOf(link.fetch(`https://127.0.0.1:${silent}/`))).toBe('timeout: 127.0.0.1')
  })

  it('when the link is closed, also one that waits', async () => {
    const server = await startHttp2(() => {}, { settings: { maxConcurrentStreams: 1 } })
    const link = openLink(server.ca)
    const both = [faultOf(link.fetch(server.url)), faultOf(link.fetch(server.url))]
    await until(() => expect(server.sessions).toHaveLength(1))
    await link.close()
    expect(await Promise.all(both)).toEqual(['reset: 127.0.0.1', 'reset: 127.0.0.1'])
    await until(() => expect(server.sessions[0]?.destroyed).toBe(true))
  })
})

describe('a service that is hostile over HTTP/2', () => {
  it.each(['is given up for its length', 'is not read'])(
    'sends no more than a window of an answer that %s',
    async (what) => {
      let sent = 0
      const server = await startHttp2((stream, headers) => {
        if (headers[':path'] === '/hello') return hello(stream)
        stream.respond({ ':status': 200 })
        const more = () => {
          while (!stream.destroyed && stream.write(Buffer.alloc(16_384))) sent += 16_384
        }
        stream.on('drain', more)
        more()
      })
      const link = openLink(server.ca)
      const response = await link.fetch(server.url)
      if (what !== 'is not read') {
        expect(await faultOf(readLimited(response, 100_000))).toBe('http: the answer is too large')
        await whenClosed(server, [cancel])
      }
      for (let at = 0; at < 50; at += 1) expect(await textOf(link, `${server.url}hello`)).toBe('hello')
      expect(sent).toBeLessThan(4_000_000)
      expect(server.sessions).toHaveLength(1)
    },
  )

  it('answers before it takes the body: the rest of the request is reset', async () => {
    const server = await startByHand((request) => {
      request.answer()
      request.body('hello', { isLast: true })
    })
    const link = openLink(server.ca)
    const post = { method: 'POST', body: 'x'.repeat(100_000) }
    expect([await textOf(link, server.url, post), await textOf(link, server.url, post)]).toEqual(['hello', 'hello'])
    const resets = () => server.frames.filter(({ type }) => type === frameTypes.reset)
    await until(() => expect(resets().map(({ stream }) => stream)).toEqual([1, 3]))
    expect(resets().map(({ payload }) => payload.readUInt32BE())).toEqual([cancel, cancel])
    expect(server.frames.filter(({ type }) => type === frameTypes.data)).toEqual([])
  })

  it('claims origins without end: the connection ends', async () => {
    const server = await startHttp2((stream) => {
      const session = stream.session as ServerHttp2Session
      const claim = (at: number) => Array.from({ length: 100 }, (_, each) => `https://${at}-${each}.example`)
      for (let at = 0; at < 20; at += 1) session.origin(...claim(at))
    })
    expect(await faultOf(openLink(server.ca).fetch(server.url))).toMatch(/^reset: 127\.0\.0\.1/)
  })
})

describe('the shared connection', () => {
  it('has as many requests at a time as the service allows', async () => {
    let [running, most] = [0, 0]
    const server = await startHttp2(
      (stream) => {
        most = Math.max(most, (running += 1))
        stream.on('close', () => (running -= 1))
        setImmediate(() => hello(stream))
      },
      { settings: { maxConcurrentStreams: 1 } },
    )
    const link = openLink(server.ca)
    const all = Array.from({ length: 10 }, () => textOf(link, server.url))
    expect(await Promise.all(all)).toEqual(Array.from({ length: 10 }, () => 'hello'))
    expect([most, server.sessions.length]).toEqual([1, 1])
  })

  it('never sends a request that was given up while it waited', async () => {
    const paths: unknown[] = []
    const held: ServerHttp2Stream[] = []
    const server = await startHttp2(
      (stream, headers) => {
        paths.push(headers[':path'])
        if (headers[':path'] === '/first') held.push(stream)
        else hello(stream)
      },
      { settings: { maxConcurrentStreams: 1 } },
    )
    const link = openLink(server.ca)
    const first = textOf(link, `${server.url}first`)
    await until(() => expect(held).toHaveLength(1))
    const given = new AbortController()
    const second = faultOf(link.fetch(`${server.url}second`, { signal: given.signal }))
    const third = textOf(link, `${server.url}third`)
    await new Promise((resolve) => setImmediate(resolve))
    given.abort()
    expect(await second).toBe('abort: 127.0.0.1')
    for (const stream of held) hello(stream)
    expect([await first, await third, paths]).toEqual(['hello', 'hello', ['/first', '/third']])
  })

  it('ends by GOAWAY after its open requests; the next ones, also waiting ones, open another', async () => {
    const server = await startHttp2(
      (stream, headers) => {
        if (headers[':path'] !== '/last') return hello(stream)
        stream.session?.goaway(noError)
        setTimeout(() => hello(stream), 50)
      },
      { settings: { maxConcurrentStreams: 1 } },
    )
    const link = openLink(server.ca)
    const texts = ['last', 'waits', 'waits'].map((path) => textOf(link, `${server.url}${path}`))
    expect(await Promise.all(texts)).toEqual(['hello', 'hello', 'hello'])
    expect(await textOf(link, server.url)).toBe('hello')
    expect(server.sessions).toHaveLength(2)
    await until(() => expect(server.sessions[0]?.destroyed).toBe(true))
  })
})
