import type { Secrets } from '../../src-main/ports.ts'

/** A keychain that holds what it was given over a restart, and whose whole contents can be looked at. */
export function keychainOf(kept: Map<string, string> = new Map()): Secrets & { kept: Map<string, string> } {
  return {
    kept,
    kind: 'keychain',
    detail: 'a test',
    get: async (account) => kept.get(account) ?? null,
    set: async (account, secret) => void kept.set(account, secret),
    remove: async (account) => void kept.delete(account),
    unlock: async () => {},
    onChange: () => () => {},
    stop() {},
  }
}
