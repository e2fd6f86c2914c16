import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Store from 'electron-store'
import { app, BrowserWindow, dialog, ipcMain, Menu, net, screen, session, utilityProcess } from 'electron'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import { startCore, type Core } from '../../core.ts'
import { createLinkOpener, type DeepLinks } from '../desktop/links/deep-links.ts'
import { loginWindow } from '../desktop/start/login-start.ts'
import { startPipe } from '../desktop/page/pipe.ts'
import { reportGivenUp } from '../desktop/window/crash-recovery.ts'
import type { Log, Settings } from '../../ports.ts'
import { openProxyLogins } from '../../network/proxies/logins.ts'
import { forbidsActions, policyFile, readPolicy } from '../../updates/policy.ts'
import { openSecrets } from '../../secrets/keychain.ts'
import type { StartArgs } from '../shared/args.ts'
import { startDemo, type DemoProcess } from '../shared/demo.ts'
import { smtpMail } from '../shared/mail.ts'
import { threadsIn } from '../shared/threads.ts'
import { keepSettings } from '../shared/settings-file.ts'
import type { Stops } from '../shared/shutdown.ts'
import { capabilitiesOf, otherOf } from './capabilities.ts'
import { background, integrate } from './desktop/os-integration.ts'
import { startDesktop } from './desktop/desktop.ts'
import { offerContextMenu } from './desktop/menu.ts'
import { openNetwork } from './network/network.ts'
import { createWindowState } from './window/window-state.ts'
import { confine } from './security/navigation.ts'
import { openPage } from './security/page-session.ts'
import type { ReadyUpdates } from './updates/updates.ts'
import { createWindowManager, type WindowManager } from './window/window-manager.ts'
import { version } from '../../../package.json' with { type: 'json' }

/** Built into `out/electron/main.js`, with what it needs beside it; the images are in their source folder. */
const out = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const assets = path.join(path.dirname(out), 'assets')

export interface RunOptions {
  args: StartArgs
  /** True when no window is expected. */
  quiet: boolean
  /** Id of the notification that was clicked to start Muster. */
  launched: string | null
  /** True when the page has its sandbox. */
  sandbox: boolean
  deepLinks: DeepLinks
  /** Folder of the locked profile. */
  profile: string
  log: Log
  /** Functions that stop what is started here. */
  stops: Stops
  updates: ReadyUpdates
  openExternal(url: string): void
}

/** Starts everything from the core to the window, in order. The application must be ready. */
export async function run(options: RunOptions): Promise<void> {
  const { args, profile, log, stops } = options
  const [demo, secrets] = await Promise.all([
    args.demo
      ? startDemo({
          launch: (flags) => forkDemo(path.join(out, 'service', 'main.js'), flags),
          devices: args.devices,
          clock: systemClock,
          log,
        })
      : null,
    openSecrets({ profile, clock: systemClock }),
  ])
  if (demo !== null) stops.push(() => demo.stop())
  stops.push(() => secrets.stop())
  const settings = keepSettings(
    profile,
    systemClock,
    (given) => new Store<Record<string, unknown>>({ ...given, name: 'settings' }),
  )
  const proxies = openProxyLogins({ clock: systemClock, settings, secrets, env: process.env })
  const network = openNetwork({ net, sessions: session, logins: proxies, now: () => systemClock.now() })
  const paths = { profile, ...threadsIn(path.join(out, 'main')) }
  const core = await startCore(
    { network, secrets, proxies, mail: smtpMail, settings, clock: systemClock, paths, log },
    {
      shell: 'electron',
      sandbox: options.sandbox,
      version,
      demo: demo?.service ?? null,
      lockEvents: process.platform !== 'linux',
      actionsOff: forbidsActions(readPolicy(policyFile(process.platform))),
      desktop: capabilitiesOf(args),
      startOther: otherOf(args, log),
      updates: options.updates.environment(network),
    },
  )
  stops.push(() => core.stop())
  await show(core, settings, options)
}

/**
 * Starts the reference service (`entry`: `out/service/main.js`) in a utility process of Electron, which ends with
 * Electron. It has no input, and Electron kills it if it does not end.
 */
function forkDemo(entry: string, args: string[]): DemoProcess {
  const child = utilityProcess.fork(entry, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    serviceName: 'Muster demo service',
  })
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The demo service has no output.')
  return {
    stdout,
    stderr,
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill(),
  }
}

async function show(
  core: Core,
  settings: Settings,
  { log, stops, openExternal, quiet, launched, deepLinks }: RunOptions,
): Promise<void> {
  const page = openPage(session, path.join(out, 'renderer'))
  app.on('web-contents-created', (_event, contents) => {
    confine(contents, openExternal)
    offerContextMenu(contents, (template) => Menu.buildFromTemplate(template).popup())
  })
  const pipe = startPipe({ ipcMain, core, log })
  stops.push(() => pipe.stop())
  let quitting = false
  app.on('before-quit', () => (quitting = true))
  const windowManager: WindowManager = createWindowManager(
    {
      preload: path.join(out, 'electron', 'preload.cjs'),
      session: page,
      icon: path.join(assets, 'icon.png'),
      devTools: !app.isPackaged,
    },
    {
      create: (options) => new BrowserWindow(options),
      windowState: createWindowState(() => screen, settings, systemClock, log),
      background,
      onCreated: (window) => {
        pipe.admit(window.webContents)
        window.once('show', () => presenter.mark())
      },
      staysInTray: () => !quitting && presenter.closeToTray(),
      onCrash: (reason, again) => {
        log(
          'error',
          `the window's page ended (${reason}) and is ${again === null ? 'not loaded again by itself' : `loaded again in ${again} ms`}`,
        )
        if (again === null) reportGivenUp(dialog, () => windowManager.raise())
      },
      clock: systemClock,
    },
  )
  const open = pipe.open
  const presenter = await startDesktop({ core, windowManager, assets, launched, log, open })
  stops.push(() => presenter.stop())
  stops.push(await integrate({ core, windowManager, version, open, notify: presenter.notify, log }))
  app.on('activate', () => windowManager.raise())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  if (!quiet) windowManager.raise()
  else if (loginWindow(process.platform, presenter.closeToTray()) === 'minimised') windowManager.minimised()
  const raise = () => windowManager.raise()
  deepLinks.follow({ open: createLinkOpener({ core, raise, open, log }), raise })
}
