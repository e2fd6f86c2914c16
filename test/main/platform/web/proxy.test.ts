import { once } from 'node:events'
import net from 'node:net'
import { createServer as createHttp } from 'node:http'
import { createSecureContext } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import type { ProxyLogin } from '../../../../src-main/ports.ts'
import { loginFrom, type ProxyEnv } from '../../../../src-main/network/proxies/environment.ts'
import { trust } from '../../../../src-main/network/tls/trust.ts'
import { openTunnel, proxyFor } from '../../../../src-main/platform/web/network/proxy.ts'
import { makeAuthority } from './certificates.ts'
import { listening, startProxy } from './servers.ts'

const proxy = 'http://proxy.test:3128'

describe('proxyFor', () => {
  it.each([
    ['api.example.com', {}, null],
    ['api.example.com', { HTTPS_PROXY: proxy }, 'proxy.test:3128'],
    ['api.example.com', { https_proxy: 'proxy.test:3128' }, 'proxy.test:3128'],
    ['api.example.com', { https_proxy: 'http://lower.test:1', HTTPS_PROXY: proxy }, 'lower.test:1'],
    ['api.example.com', { HTTP_PROXY: proxy }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'a.test, example.com' }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, no_proxy: '.example.com' }, null],
    ['API.Example.com.', { HTTPS_PROXY: proxy, NO_PROXY: '*.example.com' }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'ample.com' }, 'proxy.test:3128'],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'example.com:443' }, null],
    ['api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'example.com:8443' }, 'proxy.test:3128'],
    ['10.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.1.2.3' }, null],
    ['2001:db8::1', { HTTPS_PROXY: proxy, NO_PROXY: '2001:db8::1' }, null],
    ['2001:db8::1', { HTTPS_PROXY: proxy, NO_PROXY: '[2001:db8::1]:443' }, null],
    ['2001:db8::1', { HTTPS_PROXY: proxy, NO_PROXY: '[2001:db8::1]:444' }, 'proxy.test:3128'],
    ['10.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, null],
    ['11.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, 'proxy.test:3128'],
    ['10.example.com', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, 'proxy.test:3128'],
    ['10.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/99,10.0.0.0/x,/8,host/8' }, 'proxy.test:3128'],
    ['2001:db8::1', { HTTPS_PROXY: proxy, NO_PROXY: '2001:db8::/32' }, null],
    ['2001:db9::1', { HTTPS_PROXY: proxy, NO_PROXY: '2001:db8::/32, 10.0.0.0/8' }, 'proxy.test:3128'],
    ['localhost', { HTTPS_PROXY: proxy }, null],
    ['127.0.0.1', { HTTPS_PROXY: proxy }, null],
    ['::1', { HTTPS_PROXY: proxy }, null],
    ['127.example.com', { HTTPS_PROXY: proxy }, 'proxy.test:3128'],
  ])('%s with %o: %s', (hostname, env, host) => {
    expect(proxyFor(true, hostname, 443, env)?.host ?? null).toBe(host)
  })

  it.each([
    'http://ann:Geheim@Wort7/x@proxy.test:3128',
    'http://annika:2024/Sommer@proxy.test:3128',
    'annika:2024/Sommer@proxy.test:3128',
    'ann:a#b@proxy.test:1',
    'ann:a?b@proxy.test:1',
    String.raw`http://CORP\ann:pw@proxy.test:3128`,
  ])('faults show nothing of %s', (text) => {
    const thrown = (() => {
      try {
        return proxyFor(true, 'api.example.com', 443, { HTTPS_PROXY: text })
      } catch (error) {
        return String(error)
      }
    })()
    expect(thrown).toContain('HTTPS_PROXY is not the address of an HTTP proxy; what is special in its name or password')
    expect(thrown).not.toMatch(/geheim|wort7|annika|2024|sommer|corp/iu)
    expect(loginFrom({ HTTPS_PROXY: text }, 'wort7', 80)).toBeNull()
  })

  it('reads HTTP_PROXY for insecure addresses', () => {
    expect(proxyFor(false, 'api.example.com', 80, { HTTP_PROXY: proxy })?.host).toBe('proxy.test:3128')
  })
})

describe('the login that a proxy gets', () => {
  const env: ProxyEnv = { HTTPS_PROXY: 'http://ann:p%40ss@Proxy.test:3128', http_proxy: 'bert:50%@[2001:db8::1]' }

  it.each([
    ['right pä%ss:word', 'right pä%ss:word'],
    ['50%=off', '50%=off'],
    ['a%|b', 'a%|b'],
    ['100%;x', '100%;x'],
    ['p%40ss%', 'p@ss%'],
    ['%E4%C3%A4', '%E4%C3%A4'],
    ['ge@heim', 'ge@heim'],
  ])('is decoded as %s', (written, password) => {
    expect(loginFrom({ HTTPS_PROXY: `http://ann:${written}@proxy.test:3128` }, 'proxy.test', 3128)).toEqual({
      name: 'ann',
      password,
    })
  })

  it('is that of the variables for this very proxy', () => {
    expect(loginFrom(env, 'proxy.test', 3128)).toEqual({ name: 'ann', password: 'p@ss' })
    expect(loginFrom(env, 'proxy.test', 8080)).toBeNull()
    expect(loginFrom(env, 'other.test', 3128)).toBeNull()
    expect(loginFrom(env, '2001:db8::1', 80)).toEqual({ name: 'bert', password: '50%' })
    expect(loginFrom({ HTTPS_PROXY: 'http://proxy.test:3128' }, 'proxy.test', 3128)).toBeNull()
    expect(loginFrom({}, 'proxy.test', 3128)).toBeNull()
  })
})

