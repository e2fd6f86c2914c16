import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type {
  BrowserWindow as RealWindow,
  BrowserWindowConstructorOptions,
  HandlerDetails,
  IpcMain,
  WebContents as RealContents,
  WindowOpenHandlerResponse,
} from 'electron'
import { answerTest, cloned, did, tellTest } from './channel.ts'
import { isHostile } from './hostile.ts'
import type { Invoked } from './messages.ts'
import type { StandInSession } from './sessions.ts'

type InvokeHandler = Parameters<IpcMain['handle']>[1]
type Bounds = { x: number; y: number; width: number; height: number }
type OpenHandler = (details: HandlerDetails) => WindowOpenHandlerResponse
const [ours, shown] = ['app://muster', 'https://muster.invalid']

/** PDFs that the test's page prints. */
const pdfs = new Map<number, (bytes: Buffer) => void>()
let lastPdf = 0
answerTest('pdf-reply', ({ id, bytes }) => pdfs.get(id)?.(Buffer.from(bytes, 'base64')))

/** The stand-in's page: one Chromium page, or several that the test opened on the same window. */
class StandInContents extends EventEmitter {
  openHandler: OpenHandler | null = null
  /** Before its window was shown the zoom was set: on Windows and Linux it then draws no frame (electron#51972). */
  stalled = false
  readonly #isShown: () => boolean
  #destroyed = false
  constructor(isShown: () => boolean) {
    super()
    this.#isShown = isShown
  }
  isDestroyed = () => this.#destroyed
  send(channel: string, ...args: unknown[]): void {
    tellTest({ say: 'send', page: null, channel, args: cloned(args) })
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }
  setZoomLevel(level: number): void {
    if (!this.#isShown()) this.stalled = true
    did({ deed: 'zoom', level })
  }
  printToPDF(options: { printBackground: boolean; preferCSSPageSize: boolean }): Promise<Buffer> {
    lastPdf += 1
    const id = lastPdf
    tellTest({ say: 'pdf', id, options: cloned(options) })
    return new Promise((resolve) => pdfs.set(id, resolve))
  }
  forcefullyCrashRenderer(): void {
    this.emit('render-process-gone', {}, { reason: 'killed' })
  }
  reload(): void {
    tellTest({ say: 'reload' })
  }
  destroy(): void {
    this.#destroyed = true
    this.emit('destroyed')
  }
}

export interface Surroundings {
  app: EventEmitter
  isReady(): boolean
  /** No page's process starts. */
  pagesFail(): boolean
}

/** `BrowserWindow` and `ipcMain`, whose other half is a Chromium page that the test drives. */
export function createWindows({ app, isReady, pagesFail }: Surroundings) {
  const handlers = new Map<string, InvokeHandler>()
  const all = new Set<StandInWindow>()
  /** None when it was closed; a page of it may still ask. */
  const newest = () => [...all].at(-1)

  class StandInWindow extends EventEmitter {
    readonly webContents = new StandInContents(() => this.#visible)
    readonly session: StandInSession
    readonly preload: string
    #visible = false
    #focused = false
    #minimized = false
    #maximized = false
    #fullScreen = false
    #bounds: Bounds
    static getFocusedWindow = (): StandInWindow | null => newest() ?? null
    static getAllWindows = (): StandInWindow[] => [...all]

    constructor(options: BrowserWindowConstructorOptions) {
      super()
      if (!isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
      const { sandbox, contextIsolation, nodeIntegration, preload, session } = options.webPreferences ?? {}
      if (sandbox !== true || contextIsolation !== true || nodeIntegration !== false)
        throw new Error('the window is not confined')
      if (preload === undefined || !existsSync(preload) || session === undefined)
        throw new Error('the window has no preload or session')
      const { x = null, y = null, width = 800, height = 600, backgroundColor = '' } = options
      this.#bounds = { x: x ?? 0, y: y ?? 0, width, height }
      did({ deed: 'made', x, y, width, height, ground: backgroundColor })
      this.preload = preload
      this.session = session as unknown as StandInSession
      all.add(this)
      app.emit('web-contents-created', {}, this.webContents)
    }
    loadURL(url: string): Promise<void> {
      tellTest({ say: 'loaded', url, preload: this.preload })
      setImmediate(() => {
        if (pagesFail()) return void this.webContents.emit('render-process-gone', {}, { reason: 'launch-failed' })
        this.webContents.emit('did-finish-load')
        setImmediate(() => !isHostile('no-ready-to-show') && !this.webContents.stalled && this.emit('ready-to-show'))
      })
      return Promise.resolve()
    }
    show(): void {
      did({ deed: 'shown' })
      this.#becomeVisible()
    }
    showInactive(): void {
      did({ deed: 'shown-inactive' })
      this.#becomeVisible()
    }
    #becomeVisible(): void {
      if (this.#visible) return
      this.#visible = true
      this.emit('show')
    }
    hide(): void {
      this.#visible = false
      this.#focused = false
      did({ deed: 'hidden' })
    }
    focus(): void {
      this.#focused = true
      did({ deed: 'focused' })
      this.emit('focus')
    }
    isFocused = () => this.#focused && this.#visible
    isVisible = () => this.#visible
    isMinimized = () => this.#minimized
    isMaximized = () => this.#maximized
    isFullScreen = () => this.#fullScreen
    getNormalBounds = () => this.#bounds
    isDestroyed = () => !all.has(this)
    restore(): void {
      this.#minimized = false
    }
    minimize(): void {
      this.#minimized = true
      did({ deed: 'minimized' })
    }
    maximize(): void {
      this.#maximized = true
      did({ deed: 'maximized' })
    }
    setFullScreen(on: boolean): void {
      this.#fullScreen = on
      did({ deed: 'full-screen', on })
    }
    /** Moves it as a person does. */
    moveTo({ maximized, ...bounds }: Bounds & { maximized: boolean }): void {
      this.#bounds = bounds
      this.#maximized = maximized
      this.emit('resize')
      this.emit('move')
    }
    flashFrame(): void {
      did({ deed: 'flashed' })
    }
    setOverlayIcon(): void {}
    /** Closes it as a person does: the listeners may keep it. */
    close(): void {
      let kept = false
      this.emit('close', { preventDefault: () => (kept = true) })
      if (kept) return
      all.delete(this)
      this.webContents.destroy()
      did({ deed: 'window-destroyed' })
      this.emit('closed')
      if (all.size === 0) app.emit('window-all-closed')
    }
  }

  // The test's browser asks as the window's session would.
  answerTest('request', ({ url }) => newest()?.session.serve(url) ?? null)
  answerTest('permission', ({ permission, origin }) => newest()?.session.check(permission, origin) ?? false)
  answerTest('attach', () => void newest()?.webContents.emit('did-start-loading'))
  answerTest('detach', () => {})
  answerTest('focus', () => newest()?.focus())
  answerTest('page-ends', () => void newest()?.webContents.emit('render-process-gone', {}, { reason: 'oom' }))
  answerTest('move-window', ({ x, y, width, height, maximized }) =>
    newest()?.moveTo({ x, y, width, height, maximized }),
  )
  answerTest('wheel', ({ direction }) => void newest()?.webContents.emit('zoom-changed', {}, direction))
  answerTest('context-menu', ({ isEditable, selectionText }) => {
    const editFlags = { canCut: false, canCopy: selectionText !== '', canPaste: true, canSelectAll: true }
    newest()?.webContents.emit('context-menu', {}, { isEditable, selectionText, editFlags })
  })
  answerTest('close-window', () => newest()?.close())
  answerTest('navigate', ({ url, isMainFrame }) => {
    let prevented = false
    newest()?.webContents.emit('will-frame-navigate', {
      url: mapped(url),
      isMainFrame,
      preventDefault: () => (prevented = true),
    })
    return !prevented
  })
  answerTest(
    'open-window',
    ({ url }) => newest()?.webContents.openHandler?.({ url: mapped(url) } as HandlerDetails).action ?? 'allow',
  )
  answerTest('invoke', async ({ origin, top, channel, args }): Promise<Invoked> => {
    const handler = handlers.get(channel)
    const failed = (error: string): Invoked => ({
      ok: false,
      error: `Error invoking remote method '${channel}': ${error}`,
    })
    const window = newest()
    // Its window is gone, and the page with it: nobody is left to answer.
    if (window === undefined) return new Promise<never>(() => {})
    if (handler === undefined) return failed(`Error: No handler registered for '${channel}'`)
    const senderFrame = { parent: top ? null : {}, origin: mapped(origin) }
    try {
      return {
        ok: true,
        value: cloned(await handler({ sender: window.webContents, senderFrame } as never, ...cloned(args))),
      }
    } catch (error) {
      return failed(String(error))
    }
  })

  const ipcMain = {
    handle(channel: string, handler: InvokeHandler) {
      if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
      handlers.set(channel, handler)
    },
    removeHandler: (channel: string) => void handlers.delete(channel),
    // electron-store answers windows of its own, which Muster has none of.
    on: (): IpcMain => ({}) as IpcMain,
  } satisfies Pick<IpcMain, 'handle' | 'removeHandler' | 'on'>
  return { ipcMain, BrowserWindow: StandInWindow, all }
}

/** Translates URLs in both directions: Playwright cannot serve a scheme of our own. */
function mapped(url: string): string {
  return url.startsWith(shown) ? ours + url.slice(shown.length) : url
}

/** Every member of the window and its contents also exists in Electron. */
export type WindowCalls = Pick<
  RealWindow,
  | 'showInactive'
  | 'minimize'
  | 'maximize'
  | 'isMaximized'
  | 'isFullScreen'
  | 'setFullScreen'
  | 'getNormalBounds'
  | 'show'
  | 'hide'
  | 'focus'
  | 'isFocused'
  | 'isVisible'
  | 'isMinimized'
  | 'isDestroyed'
  | 'restore'
  | 'close'
  | 'loadURL'
>
export type ContentsCalls = Pick<
  RealContents,
  'setZoomLevel' | 'forcefullyCrashRenderer' | 'isDestroyed' | 'send' | 'reload'
>
type Windows = ReturnType<typeof createWindows>
export const checked = (window: InstanceType<Windows['BrowserWindow']>): [WindowCalls, ContentsCalls] => [
  window,
  window.webContents,
]
