/**
 * The flags of `npm start`: the one list that the start script checks (before anything is installed) and passes on to a
 * shell, which parses them again (src-main/platform/shared/args.ts) since it can be run directly.
 * @type {{ name: string, value: string | null, text: string }[]}
 */
export const startFlags = [
  { name: 'web', value: null, text: 'in the browser, even where the desktop window is available' },
  { name: 'no-open', value: null, text: 'in the browser: open nothing, only print the address' },
  {
    name: 'port',
    value: 'N',
    text: 'in the browser: the port on 127.0.0.1 (0: any free one; default: the last one, if free)',
  },
  { name: 'profile', value: 'DIR', text: 'the folder of settings, cache and journal' },
  { name: 'devices', value: 'N', text: 'size of the demo fleet (default 5000)' },
  { name: 'wall', value: null, text: 'with the wall display, for a screen that many people watch' },
  { name: 'no-demo', value: null, text: 'without the demo fleet: your own connections only' },
]

/** @returns {string} what `npm start -- --help` prints */
export function usage() {
  const head = (flag) => `  --${flag.name}${flag.value === null ? '' : ` ${flag.value}`}`
  const lines = startFlags.map((flag) => `${head(flag).padEnd(18)}${flag.text}`)
  return ['Usage: npm start -- [flags]', '', ...lines, '  --help          this page'].join('\n')
}

/**
 * Reads a command line of the flags above.
 * @param {string[]} argv without node and script
 * @returns {{ help: boolean, args: string[] } | { error: string }} `args`: the shell's arguments, in `--name=value` form
 */
export function readFlags(argv) {
  const args = []
  for (let index = 0; index < argv.length; index += 1) {
    const [name, ...rest] = argv[index].replace(/^--/, '').split('=')
    if (argv[index] === '--help' || argv[index] === '-h') return { help: true, args: [] }
    const flag = argv[index].startsWith('--') ? startFlags.find((known) => known.name === name) : undefined
    if (flag === undefined) return { error: `Muster does not know "${argv[index]}". Try: npm start -- --help` }
    if (flag.value === null) {
      if (rest.length > 0) return { error: `--${name} takes no value.` }
      args.push(`--${name}`)
      continue
    }
    const value = rest.length > 0 ? rest.join('=') : argv[(index += 1)]
    const problem = problemOf(flag, value)
    if (problem !== null) return { error: problem }
    args.push(`--${name}=${value}`)
  }
  return { help: false, args }
}

function problemOf(flag, value) {
  if (value === undefined || value === '' || value.startsWith('--'))
    return `--${flag.name} needs a value (${flag.value}).`
  if (flag.value !== 'N') return null
  if (!/^\d{1,7}$/.test(value)) return `--${flag.name} needs a whole number.`
  if (flag.name === 'port' && Number(value) > 65_535) return '--port is at most 65535.'
  if (flag.name === 'devices' && Number(value) === 0) return '--devices is at least 1.'
  return null
}
