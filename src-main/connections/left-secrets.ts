import { z } from 'zod'
import { FaultError, toFault } from '../../src-shared/fault.ts'
import type { Ports } from '../ports.ts'

/** Ids of connections that were removed while the keychain, which may hold their secrets, could not be reached. */
export interface LeftSecrets {
  /** Throws a fault of kind `storage` when it cannot be kept. */
  note(id: string): void
  /** Wipes them where there is a keychain again; what fails waits for the next start. `isKnown`: of these a connection is there. */
  wipe(isKnown: (id: string) => boolean, signal: AbortSignal): Promise<void>
}

const settingsKey = 'secretsLeft'
const kept = z.array(z.string().min(1)).catch([])

/** `onCount` hears how many there are, whenever that changes and at the start when there are any. */
export function openLeftSecrets({ settings, secrets, log }: Ports, onCount: (count: number) => void): LeftSecrets {
  let left = kept.parse(settings.get(settingsKey) ?? [])
  if (left.length > 0) onCount(left.length)
  const keep = (ids: string[]) => {
    settings.set(settingsKey, ids)
    left = ids
    onCount(ids.length)
  }
  return {
    note(id) {
      try {
        keep([...new Set([...left, id])])
      } catch (error) {
        throw new FaultError('storage', 'the settings cannot be written', { cause: error })
      }
    },
    async wipe(isKnown, signal) {
      if (left.length === 0 || secrets.kind !== 'keychain') return
      try {
        for (const id of left.filter((each) => !isKnown(each))) await secrets.remove(id)
        if (!signal.aborted) keep([])
      } catch (error) {
        log('warn', `secrets of removed connections stay in the keychain for now (${toFault(error).kind})`)
      }
    },
  }
}
