import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, type TestAPI } from 'vitest'
import { startServer, type WebServer } from '../../src-main/platform/web/server.ts'
import { openSessions } from '../../src-main/platform/web/sign-in/sessions.ts'
import type { Service, ServiceOptions } from '../../src-service/service.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { pageAddress, startMain, type ElectronMain } from './electron-shell.ts'
import { startRuntime, type RuntimeMain } from './electron-runtime.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
  type AcceleratedClock,
  type Console,
  type Leftovers,
} from './fleet.ts'

/** Which shell the end-to-end tests of this run see: the project of vitest that they run in. */
const named = process.env['MUSTER_TEST_SHELL']
export const shell: 'web' | 'electron' = named === 'electron' || named === 'electron-runtime' ? 'electron' : 'web'

/** Tests of what one shell alone has; on the other there is nothing to test, and so nothing to skip. */
export const browserTest: TestAPI = shell === 'web' ? test : none()
export const desktopTest: TestAPI = shell === 'electron' ? test : none()

function none(): TestAPI {
  return Object.assign(() => {}, { each: () => () => {} }) as unknown as TestAPI
}

/** The built window; `npm test` builds it before the tests run. */
export const built = path.resolve('out/renderer')

export interface Served {
  muster: Pick<Console, 'call' | 'log' | 'stop'>
  server: Pick<WebServer, 'port' | 'newUrl'>
  stop(): Promise<void>
  /** Ends the process without a goodbye (SIGKILL). Null where the core runs in the process of the test. */
  kill: (() => Promise<void>) | null
}

type ServeOptions = Omit<NonNullable<Parameters<typeof openConsole>[2]>, 'clock'> & {
  clock?: AcceleratedClock
  port?: number
}

/** Muster on this profile, in the shell of this run. Electron's own runtime takes no clock. */
export function serve(leftovers: Leftovers, profile: string, more: ServeOptions = {}): Promise<Served> {
  if (named === 'electron-runtime') return serveRuntime(leftovers, profile, more)
  return shell === 'electron' ? serveElectron(leftovers, profile, more) : serveWeb(leftovers, profile, more)
}

/** Mains of the real runtime, by the address that stands for their one window. */
const runtimes = new Map<string, RuntimeMain>()

async function serveRuntime(
  leftovers: Leftovers,
  profile: string,
  { secrets, clock, env = {} }: ServeOptions,
): Promise<Served> {
  if (clock !== undefined) throw new Error('the built main goes by its own clock')
  const main = await startRuntime(leftovers, profile, { secrets, env })
  const url = `app://muster/#${runtimes.size + 1}`
  runtimes.set(url, main)
  return { muster: main, server: { port: 0, newUrl: () => url }, stop: main.stop, kill: null }
}

/** Mains by the address that stands for their window. */
const mains = new Map<string, ElectronMain>()

/** The built main of the Electron shell, over the stand-in for Electron. */
async function serveElectron(
  leftovers: Leftovers,
  profile: string,
  { secrets, clock, env = {} }: ServeOptions,
): Promise<Served> {
  const time = clock === undefined ? {} : { MUSTER_TEST_CLOCK: `${clock.start} ${clock.factor}` }
  const main = await startMain(leftovers, profile, {
    env: { ...env, ...time },
    ...(secrets !== undefined && { secrets }),
  })
  const url = `${pageAddress}#${mains.size + 1}`
  mains.set(url, main)
  return { muster: main, server: { port: 0, newUrl: () => url }, stop: main.stop, kill: main.kill }
}

/** The core from source on real ports, and its window served on loopback, as the web shell does. */
async function serveWeb(leftovers: Leftovers, profile: string, more: ServeOptions): Promise<Served> {
  if (!existsSync(path.join(built, 'index.html')))
    throw new Error('out/renderer is missing: node scripts/build.mjs builds the window')
  // The browser goes by the machine's time, and so do its pipe and its session.
  const sessions = openSessions(profile, systemClock)
  const muster = await openConsole(leftovers, profile, { ...more, signOut: () => sessions.end() })
  const server = await startServer({
    core: muster.core,
    clock: systemClock,
    log: (_level, text) => void muster.log.push(text),
    window: built,
    port: more.port ?? 0,
    token: 'a test gives no second key',
    sessions,
    onKeyGone: () => {},
  })
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await server.stop()
    await muster.stop()
  }
  leftovers.push(stop)
  return { muster, server, stop, kill: null }
}

