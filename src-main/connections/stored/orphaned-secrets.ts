import { z } from 'zod'
import { toFault } from '../../../src-shared/model/fault.ts'
import type { Ports } from '../../ports.ts'
import { savingSettings } from '../../settings/saving.ts'

/**
 * Secrets in the keychain that belong to no connection: of one that was removed while the keychain was unavailable, and
 * of new ones whose change was interrupted before it was stored. The settings store their ids, because nothing else
 * knows them.
 */
export interface OrphanedSecrets {
  /** Records the secret of a removed connection. Throws a fault of kind `storage` when it cannot be stored. */
  note(id: string): void
  /** Records secrets before they go into the keychain. Throws a fault of kind `storage`; then none may. */
  expect(ids: readonly string[]): void
  /** Clears these records after the connections are stored, or their secrets taken back. */
  settled(): void
  /**
   * Removes the secrets where a keychain is available; failures wait for the next start. Keeps ids for which `isKnown`
   * is true.
   */
  wipe(isKnown: (id: string) => boolean, signal: AbortSignal): Promise<void>
}

const leftKey = 'secretsLeft'
const expectedKey = 'secretsExpected'
const kept = z.array(z.string().min(1)).catch([])

/** `onCount` receives the number of removed connections with secrets, on each change and at a start with any. */
export function openOrphanedSecrets(
  { settings, secrets, log }: Ports,
  onCount: (count: number) => void,
): OrphanedSecrets {
  let left = kept.parse(settings.get(leftKey) ?? [])
  let cutOff = kept.parse(settings.get(expectedKey) ?? [])
  let expected: readonly string[] = []
  if (left.length > 0) onCount(left.length)
  const write = (key: string, ids: readonly string[]) => savingSettings(() => settings.set(key, ids))
  const keep = (ids: string[]) => {
    write(leftKey, ids)
    left = ids
    onCount(ids.length)
  }
  const keepExpected = (ids: readonly string[]) => {
    if (ids.length + expected.length > 0) write(expectedKey, [...cutOff, ...ids])
    expected = ids
  }
  return {
    note: (id) => keep([...new Set([...left, id])]),
    expect(ids) {
      if (secrets.kind !== 'session') keepExpected(ids)
    },
    settled() {
      try {
        keepExpected([])
      } catch {
        // The next start keeps those that became connections.
      }
    },
    async wipe(isKnown, signal) {
      if (left.length + cutOff.length === 0 || secrets.kind !== 'keychain') return
      try {
        for (const id of [...left, ...cutOff].filter((each) => !isKnown(each))) await secrets.remove(id)
        if (signal.aborted) return
        if (left.length > 0) keep([])
        if (cutOff.length === 0) return
        cutOff = []
        write(expectedKey, expected)
      } catch (error) {
        log('warn', `secrets of removed connections stay in the keychain for now (${toFault(error).kind})`)
      }
    },
  }
}
