import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto'
import type { ScryptOptions } from 'node:crypto'

/** What OWASP names for scrypt with 32 MiB of memory: about a quarter of a second for each attempt. */
const cost: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const LENGTH = 32

/** What is compared where there is no such user, or none with a password, so that it takes as long. */
const nobody = { salt: Buffer.alloc(16), hash: Buffer.alloc(LENGTH) }

export const MIN_PASSWORD = 8
export const MAX_PASSWORD = 200

/** What is kept of a password: `scrypt`, salt and hash, parted by `$`. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16)
  return ['scrypt', salt.toString('base64url'), scryptSync(password.normalize(), salt, LENGTH, cost).toString('base64url')].join('$')
}

/** Whether that is the password of which `kept` is kept; never where null is. Takes the same time however wrong it is. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const { salt, hash } = kept === null ? nobody : parts(kept)
  const given = await new Promise<Buffer>((resolve, reject) => scrypt(password.normalize(), salt, LENGTH, cost, (error, key) => (error ? reject(error) : resolve(key))))
  return timingSafeEqual(given, hash) && kept !== null
}

function parts(kept: string): { salt: Buffer; hash: Buffer } {
  const [, salt = '', hash = ''] = kept.split('$')
  return { salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}
