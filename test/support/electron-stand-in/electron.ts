import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type {
  App,
  Clipboard,
  CommandLine,
  CustomScheme,
  Dialog,
  MessageBoxOptions,
  NativeTheme,
  PowerMonitor,
  Protocol,
  RelaunchOptions,
  OpenDialogOptions,
  SaveDialogOptions,
  Screen,
  Shell,
} from 'electron'
import { answerTest, cloned, did, strict } from './channel.ts'
import { createDesktop } from './desktop.ts'
import { isHostile } from './hostile.ts'
import { StandInSocket } from './network.ts'
import { createSessions } from './sessions.ts'
import { createWindows } from './windows.ts'

/**
 * Stands in for the `electron` module in the main's process: only the calls that we make exist, and each is as strict as
 * Electron's own. The other half, windows as Chromium pages, is `electron-shell.ts` in the test's process.
 */
const events = new EventEmitter()
const paths = new Map<string, string>()
const schemes = new Set<string>()
let [ready, locked, quitting] = [false, false, false]
// The promise first (browser.cc, DidFinishLaunching): what waits for it runs before the event, which alone tells what was clicked.
const whenReady = new Promise<void>((resolve) =>
  setTimeout(() => {
    ready = true
    if (isHostile('no-channel')) process.emit('disconnect')
    resolve()
    setImmediate(() => events.emit('ready', {}, JSON.parse(process.env['MUSTER_TEST_LAUNCHED'] ?? '{}')))
  }, 5),
)
const isReady = () => ready
// Electron's process lives until it is told to end.
const alive = setInterval(() => {}, 60_000)
/** The resources folder of an installed application, as the test says; none for one that runs from its sources. */
const resources = process.env['MUSTER_TEST_PACKAGED']
if (resources !== undefined) {
  Object.defineProperty(process, 'resourcesPath', { value: resources })
  process.argv.splice(1, 1)
  // What runs out of an AppImage is told where that was unpacked.
  if (process.env['APPIMAGE'] !== undefined) process.env['APPDIR'] ??= path.dirname(process.execPath)
}

