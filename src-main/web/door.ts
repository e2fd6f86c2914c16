import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../src-shared/clock.ts'
import type { Sessions } from './sessions.ts'

/** Why a request is not let in. */
export type Refusal = 'host' | 'origin' | 'cookie'

/** Who may come in: whoever was handed a one-time key, from a page of our own, on our own address. */
export interface Door {
  /** A new one-time key of 256 bit. It lives until it is used, or at most `lifetime` ms. */
  newKey(lifetime: number | null): string
  /** Uses a key up. Answers the Set-Cookie of the new session, or null. */
  enter(key: string): string | null
  /** Checks Host (against DNS rebinding) of any request. */
  host(request: IncomingMessage): Refusal | null
  /** Checks Host and cookie; for an upgrade also Origin, since a browser lets any page open a WebSocket. */
  admit(request: IncomingMessage, upgrade: boolean): Refusal | null
  /** Whether the header says `Bearer` and this token. */
  bears(request: IncomingMessage, token: string): boolean
}

interface Key {
  hash: Buffer
  until: number
}

/** Keys are kept as hashes, in memory, and end with the process; sessions outlive it. `port` is known once it listens. */
export function openDoor(port: () => number, clock: Clock, sessions: Sessions): Door {
  let keys: Key[] = []
  // Cookies know no ports: without it in the name, two Musters on one host would take each other's session.
  const cookieName = () => `muster-${port()}`
  const hosts = () => [`127.0.0.1:${port()}`, `localhost:${port()}`]
  const host = (request: IncomingMessage) => (hosts().includes(request.headers.host ?? '') ? null : 'host')
  return {
    newKey: (lifetime) => {
      const key = secret()
      keys.push({ hash: digest(key), until: lifetime === null ? Infinity : clock.monotonic() + lifetime })
      return key
    },
    enter: (key) => {
      keys = keys.filter((known) => known.until > clock.monotonic())
      const left = keys.filter((known) => !same(known.hash, key))
      if (left.length === keys.length) return null
      keys = left
      const id = secret()
      sessions.add(digest(id).toString('base64'))
      return `${cookieName()}=${id}; Path=/; HttpOnly; SameSite=Strict`
    },
    host,
    admit: (request, upgrade) => {
      if (host(request) !== null) return 'host'
      if (upgrade && request.headers.origin !== `http://${request.headers.host}`) return 'origin'
      const id = cookie(request.headers.cookie ?? '', cookieName())
      const session = sessions.all().find((known) => same(Buffer.from(known, 'base64'), id))
      if (session === undefined) return 'cookie'
      sessions.used(session)
      return null
    },
    bears: (request, token) => same(digest(`Bearer ${token}`), request.headers.authorization ?? ''),
  }
}

/** Safe in an address, a header and a shell. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** In constant time: both sides are hashes. What is no hash is the same as nothing. */
function same(hash: Buffer, text: string): boolean {
  const given = digest(text)
  return hash.length === given.length && timingSafeEqual(hash, given)
}

function cookie(header: string, name: string): string {
  const found = header.split(';').find((part) => part.trim().startsWith(`${name}=`))
  return found === undefined ? '' : found.trim().slice(name.length + 1)
}
