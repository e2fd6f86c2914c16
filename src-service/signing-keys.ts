import { randomBytes } from 'node:crypto'
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import type { JSONWebKeySet, JWK, JWTPayload } from 'jose'

/** The keys that tokens are signed with (spec section 5: a signed JWT). The newest one signs; each is known by its `kid`. */
export type SigningKeys = {
  sign(payload: JWTPayload): Promise<string>
  /** The payload; throws a `JOSEError` for a token that none of the keys has signed, or that has expired. */
  verify(token: string): Promise<JWTPayload>
  /** The public keys, for whoever wants to check a token: of every key whose tokens may still be good. */
  jwks(): JSONWebKeySet
  /** A new key signs from now on. The one before is known until its last token has expired. */
  rotate(): Promise<void>
}

type Key = {
  kid: string
  privateKey: CryptoKey
  publicJwk: JWK
  /** When its last token expires, ms; null while it signs. */
  goodUntil: number | null
}

/** Also without a word of anybody a key signs no longer than this, ms. */
const ROTATION = 7 * 86_400_000
const ALGORITHM = 'ES256'

export async function startSigningKeys({ lifetimeSeconds, now }: { lifetimeSeconds: number; now: () => number }): Promise<SigningKeys> {
  let current = await makeKey()
  let since = now()
  let keys = [current]
  const known = (): Key[] => (keys = keys.filter(({ goodUntil }) => goodUntil === null || goodUntil > now()))
  const jwks = (): JSONWebKeySet => ({ keys: known().map(({ publicJwk }) => publicJwk) })
  const rotate = async (): Promise<void> => {
    const next = await makeKey()
    current.goodUntil = now() + lifetimeSeconds * 1000
    current = next
    since = now()
    keys = [next, ...keys]
  }
  return {
    async sign(payload) {
      if (now() - since >= ROTATION) await rotate()
      return new SignJWT(payload).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: current.kid }).sign(current.privateKey)
    },
    verify: async (token) => (await jwtVerify(token, createLocalJWKSet(jwks()), { algorithms: [ALGORITHM], currentDate: new Date(now()) })).payload,
    jwks,
    rotate,
  }
}

async function makeKey(): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM)
  const kid = randomBytes(8).toString('hex')
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' }, goodUntil: null }
}
