import { randomUUID } from 'node:crypto'
import { wait, type Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { AskLocked } from './locked.ts'

/** The three functions of keytar that are used. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/** What one profile has in the keychain: each answer within a minute, each failure a fault of kind `keychain` without the keychain's words. */
export interface Vault {
  name: string
  get(account: string): Promise<string | null>
  set(account: string, secret: string): Promise<void>
  remove(account: string): Promise<void>
  /**
   * Null when it keeps what it is given, or why it is of no use. It may bring up the system's question for the keychain's
   * password, and lasts as long as that; then nothing else may be asked, since every question holds a thread of Node's few.
   */
  probe(): Promise<string | null>
  isLocked: AskLocked
}

/** The operator may be asked to unlock it, and has to find the password. Milliseconds. */
const useLimit = 60_000

export function vaultOf(
  keytar: Keytar,
  service: string,
  { clock, name, isLocked }: { clock: Clock; name: string; isLocked: AskLocked },
): Vault {
  return {
    name,
    isLocked,
    get: (account) => guarded(clock, name, keytar.getPassword(service, account)),
    set: (account, secret) => guarded(clock, name, keytar.setPassword(service, account, secret)),
    remove: async (account) => void (await guarded(clock, name, keytar.deletePassword(service, account))),
    probe: () => probe(keytar, service),
  }
}

/** Writing is tried too: a locked keychain may answer that it has nothing. */
async function probe(keytar: Keytar, service: string): Promise<string | null> {
  const account = `probe ${randomUUID()}`
  try {
    await keytar.setPassword(service, account, account)
    const read = await keytar.getPassword(service, account)
    await keytar.deletePassword(service, account)
    return read === account ? null : 'does not give back what it was given'
  } catch {
    return 'is not available'
  }
}

/** keytar's own words may name the account or worse: they stay behind. */
async function guarded<T>(clock: Clock, name: string, work: Promise<T>): Promise<T> {
  try {
    return await within(clock, useLimit, work)
  } catch (error) {
    throw new FaultError('keychain', error === tooLate ? `${name} did not answer` : `${name} refused`)
  }
}

/** What `within` rejects with when the time is over. */
export const tooLate = Symbol('too late')

export async function within<T>(clock: Clock, limit: number, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = wait(clock, limit, over.signal).then(
    () => Promise.reject(tooLate),
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
