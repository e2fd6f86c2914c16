import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import type { CopyWhat } from './actions.ts'
import { columnOf } from '../columns/columns.tsx'

/** The service's extra fields that a device is told by elsewhere: on a label, in a lease, in a ticket. */
const identifyingFields: readonly ColumnId[] = [
  'extra:serialNumber',
  'extra:macAddress',
  'extra:internalIp',
  'extra:externalIp',
]

/** The copy of one column's values, by the name that stands in its head. */
export function columnCopy(column: ColumnId) {
  return { what: 'column', column, word: columnOf(column, []).head } as const
}

/** Of the columns that are shown, the copies of those that tell a device by itself: serial number and addresses. */
export function identifyingCopies(shown: readonly ColumnId[]) {
  return identifyingFields.filter((id) => shown.includes(id)).map(columnCopy)
}

/** The id and the name always, the column under the pointer, serial number and addresses where they are shown, then whole rows. */
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
