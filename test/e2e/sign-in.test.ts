import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { writeSignInPage } from '../../src-main/platform/shared/sign-in-page.ts'
import { nonce, signedOutCode, verifierOf } from '../../src-shared/lib/proof.ts'
import { temporaryProfile } from '../support/fleet.ts'
import { keyIn, signInBy } from '../support/sign-in.ts'
import { browserTest, serve, useWindows } from '../support/window.ts'

const windows = useWindows()
const console = async () => serve(windows.leftovers, temporaryProfile(windows.leftovers))
const inside = { name: 'Connect to your device service' }
const outside = { name: 'This tab is not signed in' }

/** A Muster, and a tab that is in. */
async function signedIn(profile = temporaryProfile(windows.leftovers), expected: RegExp[] = []) {
  const served = await serve(windows.leftovers, profile)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, expected })
  await page.getByRole('heading', inside).waitFor()
  return { ...served, page }
}

/** Another program that serves a page on this port (0: any free one). */
async function otherProgram(port: number, onRequest: (request: IncomingMessage) => void = () => {}) {
  const program = createServer((request, response) => {
    onRequest(request)
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Other</title>')
  })
  await new Promise<void>((resolve) => program.listen(port, '127.0.0.1', resolve))
  windows.leftovers.push(() => void program.close())
  return program
}

/** The messages that a page on this port would get, and those of the pipe to its process. */
async function tried(port: number, key: string): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/pipe`, { headers: { origin: `http://127.0.0.1:${port}` } })
  windows.leftovers.push(() => socket.terminate())
  await once(socket, 'open')
  const closed = once(socket, 'close').then(([code]) => code as number)
  return Promise.race([
    closed,
    signInBy(socket, key, `http://127.0.0.1:${port}`).then(
      () => 0,
      () => closed,
    ),
  ])
}

browserTest('a tab stays signed in over a reload, and a tab of another browser needs a key', async () => {
  const { server, muster } = await console()
  const url = server.newUrl()
  const page = await windows.open(url, { log: muster.log })
  await page.getByRole('heading', inside).waitFor()
  expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`)
  await page.reload()
  await page.getByRole('heading', inside).waitFor()
  const other = await windows.open(`http://127.0.0.1:${server.port}/`, { log: muster.log })
  await other.getByRole('heading', outside).waitFor()
  // The address of the first one is used up; a new one is taken in the tab as it is.
  await other.goto(url)
  await other.getByRole('heading', outside).waitFor()
  await other.goto(server.newUrl())
  await other.getByRole('heading', inside).waitFor()
  // One that is used up does not sign out who is in.
  await page.goto(url)
  await page.waitForURL(`http://127.0.0.1:${server.port}/`)
  await page.getByRole('heading', inside).waitFor()
})

browserTest('a new tab is admitted by a signed-in one, and stays when that one goes', async () => {
  const { server, page } = await signedIn()
  const other = await page.context().newPage()
  await other.goto(`http://127.0.0.1:${server.port}/`)
  await other.getByRole('heading', inside).waitFor()
  const keyOf = (tab: typeof page) => tab.evaluate(() => sessionStorage.getItem('muster.session'))
  const keys = [await keyOf(page), await keyOf(other)]
  expect(new Set(keys.map((key) => /^[0-9a-f]{64}$/u.test(key ?? '') && key)).size).toBe(2)
  await page.goto('about:blank')
  await other.reload()
  await other.getByRole('heading', inside).waitFor()
})

browserTest('a link is kept while its tab signs in by a new URL', async () => {
  const { server, muster } = await console()
  const page = await windows.open(`http://127.0.0.1:${server.port}/#room/kitchen`, { log: muster.log })
  await page.getByRole('heading', outside).waitFor()
  await page.goto(server.newUrl())
  await page.getByRole('heading', inside).waitFor()
  await page.getByText('Muster cannot open this link.').waitFor()
})

browserTest("a page on Muster's port, while it is away, gets nothing from the signed-in tab", async () => {
  const profile = temporaryProfile(windows.leftovers)
  const {
    server: { port },
    page,
    stop,
  } = await signedIn(profile, [/WebSocket connection to .* failed/u])
  await stop()
  const thief = await otherProgram(port)
  const ended = () => new Promise<void>((resolve) => void thief.close(() => resolve()))
  const other = await page.context().newPage()
  await other.goto(`http://127.0.0.1:${port}/`)
  const channel = 'muster sign-in'
  // The page itself listens longer than this listener, so it has received each message first.
  await page.evaluate((name) => {
    const ear = new BroadcastChannel(name)
    ear.addEventListener('message', ({ data }) => 'ask' in data && setTimeout(() => ear.postMessage({ end: true }), 0))
  }, channel)
  const own = nonce()
  const messages = await other.evaluate(
    async ([name, verifier]) => {
      const ear = new BroadcastChannel(name)
      const all: unknown[] = []
      await new Promise<void>((resolve) => {
        ear.addEventListener('message', ({ data }) => void (all.push(data), 'end' in data && resolve()))
        ear.postMessage({ ask: verifier })
      })
      return all
    },
    [channel, await verifierOf(own)] as const,
  )
  expect(messages).toEqual([{ end: true }])
  thief.closeAllConnections()
  await ended()
  const back = await serve(windows.leftovers, profile, { port })
  expect(await tried(back.server.port, own)).toBe(signedOutCode)
})

