import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { app, dialog, protocol } from 'electron'
import { systemClock } from '../../src-shared/clock.ts'
import { createArrivals, readSecond, readStart } from '../desktop/links.ts'
import { forgetOthersImage } from '../desktop/own-image.ts'
import { externalUrl } from '../desktop/page.ts'
import { endOnce, type Stops } from '../shell/ending.ts'
import { lockOrAsk } from '../shell/lock.ts'
import { openLog } from '../shell/log.ts'
import { openProfile } from '../shell/profile.ts'
import { catchStrays } from '../shell/strays.ts'
import { claimLinks, openedAtLogin } from './login.ts'
import { run } from './run.ts'
import { ownScheme } from './security/scheme.ts'
import { openLocal, openSystem } from './system.ts'
import { readyUpdates } from './updates.ts'

/** Before the application is ready, and before anything waits: later it is too late for these. */
protocol.registerSchemesAsPrivileged([ownScheme])
app.enableSandbox()
app.setName('Muster')
forgetOthersImage(process.env, process.execPath)
if (process.platform === 'win32') {
  app.setAppUserModelId('muster.console')
  // The same at each start: by it Windows hands on the click on a notification of a former one.
  app.setToastActivatorCLSID('{7D1F6C52-3B0E-4E0B-9C51-6F5C2A9E84D3}')
}

/** macOS hands links on so, also before the application is ready. */
const arrivals = createArrivals()
app.on('open-url', (event, url) => {
  event.preventDefault()
  arrivals.take({ link: url, quiet: false })
})

const stops: Stops = []
const stopAll = endOnce(stops, systemClock)
let code = 0
/** Windows go first, then everything else in order, then the process. */
app.on('will-quit', (event) => {
  event.preventDefault()
  void stopAll().then((well) => app.exit(well ? code : 1))
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())
// npm start hands its signals on, and Muster does not outlive it.
process.on('message', (message) => message === 'stop' && app.quit())
process.on('disconnect', () => app.quit())

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function begin(): Promise<void> {
  const { args, link, quiet } = readStart(process.argv.slice(app.isPackaged ? 1 : 2), app.isPackaged)
  const profile = openProfile(args.profile, args.demo)
  // Chromium's own files lie apart, and the instance lock goes by this folder: one Muster for each profile.
  const userData = path.join(profile, 'electron')
  mkdirSync(userData, { recursive: true })
  app.setPath('userData', userData)
  if (!app.requestSingleInstanceLock({ link, quiet })) {
    say('Muster is open already, and has been raised.')
    return app.exit(0)
  }
  app.on('second-instance', (_event, _argv, _folder, told) => arrivals.take(readSecond(told)))
  arrivals.take({ link, quiet: true })
  const log = openLog(profile, systemClock, (line) => void process.stderr.write(`${line}\n`))
  catchStrays(process, log, () => {
    code = 1
    app.quit()
  })
  await app.whenReady()
  // npm start waits for a first word, that Electron is there; whether a window opens is known when the profile is held.
  say('Muster is starting.')
  const calm = quiet || openedAtLogin(app)
  const updates = await readyUpdates({ args, profile, log, waits: calm || arrivals.linkWaits() })
  if (updates.going) return
  const taken = await lockOrAsk(profile, systemClock)
  if (taken === null || 'windows' in taken) throw new Error('Muster is already running on this profile, but does not answer.')
  if ('url' in taken) {
    say('Muster is open already in the browser, and opens there.')
    openLocal(taken.url)
    return app.quit()
  }
  stops.push(() => taken.lock.release())
  taken.lock.announce(null)
  await run({ args, quiet: calm, arrivals, profile, log, stops, updates, openExternal: (url) => openSystem(externalUrl(url)) })
  claimLinks(app, args)
  say('Muster opens in a window of its own.')
}

begin().catch((error: unknown) => {
  const words = error instanceof Error ? error.message : 'Muster could not be started.'
  process.stderr.write(`${words}\n`)
  // A first word for npm start: in the browser it would be refused just the same.
  say('Muster could not be started.')
  if (app.isPackaged) dialog.showErrorBox('Muster could not be started', words)
  code = 1
  app.quit()
})
