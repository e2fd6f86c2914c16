import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, BrowserWindow, dialog, ipcMain, Menu, net, session, utilityProcess } from 'electron'
import { systemClock } from '../../src-shared/clock.ts'
import { startCore, type Core } from '../core.ts'
import { tellLeftAlone } from '../desktop/revival.ts'
import type { Log } from '../ports.ts'
import { openSecrets } from '../secrets/keychain.ts'
import type { StartArgs } from '../shell/args.ts'
import { startDemo } from '../shell/demo.ts'
import type { Stops } from '../shell/ending.ts'
import { forkDemo } from './demo-process.ts'
import { placeDesk } from './desktop.ts'
import { menuTemplate } from './menu.ts'
import { openNetwork } from './net.ts'
import { startPipe } from './pipe.ts'
import { confine } from './security/navigation.ts'
import { cutPageNetwork } from './security/page-network.ts'
import { denyPermissions } from './security/permissions.ts'
import { serveWindow } from './security/scheme.ts'
import { openSettings } from './settings.ts'
import { createStage, type Stage } from './window.ts'
import { version } from '../../package.json' with { type: 'json' }

/** Built into `out/electron/main.js`; what it needs lies beside it, and the images where they were drawn. */
const out = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const assets = path.join(path.dirname(out), 'assets')

export interface RunOptions {
  args: StartArgs
  /** Folder of the profile, whose lock is held. */
  profile: string
  log: Log
  /** What is started here is stopped by these. */
  stops: Stops
  openExternal(url: string): void
}

/** Everything from the core to the window, in the order in which it starts. The application is ready. */
export async function run({ args, profile, log, stops, openExternal }: RunOptions): Promise<void> {
  const [demo, secrets] = await Promise.all([
    args.demo ? startDemo({ launch: (flags) => forkDemo(utilityProcess, path.join(out, 'service', 'main.js'), flags), devices: args.devices, clock: systemClock, log }) : null,
    openSecrets({ profile, clock: systemClock }),
  ])
  if (demo !== null) stops.push(() => demo.stop())
  stops.push(() => secrets.stop())
  const core = await startCore({
    network: openNetwork({ net, sessions: session, env: process.env, now: () => systemClock.now() }),
    secrets,
    settings: openSettings(profile, systemClock),
    clock: systemClock,
    paths: { profile, dataThread: path.join(out, 'main', 'data-thread.cjs') },
    log,
  }, { shell: 'electron', version, demo: demo?.service ?? null })
  stops.push(() => core.stop())
  await show(core, { log, stops, openExternal })
}

async function show(core: Core, { log, stops, openExternal }: Pick<RunOptions, 'log' | 'stops' | 'openExternal'>): Promise<void> {
  const devTools = !app.isPackaged
  const page = session.fromPartition('window', { cache: false })
  serveWindow(page.protocol, path.join(out, 'renderer'))
  denyPermissions(page)
  cutPageNetwork(page)
  app.on('web-contents-created', (_event, contents) => confine(contents, openExternal))
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, devTools)))

  const pipe = startPipe({ ipcMain, core, log })
  stops.push(() => pipe.stop())
  let quitting = false
  app.on('before-quit', () => (quitting = true))
  const stage: Stage = createStage({ preload: path.join(out, 'electron', 'preload.cjs'), session: page, icon: path.join(assets, 'icon.png'), devTools }, {
    create: (options) => new BrowserWindow(options),
    onCreated: (window) => {
      pipe.admit(window.webContents)
      window.once('ready-to-show', () => desk.mark())
    },
    staysInTray: () => !quitting && desk.closeToTray(),
    onGone: (reason, again) => {
      log('error', `the window's page ended (${reason}) and is ${again === null ? 'not loaded again by itself' : `loaded again in ${again} ms`}`)
      if (again === null) tellLeftAlone(dialog, () => stage.raise())
    },
    clock: systemClock,
  })
  const desk = await placeDesk({ core, stage, assets, log, open: (what) => pipe.open(what) })
  stops.push(() => desk.stop())
  app.on('second-instance', () => stage.raise())
  app.on('activate', () => stage.raise())
  app.on('window-all-closed', () => { if (process.platform !== 'darwin') app.quit() })
  stage.raise()
}