browserTest('signing out everywhere ends every tab, until each has a new URL', async () => {
  const { server, muster } = await console()
  const [first, second] = [
    await windows.open(server.newUrl(), { log: muster.log }),
    await windows.open(server.newUrl(), { log: muster.log }),
  ]
  const unused = server.newUrl()
  for (const page of [first, second]) await page.getByRole('heading', inside).waitFor()
  await first.getByRole('button', { name: 'Settings', exact: true }).click()
  await first.getByRole('button', { name: 'Sign out everywhere' }).click()
  for (const page of [first, second]) await page.getByRole('heading', outside).waitFor()
  await second.reload()
  await second.getByRole('heading', outside).waitFor()
  expect(await second.evaluate(() => Object.keys(sessionStorage).filter((name) => /once|session/u.test(name)))).toEqual(
    [],
  )
  await second.goto(unused)
  await second.getByRole('heading', outside).waitFor()
  await second.goto(server.newUrl())
  await second.getByRole('heading', inside).waitFor()
})

browserTest('a page on another port gets nothing that opens Muster, and cannot reach its pipe', async () => {
  const { server, page } = await signedIn(undefined, [/./u])
  const seen: string[] = []
  const other = await otherProgram(0, ({ url, headers }) => seen.push(JSON.stringify([url, headers])))
  const keys = await page.evaluate(() => Object.values(sessionStorage).filter((value) => /^[0-9a-f]{64}$/u.test(value)))
  expect(keys).toHaveLength(1)
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
  const got = await page.evaluate(async (port) => {
    const pipe = new globalThis.WebSocket(`ws://127.0.0.1:${port}/pipe`)
    const opened = await new Promise((resolve) => {
      for (const type of ['open', 'close']) pipe.addEventListener(type, () => resolve(type))
    })
    const read = await fetch(`http://127.0.0.1:${port}/`, { credentials: 'include' }).then(
      () => 'read',
      () => 'refused',
    )
    return { opened, read, kept: Object.keys(sessionStorage), cookies: document.cookie }
  }, server.port)
  expect(got).toEqual({ opened: 'close', read: 'refused', kept: [], cookies: '' })
  expect(seen.length).toBeGreaterThan(0)
  expect([seen.join(' ').includes('cookie'), seen.join(' ').includes(keys[0] ?? '')]).toEqual([false, false])
  expect(await tried(server.port, 'k'.repeat(43))).toBe(signedOutCode)
  expect(await tried(server.port, keyIn(server.newUrl()))).toBe(0)
})

browserTest('the page that opens the browser signs in, and leaves no key in the URL', async () => {
  const { server, muster } = await console()
  const page = await windows.open(
    pathToFileURL(writeSignInPage(temporaryProfile(windows.leftovers), server.newUrl())).href,
    { log: muster.log },
  )
  await page.getByRole('heading', inside).waitFor()
  expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`)
})

browserTest("another program on Muster's port gets no secret, and the window reports it", async () => {
  const profile = temporaryProfile(windows.leftovers)
  const {
    server: { port },
    page,
    stop,
  } = await signedIn(profile, [/WebSocket connection to .* failed/u])
  await stop()
  const messages: string[] = []
  const thief = new WebSocketServer({ port, host: '127.0.0.1' })
  thief.on('connection', (socket) =>
    socket.on('message', (data) => {
      messages.push(String(data))
      socket.send(JSON.stringify({ challenge: { nonce: nonce(), proof: nonce() } }))
    }),
  )
  await page.getByRole('alert').getByText('Another program answers at this address.').waitFor()
  // What was there stays, and says that it is old.
  await page.getByRole('heading', inside).waitFor()
  for (const socket of thief.clients) socket.terminate()
  await new Promise((resolve) => thief.close(resolve))
  const keys = await page.evaluate(() => Object.values(sessionStorage))
  expect(messages.length).toBeGreaterThan(0)
  for (const text of messages)
    expect([Object.keys(JSON.parse(text) as object), keys.some((key) => text.includes(key))]).toEqual([
      ['hello'],
      false,
    ])
  await serve(windows.leftovers, profile, { port })
  await page.getByText('Another program answers at this address.').waitFor({ state: 'detached' })
})
