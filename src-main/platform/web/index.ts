import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import { startCore } from '../../core.ts'
import type { Ports } from '../../ports.ts'
import { forbidsActions, policyFile, readPolicy } from '../../updates/policy.ts'
import { openSecrets } from '../../secrets/keychain.ts'
import { readArgs, type StartArgs } from '../shared/args.ts'
import { startDemo } from '../shared/demo.ts'
import { shutdownOnce, type Stops } from '../shared/shutdown.ts'
import { lockOrAsk, type Lock } from '../shared/lock.ts'
import { openLog } from '../shared/log.ts'
import { launchDemo } from './demo-process.ts'
import { openPorts } from './ports.ts'
import { openBrowser } from './sign-in/open.ts'
import { openOtherShell } from './sign-in/other-shell.ts'
import { openProfile } from '../shared/profile.ts'
import { removeSignInPages } from '../shared/sign-in-page.ts'
import { startServer, type WebServer } from './server.ts'
import { openSessions, type Sessions } from './sign-in/sessions.ts'
import { openSettings } from './settings.ts'
import { catchUncaught } from '../shared/uncaught-errors.ts'
import { version } from '../../../package.json' with { type: 'json' }

/** Built into `out/main/web.js`, with what it needs beside it. */
const out = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const printError = (line: string) => void process.stderr.write(`${line}\n`)
const printAddress = (url: string) => void process.stdout.write(`Muster is at ${url}\n`)

/** Stops everything and ends the process with this code. */
type End = (code: number) => Promise<never>

/** Returns an address of a window that opens what the command line asks for. */
const addressOf = (url: string, { wall }: StartArgs): string => (wall ? `${url}&wall` : url)

async function run(args: StartArgs, stops: Stops, end: End): Promise<'running' | 'elsewhere'> {
  const profile = openProfile(args.profile, args.demo)
  const log = openLog(profile, systemClock, printError)
  catchUncaught(process, log, () => void end(1))
  const taken = await lockOrAsk(profile, systemClock)
  if (taken === null) throw new Error('Muster is already running on this profile, but does not answer.')
  if ('windows' in taken) throw new Error('Muster is already running on this profile, in its own window.')
  if ('url' in taken) {
    const url = addressOf(taken.url, args)
    printAddress(url)
    if (args.open) openBrowser(url, profile, log)
    return 'elsewhere'
  }
  const { lock } = taken
  stops.push(() => lock.release())
  const server = await start(args, profile, log, lock, stops)
  lock.announce(server.port)
  const url = addressOf(server.newUrl(), args)
  printAddress(url)
  if (args.open) openBrowser(url, profile, log)
  return 'running'
}

async function start(args: StartArgs, profile: string, log: Ports['log'], lock: Lock, stops: Stops) {
  const [demo, secrets] = await Promise.all([
    args.demo
      ? startDemo({
          launch: (flags) => launchDemo(path.join(out, 'service', 'main.js'), flags),
          devices: args.devices,
          clock: systemClock,
          log,
        })
      : null,
    openSecrets({ profile, clock: systemClock }),
  ])
  if (demo !== null) stops.push(() => demo.stop())
  stops.push(() => secrets.stop())
  const settings = openSettings(profile, systemClock)
  const ports = openPorts({ profile, threads: path.join(out, 'main'), secrets, settings, log })
  const otherShell = openOtherShell({
    entry: fileURLToPath(import.meta.url),
    flags: args.demo ? ['--no-demo'] : [],
    clock: systemClock,
    onLine: printError,
  })
  stops.push(async () => otherShell.stop())
  const sessions = openSessions(profile, systemClock, log)
  const core = await startCore(ports, {
    shell: 'web',
    version,
    demo: demo?.service ?? null,
    actionsOff: forbidsActions(readPolicy(policyFile(process.platform))),
    signOut: () => sessions.end(),
    startOther: () => otherShell.start(),
  })
  stops.push(() => core.stop())
  removeSignInPages(profile)
  stops.push(() => removeSignInPages(profile))
  const window = path.join(out, 'renderer')
  const onKeyGone = (key: string) => removeSignInPages(profile, key)
  const listen = (port: number) =>
    startServer({ core, clock: systemClock, log, window, port, token: lock.token, sessions, onKeyGone })
  const server = await onPort(args.port, settings, sessions, listen)
  stops.push(() => server.stop())
  return server
}

/**
 * Listens on the requested port, or on the last one, where a window may still be open, or on any. A program that takes
 * our port has its origin and may have read the keys of windows there, so those sessions end.
 */
async function onPort(
  requested: number | null,
  settings: Ports['settings'],
  sessions: Sessions,
  listen: (port: number) => Promise<WebServer>,
): Promise<WebServer> {
  const listenOn = (port: number) =>
    listen(port).catch((error: unknown) => {
      sessions.end(port)
      throw error
    })
  if (requested !== null) return listenOn(requested)
  const last = settings.get('port')
  const server = await (typeof last === 'number' ? listenOn(last) : listen(0)).catch(() => listen(0))
  if (server.port !== last) settings.set('port', server.port)
  return server
}

/**
 * Stops at the first signal; a second one more than half a second later kills the process. npm and the terminal may
 * both send the first.
 */
function stopOnSignals(end: End): void {
  let since: number | null = null
  const stop = () => {
    since ??= (void end(0), performance.now())
    if (performance.now() - since > 500) process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.on('message', (message) => message === 'stop' && stop())
  process.on('disconnect', stop)
}

const stops: Stops = []
const stopAll = shutdownOnce(stops, systemClock)
const end: End = async (code) => process.exit((await stopAll()) ? code : 1)
stopOnSignals(end)
try {
  const where = await run(readArgs(process.argv.slice(2)), stops, end)
  if (where === 'elsewhere') process.exit(0)
} catch (error) {
  printError(error instanceof Error ? error.message : 'Muster could not be started.')
  await end(1)
}
