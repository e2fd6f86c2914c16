/**
 * Mutual authentication of a web shell's window and its Muster by a shared key that is never sent: the messages of
 * SCRAM (RFC 5802) with SHA-256, without salt and iterations, because the key is 256 random bits and not a password. A
 * client without a known key learns nothing, and an eavesdropper can neither answer another challenge nor impersonate
 * Muster.
 */

/** The values that both sides exchange before the proofs. The proofs cover all of them. */
export interface Exchange {
  /** The page's origin, so that a proof for one port is invalid for another. */
  origin: string
  /** Id of the key (`Verifier.id`). */
  id: string
  /** Nonces of 32 random bytes each, as hexadecimal digits. */
  window: string
  muster: string
}

/**
 * Muster's record of a key, as hexadecimal digits. It suffices to check a proof and to give Muster's own, but not to
 * sign in.
 */
export interface Verifier {
  id: string
  stored: string
  muster: string
}

/** The pipe's close code for "sign in": the key is unknown or was signed out. */
export const signedOutCode = 4401

export async function verifierOf(key: string): Promise<Verifier> {
  const secret = encode(key)
  const [id, window, muster] = await Promise.all(
    ['id', 'window', 'muster'].map((word) => mac(secret, `muster key ${word}`)),
  )
  if (id === undefined || window === undefined || muster === undefined) throw new Error('three words make three hashes')
  return { id: toHex(id), stored: toHex(await hash(window)), muster: toHex(muster) }
}

/** Returns Muster's proof, which it sends first. */
export async function musterProof(verifier: Pick<Verifier, 'muster'>, exchange: Exchange): Promise<string> {
  return toHex(await mac(fromHex(verifier.muster), `muster proves ${textOf(exchange)}`))
}

/** Returns the window's proof, which it sends only after Muster's proof was valid. */
export async function windowProof(key: string, exchange: Exchange): Promise<string> {
  const window = await windowSecret(key)
  return toHex(mixed(window, await mac(await hash(window), `window proves ${textOf(exchange)}`)))
}

/** Checks the window's proof. Returns the key of its session, or null when the proof is wrong. */
export async function checkWindow(
  verifier: Pick<Verifier, 'stored'>,
  exchange: Exchange,
  proof: string,
): Promise<string | null> {
  if (!/^[0-9a-f]{64}$/u.test(proof)) return null
  const window = mixed(fromHex(proof), await mac(fromHex(verifier.stored), `window proves ${textOf(exchange)}`))
  return same(toHex(await hash(window)), verifier.stored) ? next(window, exchange) : null
}

/** Returns the session key that replaces a one-time key after an exchange. It equals the result of `checkWindow`. */
export async function sessionKey(key: string, exchange: Exchange): Promise<string> {
  return next(await windowSecret(key), exchange)
}

/** Compares two texts in time that does not depend on where they differ. */
export function same(one: string, other: string): boolean {
  let differs = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) differs |= one.charCodeAt(at) ^ (other.charCodeAt(at) || 0)
  return differs === 0
}

export function nonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}

type Bytes = Uint8Array<ArrayBuffer>

const encode = (text: string): Bytes => new TextEncoder().encode(text)
const textOf = ({ origin, id, window, muster }: Exchange): string => JSON.stringify([origin, id, window, muster])
const windowSecret = (key: string): Promise<Bytes> => mac(encode(key), 'muster key window')
const next = async (window: Bytes, exchange: Exchange): Promise<string> =>
  toHex(await mac(window, `session ${textOf(exchange)}`))

async function mac(secret: Bytes, text: string): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text)))
}

async function hash(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

function mixed(one: Bytes, other: Bytes): Bytes {
  return one.map((byte, at) => byte ^ (other[at] ?? 0))
}

function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16))
}
