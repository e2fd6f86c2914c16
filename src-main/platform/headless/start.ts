import { readFileSync } from 'node:fs'
import { systemClock, wait } from '../../../src-shared/lib/clock.ts'
import { type Core, startCore } from '../../core.ts'
import { type CsvLine, readCsv } from '../../connections/import/csv.ts'
import { type ConnectionRecord, loadRecords } from '../../connections/stored/record.ts'
import { isLoopback } from '../../network/loopback.ts'
import type { Ports, Secrets } from '../../ports.ts'
import { openSecrets } from '../../secrets/keychain.ts'
import { joinByFile, loadJoined, teamSettings } from '../../team/stored.ts'
import { lazy } from '../../../src-shared/lib/lazy.ts'
import { toFault } from '../../../src-shared/model/fault.ts'
import { takeLock } from '../shared/lock.ts'
import { openLog } from '../shared/log.ts'
import { openProfile } from '../shared/profile.ts'
import type { Stops } from '../shared/shutdown.ts'
import { catchUncaught } from '../shared/uncaught-errors.ts'
import { openPorts } from '../web/ports.ts'
import { openSettings } from '../web/settings.ts'
import { type HeadlessArgs, headlessUsage, readHeadlessArgs } from './args.ts'
import { openCredentials, readCredential } from './credentials.ts'
import { openMetrics } from './metrics.ts'
import { startStatusServer } from './status-server.ts'
import { version } from '../../../package.json' with { type: 'json' }

const printError = (line: string) => void process.stderr.write(`${line}\n`)
const credentialsFolder = process.env['CREDENTIALS_DIRECTORY'] ?? ''

/** The process in which the core runs without a window: plain Node's, or Electron's. */
export interface HeadlessProcess {
  /** What starts it, as its usage says. */
  command: string
  /** Folder of the built threads. */
  threads: string
  stops: Stops
  /** Stops everything and ends the process with this code. */
  end: (code: number) => Promise<unknown>
  /** Called with the folder of the profile once it is locked. */
  locked?: (profile: string) => void
}

/** Starts the core with a command line (without program and script). Ends the process where it cannot start. */
export async function startHeadless(argv: string[], host: HeadlessProcess): Promise<void> {
  try {
    if (argv.includes('--help')) {
      process.stdout.write(`${headlessUsage(host.command)}\n`)
      await host.end(0)
      return
    }
    await run(readHeadlessArgs(argv), host)
  } catch (error) {
    printError(error instanceof Error ? error.message : 'Muster could not be started.')
    await host.end(1)
  }
}

async function run(args: HeadlessArgs, { threads, stops, end, locked }: HeadlessProcess): Promise<void> {
  const token = credentialsFolder === '' ? null : await readCredential(credentialsFolder, 'metrics-token')
  if (token?.trim() === '') throw new Error('The credential metrics-token is empty.')
  if (token === null && !isLoopback(args.host))
    throw new Error(`--host ${args.host} is not this computer alone: give the unit a credential named metrics-token.`)
  const list = args.connections === null ? null : readFileSync(args.connections, 'utf8')
  const channels = args.channels === null ? [] : readChannels(args.channels)
  const team = args.team === null ? null : readFileSync(args.team, 'utf8')
  const profile = openProfile(args.profile, false)
  const log = openLog(profile, systemClock, printError)
  catchUncaught(process, log, () => void end(1))
  const lock = takeLock(profile)
  if (lock === null) throw new Error('Muster is already running on this profile.')
  stops.push(() => lock.release())
  locked?.(profile)
  const core = await openCore({ profile, threads, channels, list, team }, log, stops)
  if (list !== null) await importConnections(core, list, log)
  const metrics = openMetrics(core.handlers, version)
  const { host, port } = args
  const server = await startStatusServer({ core: core.handlers, metrics, host, port, token, clock: systemClock, log })
  stops.push(() => server.stop())
  process.stdout.write(`Muster ${version} runs without a window. Health and metrics: http://${host}:${server.port}\n`)
}

interface CoreInput {
  profile: string
  threads: string
  channels: readonly unknown[]
  list: string | null
  team: string | null
}

