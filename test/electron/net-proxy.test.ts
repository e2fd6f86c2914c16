import { createLoginSessions } from '../../src-main/network/chromium/login-sessions.ts'
import { openNetwork, type ElectronNetwork } from '../../src-main/platform/electron/network/network.ts'
import { primeBy } from '../../src-main/platform/electron/network/proxy-login.ts'
import type { ProxyEnv } from '../../src-main/network/proxies/environment.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { fails, faultOf, loginsOf } from './network-faults.ts'
import type { AuthInfo, Session } from 'electron'
import { describe, expect, it } from 'vitest'

describe('the reason why a proxy admits no request', () => {
  const explain = (...outcomes: ('required' | 'rejected' | 'accepted')[]) => {
    const states = { required: 'locked', rejected: 'rejected', accepted: 'stored' } as const
    const logins = createLoginSessions({
      answer: async () => null,
      report: (_host, _port, outcome) => states[outcome],
      onReplaced: () => () => {},
    })({ clearAuthCache: async () => {}, closeAllConnections: async () => {} })
    for (const each of outcomes) logins.report('Proxy.test', 3128, each)
    return ['proxy', 'proxy-away', 'reset'].map((kind) => logins.explain(new FaultError(kind as 'proxy', 'h')).message)
  }

  it('is known from its last question, and only for errors with that reason', () => {
    expect(explain()).toEqual(['proxy: h', 'proxy-away: h', 'reset: h'])
    expect(explain('required')).toEqual(['proxy-locked: proxy.test:3128', 'proxy-away: h', 'reset: h'])
    expect(explain('required', 'rejected')).toEqual(['proxy-refused: proxy.test:3128', 'proxy-away: h', 'reset: h'])
    expect(explain('rejected', 'accepted')).toEqual(['proxy: h', 'proxy-away: h', 'reset: h'])
  })
})

