import { randomUUID } from 'node:crypto'
import { wait, type Clock } from '../../src-shared/clock.ts'
import { FaultError } from '../../src-shared/fault.ts'
import type { Secrets } from '../ports.ts'
import { openMemory } from './memory.ts'

/** The three functions of keytar that are used. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

export interface SecretsOptions {
  /** Names the profile inside the keychain, so that profiles do not mix. */
  profile: string
  clock: Clock
  /** keytar throws at import where libsecret is missing, so it is loaded late. */
  load?: () => Promise<Keytar>
  platform?: NodeJS.Platform
}

/** A keychain that has nobody to unlock it asks for ever; whoever answers, answers at once. */
const probeLimit = 3000
/** Later the operator may be asked to unlock it, and has to find the password. */
const useLimit = 60_000

/**
 * The system's keychain where there is one that answers, else memory for this session, with the reason in words.
 * `get`, `set` and `remove` throw a `FaultError` of kind `keychain` when it fails later on; none of them ever tells the
 * secret in an error.
 */
export async function openSecrets(options: SecretsOptions): Promise<Secrets> {
  const { clock, load = loadKeytar, platform = process.platform } = options
  const service = `Muster (${options.profile})`
  const keytar = await load().catch(() => null)
  if (keytar === null) return openMemory(`this session only: ${platform === 'linux' ? 'libsecret is not installed' : 'no keychain could be loaded'}`)
  const reason = await probe(keytar, service, clock)
  if (reason !== null) return openMemory(`this session only: ${names[platform] ?? 'the keychain'} ${reason}`)
  return keychain(keytar, service, clock, names[platform] ?? 'the keychain')
}

const names: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'Secret Service',
  darwin: 'Keychain',
  win32: 'Credential Manager',
}

async function loadKeytar(): Promise<Keytar> {
  const module = await import('keytar')
  return module.default ?? module
}

/** Null, or why it is of no use. Writing is tried too: a locked keychain may answer that it has nothing. */
async function probe(keytar: Keytar, service: string, clock: Clock): Promise<string | null> {
  const account = `probe ${randomUUID()}`
  try {
    await within(clock, probeLimit, keytar.setPassword(service, account, account))
    const read = await within(clock, probeLimit, keytar.getPassword(service, account))
    await within(clock, probeLimit, keytar.deletePassword(service, account))
    return read === account ? null : 'does not give back what it was given'
  } catch (error) {
    return error === tooLate ? 'is locked or does not answer' : 'is not available'
  }
}

function keychain(keytar: Keytar, service: string, clock: Clock, name: string): Secrets {
  return {
    kind: 'keychain',
    detail: name,
    get: (account) => guarded(clock, name, keytar.getPassword(service, account)),
    set: (account, secret) => guarded(clock, name, keytar.setPassword(service, account, secret)),
    remove: async (account) => void (await guarded(clock, name, keytar.deletePassword(service, account))),
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

const tooLate = Symbol('too late')

async function within<T>(clock: Clock, limit: number, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = wait(clock, limit, over.signal).then(() => Promise.reject(tooLate), () => new Promise<never>(() => {}))
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
