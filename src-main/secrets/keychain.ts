import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Secrets } from '../ports.ts'
import { lockedBy, type AskLocked } from './locked.ts'
import { openMemory } from './memory.ts'
import { timedOut, vaultOf, within, type Keytar } from './vault.ts'
import { keepWaiting } from './waiting.ts'

export interface SecretsOptions {
  /** Names the profile inside the keychain, so that profiles do not mix. */
  profile: string
  clock: Clock
  /** Loads keytar late, because it throws at import where libsecret is missing. */
  load?: () => Promise<Keytar>
  platform?: NodeJS.Platform
  isLocked?: AskLocked
}

/** Longest wait for the first answer, ms: a locked keychain without a user never answers, any other at once. */
const probeTimeoutMs = 3000

/**
 * Opens the system's keychain where there is one, locked or not; otherwise memory for this session, with the reason in
 * words. `get`, `set` and `remove` throw a `FaultError` of kind `keychain` or `keychain-locked` when it fails later; no
 * error contains the secret.
 */
export async function openSecrets(options: SecretsOptions): Promise<Secrets> {
  const { clock, load = loadKeytar, platform = process.platform } = options
  const keytar = await load().catch(() => null)
  if (keytar === null)
    return openMemory(
      `this session only: ${platform === 'linux' ? 'libsecret is not installed' : 'no keychain could be loaded'}`,
    )
  const vault = vaultOf(keytar, `Muster (${options.profile})`, {
    clock,
    name: names[platform] ?? 'the keychain',
    isLocked: options.isLocked ?? lockedBy(platform),
  })
  const probe = vault.probe()
  try {
    const reason = await within(clock, probeTimeoutMs, probe)
    if (reason === null) return keepWaiting(vault, clock, 'open')
    return (await vault.isLocked()) === true
      ? keepWaiting(vault, clock, null)
      : openMemory(`this session only: ${vault.name} ${reason}`)
  } catch (error) {
    if (error !== timedOut) throw error
    return keepWaiting(vault, clock, probe)
  }
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
