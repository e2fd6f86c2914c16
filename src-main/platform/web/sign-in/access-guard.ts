import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { same, verifierOf, type Verifier } from '../../../../src-shared/lib/proof.ts'
import type { Sessions } from './sessions.ts'

/** The reason why a request is rejected. */
export type Rejection = 'host' | 'origin'

/** Admits windows that prove a key given by Muster, from our own page, at our own address. */
export interface AccessGuard {
  /** Returns the origin of the page. */
  origin(): string
  /** Returns a new one-time key of 256 bits, valid until it is used, or for at most `lifetime` ms. */
  newKey(lifetime: number | null): string
  /**
   * Admits a key that a new tab created and a signed-in window vouches for. It is valid until it is used, or for half a
   * minute; beyond the limit the oldest is dropped.
   */
  admit(verifier: Verifier): void
  /** Resolves with the verifier of the key or the session with this id; null when there is none. */
  find(id: string): Promise<Verifier | null>
  /**
   * Admits a window after its proof: consumes a one-time key, and stores the session that begins with it. Resolves with
   * the session's id; null when another window was faster.
   */
  enter(id: string, session: string): Promise<string | null>
  /** Records that a session is in use. */
  used(session: string): void
  /** Checks Host (against DNS rebinding) of any request. */
  host(request: IncomingMessage): Rejection | null
  /** Checks Host and, since a browser lets any page open a WebSocket, Origin. */
  upgrade(request: IncomingMessage): Rejection | null
  /** Returns whether the header is `Bearer` with this token. */
  hasToken(request: IncomingMessage, token: string): boolean
}

/** How long a vouched key is valid, ms: enough for a browser to open the pipe. */
const vouchedLifetimeMs = 30_000
const maxVouched = 32

interface Key {
  verifier: Verifier
  until: number
  onRemoved: () => void
}

/**
 * Opens the access guard. One-time keys are stored as verifiers, in memory, and end with the process or when all windows are
 * signed out; sessions outlive it. `port` is known once it listens; `onGone` is called for a key that was used or has
 * expired.
 */
export function openAccessGuard(
  port: () => number,
  clock: Clock,
  sessions: Sessions,
  onGone: (key: string) => void,
): AccessGuard {
  const { drop, fresh, keep, dropAll } = openKeys(clock)
  const vouched = new Set<string>()
  let pending: Promise<unknown> = Promise.resolve()
  const origin = () => `http://127.0.0.1:${port()}`
  const host = (request: IncomingMessage) => (`http://${request.headers.host ?? ''}` === origin() ? null : 'host')
  /** Counts the sign-outs of all windows: a sign-in that began before one fails. */
  let signOuts = 0
  sessions.onEnd(() => {
    signOuts += 1
    dropAll()
  })
  return {
    origin,
    newKey(lifetime) {
      // Safe in an address and a shell.
      const key = randomBytes(32).toString('base64url')
      const [before, made] = [signOuts, clock.monotonic()]
      pending = Promise.all([
        pending,
        verifierOf(key).then((verifier) => {
          if (before !== signOuts) return onGone(key)
          keep(verifier, lifetime === null ? null : made + lifetime - clock.monotonic(), () => onGone(key))
        }),
      ])
      return key
    },
    admit(verifier) {
      // Several windows vouch for one tab; none of them renews the key, or replaces another key or a session.
      if (fresh(verifier.id) !== null || sessions.find(verifier.id, port()) !== null) return
      keep(verifier, vouchedLifetimeMs, () => vouched.delete(verifier.id))
      vouched.add(verifier.id)
      const [oldest] = vouched
      if (vouched.size > maxVouched && oldest !== undefined) drop(oldest)
    },
    async find(id) {
      await pending
      return fresh(id)?.verifier ?? sessions.find(id, port())
    },
    async enter(id, session) {
      if (fresh(id) === null) {
        if (sessions.find(id, port()) === null) return null
        sessions.used(id)
        return id
      }
      // Dropped before anything is awaited, otherwise two windows could use one key.
      drop(id)
      const before = signOuts
      const verifier = await verifierOf(session)
      if (before !== signOuts) return null
      sessions.add(verifier, port())
      return verifier.id
    },
    used: sessions.used,
    host,
    upgrade: (request) => host(request) ?? (request.headers.origin === origin() ? null : 'origin'),
    hasToken: (request, token) => same(request.headers.authorization ?? '', `Bearer ${token}`),
  }
}

/** The valid one-time keys, each until it is dropped, or for `lifetime` ms. */
function openKeys(clock: Clock) {
  const keys = new Map<string, Key>()
  const drop = (id: string) => {
    const key = keys.get(id)
    keys.delete(id)
    key?.onRemoved()
  }
  const fresh = (id: string) => {
    if ((keys.get(id)?.until ?? Infinity) <= clock.monotonic()) drop(id)
    return keys.get(id) ?? null
  }
  return {
    drop,
    fresh,
    dropAll: () => [...keys.keys()].forEach(drop),
    keep(verifier: Verifier, lifetime: number | null, onGone: () => void) {
      const until = lifetime === null ? Infinity : clock.monotonic() + lifetime
      const cancel = lifetime === null ? () => {} : clock.after(lifetime, () => fresh(verifier.id))
      const onRemoved = () => {
        cancel()
        onGone()
      }
      keys.set(verifier.id, { verifier, until, onRemoved })
    },
  }
}
