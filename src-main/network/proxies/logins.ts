import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { createListeners } from '../../../src-shared/lib/listeners.ts'
import { FaultError, toFault } from '../../../src-shared/model/fault.ts'
import type { ProxyState } from '../../../src-shared/model/environment.ts'
import { oneByOne } from '../../../src-shared/lib/one-by-one.ts'
import type { ProxyLogin, ProxyLogins, Secrets, Settings } from '../../ports.ts'
import { savingSettings } from '../../settings/saving.ts'
import { loginFrom, proxyAddress, type ProxyEnv } from './environment.ts'

/** The proxies that have a login in the keychain, by host and port; the logins themselves are there alone. */
const settingsKey = 'proxies'
const addresses = z.array(z.string().min(1)).catch([])
const stored = z.object({ name: z.string(), password: z.string() })

/** A login that was refused is told again after this: the proxy may have been wrong, and one that is told at each try locks its account. Milliseconds. */
const refusedFor = 15 * 60_000

interface Keeping {
  clock: Pick<Clock, 'monotonic'>
  settings: Pick<Settings, 'get' | 'set'>
  secrets: Pick<Secrets, 'get' | 'set' | 'remove' | 'onChange'>
  env: ProxyEnv
}

/**
 * Names and passwords for proxies: what the operator gave for one, else what HTTPS_PROXY carries. Every new connection
 * asks, so what was read of the keychain is kept in memory.
 */
export function openProxyLogins({ clock, settings, secrets, env }: Keeping): ProxyLogins {
  const known = openKnown(settings)
  const inKeychain = openKept(secrets)
  const { emit, on: onChange } = createListeners()
  const troubles = openTroubles(clock, emit)
  const replaced = openReplaced(inKeychain.forget)
  const alone = oneByOne()
  const settle = (address: string) => {
    troubles.forget(address)
    replaced.one(address)
    emit()
  }
  const isKept = (address: string) => known.has(address) && !inKeychain.lacks(address)
  const stateOf = (address: string): ProxyState => ({
    address,
    state: troubles.of(address) ?? (isKept(address) ? 'kept' : 'asked'),
    kept: isKept(address),
  })
  const refuseUnknown = (address: string) => {
    // A page that took the window's place could else fill the keychain.
    if (!known.has(address) && !troubles.addresses().includes(address))
      throw new FaultError('input', 'address: No proxy of this address has asked.')
  }
  secrets.onChange(() => {
    replaced.all()
    troubles.opened()
    emit()
  })
  return {
    answer: async (host, port) => {
      const login = await lookUp(proxyAddress(host, port), { known, inKeychain, troubles, replaced })
      return login === 'none' ? loginFrom(env, host, port) : login
    },
    heard(host, port, said) {
      const address = proxyAddress(host, port)
      troubles.heard(address, said)
      return stateOf(address).state
    },
    states: () => [...new Set([...troubles.addresses(), ...known.all()])].toSorted().map(stateOf),
    save: (address, login) =>
      alone(async () => {
        refuseUnknown(address)
        const before = known.all()
        // First: what lies in the keychain is always listed, and so can be wiped.
        known.keep(new Set([...before, address]))
        try {
          await secrets.set(accountOf(address), JSON.stringify(login))
        } catch (error) {
          known.keep(before)
          throw error
        }
        settle(address)
      }),
    forget: (address) =>
      alone(async () => {
        refuseUnknown(address)
        if (known.has(address)) await secrets.remove(accountOf(address))
        known.keep(new Set([...known.all()].filter((each) => each !== address)))
        settle(address)
      }),
    onChange,
    onReplaced: replaced.on,
  }
}

/** The login in the keychain; null where it cannot be had now, or holds no longer; `none` where none was given. */
async function lookUp(
  address: string,
  { known, inKeychain, troubles, replaced }: Parts,
): Promise<ProxyLogin | null | 'none'> {
  for (;;) {
    if (troubles.holds(address)) return null
    const at = replaced.times()
    const login = known.has(address) ? await inKeychain.look(address) : null
    // What came from the keychain while it was changed there may be the former one.
    if (replaced.times() !== at) continue
    if (login === 'locked') return troubles.lock(address)
    if (known.has(address)) inKeychain.found(address, login)
    return login ?? 'none'
  }
}

