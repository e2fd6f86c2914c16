import { parseArgs } from 'node:util'

/** The command line of `npm run headless`, and of `muster --headless`. */
export interface HeadlessArgs {
  /** Folder of the profile; null: the default. */
  profile: string | null
  /** A list of connections without secrets, in the form that Muster exports; null: those of the profile. */
  connections: string | null
  /** A list of channels without secrets (JSON); null: those of the profile. */
  channels: string | null
  /** A file (JSON) that says which team it is a member of; null: as the profile has it. */
  team: string | null
  /** Where health and metrics are told. */
  host: string
  port: number
}

/** The usual port range of exporters begins here. */
const defaultPort = 9464

const options = {
  profile: { type: 'string' },
  connections: { type: 'string' },
  channels: { type: 'string' },
  team: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: String(defaultPort) },
} as const

/** Returns the page of `--help`; `command`: what starts it. */
export const headlessUsage = (command: string): string => `Usage: ${command} [flags]

  --profile DIR       the folder of settings, cache and journal
  --connections FILE  a CSV list of connections, without their secrets, that is imported at the start
  --channels FILE     a JSON list of channels, without their secrets, that is imported at the start
  --team FILE         JSON with address, operator and ca of a team's database, without its password
  --host ADDRESS      where health and metrics are told (default 127.0.0.1); elsewhere a token is needed
  --port N            their port (default ${defaultPort}; 0: any free one)
  --help              this page

Secrets come from systemd's credentials ($CREDENTIALS_DIRECTORY: client-secret.<client id>, channel.<id>,
team-password, metrics-token), or from the keychain.`

/** Reads the command line (without node and script). Throws an Error with one plain sentence for an invalid one. */
export function readHeadlessArgs(argv: string[]): HeadlessArgs {
  const { values } = parseArgs({ args: argv, strict: true, options })
  const port = /^\d{1,5}$/u.test(values.port) ? Number(values.port) : Number.NaN
  if (!(port <= 65_535)) throw new Error('--port needs a whole number from 0 to 65535.')
  if (values.host.trim() === '') throw new Error('--host needs an address.')
  const { profile = null, connections = null, channels = null, team = null, host } = values
  return { profile, connections, channels, team, host, port }
}

const headlessFlag = '--headless'

/**
 * Flags of Chromium and Electron that may stand on the application's command line beside those of Muster: an AppImage
 * adds the first one, and the others are for units. Any other flag is an error, as a mistyped one must be.
 */
const runtimeFlag = /^--(no-sandbox|disable-gpu|enable-logging|ozone-platform)(=|$)/u

/**
 * Returns the flags behind `muster --headless` (without program and script); null for a start with a window. Arguments
 * behind `--` are links, which come from anywhere.
 */
export function headlessFlags(argv: readonly string[]): string[] | null {
  const end = argv.indexOf('--')
  const flags = end === -1 ? argv : argv.slice(0, end)
  if (!flags.includes(headlessFlag)) return null
  return flags.filter((flag) => flag !== headlessFlag && !runtimeFlag.test(flag))
}