/** A service with this fleet, which `prepare` changes first, and a console that has synced all of it. */
export async function serveFleet(
  leftovers: Leftovers,
  options: ServiceOptions,
  more: ServeOptions & { prepare?: (world: Service['world']) => void } = {},
): Promise<{ reference: Service; served: Served }> {
  const reference = await service(leftovers, options)
  more.prepare?.(reference.world)
  const served = await serve(leftovers, temporaryProfile(leftovers), more)
  await readFleet(served.muster, reference)
  return { reference, served }
}

/** Connects to the service, and waits until its fleet is synced and every device subscribed to. */
export async function readFleet(muster: Served['muster'], reference: Service): Promise<void> {
  await muster.call('connections.save', connectionTo(reference))
  await whenListening(muster, reference)
}

export async function whenListening(muster: Served['muster'], reference: Service): Promise<void> {
  await until(async () => {
    expect(reference.subscribedIds()).toHaveLength(reference.world.devices().length)
    await whenRead(muster)
  }, 45_000)
}

export interface OpenOptions {
  colorScheme?: 'dark' | 'light'
  viewport?: { width: number; height: number }
  deviceScaleFactor?: number
  /** Errors in the browser's console that the test brings about on purpose. */
  expected?: RegExp[]
  /** The core's log, for the report of a failure. */
  log?: readonly string[]
  /** Prepares the page before it is loaded. */
  before?: (page: Page) => Promise<unknown>
}

export interface Windows {
  /** Stopped after each test, when the windows are closed. */
  leftovers: Leftovers
  /** Stopped after the file's last test. */
  shared: Leftovers
  /** A browser with nothing in it, entering by a one-time address. */
  open(url: string, options?: OpenOptions): Promise<Page>
}

interface Opened {
  context: BrowserContext
  page: Page
  problems: string[]
  options: OpenOptions
}

/**
 * One Chromium for the test file. Each window is a context of its own; after each test every one of them must have had
 * no error in its console and no violation of its content policy. Of a test that failed, screenshots and logs are kept
 * under `test-results/<name of the test>`, and of its second try a trace, which takes a fifth of a test's time.
 */
export function useWindows(): Windows {
  const leftovers = createLeftovers()
  const shared = createLeftovers()
  const opened: Opened[] = []
  let browser: Browser | null = null
  let traced = false
  beforeEach(({ task }) => {
    traced = (task.result?.retryCount ?? 0) > 0
  })
  beforeAll(async () => {
    if (named === 'electron-runtime') return
    browser = await chromium.launch({ executablePath: chromiumPath(), args: flags() })
  })
  afterEach(async ({ task }) => {
    const windows = opened.splice(0)
    const problems = windows.flatMap((each) => each.problems)
    const failed = task.result?.state === 'fail' || problems.length > 0
    for (const [index, each] of windows.entries()) await close(each, failed ? evidenceFolder(task.name, index) : null)
    await leftovers.clean()
    expect(problems, 'the browser’s console').toEqual([])
  })
  afterAll(async () => {
    await shared.clean()
    await browser?.close()
  })
  return {
    leftovers,
    shared,
    open: async (url, options = {}) => {
      const runtime = runtimes.get(url)
      if (runtime !== undefined) {
        const window = await takeWindow(runtime, options, traced)
        opened.push(window)
        return window.page
      }
      if (browser === null) throw new Error('the browser has not started')
      const window = await openWindow(browser, options, traced)
      opened.push(window)
      await options.before?.(window.page)
      await mains.get(url)?.attach(window.page)
      await window.page.goto(url)
      return window.page
    },
  }
}

async function openWindow(browser: Browser, options: OpenOptions, traced: boolean): Promise<Opened> {
  const {
    viewport = { width: 1440, height: 900 },
    colorScheme = 'dark',
    deviceScaleFactor = 1,
    expected = [],
  } = options
  const context = await browser.newContext({
    viewport,
    colorScheme,
    deviceScaleFactor,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
  })
  await prepare(context, traced)
  const page = await context.newPage()
  return { context, page, problems: watchPage(page, expected), options }
}

