import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { errors, generateKeyPair, jwtVerify, SignJWT } from 'jose'

/** Whoever holds a valid token: one credential set, until a moment (milliseconds since 1970). */
export type Session = { clientId: string; expiresAt: number }

/** The credential set of this service, its access tokens (spec section 5), and who is let in. */
export type Tokens = {
  clientId: string
  clientSecret: string
  lifetimeSeconds: number
  /** True for the right pair. Takes the same time however wrong the pair is. */
  accepts(clientId: string, clientSecret: string): boolean
  /** A signed JWT. */
  issue(): Promise<string>
  /** From the value of an `authorization` header; null for none, a bad or an expired one. */
  session(authorization: string | undefined): Promise<Session | null>
  issued(): number
  /** As if the credential set were deleted: neither the secret nor any token is accepted while it is on. */
  refuse(on: boolean): void
}

export type TokenOptions = { clientId?: string | undefined; clientSecret?: string | undefined; lifetimeSeconds: number; now: () => number }

export async function startTokens(options: TokenOptions): Promise<Tokens> {
  const { lifetimeSeconds, now } = options
  const clientId = options.clientId ?? randomUUID()
  const clientSecret = options.clientSecret ?? randomBytes(32).toString('base64url')
  const keys = await generateKeyPair('ES256')
  const kid = randomBytes(8).toString('hex')
  let [issued, refused] = [0, false]
  return {
    clientId,
    clientSecret,
    lifetimeSeconds,
    accepts: (id, secret) => {
      const right = [same(id, clientId), same(secret, clientSecret)]
      return right.every(Boolean) && !refused
    },
    issue() {
      issued += 1
      const at = Math.floor(now() / 1000)
      return new SignJWT({ gty: 'client-credentials' })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
        .setSubject(clientId)
        .setJti(randomUUID())
        .setIssuedAt(at)
        .setExpirationTime(at + lifetimeSeconds)
        .sign(keys.privateKey)
    },
    async session(authorization) {
      const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
      if (!token || refused) return null
      try {
        const { payload } = await jwtVerify(token, keys.publicKey, { algorithms: ['ES256'], currentDate: new Date(now()) })
        return { clientId: payload.sub ?? '', expiresAt: (payload.exp ?? 0) * 1000 }
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
    issued: () => issued,
    refuse: (on) => void (refused = on),
  }
}

/** Compares hashes, so that neither the length nor the first wrong letter shows in the time it takes. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(wanted).digest())
}
