import { describe, expect, it } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Secrets } from '../../../src-main/ports.ts'
import { openProxyLogins } from '../../../src-main/network/proxies/logins.ts'
import { manualClock } from '../../support/clock.ts'
import { keychainOf } from '../../support/keychain.ts'

const proxy = ['proxy.test', 3128] as const
const address = 'proxy.test:3128'
const ann = { name: 'ann', password: 'hunter2' }

function open(more: Partial<Secrets> = {}, file = new Map<string, unknown>()) {
  const clock = manualClock()
  const keychain = keychainOf()
  const secrets = { ...keychain, ...more }
  const settings = {
    get: (key: string) => file.get(key),
    set: (key: string, value: unknown) => void file.set(key, value),
  }
  const env = { HTTPS_PROXY: 'http://env:its@proxy.test:3128' }
  const logins = openProxyLogins({ clock, settings, secrets, env })
  const again = () => openProxyLogins({ clock, settings, secrets, env })
  return { clock, logins, again, file, kept: keychain.kept }
}

describe('proxy logins', () => {
  it('an entered login overrides the variable, is only in the keychain, and survives a restart', async () => {
    const { logins, again, file, kept } = open()
    expect(await logins.answer(...proxy)).toEqual({ name: 'env', password: 'its' })
    logins.report(...proxy, 'rejected')
    expect(logins.states()).toEqual([{ address, state: 'rejected', stored: false }])
    await logins.save(address, ann)
    expect([await logins.answer(...proxy), await again().answer('PROXY.test', 3128)]).toEqual([ann, ann])
    expect(again().states()).toEqual([{ address, state: 'stored', stored: true }])
    expect([[...file], [...kept.keys()]]).toEqual([[['proxies', [address]]], [`proxy ${address}`]])
    await logins.forget(address)
    expect([await logins.answer(...proxy), kept.size, file.get('proxies')]).toEqual([
      { name: 'env', password: 'its' },
      0,
      [],
    ])
  })

  it('a login that was rejected once and accepted since is sent again at once', async () => {
    const { logins } = open()
    logins.report(...proxy, 'rejected')
    expect(await logins.answer(...proxy)).toBeNull()
    logins.report(...proxy, 'accepted')
    expect(await logins.answer(...proxy)).toEqual({ name: 'env', password: 'its' })
  })

  it('a login that is no longer in the keychain is not listed as stored', async () => {
    const { logins, kept } = open()
    logins.report(...proxy, 'required')
    await logins.save(address, ann)
    kept.clear()
    const next = open({}, new Map([['proxies', [address]]]))
    expect(await next.logins.answer(...proxy)).toEqual({ name: 'env', password: 'its' })
    next.logins.report(...proxy, 'rejected')
    expect(next.logins.states()).toEqual([{ address, state: 'rejected', stored: false }])
    await next.logins.save(address, ann)
    expect([await next.logins.answer(...proxy), next.logins.states()]).toEqual([
      ann,
      [{ address, state: 'stored', stored: true }],
    ])
  })

  it('a proxy whose login was removed can get another one before it asks again', async () => {
    const { logins, again } = open()
    logins.report(...proxy, 'required')
    await logins.save(address, ann)
    await logins.forget(address)
    expect(logins.states()).toEqual([{ address, state: 'erased', stored: false }])
    logins.report(...proxy, 'required')
    expect(logins.states()).toEqual([{ address, state: 'required', stored: false }])
    await logins.save(address, ann)
    await logins.forget(address)
    await logins.save(address, ann)
    expect([logins.states(), await logins.answer(...proxy)]).toEqual([
      [{ address, state: 'stored', stored: true }],
      ann,
    ])
    await logins.forget(address)
    expect(again().states()).toEqual([])
  })

  it('a rejected login is not sent again until it changes or a quarter of an hour has passed', async () => {
    const { clock, logins } = open()
    expect(logins.report(...proxy, 'rejected')).toBe('rejected')
    expect([await logins.answer(...proxy), logins.report(...proxy, 'required')]).toEqual([null, 'rejected'])
    await clock.advance(15 * 60_000)
    expect(await logins.answer(...proxy)).toEqual({ name: 'env', password: 'its' })
    logins.report(...proxy, 'rejected')
    await logins.save(address, ann)
    expect([await logins.answer(...proxy), logins.report(...proxy, 'accepted')]).toEqual([ann, 'stored'])
  })

  it('a login in a locked keychain is waited for, and no other is sent in its place', async () => {
    let locked = true
    const opened = new Set<() => void>()
    const keychain = keychainOf()
    const { logins } = open(
      {
        ...keychain,
        get: async (account) => {
          if (locked) throw new FaultError('keychain-locked')
          return keychain.get(account)
        },
        onChange: (listener) => {
          opened.add(listener)
          return () => opened.delete(listener)
        },
      },
      new Map([['proxies', [address]]]),
    )
    keychain.kept.set(`proxy ${address}`, JSON.stringify(ann))
    expect([await logins.answer(...proxy), logins.report(...proxy, 'required')]).toEqual([null, 'locked'])
    expect(logins.states()).toEqual([{ address, state: 'locked', stored: true }])
    locked = false
    for (const listener of opened) listener()
    expect(logins.states()).toEqual([{ address, state: 'stored', stored: true }])
    expect([await logins.answer(...proxy), logins.report(...proxy, 'accepted')]).toEqual([ann, 'stored'])
  })

  it('nothing is stored for a proxy that has not asked', async () => {
    const { logins, kept } = open()
    await expect(logins.save('other.test:1', ann)).rejects.toMatchObject({ fault: { kind: 'input' } })
    expect(kept.size).toBe(0)
  })
})

