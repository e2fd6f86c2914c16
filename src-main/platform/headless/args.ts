import { parseArgs } from 'node:util'

/** The command line of `npm run headless`. */
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

export const headlessUsage = `Usage: npm run headless -- [flags]

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
