import { arch, release, type as systemType, version as systemVersion } from 'node:os'
import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'

export interface About {
  version: string
  shell: 'web' | 'electron'
  /** Whether the page has Chromium's sandbox; left out where a browser shows it. */
  sandbox?: boolean
}

/** What runs here, and how. Electron, Chromium and the sandbox are there in the desktop application alone. */
export function versionsOf({ version, shell, sandbox }: About): Diagnostics['versions'] {
  const { electron, chrome, node, sqlite, openssl } = process.versions
  const parts: [string, string | undefined][] = [
    ['Muster', version],
    ['Shell', shell === 'electron' ? 'desktop application' : 'browser'],
    ['Sandbox', sandbox === undefined ? undefined : sandbox ? 'on' : 'off: started with --no-sandbox'],
    ['Electron', electron],
    ['Chromium', chrome],
    ['Node', node],
    ['SQLite', sqlite],
    ['OpenSSL', openssl],
    ['System', `${systemType()} ${release()} (${arch()})`],
    ['System version', systemVersion()],
  ]
  return parts.flatMap(([name, found]) => (found === undefined || found === '' ? [] : [{ name, version: found }]))
}
