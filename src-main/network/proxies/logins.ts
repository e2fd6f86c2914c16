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
const retryAfterMs = 15 * 60_000

interface LoginsOptions {
  clock: Pick<Clock, 'monotonic'>
  settings: Pick<Settings, 'get' | 'set'>
  secrets: Pick<Secrets, 'get' | 'set' | 'remove' | 'onChange'>
  env: ProxyEnv
}

/**
 * Opens the logins for proxies: the operator's, otherwise those in HTTPS_PROXY. Each new connection asks for them, so
 * the keychain's are cached in memory.
 */
export function openProxyLogins({ clock, settings, secrets, env }: LoginsOptions): ProxyLogins {
  const known = openAddresses(settings)
  const keychain = openKeychain(secrets)
  const { emit, on: onChange } = createListeners()
  const problems = openProblems(clock, emit)
  const replacements = openReplacements(keychain.forget)
  const serially = oneByOne()
  const settle = (address: string) => {
    problems.forget(address)
    replacements.replace(address)
    emit()
  }
  const isStored = (address: string) => known.has(address) && !keychain.isMissing(address)
  const stateOf = (address: string): ProxyState => ({
    address,
    state: problems.of(address) ?? (isStored(address) ? 'stored' : 'erased'),
    stored: isStored(address),
  })
  const rejectUnknown = (address: string) => {
    // Otherwise a page that replaced the window's could fill the keychain.
    if (!known.has(address) && !problems.addresses().includes(address))
      throw new FaultError('input', 'address: No proxy of this address has asked.')
  }
  secrets.onChange(() => {
    replacements.replaceAll()
    problems.unlocked()
    emit()
  })
  return {
    answer: async (host, port) => {
      const login = await lookUp(proxyAddress(host, port), { known, keychain, problems, replacements })
      return login === 'none' ? loginFrom(env, host, port) : login
    },
    report(host, port, outcome) {
      const address = proxyAddress(host, port)
      problems.report(address, outcome)
      return stateOf(address).state
    },
    states: () => [...new Set([...problems.addresses(), ...known.values()])].toSorted().map(stateOf),
    save: (address, login) =>
      serially(async () => {
        rejectUnknown(address)
        const before = known.values()
        // Stored first: a login in the keychain is always listed, and so can be removed.
        known.save(new Set([...before, address]))
        try {
          await secrets.set(accountOf(address), JSON.stringify(login))
        } catch (error) {
          known.save(before)
          throw error
        }
        settle(address)
      }),
    forget: (address) =>
      serially(async () => {
        rejectUnknown(address)
        if (known.has(address)) await secrets.remove(accountOf(address))
        known.save(new Set([...known.values()].filter((each) => each !== address)))
        settle(address)
      }),
    onChange,
    onReplaced: replacements.on,
  }
}

/** Returns the login in the keychain; null where it is unavailable or rejected; `none` where there is none. */
async function lookUp(
  address: string,
  { known, keychain, problems, replacements }: Parts,
): Promise<ProxyLogin | null | 'none'> {
  for (;;) {
    if (problems.isSuspended(address)) return null
    const at = replacements.count()
    const login = known.has(address) ? await keychain.read(address) : null
    // A login that was read during a change may be the former one.
    if (replacements.count() !== at) continue
    if (login === 'locked') return problems.lock(address)
    if (known.has(address)) keychain.record(address, login)
    return login ?? 'none'
  }
}

interface Parts {
  known: ReturnType<typeof openAddresses>
  keychain: ReturnType<typeof openKeychain>
  problems: ReturnType<typeof openProblems>
  replacements: ReturnType<typeof openReplacements>
}

/** Addresses of the proxies whose login the operator gave, from the settings. */
function openAddresses(settings: Pick<Settings, 'get' | 'set'>) {
  let known: ReadonlySet<string> = new Set(addresses.parse(settings.get(settingsKey) ?? []))
  return {
    has: (address: string) => known.has(address),
    values: () => known,
    save(now: ReadonlySet<string>) {
      savingSettings(() => settings.set(settingsKey, [...now]))
      known = now
    },
  }
}

/** Caches the keychain's login of each proxy until it changes. */
function openKeychain(secrets: Pick<Secrets, 'get'>) {
  const read = new Map<string, ProxyLogin>()
  const missing = new Set<string>()
  return {
    read: async (address: string) => read.get(address) ?? (await secretOf(secrets, address)),
    record(address: string, login: ProxyLogin | null) {
      if (login === null) missing.add(address)
      else read.set(address, login)
    },
    /** Returns whether a login is missing that should be there: it is another keychain. */
    isMissing: (address: string) => missing.has(address),
    forget() {
      read.clear()
      missing.clear()
    },
  }
}

/** Counts the changes of logins, and reports whose login was replaced. `forgetRead` clears the cache. */
function openReplacements(forgetRead: () => void) {
  const listeners = createListeners<[address: string]>()
  let count = 0
  const replaceAll = () => {
    count += 1
    forgetRead()
  }
  return {
    count: () => count,
    replaceAll,
    replace(address: string) {
      replaceAll()
      listeners.emit(address)
    },
    on: listeners.on,
  }
}

/** The problem of each proxy, by address; calls `onChange` when it changes. */
function openProblems(clock: LoginsOptions['clock'], onChange: () => void) {
  const states = new Map<string, 'required' | 'rejected' | 'locked'>()
  const locked = new Set<string>()
  /** Proxies whose login was saved or removed have asked too: another one can be given before they ask again. */
  const asked = new Set<string>()
  const rejectedAt = new Map<string, number>()
  const stateAfter = (address: string, outcome: 'required' | 'rejected'): 'required' | 'rejected' | 'locked' =>
    rejectedAt.has(address) ? 'rejected' : locked.has(address) ? 'locked' : outcome
  return {
    of: (address: string) => states.get(address) ?? null,
    /** Returns the proxies with a problem, and those whose login was saved or removed. */
    addresses: () => [...new Set([...states.keys(), ...asked])],
    /** Returns whether the known login was rejected recently, and is not tried yet. */
    isSuspended: (address: string) => clock.monotonic() - (rejectedAt.get(address) ?? -Infinity) < retryAfterMs,
    report(address: string, outcome: 'required' | 'rejected' | 'accepted') {
      if (outcome === 'rejected') rejectedAt.set(address, clock.monotonic())
      if (outcome === 'accepted') rejectedAt.delete(address)
      if (outcome === 'accepted') locked.delete(address)
      const [before, now] = [states.get(address), outcome === 'accepted' ? undefined : stateAfter(address, outcome)]
      if (before === now) return
      if (now === undefined) states.delete(address)
      else states.set(address, now)
      onChange()
    },
    /** Records that the login could not be read: the next request waits for the keychain. */
    lock(address: string) {
      locked.add(address)
      return null
    },
    /** Handles an unlocked keychain: clears the problems that it caused. */
    unlocked() {
      for (const address of locked) if (states.get(address) === 'locked') states.delete(address)
      locked.clear()
    },
    forget(address: string) {
      states.delete(address)
      locked.delete(address)
      rejectedAt.delete(address)
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
