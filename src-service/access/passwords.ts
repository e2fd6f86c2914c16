import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto'

/** How hard it is to try a password: scrypt's N as a power of two, r and p. */
type Effort = readonly [power: number, r: number, p: number]

/** For what is kept on disk: what OWASP names for 32 MiB of memory, some tenths of a second for each attempt. */
const strong: Effort = [15, 8, 3]
/** For what never leaves the process, where there is nothing to be stolen. */
export const light: Effort = [10, 8, 1]

const LENGTH = 32

export const MIN_PASSWORD = 8
export const MAX_PASSWORD = 200

/** What is kept of a password: `scrypt`, the effort, salt and hash, parted by `$`. */
export function hashPassword(password: string, effort: Effort = strong): string {
  const salt = randomBytes(16)
  return [
    'scrypt',
    ...effort,
    salt.toString('base64url'),
    scryptSync(password.normalize(), salt, LENGTH, options(effort)).toString('base64url'),
  ].join('$')
}

/** Kept of no password at all: what is compared where there is no such user, so that it takes as long. */
export function decoy(effort: Effort = strong): string {
  return ['scrypt', ...effort, randomBytes(16).toString('base64url'), randomBytes(LENGTH).toString('base64url')].join(
    '$',
  )
}

/** Whether that is the password of which `kept` is kept. Takes the same time however wrong it is. */
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
