import { spawn } from 'node:child_process'
import type { Log } from '../ports.ts'

/**
 * Opens an address in the default browser. When that does not work it is only a line in the log: the address is on
 * stdout as well.
 */
export function openBrowser(url: string, log: Log, platform: NodeJS.Platform = process.platform): void {
  const [command, args] = opener(url, platform)
  const child = spawn(command, args, { stdio: 'ignore', detached: platform !== 'win32', windowsHide: true })
  child.on('error', () => log('info', 'no browser could be opened; the address is printed'))
  child.on('exit', (code) => {
    if (code !== 0) log('info', 'no browser could be opened; the address is printed')
  })
  child.unref()
}

/** The address holds no character that `cmd` would read (its key is base64url), and is an argument of its own. */
function opener(url: string, platform: NodeJS.Platform): [string, string[]] {
  if (platform === 'darwin') return ['open', [url]]
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]]
  return ['xdg-open', [url]]
}