interface Parts {
  known: ReturnType<typeof openKnown>
  inKeychain: ReturnType<typeof openKept>
  troubles: ReturnType<typeof openTroubles>
  replaced: ReturnType<typeof openReplaced>
}

/** Addresses of the proxies whose login was given to Muster: they stand in the settings. */
function openKnown(settings: Pick<Settings, 'get' | 'set'>) {
  let known: ReadonlySet<string> = new Set(addresses.parse(settings.get(settingsKey) ?? []))
  return {
    has: (address: string) => known.has(address),
    all: () => known,
    keep(now: ReadonlySet<string>) {
      savingSettings(() => settings.set(settingsKey, [...now]))
      known = now
    },
  }
}

/** What the keychain has of each proxy, read once until it is another one. */
function openKept(secrets: Pick<Secrets, 'get'>) {
  const read = new Map<string, ProxyLogin>()
  const missing = new Set<string>()
  return {
    look: async (address: string) => read.get(address) ?? (await secretOf(secrets, address)),
    found(address: string, login: ProxyLogin | null) {
      if (login === null) missing.add(address)
      else read.set(address, login)
    },
    /** It should be there, and is not: the keychain is another one than before. */
    lacks: (address: string) => missing.has(address),
    forget() {
      read.clear()
      missing.clear()
    },
  }
}

/** Counts the changes of what is kept, and tells whose login holds no longer. `forgetRead` forgets what was read of the keychain. */
function openReplaced(forgetRead: () => void) {
  const listeners = createListeners<[address: string]>()
  let times = 0
  const all = () => {
    times += 1
    forgetRead()
  }
  return {
    times: () => times,
    all,
    one(address: string) {
      all()
      listeners.emit(address)
    },
    on: listeners.on,
  }
}

/** What stands between Muster and each proxy, by address; `onChange` hears whenever that is something else. */
function openTroubles(clock: Keeping['clock'], onChange: () => void) {
  const standing = new Map<string, 'wanted' | 'refused' | 'locked'>()
  const locked = new Set<string>()
  /** That they have asked is still so when a login was given or forgotten: another one can be given before they ask again. */
  const asked = new Set<string>()
  const refusedAt = new Map<string, number>()
  const asking = (address: string, said: 'wanted' | 'refused'): 'wanted' | 'refused' | 'locked' =>
    refusedAt.has(address) ? 'refused' : locked.has(address) ? 'locked' : said
  return {
    of: (address: string) => standing.get(address) ?? null,
    /** Those that something stands between, and those whose login was given or forgotten. */
    addresses: () => [...new Set([...standing.keys(), ...asked])],
    /** Whether what is known was refused a short while ago, and is not told again yet. */
    holds: (address: string) => clock.monotonic() - (refusedAt.get(address) ?? -Infinity) < refusedFor,
    heard(address: string, said: 'wanted' | 'refused' | 'taken') {
      if (said === 'refused') refusedAt.set(address, clock.monotonic())
      if (said === 'taken') refusedAt.delete(address)
      if (said === 'taken') locked.delete(address)
      const [before, now] = [standing.get(address), said === 'taken' ? undefined : asking(address, said)]
      if (before === now) return
      if (now === undefined) standing.delete(address)
      else standing.set(address, now)
      onChange()
    },
    /** What is kept for it could not be read: the next time that it asks is a wait for the keychain. */
    lock(address: string) {
      locked.add(address)
      return null
    },
    /** The keychain is another than before: what waited for it is asked anew. */
    opened() {
      for (const address of locked) if (standing.get(address) === 'locked') standing.delete(address)
      locked.clear()
    },
    forget(address: string) {
      standing.delete(address)
      locked.delete(address)
      refusedAt.delete(address)
      asked.add(address)
    },
  }
}

const accountOf = (address: string): string => `proxy ${address}`

/** Where the keychain is locked nothing else is told in its place: whatever waits for it goes on when it opens. */
async function secretOf(secrets: Pick<Secrets, 'get'>, address: string): Promise<ProxyLogin | 'locked' | null> {
  try {
    const login = stored.safeParse(JSON.parse((await secrets.get(accountOf(address))) ?? 'null'))
    return login.success ? login.data : null
  } catch (error) {
    return toFault(error).kind === 'keychain-locked' ? 'locked' : null
  }
}
