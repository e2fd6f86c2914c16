import { describe, expect, it } from 'vitest'
import { openSecrets } from '../../../src-main/secrets/keychain.ts'
import type { Keytar } from '../../../src-main/secrets/vault.ts'
import { manualClock } from '../../support/clock.ts'

/** A keychain as Secret Service behaves when it is locked: it has nothing, takes nothing, and says so when it is asked. */
function lockable(locked: boolean) {
  const kept = new Map<string, string>()
  const own = { locked, refuses: false, kept, probes: 0, asked: null as null | Promise<void> }
  const keytar: Keytar = {
    getPassword: async (_service, account) => (own.locked ? null : (kept.get(account) ?? null)),
    async setPassword(_service, account, password) {
      if (account.startsWith('probe')) own.probes += 1
      await own.asked
      if (own.locked || own.refuses) throw new Error('Cannot create an item in a locked collection')
      kept.set(account, password)
    },
    deletePassword: async (_service, account) => !own.locked && kept.delete(account),
  }
  const clock = manualClock()
  const open = () =>
    openSecrets({ profile: 'p', clock, load: async () => keytar, platform: 'linux', isLocked: async () => own.locked })
  return { own, clock, open }
}

const fault = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: Error) => error.message,
  )

describe('a locked keychain', () => {
  it('keeps typed secrets in memory, and stores them by itself when it is unlocked', async () => {
    const { own, clock, open } = lockable(true)
    const secrets = await open()
    const told: string[] = []
    secrets.onChange(() => told.push(secrets.kind))
    expect([secrets.kind, secrets.detail]).toEqual(['locked', 'Secret Service is locked, or does not answer'])
    await secrets.set('a', 'first')
    await secrets.set('a', 'second')
    await secrets.set('b', 'other')
    expect([await secrets.get('a'), [...own.kept]]).toEqual(['second', []])
    own.locked = false
    await clock.advance(3_000)
    expect([told, secrets.kind, secrets.detail]).toEqual([['keychain'], 'keychain', 'Secret Service'])
    expect([...own.kept]).toEqual([
      ['a', 'second'],
      ['b', 'other'],
    ])
    expect([await secrets.get('a'), clock.pending()]).toEqual(['second', 0])
  })

  it('does not claim to be empty: its content is unknown before it is unlocked', async () => {
    const { own, clock, open } = lockable(true)
    own.kept.set('a', 'from before')
    const secrets = await open()
    expect(await fault(secrets.get('a'))).toBe('keychain-locked: Secret Service')
    expect(await fault(secrets.remove('a'))).toBe('keychain-locked: Secret Service')
    own.locked = false
    await clock.advance(3_000)
    expect(await secrets.get('a')).toBe('from before')
    secrets.stop()
  })

  it("is not asked to unlock by a timer: only a person's action asks", async () => {
    const { own, clock, open } = lockable(true)
    const secrets = await open()
    await clock.advance(600_000)
    expect(own.probes).toBe(1)
    await secrets.unlock()
    expect(own.probes).toBe(2)
    await secrets.set('a', 'typed')
    expect(own.probes).toBe(3)
    secrets.stop()
    await clock.advance(0)
    expect(clock.pending()).toBe(0)
  })

  it('a question that is answered late unlocks it all the same', async () => {
    const { own, clock, open } = lockable(true)
    const { promise, resolve } = Promise.withResolvers<void>()
    own.asked = promise
    const opening = open()
    await clock.advance(3_000)
    const secrets = await opening
    await secrets.set('a', 'typed')
    let done = false
    void secrets.unlock().then(() => (done = true))
    await clock.advance(60_000)
    expect([done, own.probes, secrets.kind]).toEqual([true, 1, 'locked'])
    own.locked = false
    resolve()
    await clock.advance(0)
    await expect.poll(() => [secrets.kind, own.kept.get('a')]).toEqual(['keychain', 'typed'])
    expect(clock.pending()).toBe(0)
  })

  it('that is locked while Muster runs is no empty keychain either', async () => {
    const { own, clock, open } = lockable(false)
    const secrets = await open()
    await secrets.set('a', 'first')
    own.locked = true
    expect(await fault(secrets.get('a'))).toBe('keychain-locked: Secret Service')
    expect(secrets.kind).toBe('locked')
    own.locked = false
    await clock.advance(3_000)
    expect([await secrets.get('a'), secrets.kind]).toEqual(['first', 'keychain'])
    own.locked = true
    await secrets.set('b', 'typed')
    expect([secrets.kind, await secrets.get('b'), own.kept.has('b')]).toEqual(['locked', 'typed', false])
    own.locked = false
    await clock.advance(3_000)
    expect([secrets.kind, own.kept.get('b')]).toEqual(['keychain', 'typed'])
    own.locked = true
    expect(await fault(secrets.remove('b'))).toBe('keychain-locked: Secret Service')
    secrets.stop()
  })

  it('that is unlocked and rejects secrets keeps them waiting, without removed ones', async () => {
    const { own, clock, open } = lockable(true)
    const secrets = await open()
    await secrets.set('a', 'first')
    await secrets.set('b', 'other')
    own.locked = false
    own.refuses = true
    await clock.advance(3_000)
    expect([secrets.kind, await secrets.get('a')]).toEqual(['locked', 'first'])
    await fault(secrets.remove('b'))
    own.refuses = false
    await clock.advance(3_000)
    expect([secrets.kind, [...own.kept]]).toEqual(['keychain', [['a', 'first']]])
  })
})
