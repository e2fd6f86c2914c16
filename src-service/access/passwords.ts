import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto'

/** The effort to test a password: scrypt's N as a power of two, r and p. */
type Effort = readonly [power: number, r: number, p: number]

/** For stored hashes: OWASP's parameters for 32 MiB of memory, some tenths of a second for each attempt. */
const strong: Effort = [15, 8, 3]
/** For hashes that never leave the process and cannot be stolen. */
export const light: Effort = [10, 8, 1]

const LENGTH = 32

export const MIN_PASSWORD = 8
export const MAX_PASSWORD = 200

/** Returns the stored form of a password: `scrypt`, the effort, salt and hash, divided by `$`. */
export function hashPassword(password: string, effort: Effort = strong): string {
  const salt = randomBytes(16)
  return [
    'scrypt',
    ...effort,
    salt.toString('base64url'),
    scryptSync(password.normalize(), salt, LENGTH, options(effort)).toString('base64url'),
  ].join('$')
}

/** Returns a stored form of no password, compared where there is no such user, so that it takes as long. */
export function decoy(effort: Effort = strong): string {
  return ['scrypt', ...effort, randomBytes(16).toString('base64url'), randomBytes(LENGTH).toString('base64url')].join(
    '$',
  )
}

/** Resolves with whether a password matches its stored form `kept`, in constant time for any wrong one. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [, power, r, p, salt = '', hash = ''] = kept.split('$')
  const effort: Effort = [Number(power), Number(r), Number(p)]
  const given = await new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize(), Buffer.from(salt, 'base64url'), LENGTH, options(effort), (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
  return timingSafeEqual(given, Buffer.from(hash, 'base64url'))
}

function options([power, r, p]: Effort) {
  return { N: 2 ** power, r, p, maxmem: 64 * 1024 * 1024 }
}
