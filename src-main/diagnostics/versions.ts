import { arch, release, type as systemType, version as systemVersion } from 'node:os'
import type { Diagnostics } from '../../src-shared/diagnostics.ts'

/** What runs here. Electron and Chromium are there in the desktop application alone. */
export function versionsOf({ version, shell }: { version: string; shell: 'web' | 'electron' }): Diagnostics['versions'] {
  const { electron, chrome, node, sqlite, openssl } = process.versions
  const parts: [string, string | undefined][] = [
    ['Muster', version], ['Shell', shell === 'electron' ? 'desktop application' : 'browser'], ['Electron', electron], ['Chromium', chrome],
    ['Node', node], ['SQLite', sqlite], ['OpenSSL', openssl], ['System', `${systemType()} ${release()} (${arch()})`], ['System version', systemVersion()],
  ]
  return parts.flatMap(([name, found]) => (found === undefined || found === '' ? [] : [{ name, version: found }]))
}
