import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { createListeners } from '../../../src-shared/lib/listeners.ts'
import { FaultError, toFault } from '../../../src-shared/model/fault.ts'
import type { ProxyState } from '../../../src-shared/model/environment.ts'
import { oneByOne } from '../../../src-shared/lib/one-by-one.ts'
import type { ProxyLogin, ProxyLogins, Secrets, Settings } from '../../ports.ts'
import { savingSettings } from '../../settings/saving.ts'
import { loginFrom, proxyAddress, type ProxyEnv } from './environment.ts'

/** Settings key of the proxies with a login in the keychain, by host and port; the logins are only there. */
const settingsKey = 'proxies'
const addresses = z.array(z.string().min(1)).catch([])
const stored = z.object({ name: z.string(), password: z.string() })

/**
 * A rejected login is tried again after this many ms: the proxy may have been wrong, and trying at each request would
 * lock the account.
 */
const refusedFor = 15 * 60_000

interface Keeping {
  clock: Pick<Clock, 'monotonic'>
  settings: Pick<Settings, 'get' | 'set'>
  secrets: Pick<Secrets, 'get' | 'set' | 'remove' | 'onChange'>
  env: ProxyEnv
}

/**
 * Opens the logins for proxies: the operator's, otherwise those in HTTPS_PROXY. Each new connection asks for them, so
 * the keychain's are cached in memory.
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
    // Otherwise a page that replaced the window's could fill the keychain.
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
        // Stored first: a login in the keychain is always listed, and so can be removed.
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

/** Returns the login in the keychain; null where it is unavailable or rejected; `none` where there is none. */
async function lookUp(
  address: string,
  { known, inKeychain, troubles, replaced }: Parts,
): Promise<ProxyLogin | null | 'none'> {
  for (;;) {
    if (troubles.holds(address)) return null
    const at = replaced.times()
    const login = known.has(address) ? await inKeychain.look(address) : null
    // A login that was read during a change may be the former one.
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

/** Addresses of the proxies whose login the operator gave, from the settings. */
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

/** Caches the keychain's login of each proxy until it changes. */
function openKept(secrets: Pick<Secrets, 'get'>) {
  const read = new Map<string, ProxyLogin>()
  const missing = new Set<string>()
  return {
    look: async (address: string) => read.get(address) ?? (await secretOf(secrets, address)),
    found(address: string, login: ProxyLogin | null) {
      if (login === null) missing.add(address)
      else read.set(address, login)
    },
    /** Returns whether a login is missing that should be there: it is another keychain. */
    lacks: (address: string) => missing.has(address),
    forget() {
      read.clear()
      missing.clear()
    },
  }
}

/** Counts the changes of logins, and reports whose login was replaced. `forgetRead` clears the cache. */
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

/** The problem of each proxy, by address; calls `onChange` when it changes. */
function openTroubles(clock: Keeping['clock'], onChange: () => void) {
  const standing = new Map<string, 'wanted' | 'refused' | 'locked'>()
  const locked = new Set<string>()
  /** Proxies whose login was saved or removed have asked too: another one can be given before they ask again. */
  const asked = new Set<string>()
  const refusedAt = new Map<string, number>()
  const asking = (address: string, said: 'wanted' | 'refused'): 'wanted' | 'refused' | 'locked' =>
    refusedAt.has(address) ? 'refused' : locked.has(address) ? 'locked' : said
  return {
    of: (address: string) => standing.get(address) ?? null,
    /** Returns the proxies with a problem, and those whose login was saved or removed. */
    addresses: () => [...new Set([...standing.keys(), ...asked])],
    /** Returns whether the known login was rejected recently, and is not tried yet. */
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
    /** Records that the login could not be read: the next request waits for the keychain. */
    lock(address: string) {
      locked.add(address)
      return null
    },
    /** Handles an unlocked keychain: clears the problems that it caused. */
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

/**
 * Returns the login in the keychain; null: none; `locked`: no other login replaces it, and requests continue when the
 * keychain is unlocked.
 */
async function secretOf(secrets: Pick<Secrets, 'get'>, address: string): Promise<ProxyLogin | 'locked' | null> {
  try {
    const login = stored.safeParse(JSON.parse((await secrets.get(accountOf(address))) ?? 'null'))
    return login.success ? login.data : null
  } catch (error) {
    return toFault(error).kind === 'keychain-locked' ? 'locked' : null
  }
}
