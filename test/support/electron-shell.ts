import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Secrets } from '../../src-main/ports.ts'
import type { Answer, CallInput, CallName, CallOutput } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Deed, FromTest, Invoked, Served, ToTest } from './electron-stand-in/messages.ts'
import { mainWorld, preloadWorld, worldName } from './electron-stand-in/worlds.ts'
import { until, type Leftovers } from './fleet.ts'

const built = path.resolve('out/electron/main.js')
const register = path.resolve('test/support/electron-stand-in/register.ts')
export const pageAddress = 'https://muster.invalid/index.html'

type Without<T> = T extends unknown ? Omit<T, 'id'> : never
type Asked = Without<FromTest>

/** The built main of the Electron shell in a process of its own, with the stand-in for Electron under it. */
export interface ElectronMain {
  child: ChildProcess
  log: string[]
  deeds: Deed[]
  ended: Promise<number | null>
  ask<T>(message: Asked): Promise<T>
  /** Calls the core as the window would. Throws the fault of the answer. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  /** Makes a page of the browser the window's. */
  attach(page: Page): Promise<void>
  stop(): Promise<void>
  /** Ends it without a goodbye: SIGKILL. */
  kill(): Promise<void>
}

export interface MainOptions {
  secrets?: Secrets
  args?: string[]
  env?: Record<string, string | undefined>
  /** Another main than the one in `out/`: one that was packed. */
  program?: string
}

