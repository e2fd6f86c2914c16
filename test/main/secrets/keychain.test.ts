import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSecrets, type Keytar } from '../../../src-main/secrets/keychain.ts'
import { openMemory } from '../../../src-main/secrets/memory.ts'
import type { Secrets } from '../../../src-main/ports.ts'
import { manualClock } from '../../support/clock.ts'

const program = fileURLToPath(new URL('keychain.program.ts', import.meta.url))

/** Why a real keychain cannot be had here; '' when it can. */
function missing(): string {
  if (process.platform !== 'linux') return `no private keychain on ${process.platform}`
  const absent = ['gnome-keyring-daemon', 'dbus-run-session'].filter((name) => spawnSync('which', [name]).status !== 0)
  return absent.length === 0 ? '' : `${absent.join(' and ')} not installed`
}

/** Runs the program on a session bus, home and keyring of its own. */
function onPrivateBus(before: string): { kind: string; detail: string; seen: unknown[] } {
  const home = mkdtempSync(path.join(tmpdir(), 'muster-keychain-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const runtime = path.join(home, 'run')
  mkdirSync(runtime)
  chmodSync(runtime, 0o700)
  const script = `${before} '${process.execPath}' '${program}'`
  const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: runtime, XDG_DATA_HOME: path.join(home, 'data') }
  const { stdout, stderr } = spawnSync('dbus-run-session', ['--', 'bash', '-c', script], { env, encoding: 'utf8', timeout: 25_000 })
  const line = stdout.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`the program said nothing: ${stderr}`)
  return JSON.parse(line)
}

/** What every keeper of secrets promises; the program does the same with the real keychain. */
async function contract(secrets: Secrets): Promise<unknown[]> {
  const seen: unknown[] = [await secrets.get('a')]
  await secrets.set('a', 'first')
  await secrets.set('a', 'sëcond 🔑')
  seen.push(await secrets.get('a'))
  await secrets.remove('a')
  await secrets.remove('never there')
  seen.push(await secrets.get('a'))
  return seen
}

/** As keytar behaves, or as it was told to fail. */
function keytar(overrides: Partial<Keytar> = {}): Keytar {
  const kept = new Map<string, string>()
  return {
    getPassword: async (service, account) => kept.get(`${service}/${account}`) ?? null,
    setPassword: async (service, account, password) => void kept.set(`${service}/${account}`, password),
    deletePassword: async (service, account) => kept.delete(`${service}/${account}`),
    ...overrides,
  }
}

const never = () => new Promise<never>(() => {})
const refuse = async () => Promise.reject(new Error('org.freedesktop.Secret: hunter2'))

describe('secrets', () => {
  it('memory keeps them for this session', async () => {
    const secrets = openMemory('this session only')
    expect([secrets.kind, secrets.detail]).toEqual(['session', 'this session only'])
    expect(await contract(secrets)).toEqual([null, 'sëcond 🔑', null])
  })

  const why = missing()
  it.skipIf(why !== '')(`a real gnome-keyring keeps them, profile by profile${why === '' ? '' : ` (skipped: ${why})`}`, { timeout: 30_000 }, () => {
    const told = onPrivateBus('printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null &&')
    expect(told).toEqual({ kind: 'keychain', detail: 'Secret Service', seen: [null, 'sëcond 🔑', null, null] })
  })

  it.skipIf(why !== '')(`a keyring that nobody unlocks is no keychain, and the session keeps them${why === '' ? '' : ` (skipped: ${why})`}`, { timeout: 30_000 }, () => {
    const told = onPrivateBus('')
    expect(told).toMatchObject({ kind: 'session', seen: [null, 'sëcond 🔑', null, null] })
    expect(told.detail).toMatch(/^this session only: Secret Service (is not available|is locked or does not answer)$/)
  })

  it('the probe leaves nothing behind', async () => {
    const removed: string[] = []
    const made: string[] = []
    const own = keytar()
    await openSecrets({
      profile: 'p', clock: manualClock(), load: async () => ({
        ...own,
        setPassword: (service, account, password) => { made.push(account); return own.setPassword(service, account, password) },
        deletePassword: (service, account) => { removed.push(account); return own.deletePassword(service, account) },
      }),
    })
    expect(made).toHaveLength(1)
    expect(removed).toEqual(made)
  })

  it('says in words why there is no keychain', async () => {
    const open = async (load: () => Promise<Keytar>) => {
      const { kind, detail } = await openSecrets({ profile: 'p', clock: manualClock(), load, platform: 'linux' })
      return [kind, detail]
    }
    expect(await open(refuse)).toEqual(['session', 'this session only: libsecret is not installed'])
    expect(await open(async () => keytar({ setPassword: refuse }))).toEqual(['session', 'this session only: Secret Service is not available'])
    expect(await open(async () => keytar({ getPassword: async () => null }))).toEqual(['session', 'this session only: Secret Service does not give back what it was given'])
    expect(await open(async () => keytar())).toEqual(['keychain', 'Secret Service'])
  })

  it('waits three seconds for a keychain that never answers, and no longer', async () => {
    const clock = manualClock()
    let opened: Secrets | null = null
    const opening = openSecrets({ profile: 'p', clock, load: async () => keytar({ setPassword: never }), platform: 'linux' })
    const done = opening.then((secrets) => (opened = secrets))
    await clock.advance(2999)
    expect(opened).toBeNull()
    await clock.advance(1)
    expect(await done).toMatchObject({ kind: 'session', detail: 'this session only: Secret Service is locked or does not answer' })
    expect(clock.pending()).toBe(0)
  })

  it('a keychain that fails later is a fault, without its words or the secret', async () => {
    const own = keytar()
    let broken = false
    const load = async () => ({ ...own, setPassword: (...given: [string, string, string]) => (broken ? refuse() : own.setPassword(...given)) })
    const secrets = await openSecrets({ profile: 'p', clock: manualClock(), load, platform: 'linux' })
    broken = true
    await expect(secrets.set('a', 'hunter2')).rejects.toMatchObject({ message: 'keychain: Secret Service refused', fault: { kind: 'keychain' } })
  })
})
