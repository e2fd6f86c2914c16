import { spawn } from 'node:child_process'
import type { Log } from '../../../ports.ts'
import { keyOf, removeSignInPages, writeSignInPage } from '../../shared/sign-in-page.ts'

/**
 * Opens an address of Muster in the default browser, by a page in the profile: the address contains a key, and
 * arguments of programs can be read by every user of the computer. A failure is only logged: the address is on stdout
 * too.
 */
export function openBrowser(
  url: string,
  profile: string,
  log: Log,
  platform: NodeJS.Platform = process.platform,
): void {
  const failed = () => {
    removeSignInPages(profile, keyOf(url))
    log('info', 'no browser could be opened; the address is printed')
  }
  try {
    const [command, args] = opener(writeSignInPage(profile, url), platform)
    const child = spawn(command, args, { stdio: 'ignore', detached: platform !== 'win32', windowsHide: true })
    child.on('error', failed)
    child.on('exit', (code) => {
      if (code !== 0) failed()
    })
    child.unref()
  } catch {
    failed()
  }
}

function opener(file: string, platform: NodeJS.Platform): [string, string[]] {
  if (platform === 'darwin') return ['open', [file]]
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', file]]
  return ['xdg-open', [file]]
}
