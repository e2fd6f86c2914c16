import type { Store } from '../../store.ts'

/** A device whose firmware differs between two times. `at`: when that was seen, ms. */
export interface FirmwareDifference {
  kind: 'firmware'
  key: string
  at: number
  before: string
  after: string
}

/** Compares the firmware at two times. `since`: when the first one was recorded, ms; null: none was. */
export function firmwareDifferences(
  { journal }: Pick<Store, 'journal'>,
  { from, until }: { from: number; until: number },
): { changes: FirmwareDifference[]; since: number | null } {
  const byKey = new Map<string, FirmwareDifference>()
  for (const { key, at, before, version } of journal.firmwareChanges.between(from, until)) {
    const first = byKey.get(key)?.before ?? before
    byKey.set(key, { kind: 'firmware', key, at, before: first, after: version })
  }
  const changes = [...byKey.values()].filter(({ before, after }) => before !== after)
  return { changes, since: journal.firmwareChanges.since() }
}
