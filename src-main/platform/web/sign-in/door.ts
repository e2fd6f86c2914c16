import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import { same, verifierOf, type Verifier } from '../../../../src-shared/lib/proof.ts'
import type { Sessions } from './sessions.ts'

/** Why a request is not let in. */
export type Refusal = 'host' | 'origin'

/** Who may come in: a window that proves a key that Muster gave out, from a page of our own, on our own address. */
export interface Door {
  /** What the page's address begins with. */
  origin(): string
  /** A new one-time key of 256 bit. It lives until it is used, or at most `lifetime` ms. */
  newKey(lifetime: number | null): string
  /** Takes a key in that a new tab made up and a window that is in has vouched for. It lives until it is used, or for half a minute; of too many the oldest goes. */
  admit(verifier: Verifier): void
  /** What checks the proof of the key or the session of this id; null when there is none. */
  find(id: string): Promise<Verifier | null>
  /** Lets this one in, after its proof: uses a one-time key up, and keeps the session that begins with it. The session's id, or null when another window was faster. */
  enter(id: string, session: string): Promise<string | null>
  /** The window of this session is there. */
  used(session: string): void
  /** Checks Host (against DNS rebinding) of any request. */
  host(request: IncomingMessage): Refusal | null
  /** Checks Host and, since a browser lets any page open a WebSocket, Origin. */
  upgrade(request: IncomingMessage): Refusal | null
  /** Whether the header says `Bearer` and this token. */
  bears(request: IncomingMessage, token: string): boolean
}

/** Long enough for a browser to open the pipe. */
const vouchedMs = 30_000
const mostVouched = 32

interface Key {
  verifier: Verifier
  until: number
  gone: () => void
}

/** One-time keys are kept as what checks them, in memory, and end with the process or when all are signed out; sessions outlive it. `port` is known once it listens; `onGone` hears of a key that it is used, or good no longer. */
export function openDoor(port: () => number, clock: Clock, sessions: Sessions, onGone: (key: string) => void): Door {
  const { drop, fresh, keep, dropAll } = openHeld(clock)
  const vouched = new Set<string>()
  let making: Promise<unknown> = Promise.resolve()
  const origin = () => `http://127.0.0.1:${port()}`
  const host = (request: IncomingMessage) => (`http://${request.headers.host ?? ''}` === origin() ? null : 'host')
  /** Counts how often all were signed out: what was begun before is good for nothing. */
  let era = 0
  sessions.onEnd(() => {
    era += 1
    dropAll()
  })
  return {
    origin,
    newKey(lifetime) {
      // Safe in an address and a shell.
      const key = randomBytes(32).toString('base64url')
      const [began, made] = [era, clock.monotonic()]
      making = Promise.all([
        making,
        verifierOf(key).then((verifier) => {
          if (began !== era) return onGone(key)
          keep(verifier, lifetime === null ? null : made + lifetime - clock.monotonic(), () => onGone(key))
        }),
      ])
      return key
    },
    admit(verifier) {
      // Several windows vouch for one tab; none of them renews it, or takes another key's or a session's place.
      if (fresh(verifier.id) !== null || sessions.find(verifier.id, port()) !== null) return
      keep(verifier, vouchedMs, () => vouched.delete(verifier.id))
      vouched.add(verifier.id)
      const [oldest] = vouched
      if (vouched.size > mostVouched && oldest !== undefined) drop(oldest)
    },
    async find(id) {
      await making
      return fresh(id)?.verifier ?? sessions.find(id, port())
    },
    async enter(id, session) {
      if (fresh(id) === null) {
        if (sessions.find(id, port()) === null) return null
        sessions.used(id)
        return id
      }
      // Before anything is waited for, or two windows would come in with one key.
      drop(id)
      const began = era
      const verifier = await verifierOf(session)
      if (began !== era) return null
      sessions.add(verifier, port())
      return verifier.id
    },
    used: sessions.used,
    host,
    upgrade: (request) => host(request) ?? (request.headers.origin === origin() ? null : 'origin'),
    bears: (request, token) => same(request.headers.authorization ?? '', `Bearer ${token}`),
  }
}

/** The one-time keys that are good, each until it is dropped, or for `lifetime` ms. */
function openHeld(clock: Clock) {
  const keys = new Map<string, Key>()
  const drop = (id: string) => {
    const key = keys.get(id)
    keys.delete(id)
    key?.gone()
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
      const gone = () => {
        cancel()
        onGone()
      }
      keys.set(verifier.id, { verifier, until, gone })
    },
  }
}
