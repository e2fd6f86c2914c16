import type { Clock } from '../src-shared/lib/clock.ts'
import type { ProxyState } from '../src-shared/model/environment.ts'

/**
 * What the core takes from its surroundings (design, section 3). Each shell supplies all of it; nothing else is
 * injected. Ports map their failures to `FaultError`s and leak no dialect of their own: what breaks on the way is of the
 * network kinds (name, connect, tls, proxy, reset, timeout, abort); a redirect, which is not followed, is `http`; a socket
 * whose upgrade was answered is `token` (401), `forbidden` (403), `not-found` (404) or `http`; a CA that cannot be read is
 * `ca`.
 */
export interface Ports {
  network: Network
  secrets: Secrets
  proxies: ProxyLogins
  settings: Settings
  clock: Clock
  paths: Paths
  log: Log
}

/** One network per connection and CA, so that trust added for one is never given to another (invariant 8). */
export interface Network {
  /** `ca`: PEM text that adds trust, or '' for none. Throws a `FaultError` of kind `ca` when it cannot be read. */
  open(ca: string): Link
  /** The proxy by which an address is reached, `host:port` without name and password; null: none. Rejects with a `FaultError` of kind `proxy` where none can be told. */
  proxyOf(address: string): Promise<string | null>
}

export interface Link {
  /**
   * The platform's fetch, with `redirect: 'error'`, `credentials: 'omit'`, `cache: 'no-store'` always. Where its signal
   * ends it with a `FaultError` as reason, that one is thrown.
   */
  fetch: typeof fetch
  /** A WebSocket class that sends these headers with the upgrade. `onFault` hears why a socket failed, before its close. */
  dial(headers: () => Record<string, string>, onFault: (thrown: unknown) => void): WebSocketClass
  close(): Promise<void>
}

/** What graphql-ws needs of a WebSocket implementation; `terminate` drops a half-open socket at once, where it exists. */
export type WebSocketClass = new (url: string, protocols?: string | string[]) => WebSocketLike
export interface WebSocketLike {
  close(code?: number, reason?: string): void
  terminate?(): void
}

/**
 * Where secrets are kept. `session`: there is no keychain, so in memory until quit. `locked`: there is one, which is locked;
 * what is set meanwhile is in memory, and goes into it as soon as it is open. It changes while Muster runs (`onChange`).
 */
export interface Secrets {
  readonly kind: 'keychain' | 'locked' | 'session'
  /** In words: which keychain, or why there is none. Never a secret. */
  readonly detail: string
  /** Rejects with a fault of kind `keychain-locked` where it may be in a keychain that is locked now. */
  get(account: string): Promise<string | null>
  set(account: string, secret: string): Promise<void>
  /** Rejects as `get`: then it may still lie there. */
  remove(account: string): Promise<void>
  /** Asks the person at the screen to unlock it, as the system does that. Resolves when that is over, whatever came of it. */
  unlock(): Promise<void>
  /** Hears that it was locked or has opened. Returns the way to stop. */
  onChange(listener: () => void): () => void
  stop(): void
}

export interface ProxyLogin {
  name: string
  password: string
}

/** Names and passwords for the proxies on the way: the network asks for them and says what came of it, the operator gives them. */
export interface ProxyLogins {
  /** For the proxy that asks. Null: none is known. Never rejects. */
  answer(host: string, port: number): Promise<ProxyLogin | null>
  /** It wants one and has none, has refused the one that it was told, or has taken it. Answers how it stands now: one that was refused is still refused while it is not told again. */
  heard(host: string, port: number, said: 'wanted' | 'refused' | 'taken'): ProxyState['state']
  states(): ProxyState[]
  /** Keeps it in the keychain. Rejects with a fault of kind `input` when no proxy of this address has asked, `keychain` or `storage`. */
  save(address: string, login: ProxyLogin): Promise<void>
  /** Wipes it. Rejects as `save`, or with `keychain-locked`. */
  forget(address: string): Promise<void>
  /** Hears that `states` has changed, or that another answer may be had. Returns the way to stop. */
  onChange(listener: () => void): () => void
  /** Hears that what this proxy (`host:port`) was told holds no longer: it was changed or wiped. Returns the way to stop. */
  onReplaced(listener: (address: string) => void): () => void
}

/** Small settings, kept whole on disk by the shell (electron-store, conf). */
export interface Settings {
  get(key: string): unknown
  set(key: string, value: unknown): void
  /** Set when a damaged file was put aside at start: the path of the copy. */
  damaged: string | null
}

export interface Paths {
  /** Folder of this profile, mode 0700: settings, cache and journal. */
  profile: string
  /** The data thread's entry (`data-thread.cjs` when built, `thread.ts` from source). */
  dataThread: string
}

/** Lines for the log: words and plain figures, never a secret, a token or a request body. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void
