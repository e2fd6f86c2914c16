import { z } from 'zod'
import type { Clock } from '../../src-shared/clock.ts'
import { FaultError } from '../../src-shared/fault.ts'
import type { ProxyState } from '../../src-shared/outside.ts'
import type { ProxyLogin, ProxyLogins, Secrets, Settings } from '../ports.ts'
import { keepingSettings } from '../settings/keep.ts'
import { loginFrom, type ProxyEnv } from './environment.ts'

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
  let known = new Set(addresses.parse(settings.get(settingsKey) ?? []))
  const read = new Map<string, ProxyLogin>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const troubles = openTroubles(clock, tell)
  const keep = (now: Set<string>) => {
    keepingSettings(() => settings.set(settingsKey, [...now]))
    known = now
  }
  const stateOf = (address: string): ProxyState => ({ address, state: troubles.of(address) ?? 'kept', kept: known.has(address) })
  const refuseUnknown = (address: string) => {
    // A page that took the window's place could else fill the keychain.
    if (!known.has(address) && troubles.of(address) === null) throw new FaultError('input', 'address: No proxy of this address has asked.')
  }
  secrets.onChange(() => {
    read.clear()
    tell()
  })
  return {
    async answer(host, port) {
      const address = addressFor(host, port)
      if (troubles.holds(address)) return null
      if (!known.has(address)) return loginFrom(env, host, port)
      const login = read.get(address) ?? await secretOf(secrets, address)
      if (login !== null) read.set(address, login)
      return login ?? loginFrom(env, host, port)
    },
    heard(host, port, said) {
      const address = addressFor(host, port)
      troubles.heard(address, said)
      return stateOf(address).state
    },
    states: () => [...new Set([...troubles.addresses(), ...known])].toSorted().map(stateOf),
    async save(address, login) {
      refuseUnknown(address)
      const before = known
      // First: what lies in the keychain is always listed, and so can be wiped.
      keep(new Set([...known, address]))
      try {
        await secrets.set(accountOf(address), JSON.stringify(login))
      } catch (error) {
        keep(before)
        throw error
      }
      read.set(address, login)
      troubles.forget(address)
      tell()
    },
    async forget(address) {
      refuseUnknown(address)
      if (known.has(address)) await secrets.remove(accountOf(address))
      read.delete(address)
      keep(new Set([...known].filter((each) => each !== address)))
      troubles.forget(address)
      tell()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** What stands between Muster and each proxy, by address; `onChange` hears whenever that is something else. */
function openTroubles(clock: Keeping['clock'], onChange: () => void) {
  const standing = new Map<string, 'wanted' | 'refused'>()
  const refusedAt = new Map<string, number>()
  return {
    of: (address: string) => standing.get(address) ?? null,
    addresses: () => standing.keys(),
    /** Whether what is known was refused a short while ago, and is not told again yet. */
    holds: (address: string) => clock.monotonic() - (refusedAt.get(address) ?? -Infinity) < refusedFor,
    heard(address: string, said: 'wanted' | 'refused' | 'taken') {
      if (said === 'refused') refusedAt.set(address, clock.monotonic())
      if (said === 'taken') refusedAt.delete(address)
      const [before, now] = [standing.get(address), said === 'taken' ? undefined : refusedAt.has(address) ? 'refused' : said]
      if (before === now) return
      if (now === undefined) standing.delete(address)
      else standing.set(address, now)
      onChange()
    },
    forget(address: string) {
      standing.delete(address)
      refusedAt.delete(address)
    },
  }
}

const addressFor = (host: string, port: number): string => `${host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase()}:${port}`

const accountOf = (address: string): string => `proxy ${address}`

/** Null also while the keychain is locked: then the proxy refuses, and whatever waits for it goes on when it opens. */
async function secretOf(secrets: Pick<Secrets, 'get'>, address: string): Promise<ProxyLogin | null> {
  try {
    const login = stored.safeParse(JSON.parse(await secrets.get(accountOf(address)) ?? 'null'))
    return login.success ? login.data : null
  } catch {
    return null
  }
}
