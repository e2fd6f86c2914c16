import type { Secrets } from '../ports.ts'

/**
 * Keeps secrets until quit, in this process's memory and nowhere else. `reason`: why there is no keychain, in words.
 */
export function openMemory(reason: string): Secrets {
  const kept = new Map<string, string>()
  return {
    kind: 'session',
    detail: reason,
    get: async (account) => kept.get(account) ?? null,
    set: async (account, secret) => void kept.set(account, secret),
    remove: async (account) => void kept.delete(account),
    unlock: async () => {},
    onChange: () => () => {},
    stop() {},
  }
}
