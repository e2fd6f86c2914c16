import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright'

/** Starts Chromium as the end-to-end tests do: only the page itself uses the network. */
export function launchChromium(): Promise<Browser> {
  const found = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (file) => file !== undefined && existsSync(file),
  )
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
  ]
  return chromium.launch({ ...(found === undefined ? {} : { executablePath: found }), args: [...sandbox, ...quiet] })
}