export async function startMain(
  leftovers: Leftovers,
  profile: string | null,
  { secrets, args = ['--no-demo'], env = {}, program = built }: MainOptions = {},
): Promise<ElectronMain> {
  if (!existsSync(program)) throw new Error('out/electron is missing: node scripts/build.mjs builds it')
  // Without one, it is in the usual place of the environment's home.
  const child = fork(program, [...(profile === null ? [] : [`--profile=${profile}`]), ...args], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--enable-source-maps', `--import=${register}`],
    env: { ...process.env, ...(secrets === undefined ? {} : { MUSTER_TEST_KEYCHAIN: 'yes' }), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  // As npm start does: it ends when this process is gone.
  if (!env['MUSTER_TEST_HOSTILE']?.includes('no-channel')) child.send('here')
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => log.push(String(text).trimEnd()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const main = converse(child, log, ended, secrets)
  // With a faster clock the time that the end may take is over in an instant on a busy machine, and the code says so.
  const isFaster = env['MUSTER_TEST_CLOCK'] !== undefined
  leftovers.push(isFaster ? main.kill : main.stop)
  return main
}

function converse(
  child: ChildProcess,
  log: string[],
  ended: Promise<number | null>,
  secrets: Secrets | undefined,
): ElectronMain {
  const waiting = new Map<number, (value: never) => void>()
  const pages = new Map<number, Attached>()
  const deeds: Deed[] = []
  let loaded: { url: string; preload: string } | null = null
  let last = 0
  let killed = false

  const ask = <T>(message: Asked) =>
    new Promise<T>((resolve) => {
      last += 1
      waiting.set(last, resolve as (value: never) => void)
      if (child.connected) child.send({ ...message, id: last }, () => {})
    })
  const pendingStore = async ({ id, call, account, secret }: Extract<ToTest, { say: 'secret' }>) => {
    if (call === 'set') await secrets?.set(account, secret)
    if (call === 'delete') await secrets?.remove(account)
    const value = call === 'get' ? await secrets?.get(account) : true
    if (child.connected) child.send({ ask: 'secret-reply', id, value: value ?? null }, () => {})
  }
  const printed = async ({ id, options }: Extract<ToTest, { say: 'pdf' }>) => {
    const bytes = await [...pages.values()].at(-1)?.pdf(options)
    if (child.connected) child.send({ ask: 'pdf-reply', id, bytes: bytes?.toString('base64') ?? '' }, () => {})
  }
  child.on('message', (message: ToTest) => {
    if (message.say === 'reply') waiting.get(message.id)?.(message.value as never)
    if (message.say === 'loaded') loaded = message
    if (message.say === 'did') deeds.push(message.what)
    if (message.say === 'secret') void pendingStore(message)
    if (message.say === 'send') for (const page of pages.values()) page.hear(message.channel, message.args)
    if (message.say === 'pdf') void printed(message)
    if (message.say === 'reload') for (const page of pages.values()) void page.reload()
  })
  const whenLoaded = () =>
    until(() => {
      if (child.exitCode !== null) throw new Error(`the main has ended: ${log.join('\n')}`)
      if (loaded === null) throw new Error(`no window was loaded: ${log.join('\n')}`)
      return loaded
    })

  return {
    child,
    log,
    deeds,
    ended,
    ask,
    async call<N extends CallName>(name: N, input: CallInput<N>) {
      await whenLoaded()
      const done = await ask<Invoked>({
        ask: 'invoke',
        page: 0,
        origin: 'app://muster',
        top: true,
        channel: 'muster:call',
        args: [name, JSON.stringify(input)],
      })
      if (!done.ok) throw new Error(done.error)
      const answer = JSON.parse(String(done.value)) as Answer<CallOutput<N>>
      if (answer.ok) return answer.value
      throw new FaultError(answer.fault.kind, answer.fault.detail)
    },
    async attach(page) {
      const { preload } = await whenLoaded()
      const number = pages.size + 1
      const attached = await attachPage(page, preload, number, ask)
      pages.set(number, attached)
      page.once('close', () => pages.delete(number))
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      if (!killed) expect(await ended, log.join('\n')).toBe(0)
    },
    kill: async () => {
      killed = true
      child.kill('SIGKILL')
      await ended
    },
  }
}

interface Attached {
  pdf(options: { printBackground?: boolean; preferCSSPageSize?: boolean }): Promise<Buffer>
  hear(channel: string, args: unknown[]): void
  reload(): Promise<unknown>
}

type Ask = ElectronMain['ask']

/** Serves the page as the scheme's handler does, keeps it where it may be, and puts the preload into a world of its own. */
async function attachPage(page: Page, preload: string, number: number, ask: Ask): Promise<Attached> {
  await page.route('**/*', async (route) => {
    const request = route.request()
    const url = request.url().replace(/^https:\/\/muster\.invalid/, 'app://muster')
    const isMainFrame = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (request.isNavigationRequest() && !(await ask<boolean>({ ask: 'navigate', url, isMainFrame })))
      return route.abort('aborted')
    if (isMainFrame) await ask({ ask: 'attach', page: number })
    const served = await ask<Served | null>({ ask: 'request', url, page: number })
    if (served === null) return route.abort('blockedbyclient')
    await route.fulfill({ status: served.status, headers: served.headers, body: Buffer.from(served.body) })
  })
  page.on('popup', (popup) => void popup.close())
  const cdp = await page.context().newCDPSession(page)
  let world: { id: number; origin: string } | null = null
  cdp.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.name === worldName && (context.auxData as { frameId?: string }).frameId === frameOf) world = context
  })
  const evaluate = (expression: string) => {
    if (world !== null) void cdp.send('Runtime.evaluate', { expression, contextId: world.id }).catch(() => {})
  }
  cdp.on('Runtime.bindingCalled', async ({ name, payload, executionContextId }) => {
    if (name !== 'standInInvoke') return
    const { id, channel, args } = JSON.parse(payload) as { id: number; channel: string; args: unknown[] }
    if (channel === 'stand-in:open') return void ask({ ask: 'open-window', url: String(args[0]) })
    const done = await ask<Invoked>({
      ask: 'invoke',
      page: number,
      origin: world?.origin ?? '',
      top: world?.id === executionContextId,
      channel,
      args,
    })
    evaluate(`standInAnswer(${id}, ${JSON.stringify(JSON.stringify(done))})`)
  })
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const frameOf = frameTree.frame.id
  await cdp.send('Page.enable')
  await cdp.send('Runtime.enable')
  await cdp.send('Runtime.addBinding', { name: 'standInInvoke', executionContextName: worldName })
  await page.addInitScript(mainWorld)
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    source: preloadWorld(readFileSync(preload, 'utf8')),
    worldName,
  })
  return {
    hear: (channel, args) =>
      evaluate(`standInHear(${JSON.stringify(channel)}, ${JSON.stringify(JSON.stringify(args))})`),
    pdf: (options) => page.pdf(options),
    reload: () => page.reload(),
  }
}
