import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import type { CopyWhat } from './actions.ts'
import { columnOf } from '../columns/columns.tsx'

/** Extra fields that identify a device outside Muster: on a label, in a DHCP lease, in a ticket. */
const identifyingFields: readonly ColumnId[] = [
  'extra:serialNumber',
  'extra:macAddress',
  'extra:internalIp',
  'extra:externalIp',
]

/** Returns the copy of one column's values, by its head. */
export function columnCopy(column: ColumnId) {
  return { what: 'column', column, word: columnOf(column, []).head } as const
}

/** Returns the copies of the shown columns that identify a device: serial number and addresses. */
export function identifyingCopies(shown: readonly ColumnId[]) {
  return identifyingFields.filter((id) => shown.includes(id)).map(columnCopy)
}

/**
 * Returns the copies to offer: always id and name, the column under the pointer, serial number and addresses when they
 * are shown, then whole rows.
 */
export function copiesOf(
  column: ColumnId | null,
  shown: readonly ColumnId[],
): readonly { word: string; what: CopyWhat }[] {
  const first = new Set<ColumnId>(['id', 'name', ...(column === null ? [] : [column])])
  const more = identifyingCopies(shown).filter((what) => !first.has(what.column))
  const values = [...[...first].map(columnCopy), ...more]
  return [
    ...values.map((what) => ({ word: what.word, what })),
    { word: 'the rows', what: { what: 'rows' } },
    { word: 'as JSON', what: { what: 'json' } },
  ]
}
