import { randomBytes } from 'node:crypto'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import type { JSONWebKeySet, JWK, JWTPayload } from 'jose'

/** The keys that sign tokens (spec section 5: a signed JWT). The newest one signs; each is identified by its `kid`. */
type SigningKeys = {
  sign(payload: JWTPayload): Promise<string>
  /** Returns the payload; rejects with a `JOSEError` for a token that no key has signed, or that has expired. */
  verify(token: string): Promise<JWTPayload>
  /** Returns the public keys whose tokens may still be valid, for clients that verify tokens. */
  jwks(): JSONWebKeySet
  /** Adds a new signing key. The previous one stays until its last token has expired. */
  rotate(): Promise<void>
}

/** A stored key. */
export type StoredKey = {
  kid: string
  /** Private. */
  jwk: JWK
  /** When it began to sign, ms. */
  since: number
  /** The longest lifetime of its tokens, s. */
  lifetimeSeconds: number
  /** When its last token expires, ms; null while it signs. */
  goodUntil: number | null
}

/** The storage of keys beyond the service's run; newest first. */
export type KeyStorage = {
  keys: readonly StoredKey[]
  save(keys: readonly StoredKey[]): void
  /** Returns the error for an invalid key. */
  invalid(): Error
}

type Key = { stored: StoredKey; sign: CryptoKey; publicJwk: JWK }

/** Longest time that a key signs without a manual rotation, ms. */
const ROTATION = 7 * 86_400_000
const ALGORITHM = 'ES256'

type SigningOptions = { lifetimeSeconds: number; now: () => number; storage?: KeyStorage | undefined }

/** Starts with the stored keys. Throws the shelf's error when one of them is invalid. */
export async function startSigningKeys({ lifetimeSeconds, now, storage }: SigningOptions): Promise<SigningKeys> {
  let keys = await openStorage(storage)
  // Imports each key once. A removed one does no harm here: its last token has expired.
  let checked = createLocalJWKSet({ keys: keys.map(({ publicJwk }) => publicJwk) })
  const isValid = ({ stored: { goodUntil } }: Key): boolean => goodUntil === null || goodUntil > now()
  const save = (next: Key[]): void => {
    storage?.save(next.map(({ stored }) => stored))
    keys = next
    checked = createLocalJWKSet({ keys: next.map(({ publicJwk }) => publicJwk) })
  }
  const add = async (): Promise<Key> => {
    const made = await makeKey(now(), lifetimeSeconds)
    const before = keys.filter(isValid).map((key) => ({
      ...key,
      stored: { ...key.stored, goodUntil: key.stored.goodUntil ?? now() + key.stored.lifetimeSeconds * 1000 },
    }))
    save([made, ...before])
    return made
  }
  const current = async (): Promise<Key> => {
    const [key] = keys
    return key && key.stored.goodUntil === null && now() - key.stored.since < ROTATION ? key : add()
  }
  const jwks = (): JSONWebKeySet => ({ keys: keys.filter(isValid).map(({ publicJwk }) => publicJwk) })
  if ((await current()).stored.lifetimeSeconds < lifetimeSeconds)
    save(
      keys.map((key) => (key.stored.goodUntil === null ? { ...key, stored: { ...key.stored, lifetimeSeconds } } : key)),
    )
  return {
    async sign(payload) {
      const { sign, stored } = await current()
      return new SignJWT(payload).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: stored.kid }).sign(sign)
    },
    verify: async (token) =>
      (await jwtVerify(token, checked, { algorithms: [ALGORITHM], currentDate: new Date(now()) })).payload,
    jwks,
    rotate: async () => void (await add()),
  }
}

async function openStorage(storage: KeyStorage | undefined): Promise<Key[]> {
  try {
    return await Promise.all((storage?.keys ?? []).map(openKey))
  } catch (error) {
    throw storage ? storage.invalid() : error
  }
}

async function makeKey(since: number, lifetimeSeconds: number): Promise<Key> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  return openKey({
    kid: randomBytes(8).toString('hex'),
    jwk: await exportJWK(privateKey),
    since,
    lifetimeSeconds,
    goodUntil: null,
  })
}

async function openKey(stored: StoredKey): Promise<Key> {
  const {
    kid,
    jwk: { kty, crv, x, y, d },
  } = stored
  const sign = await importJWK({ kty, crv, x, y, d } as JWK, ALGORITHM)
  if (sign instanceof Uint8Array) throw new TypeError('No key of a pair')
  return { stored, sign, publicJwk: { kty, crv, x, y, kid, alg: ALGORITHM, use: 'sig' } as JWK }
}
