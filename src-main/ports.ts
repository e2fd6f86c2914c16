import type { Clock } from '../src-shared/lib/clock.ts'
import type { ProxyState } from '../src-shared/model/environment.ts'
import { FaultError } from '../src-shared/model/fault.ts'

/**
 * The dependencies of the core on its surroundings (design, section 3). Each shell supplies all of it; nothing else is
 * injected. Ports map their failures to `FaultError`s, without platform-specific errors: failures of the network are of
 * its kinds (name, connect, tls, proxy, reset, timeout, abort); a redirect, which is not followed, is `http`; a socket
 * whose upgrade was rejected is `token` (401), `forbidden` (403), `not-found` (404) or `http`; an unreadable CA is
 * `ca`.
 */
export interface Ports {
  network: Network
  secrets: Secrets
  proxies: ProxyLogins
  mail: Mail
  settings: Settings
  clock: Clock
  paths: Paths
  log: Log
}

/** One network per connection and CA, so that trust added for one is never given to another (invariant 8). */
export interface Network {
  /**
   * Opens a network. `ca`: PEM text that adds trust, or '' for none. Throws a `FaultError` of kind `ca` when it cannot
   * be read.
   */
  open(ca: string): Link
  /**
   * Resolves with the proxy for an address, `host:port` without name and password; null: none. Rejects with a
   * `FaultError` of kind `proxy` where it is unknown.
   */
  proxyOf(address: string): Promise<string | null>
}

export interface Link {
  /**
   * The platform's fetch, always with `redirect: 'error'`, `credentials: 'omit'`, `cache: 'no-store'`. Rejects with the
   * signal's reason where that is a `FaultError`.
   */
  fetch: typeof fetch
  /**
   * Sends a request at most once, on a connection that nothing else uses, so that no layer repeats it (invariant 16).
   * Its checks are those of `fetch`. Rejects with an `UnsentError` where the request certainly never left; after any
   * other rejection the service may have executed it.
   */
  fetchOnce: typeof fetch
  /**
   * Returns a WebSocket class that sends these headers with the upgrade. `onFault` receives the error of a failed
   * socket, before its close.
   */
  dial(headers: () => Record<string, string>, onFault: (thrown: unknown) => void): WebSocketClass
  close(): Promise<void>
}

/** A request of `Link.fetchOnce` failed before its first byte was handed to a connection. */
export class UnsentError extends FaultError {}

/**
 * The part of a WebSocket implementation that graphql-ws needs; `terminate` drops a half-open socket at once, where it
 * exists.
 */
export type WebSocketClass = new (url: string, protocols?: string | string[]) => WebSocketLike
export interface WebSocketLike {
  close(code?: number, reason?: string): void
  terminate?(): void
}

/**
 * The store of secrets. `session`: there is no keychain, so in memory until quit. `locked`: the keychain is locked;
 * secrets set meanwhile are in memory, and written when it is unlocked. The kind changes while Muster runs
 * (`onChange`).
 */
export interface Secrets {
  readonly kind: 'keychain' | 'locked' | 'session'
  /** Describes the keychain, or why there is none. Never contains a secret. */
  readonly detail: string
  /**
   * Resolves with the secret; null: none. Rejects with a fault of kind `keychain-locked` where it may be in a locked
   * keychain.
   */
  get(account: string): Promise<string | null>
  set(account: string, secret: string): Promise<void>
  /** Removes a secret. Rejects as `get` does: then it may remain there. */
  remove(account: string): Promise<void>
  /** Lets the system ask the user to unlock it. Resolves when that is over, whatever the result. */
  unlock(): Promise<void>
  /** Calls the listener when it was locked or unlocked. Returns a function that stops it. */
  onChange(listener: () => void): () => void
  stop(): void
}

export interface ProxyLogin {
  name: string
  password: string
}

/** Names and passwords for proxies: the network requests them and reports the result, the operator enters them. */
export interface ProxyLogins {
  /** Resolves with the login for the proxy that asks; null: none is known. Never rejects. */
  answer(host: string, port: number): Promise<ProxyLogin | null>
  /**
   * Records that a proxy wants a login and has none, has rejected one, or has accepted it. Returns its state: a
   * rejected one stays rejected while it is not tried again.
   */
  report(host: string, port: number, outcome: 'required' | 'rejected' | 'accepted'): ProxyState['state']
  states(): ProxyState[]
  /**
   * Stores a login in the keychain. Rejects with a fault of kind `input` when no proxy of this address has asked,
   * `keychain` or `storage`.
   */
  save(address: string, login: ProxyLogin): Promise<void>
  /** Removes a login. Rejects as `save` does, or with `keychain-locked`. */
  forget(address: string): Promise<void>
  /** Calls the listener when `states` changes, or another login may be available. Returns a function that stops it. */
  onChange(listener: () => void): () => void
  /** Calls the listener when a proxy's (`host:port`) login was changed or removed. Returns a function that stops it. */
  onReplaced(listener: (address: string) => void): () => void
}

/** An SMTP server, and how it is reached. */
export interface MailServer {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  /** '' for no login. */
  user: string
  password: string
  /** PEM text that adds trust, or ''. */
  ca: string
}

/** An e-mail in plain text. `messageId` and `references` have their angle brackets. */
export interface Letter {
  from: string
  to: readonly string[]
  subject: string
  text: string
  messageId: string
  references: string
}

/** Sends e-mail by SMTP, without a proxy. */
export interface Mail {
  /**
   * Sends one e-mail, once. Resolves with the addresses that the server accepted, at least one, and the replies about the others. Rejects with a
   * `FaultError` of the network's kinds, of kind `credentials` where it refuses the login, or `http` with its reply as the
   * detail and the reply's code as `status`. `onHandedOver`: called when all of it was sent and the server has yet to accept it,
   * which may take minutes (RFC 5321, section 4.5.3.2.6).
   */
  send(
    server: MailServer,
    letter: Letter,
    signal: AbortSignal,
    onHandedOver: () => void,
  ): Promise<{ accepted: string[]; rejected: { address: string; status: number; reply: string }[] }>
}

/** Small settings, stored on disk by the shell (electron-store, conf). */
export interface Settings {
  get(key: string): unknown
  set(key: string, value: unknown): void
  /** Path of the copy of a damaged file that was set aside at the start; null: none. */
  damaged: string | null
}

export interface Paths {
  /** Folder of this profile, mode 0700: settings, cache and journal. */
  profile: string
  /** The data thread's entry (`data-thread.cjs` when built, `thread.ts` from source). */
  dataThread: string
  /** The answers thread's entry (`answers-thread.cjs` when built, `query/answers/thread.ts` from source). */
  answersThread: string
}

/** Writes a line to the log: words and plain numbers, never a secret, a token or a request body. */
export type Log = (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void
