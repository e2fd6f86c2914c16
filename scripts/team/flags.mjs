const defaultDevices = 2000
const maxDevices = 1_000_000

/** @returns {string} what `npm run team -- --help` prints */
export function usage() {
  return [
    'Usage: npm run team -- [flags]',
    '',
    'Starts a PostgreSQL, the reference service and three consoles that share them as a team, all in one temporary folder.',
    '',
    `  --devices N   size of the fleet (default ${defaultDevices})`,
    '  --no-open     open no browser, only print the addresses',
    '  --help        this page',
  ].join('\n')
}

/**
 * @param {string[]} argv without node and script
 * @returns {{ help: boolean, open: boolean, devices: number } | { error: string }}
 */
export function readFlags(argv) {
  const flags = { help: false, open: true, devices: defaultDevices }
  for (let index = 0; index < argv.length; index += 1) {
    const [name, ...rest] = argv[index].split('=')
    if (name === '--help' || name === '-h') flags.help = true
    else if (name === '--no-open' && rest.length === 0) flags.open = false
    else if (name === '--devices') {
      const text = rest.length > 0 ? rest.join('=') : (argv[(index += 1)] ?? '')
      flags.devices = /^\d{1,7}$/.test(text) ? Number(text) : 0
      if (flags.devices < 1 || flags.devices > maxDevices)
        return { error: `--devices needs a whole number from 1 to ${maxDevices}.` }
    } else return { error: `There is no flag "${argv[index]}". Try: npm run team -- --help` }
  }
  return flags
}
