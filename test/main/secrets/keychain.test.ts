import { describe, expect, it } from 'vitest'
import { openSecrets } from '../../../src-main/secrets/keychain.ts'
import type { Keytar } from '../../../src-main/secrets/vault.ts'
import { openMemory } from '../../../src-main/secrets/memory.ts'
import type { Secrets } from '../../../src-main/ports.ts'
import { manualClock } from '../../support/clock.ts'
import { noKeychain, onPrivateBus, unlockedKeyring } from '../../support/private-bus.ts'

/** The promises of every keeper of secrets; the program checks the same with the real keychain. */
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

/** Behaves as keytar, or fails as the test says. */
function keytar(overrides: Partial<Keytar> = {}): Keytar {
  const kept = new Map<string, string>()
  return {
    getPassword: async (service, account) => kept.get(`${service}/${account}`) ?? null,
    setPassword: async (service, account, password) => void kept.set(`${service}/${account}`, password),
    deletePassword: async (service, account) => kept.delete(`${service}/${account}`),
    ...overrides,
  }
}

/** The lock state where the system does not report it. */
const isLocked = async () => null

const never = () => new Promise<never>(() => {})
const refuse = async () => Promise.reject(new Error('org.freedesktop.Secret: hunter2'))

describe('secrets', () => {
  it('memory keeps them for this session', async () => {
    const secrets = openMemory('this session only')
    expect([secrets.kind, secrets.detail]).toEqual(['session', 'this session only'])
    expect(await contract(secrets)).toEqual([null, 'sëcond 🔑', null])
  })

  const why = noKeychain()
  const real = (name: string) => `${name}${why === '' ? '' : ` (skipped: ${why})`}`
  const withReal = it.skipIf(why !== '')

  withReal(real('a real gnome-keyring keeps them, profile by profile'), { timeout: 60_000 }, () => {
    expect(onPrivateBus('keeps', unlockedKeyring)).toEqual({
      kind: 'keychain',
      detail: 'Secret Service',
      seen: [null, 'sëcond 🔑', null, null],
    })
  })

  withReal(
    real('where nobody ever made a keyring there is no keychain, and the session keeps them'),
    { timeout: 60_000 },
    () => {
      const told = onPrivateBus('keeps', '') as { detail: string }
      expect(told).toMatchObject({ kind: 'session', seen: [null, 'sëcond 🔑', null, null] })
      expect(told.detail).toBe('this session only: Secret Service is not available')
    },
  )

  withReal(
    real(
      'a real gnome-keyring that is locked, before or while it is used, takes what was typed as soon as it is unlocked',
    ),
    { timeout: 60_000 },
    () => {
      expect(onPrivateBus('locks', unlockedKeyring)).toEqual({
        seen: [
          'locked',
          'keychain-locked: Secret Service',
          'locked',
          'typed',
          'from before',
          'typed',
          'keychain-locked: Secret Service',
          'locked',
          'typed later',
        ],
      })
    },
  )

  withReal(
    real(
      'a real gnome-keyring that is locked, or was changed behind Muster: the secret is asked for, and nothing else is lost',
    ),
    { timeout: 60_000 },
    () => {
      const [open, locked] = ['keychain: Secret Service', 'locked: Secret Service is locked, or does not answer']
      const all = { name: 'Acme', devices: 40, notices: [] }
      const live = { ...all, keychain: open, secret: 'keychain', faults: [], seen: 40 }
      const asked = { ...all, keychain: open, secret: 'missing', faults: ['no-secret'], seen: 0 }
      expect(onPrivateBus('changes', unlockedKeyring)).toEqual({
        locked: {
          ...all,
          keychain: locked,
          secret: 'missing',
          faults: ['keychain-locked'],
          notices: ['keychain-locked'],
          seen: 0,
        },
        unlocked: live,
        deleted: asked,
        'deleted, typed again': live,
        altered: { ...live, faults: ['credentials'], seen: 0 },
        'altered, typed again': live,
        'typed while locked': { ...live, keychain: locked, secret: 'session', notices: ['keychain-locked'] },
        'at the next start': live,
      })
      expect(onPrivateBus('upgrades', unlockedKeyring)).toEqual({
        'another backend': asked,
        'another backend, typed again': live,
      })
    },
  )

  it('the probe leaves nothing behind', async () => {
    const removed: string[] = []
    const made: string[] = []
    const own = keytar()
    await openSecrets({
      profile: 'p',
      clock: manualClock(),
      load: async () => ({
        ...own,
        setPassword: (service, account, password) => {
          made.push(account)
          return own.setPassword(service, account, password)
        },
        deletePassword: (service, account) => {
          removed.push(account)
          return own.deletePassword(service, account)
        },
      }),
    })
    expect(made).toHaveLength(1)
    expect(removed).toEqual(made)
  })

  it('a missing keychain is reported with its reason', async () => {
    const open = async (load: () => Promise<Keytar>) => {
      const { kind, detail } = await openSecrets({
        profile: 'p',
        clock: manualClock(),
        load,
        platform: 'linux',
        isLocked,
      })
      return [kind, detail]
    }
    expect(await open(refuse)).toEqual(['session', 'this session only: libsecret is not installed'])
    expect(await open(async () => keytar({ setPassword: refuse }))).toEqual([
      'session',
      'this session only: Secret Service is not available',
    ])
    expect(await open(async () => keytar({ getPassword: async () => null }))).toEqual([
      'session',
      'this session only: Secret Service does not give back what it was given',
    ])
    expect(await open(async () => keytar())).toEqual(['keychain', 'Secret Service'])
  })

  it('a keychain that never answers times out after three seconds', async () => {
    const clock = manualClock()
    let opened: Secrets | null = null
    const opening = openSecrets({
      profile: 'p',
      clock,
      load: async () => keytar({ setPassword: never }),
      platform: 'linux',
      isLocked,
    })
    const done = opening.then((secrets) => (opened = secrets))
    await clock.advance(2999)
    expect(opened).toBeNull()
    await clock.advance(1)
    expect(await done).toMatchObject({ kind: 'locked', detail: 'Secret Service is locked, or does not answer' })
    ;(await done).stop()
    expect(clock.pending()).toBe(0)
  })

  it('a keychain error is a fault, without its message or the secret', async () => {
    const own = keytar()
    let broken = false
    const load = async () => ({
      ...own,
      setPassword: (...given: [string, string, string]) => (broken ? refuse() : own.setPassword(...given)),
    })
    const secrets = await openSecrets({ profile: 'p', clock: manualClock(), load, platform: 'linux', isLocked })
    broken = true
    await expect(secrets.set('a', 'hunter2')).rejects.toMatchObject({
      message: 'keychain: Secret Service refused',
      fault: { kind: 'keychain' },
    })
  })
})
