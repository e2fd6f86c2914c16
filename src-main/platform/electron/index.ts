import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { app, dialog, protocol, shell } from 'electron'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import { identityOf, type Identity } from '../desktop/start/identity.ts'
import { createDeepLinks, readSecondStart, readStart } from '../desktop/links/deep-links.ts'
import { forgetInheritedAppImage } from '../desktop/start/own-appimage.ts'
import { externalUrl } from '../desktop/page/page.ts'
import { followParent } from '../desktop/start/parent.ts'
import { launchedBy } from '../desktop/notifications/previous-notifications.ts'
import { canSandbox, removeSwitches } from '../desktop/start/switches.ts'
import { writeSignInPage } from '../shared/sign-in-page.ts'
import { shutdownOnce, type Stops } from '../shared/shutdown.ts'
import { headlessFlags } from '../headless/args.ts'
import { lockOrAsk } from '../shared/lock.ts'
import { openLog } from '../shared/log.ts'
import { openProfile } from '../shared/profile.ts'
import { catchUncaught } from '../shared/uncaught-errors.ts'
import { claimLinks, openedAtLogin } from './desktop/login.ts'
import { startWithoutWindow } from './headless.ts'
import { run } from './run.ts'
import { ownScheme } from './security/scheme.ts'
import { readyUpdates } from './updates/updates.ts'

/** These must run synchronously, before the application is ready. */
protocol.registerSchemesAsPrivileged([ownScheme])
const removedSwitches = removeSwitches(app.commandLine, app.isPackaged)
const sandbox = canSandbox(app.commandLine, process.platform)
if (sandbox) app.enableSandbox()
app.setName('Muster')
forgetInheritedAppImage(process.env, process.execPath)

/**
 * On macOS resolves with the notification that was clicked to start Muster, which only this event contains;
 * `app.whenReady` resolves before it.
 */
const ready = new Promise<string | null>((resolve) =>
  app.once('ready', (_event, info: unknown) => resolve(launchedBy(info))),
)

/** macOS passes links by this event, also before the application is ready. */
const deepLinks = createDeepLinks()
app.on('open-url', (event, url) => {
  event.preventDefault()
  deepLinks.receive({ link: url, quiet: false })
})

const stops: Stops = []
const stopAll = shutdownOnce(stops, systemClock)
let code = 0
/** Windows close first, then everything else stops in order, then the process ends. */
app.on('will-quit', (event) => {
  event.preventDefault()
  void stopAll().then((clean) => app.exit(clean ? code : 1))
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())
// npm start passes its signals on, and Muster does not outlive it.
followParent(process, () => app.quit())

/** The command line, without program and script. */
const argv = process.argv.slice(app.isPackaged ? 1 : 2)
const print = (line: string) => void process.stdout.write(`${line}\n`)

async function start(): Promise<void> {
  const { args, link, quiet } = readStart(argv, app.isPackaged)
  if (process.platform === 'win32') setIdentity(identityOf(app.isPackaged, args))
  const profile = openProfile(args.profile, args.demo)
  // Chromium's own files have their own folder, which the instance lock uses: one Muster for each profile.
  const userData = path.join(profile, 'electron')
  mkdirSync(userData, { recursive: true })
  app.setPath('userData', userData)
  if (!app.requestSingleInstanceLock({ link, quiet })) {
    print('Muster is open already, and has been raised.')
    return app.exit(0)
  }
  app.on('second-instance', (_event, _argv, _folder, message) => deepLinks.receive(readSecondStart(message)))
  deepLinks.receive({ link, quiet: true })
  const log = openLog(profile, systemClock, (line) => void process.stderr.write(`${line}\n`))
  catchUncaught(process, log, () => {
    code = 1
    app.quit()
  })
  if (removedSwitches.length > 0) log('warn', `ignored on the command line: --${removedSwitches.join(', --')}`)
  if (!sandbox) log('warn', 'the page has no sandbox: Muster was started with --no-sandbox')
  const launched = await ready
  // npm start waits for a first line that Electron runs; whether a window opens is known when the profile is locked.
  print('Muster is starting.')
  const hidden = quiet || openedAtLogin(app)
  const updates = await readyUpdates({
    args,
    profile,
    log,
    postpone: hidden || launched !== null || deepLinks.hasLink(),
  })
  if (updates.restarting) return
  const taken = await lockOrAsk(profile, systemClock)
  if (taken === null || 'windows' in taken)
    throw new Error('Muster is already running on this profile, but does not answer.')
  if ('url' in taken) {
    print('Muster is open already in the browser, and opens there.')
    openLocal(profile, taken.url)
    return app.quit()
  }
  stops.push(() => taken.lock.release())
  taken.lock.announce(null)
  await run({
    args,
    quiet: hidden,
    launched,
    sandbox,
    deepLinks,
    profile,
    log,
    stops,
    updates,
    openExternal: (url) => openSystem(externalUrl(url)),
  })
  claimLinks(app, args)
  print('Muster opens in a window of its own.')
}

/** Says why there is no window, and ends. */
function failStart(error: unknown): Promise<void> {
  const words = error instanceof Error ? error.message : 'Muster could not be started.'
  process.stderr.write(`${words}\n`)
  // A first line for npm start: the browser shell would be rejected too.
  print('Muster could not be started.')
  code = 1
  // Linux shows no dialog before that.
  return ready.then(() => {
    if (app.isPackaged) dialog.showErrorBox('Muster could not be started', words)
    app.quit()
  })
}

const withoutWindow = headlessFlags(argv)
if (withoutWindow === null) start().catch(failStart)
else await startWithoutWindow(withoutWindow, stops, async (exit) => app.exit((await stopAll()) ? exit : 1))

/** Passes an address to the system; callers pass only results of `externalUrl`. */
function openSystem(url: string | null): void {
  // Muster could not handle a browser that fails to open.
  if (url !== null) shell.openExternal(url).catch(() => {})
}

/**
 * Opens the window of a web shell on the same profile by a page there: the address contains a key, which must not
 * become a program's argument.
 */
function openLocal(profile: string, url: string): void {
  shell.openExternal(pathToFileURL(writeSignInPage(profile, url)).href).catch(() => {})
}

/** Sets the identity before the first notification, by which Windows assigns them. */
function setIdentity({ name, appUserModelId, activator }: Identity): void {
  app.setName(name)
  app.setAppUserModelId(appUserModelId)
  app.setToastActivatorCLSID(activator)
}
