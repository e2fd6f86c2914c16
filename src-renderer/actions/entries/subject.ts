import type { InventoryQuery } from '../../../src-shared/model/inventory.ts'
import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import type { Selection } from '../../inventory/table/selection.ts'
import type { Subject } from '../device-actions.ts'
import { sizeReason } from '../offers.ts'

/**
 * Returns the devices of an action: the selected ones, or else the one at the cursor; null for none. `total`: rows of the
 * query. `name`: of a single device, where it is known.
 */
export function subjectOf(
  selection: Selection,
  present: string | null,
  { query, total }: { query: InventoryQuery; total: number },
  name: (key: string) => string | null,
): Subject | null {
  if (selection.what === 'all') return { targets: { query }, name: null, count: total }
  const keys = selection.what === 'some' ? [...selection.keys] : present === null ? [] : [present]
  const [first, ...more] = keys
  if (first === undefined) return null
  return { targets: { keys }, name: more.length > 0 ? null : name(first), count: keys.length }
}

/** The most devices of one answer (contract: incidents.members). */
const pageMembers = 500

/** Returns the devices of an incident; a fault when they cannot be read, are none, or too many. */
export async function subjectOfIncident(pipe: Pipe, { id, places }: Incident): Promise<Answer<Subject>> {
  const keys = new Set<string>()
  for (let offset = 0; ; offset += pageMembers) {
    const answer = await pipe.call('incidents.members', { id, offset, limit: pageMembers })
    if (!answer.ok) return answer
    const { rows, total } = answer.value
    const reason = total === 0 ? 'This incident has no devices now.' : sizeReason({ count: total })
    if (reason !== '') return { ok: false, fault: { kind: 'input', detail: reason } }
    for (const { key } of rows) keys.add(key)
    if (rows.length < pageMembers || offset + pageMembers >= total) break
  }
  const subject = { targets: { keys: [...keys] }, name: places[0]?.name ?? null, count: keys.size }
  return { ok: true, value: subject }
}