describe('a tunnel', () => {
  /** Opens a tunnel to a server that greets. Returns the result and the reported states of the proxy's login. */
  async function open(url: string, login: ProxyLogin | null = null, { timeout = 5_000, ca = '' } = {}) {
    const report: string[] = []
    const logins = {
      answer: async () => login,
      report(_host: string, _port: number, said: 'required' | 'rejected' | 'accepted') {
        report.push(said)
        return said === 'accepted' ? ('stored' as const) : said
      },
    }
    const context = ca === '' ? createSecureContext() : trust(ca)
    const tunnel = { proxy: new URL(url), hostname: 'service.test', port: 443, context, timeout }
    const came = await openTunnel(tunnel, logins).then(
      async (socket) => {
        onTestFinished(() => void socket.destroy())
        return String((await once(socket, 'data'))[0])
      },
      (error: unknown) =>
        error instanceof FaultError ? error.message.replaceAll(/:\d{4,5}\b/g, '') : `no fault: ${String(error)}`,
    )
    return { came, report }
  }
  const greeter = () => listening(net.createServer((socket) => socket.write('hello')))
  const [right, wrong] = [
    { name: 'ann', password: 'p@ss: ü' },
    { name: 'ann', password: 'no' },
  ]

  it('opens with the right login; a wrong one is sent once', async () => {
    const proxy = await startProxy(await greeter(), { login: 'ann:p@ss: ü' })
    expect(await open(proxy.url, right)).toEqual({ came: 'hello', report: ['accepted'] })
    expect(await open(proxy.url, wrong)).toEqual({ came: 'proxy-refused: 127.0.0.1', report: ['rejected'] })
    expect(await open(proxy.url)).toEqual({ came: 'proxy-login: 127.0.0.1', report: ['required'] })
    expect(proxy.asked).toEqual(['service.test:443', 'service.test:443', 'service.test:443'])
    expect(proxy.credentials[2]).toBeUndefined()
  })

  it('a rejection without a challenge asks for a Basic login, another scheme is reported', async () => {
    const silent = await startProxy(1, { status: 407 })
    expect(await open(silent.url)).toEqual({ came: 'proxy-login: 127.0.0.1', report: ['required'] })
    expect(await open(silent.url, right)).toEqual({ came: 'proxy-refused: 127.0.0.1', report: ['rejected'] })
    const other = await startProxy(1, { status: 407, challenge: 'Negotiate, NTLM' })
    expect(await open(other.url, right)).toEqual({
      came: 'proxy: the proxy wants Negotiate, and in a browser Muster speaks Basic alone',
      report: [],
    })
    const both = await startProxy(1, { status: 407, challenge: 'NTLM, BASIC realm="x"' })
    expect((await open(both.url)).report).toEqual(['required'])
  })

  it('times out, whether the proxy sends nothing or never ends', async () => {
    for (const hangs of ['silent', 'drips'] as const) {
      const proxy = await startProxy(1, { hangs })
      expect(await open(proxy.url, null, { timeout: 100 })).toEqual({
        came: 'proxy-away: the proxy did not answer in time',
        report: [],
      })
    }
  })

  it('any success opens it, and bytes that come with it are not lost', async () => {
    const proxy = await startProxy(await listening(net.createServer()), { greeting: 'early' })
    expect((await open(proxy.url)).came).toBe('early')
  })

  it('reports errors of the proxy itself', async () => {
    const gone = await startProxy(1)
    await gone.stop()
    expect((await open(gone.url)).came).toBe('proxy-away: 127.0.0.1')
    const ssh = await listening(net.createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')))
    expect((await open(`http://127.0.0.1:${ssh}`)).came).toBe('proxy: what answers at 127.0.0.1 is no HTTP proxy')
    const site = await listening(createHttp((_request, response) => response.end('a web site')))
    expect((await open(`http://127.0.0.1:${site}`)).came).toBe('proxy-away: 127.0.0.1')
  })

  it("to a TLS proxy uses the connection's own trust", async () => {
    const authority = await makeAuthority()
    const proxy = await startProxy(await greeter(), {
      served: await authority.issue(['127.0.0.1']),
      login: 'ann:p@ss: ü',
    })
    expect(await open(proxy.url, right, { ca: authority.ca })).toEqual({ came: 'hello', report: ['accepted'] })
    expect(await open(proxy.url, right)).toEqual({
      came: 'proxy: the certificate of the proxy is not trusted (127.0.0.1: its authority is not known here)',
      report: [],
    })
  })
})