describe("proxy logins and the keychain's answers", () => {
  it('a login that the keychain rejects is neither stored nor listed', async () => {
    const { logins, file } = open({
      set: async () => {
        throw new FaultError('keychain', 'a test')
      },
    })
    logins.report(...proxy, 'required')
    await expect(logins.save(address, ann)).rejects.toMatchObject({ fault: { kind: 'keychain' } })
    expect([logins.states(), file.get('proxies')]).toEqual([[{ address, state: 'required', stored: false }], []])
  })

  it('a locked keychain answers later: listeners are called when it is unlocked', async () => {
    let [locked, opened] = [true, () => {}]
    const { logins } = open(
      {
        get: async () => {
          if (locked) throw new FaultError('keychain-locked')
          return JSON.stringify(ann)
        },
        onChange: (listener) => {
          opened = listener
          return () => {}
        },
      },
      new Map([['proxies', [address]]]),
    )
    let told = 0
    logins.onChange(() => (told += 1))
    expect(await logins.answer(...proxy)).toBeNull()
    locked = false
    opened()
    expect([await logins.answer(...proxy), told]).toEqual([ann, 1])
  })

  it('the state of a proxy is reported once, and ends when it accepts the login', () => {
    const { logins } = open()
    let told = 0
    logins.onChange(() => (told += 1))
    for (const said of ['required', 'required', 'accepted', 'accepted'] as const) logins.report(...proxy, said)
    expect([told, logins.states()]).toEqual([2, []])
  })

  it('a login changed or removed while the keychain answers is no longer sent', async () => {
    const asked: ((secret: string | null) => void)[] = []
    const { logins } = open(
      {
        get: () =>
          new Promise((resolve) => {
            asked.push(resolve)
          }),
      },
      new Map([['proxies', [address]]]),
    )
    const replaced: string[] = []
    const off = logins.onReplaced((each) => replaced.push(each))
    const former = JSON.stringify({ name: 'former', password: 'x' })
    const first = logins.answer(...proxy)
    await logins.save(address, ann)
    asked[0]?.(former)
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.(JSON.stringify(ann))
    // Asked again for the new one, and from then on it is remembered.
    expect([await first, await logins.answer(...proxy), asked.length, replaced]).toEqual([ann, ann, 2, [address]])
    const gone = open(
      {
        get: () =>
          new Promise((resolve) => {
            asked.push(resolve)
          }),
      },
      new Map([['proxies', [address]]]),
    )
    const wiped = gone.logins.answer(...proxy)
    await gone.logins.forget(address)
    asked[2]?.(former)
    expect([await wiped, await gone.logins.answer(...proxy)]).toEqual([
      { name: 'env', password: 'its' },
      { name: 'env', password: 'its' },
    ])
    off()
    await logins.forget(address)
    expect(replaced).toEqual([address])
  })

  it('simultaneous changes run one after the other, and a failed one does not affect the next', async () => {
    const sets: { done: () => void; fail: () => void }[] = []
    const { logins, file } = open({
      set: () =>
        new Promise<void>((resolve, reject) => {
          sets.push({ done: resolve, fail: () => reject(new FaultError('keychain', 'a test')) })
        }),
    })
    for (const host of ['one.test', 'other.test']) logins.report(host, 1, 'required')
    const saved = ['one.test:1', 'other.test:1'].map((each) =>
      logins.save(each, ann).then(
        () => 'stored',
        () => 'rejected',
      ),
    )
    await expect.poll(() => sets.length).toBe(1)
    sets[0]?.fail()
    await expect.poll(() => sets.length).toBe(2)
    sets[1]?.done()
    expect([await Promise.all(saved), file.get('proxies')]).toEqual([['rejected', 'stored'], ['other.test:1']])
  })
})
