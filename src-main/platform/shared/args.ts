import { parseArgs } from 'node:util'

/** The command line of a shell. The flags are those of `npm start` (scripts/start/flags.mjs). */
export interface StartArgs {
  /** Open the browser. */
  open: boolean
  /** 0: any free port; null: the last one, if it is free, so that an open window finds Muster again. */
  port: number | null
  /** Folder of the profile; null: the default. */
  profile: string | null
  /** Open the wall display. */
  wall: boolean
  /** Show the demo fleet. */
  demo: boolean
  /** Devices in the demo fleet; null: the service's default. */
  devices: number | null
}

const options = {
  // Unused in this shell; the start script chooses by it.
  web: { type: 'boolean' },
  'no-open': { type: 'boolean', default: false },
  port: { type: 'string' },
  profile: { type: 'string' },
  devices: { type: 'string' },
  'no-demo': { type: 'boolean', default: false },
  wall: { type: 'boolean', default: false },
} as const

/** Returns the flags that `readArgs` knows from a command line with others. */
export function knownFlags(argv: readonly string[]): string[] {
  const { tokens } = parseArgs({ args: [...argv], strict: false, allowPositionals: true, tokens: true, options })
  return tokens.flatMap((token) =>
    token.kind === 'option' && token.name in options
      ? [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`]
      : [],
  )
}

/** Reads the command line (without node and script). Throws an Error with one plain sentence for an invalid one. */
export function readArgs(argv: string[]): StartArgs {
  const missing = argv.find((flag, at) => takesValue(flag) && (argv[at + 1] ?? '--').startsWith('--'))
  if (missing !== undefined) throw new Error(`${missing} needs a value behind it.`)
  const { values } = parseArgs({ args: argv, strict: true, options })
  return {
    open: !values['no-open'],
    port: values.port === undefined ? null : parseInteger('port', values.port, 0, 65_535),
    profile: values.profile ?? null,
    wall: values.wall,
    demo: !values['no-demo'],
    devices: values.devices === undefined ? null : parseInteger('devices', values.devices, 1, 9_999_999),
  }
}

const takesValue = (flag: string): boolean =>
  Object.entries(options).some(([name, { type }]) => type === 'string' && flag === `--${name}`)

function parseInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Error(`--${name} needs a whole number from ${min} to ${max}.`)
}
