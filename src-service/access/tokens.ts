import { randomUUID } from 'node:crypto'
import { errors } from 'jose'
import type { JSONWebKeySet } from 'jose'
import type { CredentialSet, KnownCredentials } from './credentials.ts'
import { startSigningKeys } from './signing-keys.ts'
import type { KeyStorage } from './signing-keys.ts'

/**
 * The holder of a valid token or of a playground login, until a moment (milliseconds since 1970): a credential set, or
 * a user treated as one.
 */
export type Session = { set: CredentialSet; expiresAt: number }

/** The access tokens (spec section 5) and their verification. */
export type Tokens = {
  lifetimeSeconds: number
  /** Resolves with a signed JWT; null for an invalid pair. */
  issue(clientId: string, clientSecret: string): Promise<string | null>
  /**
   * Resolves with the session of an `authorization` header; null for a missing, invalid or expired token, and for one
   * of an inactive set.
   */
  session(authorization: string | undefined): Promise<Session | null>
  issued(): number
  /** The public keys of its tokens (RFC 7517). */
  jwks(): JSONWebKeySet
  /** Signs with a new key from now on; tokens that were issued before stay valid. */
  rotate(): Promise<void>
}

export type TokenOptions = {
  credentials: KnownCredentials
  lifetimeSeconds: number
  now: () => number
  storage?: KeyStorage | undefined
}

export async function startTokens({ credentials, lifetimeSeconds, now, storage }: TokenOptions): Promise<Tokens> {
  const keys = await startSigningKeys({ lifetimeSeconds, now, storage })
  let issued = 0
  const sign = (clientId: string): Promise<string> => {
    const at = Math.floor(now() / 1000)
    return keys.sign({
      gty: 'client-credentials',
      sub: clientId,
      jti: randomUUID(),
      iat: at,
      exp: at + lifetimeSeconds,
    })
  }
  return {
    lifetimeSeconds,
    async issue(clientId, clientSecret) {
      const set = credentials.admit(clientId, clientSecret)
      if (!set) return null
      issued += 1
      return sign(set.clientId)
    },
    async session(authorization) {
      const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
      if (!token) return null
      try {
        const payload = await keys.verify(token)
        const set = credentials.find(payload.sub ?? '')
        return set ? { set, expiresAt: (payload.exp ?? 0) * 1000 } : null
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
    issued: () => issued,
    jwks: keys.jwks,
    rotate: keys.rotate,
  }
}
