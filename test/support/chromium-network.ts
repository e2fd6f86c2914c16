import { createHash, X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright'
import type { Leftovers } from './fleet.ts'
import { listeningUntil } from './listening.ts'
import { chromiumPath, flags } from './window.ts'

/** The result of a request. */
export interface Fetched {
  /** Chromium's words for its failure (`net::ERR_…`); empty when the answer was read to its end. */
  failed: string
  /** 0 when there was no answer. */
  status: number
  /** How it was asked: `h2`, `http/1.1`. */
  protocol: string
}

/** The result of a socket: the network stack's error, empty when it was closed, and the page's close event. */
export interface Socketed {
  failed: string
  code: number
  reason: string
  wasClean: boolean
  /** The received messages, until it was closed. */
  heard: string[]
}

/** The network stack of the tests' Chromium, used by a page that is served on loopback. */
export interface ChromiumNetwork {
  page: Page
  fetch(
    address: string,
    init?: { method?: string; body?: string; mode?: 'cors' | 'no-cors'; headers?: Record<string, string> },
  ): Promise<Fetched>
  /** Opens a socket that speaks graphql-transport-ws, sends its messages one by one, at first and for each received one, and waits until it is closed. */
  dial(address: string, says?: readonly unknown[]): Promise<Socketed>
}

export interface NetworkOptions {
  /** Authorities that this browser's own profile trusts, PEM; nothing of the machine is changed, and no check is switched off. */
  trusted: readonly string[]
  /** Proxies (`PROXY 127.0.0.1:3128`, as a PAC file has them) by the host that is reached through them; every other host directly. */
  proxies: Readonly<Record<string, string>>
}

/** Starts it. All names under `.test` are this computer's. */
export async function startNetwork(
  leftovers: Leftovers,
  { trusted, proxies }: NetworkOptions,
): Promise<ChromiumNetwork> {
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-chromium-'))
  leftovers.push(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))
  trust(profile, trusted)
  const script = `function FindProxyForURL(url, host) { return ${JSON.stringify(proxies)}[host] || 'DIRECT' }`
  const context = await chromium.launchPersistentContext(profile, {
    // The headless shell has no store of trusted certificates.
    executablePath: chromiumPath({ whole: true }),
    args: [
      ...flags(),
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      `--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(script).toString('base64')}`,
    ],
  })
  leftovers.push(() => context.close())
  const blank = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html>'),
  )
  const port = await listeningUntil(blank, (stop) => leftovers.push(stop))
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(`http://127.0.0.1:${port}/`)
  return networkOf(page, await listen(context, page))
}

/**
 * Chromium's store for the certificates that its user trusts, in the form in which it reads it
 * (components/server_certificate_database/server_certificate_database.cc and .proto): what is in it is checked like any other chain.
 */
function trust(profile: string, authorities: readonly string[]): void {
  mkdirSync(path.join(profile, 'Default'))
  using store = new DatabaseSync(path.join(profile, 'Default', 'ServerCertificate'))
  store.exec(`CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
    INSERT INTO meta VALUES ('version', '1'), ('last_compatible_version', '1');
    CREATE TABLE certificates(sha256hash_hex TEXT PRIMARY KEY, der_cert BLOB NOT NULL, trust_settings BLOB NOT NULL)`)
  const insert = store.prepare('INSERT INTO certificates VALUES (?, ?, ?)')
  // CertificateMetadata { trust { trust_type: CERTIFICATE_TRUST_TYPE_TRUSTED } }
  const trustedHere = Buffer.from('0a020803', 'hex')
  for (const { raw } of authorities.map((pem) => new X509Certificate(pem)))
    insert.run(createHash('sha256').update(raw).digest('hex'), raw, trustedHere)
}

/** The reports of the devtools protocol about a request or socket, by its URL. */
interface Told {
  failed: string
  status: number
  protocol: string
  ended: PromiseWithResolvers<void>
}

type TellOf = (address: string) => Told

async function listen(context: BrowserContext, page: Page): Promise<TellOf> {
  const session: CDPSession = await context.newCDPSession(page)
  const [byAddress, byId] = [new Map<string, Told>(), new Map<string, Told>()]
  const tellOf = (address: string): Told => {
    const told = byAddress.get(address) ?? { failed: '', status: 0, protocol: '', ended: Promise.withResolvers<void>() }
    byAddress.set(address, told)
    return told
  }
  const end = (id: string) => byId.get(id)?.ended.resolve()
  const fail = (id: string, words: string) => Object.assign(byId.get(id) ?? {}, { failed: words })
  session.on('Network.requestWillBeSent', ({ requestId, request }) => byId.set(requestId, tellOf(request.url)))
  session.on('Network.webSocketCreated', ({ requestId, url }) => byId.set(requestId, tellOf(url)))
  session.on('Network.responseReceived', ({ requestId, response: { status, protocol = '' } }) =>
    Object.assign(byId.get(requestId) ?? {}, { status, protocol }),
  )
  session.on('Network.loadingFailed', ({ requestId, errorText }) => (fail(requestId, errorText), end(requestId)))
  session.on('Network.loadingFinished', ({ requestId }) => end(requestId))
  session.on('Network.webSocketFrameError', ({ requestId, errorMessage }) => fail(requestId, errorMessage))
  session.on('Network.webSocketClosed', ({ requestId }) => end(requestId))
  await session.send('Network.enable')
  // Nobody answers a login, as none is answered of Electron's fetch; without this the page waits for somebody to do it.
  // What ended meanwhile can no longer be answered.
  session.on(
    'Fetch.requestPaused',
    ({ requestId }) => void session.send('Fetch.continueRequest', { requestId }).catch(() => {}),
  )
  session.on(
    'Fetch.authRequired',
    ({ requestId }) =>
      void session
        .send('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response: 'CancelAuth' } })
        .catch(() => {}),
  )
  await session.send('Fetch.enable', { handleAuthRequests: true })
  return tellOf
}

function networkOf(page: Page, tellOf: TellOf): ChromiumNetwork {
  let asked = 0
  /** A URL of its own for each, so that its reports can be distinguished. */
  const own = (address: string) => `${address}${address.includes('?') ? '&' : '?'}asked=${(asked += 1)}`
  return {
    page,
    async fetch(address, init = {}) {
      const target = own(address)
      await page.evaluate(
        ([to, how]) =>
          fetch(to, { ...how, cache: 'no-store', credentials: 'omit' })
            .then((response) => response.arrayBuffer())
            .then(
              () => null,
              () => null,
            ),
        [target, init] as const,
      )
      const told = tellOf(target)
      await told.ended.promise
      return { failed: told.failed, status: told.status, protocol: told.protocol }
    },
    async dial(address, says = []) {
      const target = own(address)
      const closed = await page.evaluate(
        ([to, words]) =>
          new Promise<Omit<Socketed, 'failed'>>((resolve) => {
            const heard: string[] = []
            const socket = new WebSocket(to, 'graphql-transport-ws')
            const say = () => {
              const word = words.shift()
              if (word !== undefined) socket.send(word)
            }
            socket.addEventListener('open', say)
            socket.addEventListener('message', ({ data }) => (heard.push(String(data)), say()))
            socket.addEventListener('close', ({ code, reason, wasClean }) => resolve({ code, reason, wasClean, heard }))
          }),
        [target, says.map((word) => JSON.stringify(word))] as const,
      )
      const told = tellOf(target)
      await told.ended.promise
      return { ...closed, failed: told.failed }
    },
  }
}
