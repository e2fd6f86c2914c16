import { z } from 'zod'
import { toFault } from '../../../src-shared/model/fault.ts'
import type { Ports } from '../../ports.ts'
import { savingSettings } from '../../settings/saving.ts'

/**
 * Secrets in the keychain that belong to no connection: of one that was removed while the keychain could not be reached,
 * and of new ones whose change was cut off before it was stored. Their ids are kept, since nothing else knows them.
 */
export interface OrphanedSecrets {
  /** Of a connection that is removed. Throws a fault of kind `storage` when it cannot be kept. */
  note(id: string): void
  /** Secrets of new connections are about to go into the keychain. Throws a fault of kind `storage`; then none may. */
  expect(ids: readonly string[]): void
  /** The connections are stored, or their secrets taken back. */
  settled(): void
  /** Wipes them where there is a keychain again; what fails waits for the next start. `isKnown`: of these a connection is there. */
  wipe(isKnown: (id: string) => boolean, signal: AbortSignal): Promise<void>
}

const leftKey = 'secretsLeft'
const expectedKey = 'secretsExpected'
const kept = z.array(z.string().min(1)).catch([])

/** `onCount` hears of how many removed connections there are secrets, whenever that changes and at the start when there are any. */
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
        // Those that are connections by the next start are left alone there.
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
