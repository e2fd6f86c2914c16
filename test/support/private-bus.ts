import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('keychain-program.ts', import.meta.url))

/** Why a real keychain cannot be had here; '' when it can. */
export function noKeychain(): string {
  if (process.platform !== 'linux') return `no private keychain on ${process.platform}`
  const absent = ['gnome-keyring-daemon', 'dbus-run-session', 'dbus-send'].filter(
    (name) => spawnSync('which', [name]).status !== 0,
  )
  return absent.length === 0 ? '' : `${absent.join(' and ')} not installed`
}

/**
 * Runs the scenario of `keychain-program.ts` on a session bus, home and keyring of its own, after these lines of shell, and
 * answers what it printed.
 */
export function onPrivateBus(scenario: string, before: string): unknown {
  const home = mkdtempSync(path.join(tmpdir(), 'muster-keychain-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const runtime = path.join(home, 'run')
  mkdirSync(runtime)
  chmodSync(runtime, 0o700)
  const script = `${before}\n'${process.execPath}' --disable-warning=ExperimentalWarning '${program}' ${scenario}`
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    XDG_DATA_HOME: path.join(home, 'data'),
  }
  const { stdout, stderr } = spawnSync('dbus-run-session', ['--', 'bash', '-c', script], {
    env,
    encoding: 'utf8',
    timeout: 50_000,
  })
  const line = stdout.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`the program said nothing: ${stdout} ${stderr}`)
  return JSON.parse(line)
}

/** The line that begins the keyring as a login does (unlocked). */
export const unlockedKeyring = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null'