async function openCore(input: CoreInput, log: Ports['log'], stops: Stops): Promise<Core> {
  const { profile, threads, channels, list, team } = input
  const settings = openSettings(profile, systemClock)
  if (team !== null) join(settings, team)
  const lines = lazy(() => (list === null ? [] : readCsv(list).lines))
  const secrets = await secretsOf(profile, settings)
  stops.push(() => secrets.stop())
  const ports = openPorts({ profile, threads, secrets, settings, log })
  // Nobody is there who could arm a tenant.
  const core = await startCore(ports, {
    shell: 'web',
    version,
    demo: null,
    actionsOff: true,
    channels: { list: channels, isTrusted: credentialsFolder !== '' },
    // Who gives the unit its secrets says with the list where they may be sent.
    trusted: (record) => credentialsFolder !== '' && isListed(lines(), record),
  }).catch((error: unknown) => {
    const { kind, detail } = toFault(error)
    throw kind === 'input' ? new Error(`The list of channels is wrong: ${detail.replaceAll('\n', '; ')}`) : error
  })
  stops.push(() => core.stop())
  return core
}

const secretsOf = (profile: string, settings: Ports['settings']): Promise<Secrets> | Secrets =>
  credentialsFolder === ''
    ? openSecrets({ profile, clock: systemClock })
    : openCredentials({ folder: credentialsFolder, records: () => loadRecords(settingsNow(settings)).records })

/** Returns the settings of the team that it is in; its own where it is in none. */
function settingsNow(settings: Ports['settings']): Ports['settings'] {
  const joined = loadJoined(settings)
  return joined === null ? settings : teamSettings(settings, joined)
}

function join(settings: Ports['settings'], team: string): void {
  try {
    joinByFile(settings, team)
  } catch (error) {
    throw new Error(`The file of the team is wrong: ${toFault(error).detail || 'it needs address and operator'}`, {
      cause: error,
    })
  }
}

/** Returns whether a connection has the addresses of one of the lines. */
function isListed(
  lines: readonly CsvLine[],
  { clientId, tokenUrl, graphqlUrl, subscriptionUrl, ca }: ConnectionRecord,
): boolean {
  return lines.some(
    ({ cells }) =>
      cells.clientId?.trim() === clientId &&
      cells.tokenUrl?.trim() === tokenUrl &&
      cells.graphqlUrl?.trim() === graphqlUrl &&
      cells.subscriptionUrl?.trim() === subscriptionUrl &&
      (cells.ca ?? '').trim() === ca.trim(),
  )
}

/** Longest wait for the team's database at the start, ms, and interval of looks. */
const [teamMs, teamLookMs] = [30_000, 250]

/** Resolves with whether what is shared can be changed now: always, for a Muster on its own. */
async function canChange({ handlers }: Core): Promise<boolean> {
  for (let waited = 0; waited < teamMs; waited += teamLookMs) {
    const { joined } = await handlers['team.read']({})
    if (joined === null || (joined.link.is === 'online' && !joined.isCatchingUp)) return true
    await wait(systemClock, teamLookMs)
  }
  return false
}

/** Imports the list as a window would. Throws where a line of it is wrong: a unit should not run with half of its connections. */
async function importConnections(core: Core, text: string, log: Ports['log']): Promise<void> {
  const { handlers } = core
  if (!(await canChange(core)))
    return log(
      'warn',
      'headless: the team’s database is not reached, so the list of connections is not compared with it',
    )
  const { lines, stored } = await handlers['connections.import']({ text, apply: true })
  const wrong = lines.flatMap(({ line, what, problem }) => (what === 'reject' ? [`line ${line}: ${problem}`] : []))
  if (wrong.length > 0) throw new Error(`The list of connections is wrong, ${wrong.slice(0, 10).join('; ')}`)
  log('info', `headless: ${lines.length} connections in the list, ${stored} new or changed`)
}

/** Reads a list of channels. Throws where it is no JSON list. */
function readChannels(file: string): unknown[] {
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(list)) throw new Error('The list of channels is no JSON list.')
  return list
}
