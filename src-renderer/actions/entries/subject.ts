import type { InventoryQuery } from '../../../src-shared/model/inventory.ts'
import type { maxTargets as sharedMaxTargets } from '../../../src-shared/model/jobs.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import type { Selection } from '../../inventory/table/selection.ts'
import type { Subject } from '../device-actions.ts'

/** Tied to the contract's by type: importing the value would bring its schemas into the first script. */
const maxTargets: typeof sharedMaxTargets = 5000

/**
 * Returns the devices of an action: the selected ones, or else the one at the cursor; null for none. `name`: of a single
 * device, where it is known.
 */
export function subjectOf(
  selection: Selection,
  present: string | null,
  query: InventoryQuery,
  name: (key: string) => string | null,
): Subject | null {
  if (selection.what === 'all') return { targets: { query }, name: null }
  const keys = selection.what === 'some' ? [...selection.keys] : present === null ? [] : [present]
  const [first, ...more] = keys
  if (first === undefined || keys.length > maxTargets) return null
  return { targets: { keys }, name: more.length > 0 ? null : name(first) }
}

/** The most devices of one answer (contract: incidents.members). */
const pageMembers = 500

/** Returns the devices of an incident, at most `maxTargets`; null when they cannot be read, or there are none. */
export async function subjectOfIncident(pipe: Pipe, { id, places }: Incident): Promise<Subject | null> {
  const keys: string[] = []
  for (;;) {
    const answer = await pipe.call('incidents.members', { id, offset: keys.length, limit: pageMembers })
    if (!answer.ok) return null
    for (const { key } of answer.value.rows) keys.push(key)
    if (answer.value.rows.length < pageMembers || keys.length >= maxTargets) break
  }
  if (keys.length === 0) return null
  return { targets: { keys: keys.slice(0, maxTargets) }, name: places[0]?.name ?? null }
}
