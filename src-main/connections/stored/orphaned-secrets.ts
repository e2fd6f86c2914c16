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

const orphansKey = 'secretsLeft'
const expectedKey = 'secretsExpected'
const idList = z.array(z.string().min(1)).catch([])

/** `onCount` receives the number of removed connections with secrets, on each change and at a start with any. */
export function openOrphanedSecrets(
  { settings, secrets, log }: Ports,
  onCount: (count: number) => void,
): OrphanedSecrets {
  let orphans = idList.parse(settings.get(orphansKey) ?? [])
  let interrupted = idList.parse(settings.get(expectedKey) ?? [])
  let expected: readonly string[] = []
  if (orphans.length > 0) onCount(orphans.length)
  const write = (key: string, ids: readonly string[]) => savingSettings(() => settings.set(key, ids))
  const setOrphans = (ids: string[]) => {
    write(orphansKey, ids)
    orphans = ids
    onCount(ids.length)
  }
  const setExpected = (ids: readonly string[]) => {
    if (ids.length + expected.length > 0) write(expectedKey, [...interrupted, ...ids])
    expected = ids
  }
  return {
    note: (id) => setOrphans([...new Set([...orphans, id])]),
    expect(ids) {
      if (secrets.kind !== 'session') setExpected(ids)
    },
    settled() {
      try {
        setExpected([])
      } catch {
        // The next start keeps those that became connections.
      }
    },
    async wipe(isKnown, signal) {
      if (orphans.length + interrupted.length === 0 || secrets.kind !== 'keychain') return
      try {
        for (const id of [...orphans, ...interrupted].filter((each) => !isKnown(each))) await secrets.remove(id)
        if (signal.aborted) return
        if (orphans.length > 0) setOrphans([])
        if (interrupted.length === 0) return
        interrupted = []
        write(expectedKey, expected)
      } catch (error) {
        log('warn', `secrets of removed connections stay in the keychain for now (${toFault(error).kind})`)
      }
    },
  }
}
