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

/**
 * A profile's part of the keychain: each answer within a minute, each failure a fault of kind `keychain` without the
 * keychain's message.
 */
export interface Vault {
  name: string
  get(account: string): Promise<string | null>
  set(account: string, secret: string): Promise<void>
  remove(account: string): Promise<void>
  /**
   * Resolves with null when the keychain works, or with the reason why it does not. It may open the system's password
   * dialog, and lasts as long as that; nothing else may be asked meanwhile, since each request holds one of Node's few
   * threads.
   */
  probe(): Promise<string | null>
  isLocked: AskLocked
}

/** Longest wait, ms: the operator may be asked to unlock it, and has to find the password. */
const useTimeoutMs = 60_000

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

/** Writes, reads and deletes a test secret: a locked keychain may report that it is empty. */
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

/** Limits the time of a request. keytar's own message may contain the account or worse, so it is dropped. */
async function guarded<T>(clock: Clock, name: string, work: Promise<T>): Promise<T> {
  try {
    return await within(clock, useTimeoutMs, work)
  } catch (error) {
    throw new FaultError('keychain', error === timedOut ? `${name} did not answer` : `${name} refused`)
  }
}

/** The rejection of `within` after the time limit. */
export const timedOut = Symbol('too late')

export async function within<T>(clock: Clock, limit: number, work: Promise<T>): Promise<T> {
  const controller = new AbortController()
  const timeout = wait(clock, limit, controller.signal).then(
    () => Promise.reject(timedOut),
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([work, timeout])
  } finally {
    controller.abort()
  }
}