const switches = new Set(process.argv.slice(1).flatMap((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? []))
/** Asked for behind `--no-sandbox` on Linux, the sandbox is promised to pages whose process cannot have it: they do not start. */
let pagesFail = false
const identity = { name: '', appUserModelId: '', activator: '' }

const windows = createWindows({ app: events, isReady, pagesFail: () => pagesFail })
const desktop = createDesktop()

const calls = {
  // The test says so: an installed application has no script among its arguments.
  isPackaged: resources !== undefined,
  isReady,
  whenReady: () => whenReady,
  commandLine: strict('commandLine', {
    hasSwitch: (name: string) => switches.has(name),
    removeSwitch(name: string) {
      notAfterReady('what removeSwitch takes away')
      switches.delete(name)
    },
  }) as unknown as CommandLine,
  enableSandbox() {
    notAfterReady('enableSandbox')
    pagesFail = process.platform === 'linux' && switches.has('no-sandbox')
  },
  setName: (name: string) => void (identity.name = name),
  setAppUserModelId: (appUserModelId: string) => void (identity.appUserModelId = appUserModelId),
  setToastActivatorCLSID(activator: string) {
    notAfterReady('setToastActivatorCLSID')
    did({ deed: 'identified', ...Object.assign(identity, { activator }) })
  },
  getVersion: () => '0.0.0',
  getPath: (name: string) =>
    paths.get(name) ??
    (name === 'downloads' ? path.join(paths.get('userData') ?? '/nowhere', 'downloads') : '/nowhere'),
  getAppPath: () => process.cwd(),
  setAsDefaultProtocolClient: (scheme: string, program?: string, args?: string[]) => {
    did({ deed: 'protocol', scheme, program: program ?? '', args: args ?? [] })
    return true
  },
  setLoginItemSettings: (settings: { openAtLogin?: boolean; args?: string[] }) =>
    did({ deed: 'login', on: settings.openAtLogin === true, args: settings.args ?? [] }),
  getLoginItemSettings: () => ({ wasOpenedAtLogin: false }) as ReturnType<App['getLoginItemSettings']>,
  setPath: (name: string, folder: string) => {
    if (locked) throw new Error('the path of the instance lock comes before the lock')
    if (!existsSync(folder)) throw new Error(`Failed to set '${name}': ${folder} does not exist`)
    paths.set(name, folder)
  },
  requestSingleInstanceLock: (more?: Record<string, unknown>) => {
    if (!paths.has('userData')) throw new Error('the instance lock goes by userData, which was not set')
    locked = true
    did({ deed: 'told-first', more: cloned(more ?? null) })
    return process.env['MUSTER_TEST_SECOND'] === undefined
  },
  releaseSingleInstanceLock: () => void (locked = false),
  relaunch: (options?: RelaunchOptions) =>
    did({ deed: 'relaunch', execPath: options?.execPath ?? '', args: options?.args ?? [] }),
  // There is one on macOS alone.
  dock: strict('dock', { hide: () => did({ deed: 'dock-hidden' }) }) as unknown as App['dock'],
  setBadgeCount: (count?: number) => {
    did({ deed: 'badge', count: count ?? 0 })
    return true
  },
  exit: (code?: number) => {
    clearInterval(alive)
    process.exit(code)
  },
  quit: () => {
    if (quitting) return
    events.emit('before-quit', { preventDefault: () => {} })
    for (const window of windows.all) window.close()
    if (windows.all.size > 0) return
    quitting = true
    let prevented = false
    events.emit('will-quit', { preventDefault: () => (prevented = true) })
    quitting = prevented
    if (!prevented) process.exit(0)
  },
} satisfies Partial<App> &
  Pick<
    App,
    | 'quit'
    | 'exit'
    | 'whenReady'
    | 'isReady'
    | 'setPath'
    | 'getPath'
    | 'getVersion'
    | 'commandLine'
    | 'enableSandbox'
    | 'setName'
    | 'dock'
    | 'setBadgeCount'
    | 'requestSingleInstanceLock'
    | 'releaseSingleInstanceLock'
    | 'relaunch'
    | 'setAppUserModelId'
    | 'setToastActivatorCLSID'
    | 'setAsDefaultProtocolClient'
    | 'setLoginItemSettings'
    | 'getLoginItemSettings'
    | 'getAppPath'
  >

function notAfterReady(what: string): void {
  if (ready) throw new Error(`${what} comes before the application is ready`)
}

answerTest('second-instance', ({ told }) => void events.emit('second-instance', {}, [], '', told))
answerTest('open-url', ({ url }) => void events.emit('open-url', { preventDefault: () => {} }, url))

const on = (name: string, listener: (...args: never[]) => void) => void events.on(name, listener as () => void)
export const app = strict('app', { ...calls, on, once: on })
export const protocol = strict('protocol', {
  registerSchemesAsPrivileged: (given: CustomScheme[]) => {
    notAfterReady('registerSchemesAsPrivileged')
    for (const { scheme, privileges } of given)
      if (privileges?.standard === true && privileges.secure === true) schemes.add(scheme)
  },
} satisfies Pick<Protocol, 'registerSchemesAsPrivileged'>)
export const session = strict('session', createSessions({ isReady, schemes }))
export const shell = strict('shell', {
  openExternal: async (url: string) => did({ deed: 'external', url }),
} satisfies Pick<Shell, 'openExternal'>)
export const dialog = strict('dialog', {
  showErrorBox(title: string, text: string) {
    if (ready || process.platform !== 'linux') did({ deed: 'error-box', title, text })
    else process.stderr.write(`${title}\n${text}\n`)
  },
  showMessageBox: async ({ message, detail }: MessageBoxOptions) => {
    did({ deed: 'message-box', message, detail: detail ?? '' })
    return { response: 0, checkboxChecked: false }
  },
  // Over a window or by itself; the test's person takes what is proposed, or calls it off.
  showSaveDialog: async (...given: unknown[]) => {
    if (!ready) throw new Error('dialog.showSaveDialog can only be used after app is ready')
    const { defaultPath = '' } = given.at(-1) as SaveDialogOptions
    did({ deed: 'save-dialog', path: defaultPath })
    if (callsOff) return { canceled: true, filePath: '' }
    mkdirSync(path.dirname(defaultPath), { recursive: true })
    return { canceled: false, filePath: defaultPath }
  },
  // The test's person chooses the folder of the profile, or calls it off.
  showOpenDialog: async (...given: unknown[]) => {
    if (!ready) throw new Error('dialog.showOpenDialog can only be used after app is ready')
    const { properties = [] } = given.at(-1) as OpenDialogOptions
    if (!properties.includes('openDirectory')) throw new Error('dialog.showOpenDialog: only folders are chosen')
    return callsOff ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [app.getPath('userData')] }
  },
} satisfies Record<
  keyof Pick<Dialog, 'showErrorBox' | 'showMessageBox' | 'showOpenDialog' | 'showSaveDialog'>,
  unknown
>)
let callsOff = false
answerTest('call-off-saves', ({ on }) => void (callsOff = on))