describe('a proxy that wants a name and password', () => {
  const proxy = { isProxy: true, host: 'proxy.test', port: 3128 }

  /** Asks for the login as Electron does, as often as the test says. Returns the answers and the recorded proxy states. */
  async function asked(info: Partial<AuthInfo>, times: number, env: ProxyEnv) {
    const [answers, reports]: [unknown[][], string[]] = [[], []]
    const listeners = new Map<string, (...args: never[]) => void>()
    const login = (answered: () => void) =>
      (listeners.get('login') as unknown as (info: Partial<AuthInfo>, callback: (...args: unknown[]) => void) => void)(
        info,
        (...args) => {
          answers.push(args)
          answered()
        },
      )
    const request = {
      on: (name: string, listener: never) => void listeners.set(name, listener),
      async end() {
        for (let time = 0; time < times; time += 1) await new Promise<void>((resolve) => login(resolve))
        const response = {
          statusCode: times > 1 ? 407 : 200,
          on: (name: string, listener: () => void) => void (name === 'end' && listener()),
        }
        ;(listeners.get('response') as unknown as (response: object) => void)(response)
      },
    }
    await primeBy({ request: () => request } as never, {} as Session, loginsOf(env, reports))('https://service.test/')
      .done
    return { answers, reports }
  }

  it('gets the known login once: a second question means it was wrong, a server gets none', async () => {
    const env = { https_proxy: 'proxy.test', HTTPS_PROXY: 'http://ann:p%40ss@proxy.test:3128' }
    expect(await asked(proxy, 1, env)).toEqual({ answers: [['ann', 'p@ss']], reports: ['proxy.test:3128 accepted'] })
    expect(await asked(proxy, 2, env)).toEqual({
      answers: [['ann', 'p@ss'], []],
      reports: ['proxy.test:3128 rejected'],
    })
    expect(await asked({ ...proxy, isProxy: false }, 1, env)).toEqual({ answers: [[]], reports: [] })
    for (const other of [
      { ...proxy, host: 'other.test' },
      { ...proxy, port: 8080 },
    ]) {
      expect(await asked(other, 1, env)).toEqual({ answers: [[]], reports: [`${other.host}:${other.port} required`] })
    }
  })

  it('is answered for a socket too, which cannot ask: the next one finds it answered', async () => {
    const primed: string[] = []
    const session = { closeAllConnections: async () => {} }
    const request = ({ url }: { url: string }) => ({ on: () => {}, end: () => void primed.push(url), abort: () => {} })
    const Refused = function Refused() {
      const socket = Object.assign(new EventTarget(), { send: () => {} })
      setImmediate(() => {
        socket.dispatchEvent(new Event('error'))
        socket.dispatchEvent(Object.assign(new Event('close'), { reason: 'net::ERR_TUNNEL_CONNECTION_FAILED' }))
      })
      return socket
    }
    const link = openNetwork({
      net: { request, WebSocket: Refused },
      sessions: { fromPartition: () => session },
      logins: loginsOf({}),
      now: Date.now,
    } as unknown as ElectronNetwork).open('')
    expect(await fails(link, 'wss://service.test/graphql')).toEqual(['proxy: service.test', 'closed undefined'])
    expect(primed).toEqual(['https://service.test/graphql'])
  })

  it("is waited for within each request's signal, and an abandoned request is retried", async () => {
    let sent = 0
    const [stopped, asked]: [number[], (() => void)[]] = [[], []]
    const session = {
      fetch: async () => ((sent += 1), new Response('hello', { status: asked.length < 2 ? 407 : 200 })),
      closeAllConnections: async () => {},
    }
    const request = () => {
      const listeners = new Map<string, () => void>()
      asked.push(() => listeners.get('close')?.())
      const own = asked.length
      return {
        on: (name: string, listener: () => void) => void listeners.set(name, listener),
        end: () => {},
        abort: () => (stopped.push(own), listeners.get('close')?.()),
      }
    }
    const link = openNetwork({
      net: { request },
      sessions: { fromPartition: () => session },
      logins: loginsOf({}),
      now: Date.now,
    } as unknown as ElectronNetwork).open('')
    const [one, other] = [new AbortController(), new AbortController()]
    const fetched = [one, other].map(({ signal }) => faultOf(link.fetch('https://service.test/', { signal })))
    await expect.poll(() => [sent, asked.length]).toEqual([2, 1])
    one.abort(new FaultError('timeout'))
    expect([await fetched[0], stopped]).toEqual(['timeout', []])
    other.abort(new FaultError('stopped'))
    expect([await fetched[1], stopped]).toEqual(['stopped', [1]])
    const third = link.fetch('https://service.test/')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.()
    expect(await (await third).text()).toBe('hello')
    expect([stopped, sent]).toEqual([[1], 4])
  })

  it('is answered by one probe for all waiting requests, and each is sent once more', async () => {
    let [primed, sent] = [0, 0]
    const session = {
      fetch: async () => {
        sent += 1
        if (primed === 0) throw new Error('net::ERR_PROXY_AUTH_REQUESTED')
        return new Response('hello')
      },
      closeAllConnections: async () => {},
    }
    const request = () => {
      const listeners = new Map<string, () => void>()
      return {
        on: (name: string, listener: () => void) => void listeners.set(name, listener),
        end: () => setImmediate(() => ((primed += 1), listeners.get('close')?.())),
      }
    }
    const link = openNetwork({
      net: { request },
      sessions: { fromPartition: () => session },
      logins: loginsOf({}),
      now: Date.now,
    } as unknown as ElectronNetwork).open('')
    const answers = await Promise.all([1, 2, 3].map(async () => (await link.fetch('https://service.test/')).text()))
    expect([answers, primed, sent]).toEqual([['hello', 'hello', 'hello'], 1, 6])
  })

  it('is cleared from each session that used a changed login, and its connections close', async () => {
    const done: string[] = []
    let replace: (address: string) => void = () => {}
    const logins = {
      ...loginsOf({ HTTPS_PROXY: 'http://ann:x@proxy.test:3128' }),
      onReplaced: (listener: typeof replace) => {
        replace = listener
        return () => {}
      },
    }
    const sessionOf = (name: string) => ({
      clearAuthCache: async () => void done.push(`${name} forgets`),
      closeAllConnections: async () => void done.push(`${name} closes`),
      fetch: async () => new Response('', { status: 407 }),
    })
    const request = ({ url }: { url: string }) => {
      const listeners = new Map<string, (...args: unknown[]) => void>()
      // Of these hosts one is reached without a proxy.
      return {
        abort: () => {},
        on: (name: string, listener: () => void) => void listeners.set(name, listener),
        end: () =>
          url.includes('direct')
            ? listeners.get('close')?.()
            : listeners.get('login')?.({ ...proxy, host: 'PROXY.test' }, () => listeners.get('close')?.()),
      }
    }
    let made = 0
    const own = openNetwork({
      net: { request },
      sessions: { fromPartition: () => sessionOf(`session ${(made += 1)}`) },
      logins,
      now: Date.now,
    } as unknown as ElectronNetwork)
    for (const host of ['service', 'direct', 'service'])
      await own
        .open('')
        .fetch(`https://${host}.test/`)
        .catch(() => {})
    replace('other.test:3128')
    expect(done).toEqual([])
    replace('proxy.test:3128')
    await expect
      .poll(() => done.toSorted())
      .toEqual(['session 1 closes', 'session 1 forgets', 'session 3 closes', 'session 3 forgets'])
    expect(done.indexOf('session 1 forgets')).toBeLessThan(done.indexOf('session 1 closes'))
    // A question may have been under way then, and have been answered with the new one.
    replace('proxy.test:3128')
    await expect.poll(() => done.length).toBe(8)
  })
})
