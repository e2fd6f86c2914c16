import { type PlainField, plainFields, plainValues } from '../../../src-shared/model/base-fields.ts'
import type { ColumnId, SortColumn } from '../../../src-shared/model/inventory.ts'
import { extraName } from './column-layout.ts'

/** The label of a field and the service's name for it, which tooltips, the column chooser and filters use. */
export interface FieldLabels {
  word: string
  /** '' for Muster's own values. */
  field: string
}

const plainLabels = (field: PlainField): FieldLabels => ({ word: plainFields[field].label, field })

const own: Readonly<Record<SortColumn, FieldLabels>> = {
  status: { word: 'Status', field: 'connected' },
  name: { word: 'Name', field: 'name' },
  since: { word: 'In state for', field: '' },
  seenAt: { word: 'Updated', field: '' },
  placedAt: { word: 'Place as of', field: '' },
  ...plainValues(plainLabels, plainLabels),
  room: { word: 'Room', field: 'room' },
  site: { word: 'Site', field: 'site' },
  account: { word: 'Account', field: 'account' },
  tenant: { word: 'Tenant', field: 'tenant' },
  region: { word: 'Region', field: 'region' },
  tags: { word: 'Tags', field: '' },
  note: { word: 'Note', field: '' },
  id: { word: 'ID', field: 'id' },
}

/** Labels of extra fields that many services offer. Any other field keeps the service's name. */
const extra: ReadonlyMap<string, string> = new Map([
  ['softwareVersion', 'Firmware'],
  ['serialNumber', 'Serial'],
  ['macAddress', 'MAC'],
])

/** Returns the label of a service's field. */
export function fieldLabels(field: string): string {
  return extra.get(field) ?? Object.values(own).find((each) => each.field === field)?.word ?? field
}

export function columnLabel(id: ColumnId): FieldLabels {
  const field = extraName(id)
  return field === null ? own[id as SortColumn] : { word: fieldLabels(field), field }
}