const area = { x: 0, y: 0, width: 1920, height: 1040 }
export const screen = strict('screen', {
  getPrimaryDisplay: () => ({ id: 1, workArea: area }) as ReturnType<Screen['getPrimaryDisplay']>,
  getAllDisplays: () => [{ id: 1, workArea: area }] as ReturnType<Screen['getAllDisplays']>,
} satisfies Pick<Screen, 'getPrimaryDisplay' | 'getAllDisplays'>)
const theme: Pick<NativeTheme, 'themeSource' | 'shouldUseDarkColors'> = {
  shouldUseDarkColors: true,
  get themeSource() {
    return 'system' as const
  },
  set themeSource(source) {
    did({ deed: 'theme', source })
  },
}
export const nativeTheme = strict('nativeTheme', theme)
export const clipboard = strict('clipboard', {
  writeText: async (text: string) => did({ deed: 'clipboard', text }),
} satisfies Record<keyof Pick<Clipboard, 'writeText'>, unknown>)
const power = new EventEmitter()
export const powerMonitor = strict('powerMonitor', {
  on: (name: string, listener: () => void) => void power.on(name, listener),
} satisfies Record<keyof Pick<PowerMonitor, 'on'>, unknown>)
answerTest('power', ({ word }) => {
  let held = false
  power.emit(word, { preventDefault: () => (held = true) })
  // Linux goes on shutting down when nobody holds it, and ends what still runs.
  if (word === 'shutdown' && !held && process.platform === 'linux') process.kill(process.pid, 'SIGKILL')
})

export const net = strict('net', {
  WebSocket: class extends StandInSocket {
    constructor(address: string, options: ConstructorParameters<typeof StandInSocket>[1]) {
      if (!ready) throw new Error('net.WebSocket can only be used after app is ready')
      super(address, options)
    }
  },
})
export const utilityProcess = strict('utilityProcess', {
  fork(entry: string, args: string[], { stdio }: { stdio: string[] }) {
    if (!ready) throw new Error('utilityProcess.fork cannot be called before app is ready')
    if (stdio[0] !== 'ignore') throw new Error('configuring stdin to anything but ignore is not supported')
    // It ends with Electron by itself; here a pipe does that.
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, '--with-parent', ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    return strict('UtilityProcess', {
      stdout: child.stdout,
      stderr: child.stderr,
      once: child.once.bind(child),
      kill: () => child.kill(),
    })
  },
})
export const { ipcMain, BrowserWindow } = windows
export const { Menu, Tray, Notification, nativeImage } = desktop
// electron-store takes it so.
// oxlint-disable-next-line import/no-default-export
export default strict('electron', { app, ipcMain, shell })