/** The one window of the real runtime, as a window of a browser would be. It is loaded anew, so that it is seen from its beginning. */
async function takeWindow({ page }: RuntimeMain, options: OpenOptions, traced: boolean): Promise<Opened> {
  const { viewport = { width: 1440, height: 900 }, colorScheme = 'dark', expected = [] } = options
  await prepare(page.context(), traced)
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const problems = watchPage(page, expected)
  await options.before?.(page)
  await page.reload()
  return { context: page.context(), page, problems, options }
}

async function prepare(context: BrowserContext, traced: boolean): Promise<void> {
  context.setDefaultTimeout(15_000)
  if (traced) await context.tracing.start({ snapshots: true })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`content policy: ${violatedDirective} ${blockedURI}`),
    )
  })
}

/** The errors of the page from now on. */
function watchPage(page: Page, expected: readonly RegExp[]): string[] {
  const problems: string[] = []
  const note = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) problems.push(text)
  }
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => note(`uncaught: ${error.message}`))
  page.on('crash', () => note('the page crashed'))
  return problems
}

async function close({ context, page, problems, options }: Opened, folder: string | null): Promise<void> {
  if (folder !== null) {
    mkdirSync(folder, { recursive: true })
    const log = ['Console of the browser', ...problems, '', 'Log of the core', ...(options.log ?? [])]
    writeFileSync(path.join(folder, 'log.txt'), `${log.join('\n')}\n`)
    await page.screenshot({ path: path.join(folder, 'window.png') }).catch(() => undefined)
    await context.tracing.stop({ path: path.join(folder, 'trace.zip') }).catch(() => undefined)
  }
  // The window of a real runtime goes with its application.
  if (named === 'electron-runtime') await context.tracing.stop().catch(() => undefined)
  else await context.close()
}

function evidenceFolder(test: string, index: number): string {
  const name = test.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100)
  return path.resolve('test-results', name, index === 0 ? '' : String(index + 1))
}

/**
 * Returns a Chromium without windows, or with `whole` the whole browser. `scripts/test.mjs` names those that it found; a
 * run by hand has the system's, or Playwright's own.
 */
export function chromiumPath({ whole = false } = {}): string {
  const { CHROMIUM_PATH: named, CHROMIUM_HEADLESS_PATH: headless } = process.env
  const found = [whole ? undefined : headless, named].find((file) => file !== undefined && file !== '')
  if (found !== undefined) return found
  const installed = [...(whole ? [] : ['/usr/bin/chromium-headless-shell']), '/usr/bin/chromium']
  return installed.find((file) => existsSync(file)) ?? chromium.executablePath()
}

/** Nothing but the page itself uses the network. The sandbox does not work for root. */
export function flags(): string[] {
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
  ]
  return process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet
}

/** The file that this act gives the person: by the browser's downloads, or where the system's dialog puts it. */
export async function savedBy(
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ name: string; text: string; bytes: Buffer }> {
  const runtime = [...runtimes.values()].find((each) => each.page === page)
  if (runtime !== undefined) return savedByRuntime(runtime, act)
  const main = mains.get(page.url())
  if (main === undefined) {
    const [file] = await Promise.all([page.waitForEvent('download'), act()])
    const bytes = readFileSync(await file.path())
    return { name: file.suggestedFilename(), text: bytes.toString('utf8'), bytes }
  }
  const asked = () => main.deeds.filter((each) => each.deed === 'save-dialog')
  const before = asked().length
  await act()
  const file = await until(() => {
    const path = asked()[before]?.path ?? ''
    if (!existsSync(path)) throw new Error('nothing was saved')
    return path
  })
  const bytes = readFileSync(file)
  // The next file of this name is a new one.
  rmSync(file)
  return { name: path.basename(file), text: bytes.toString('utf8'), bytes }
}

async function savedByRuntime(
  runtime: RuntimeMain,
  act: () => Promise<unknown>,
): Promise<{ name: string; text: string; bytes: Buffer }> {
  const folder = await runtime.saveInto()
  await act()
  const [name = ''] = await until(() => {
    const names = readdirSync(folder)
    if (names.length === 0) throw new Error('nothing was saved')
    return names
  })
  const bytes = readFileSync(path.join(folder, name))
  return { name, text: bytes.toString('utf8'), bytes }
}
