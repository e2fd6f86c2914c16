import { type PlainField, plainFields, plainValues } from '../../../src-shared/model/base-fields.ts'
import type { ColumnId, SortColumn } from '../../../src-shared/model/inventory.ts'
import { extraName } from './column-layout.ts'

/** What a field is called on the screen, and the service's own name for it: that stands in tooltips, in the chooser, and in filters. */
export interface FieldLabels {
  word: string
  /** '' for what is Muster's own reckoning. */
  field: string
}

const plainLabels = (field: PlainField): FieldLabels => ({ word: plainFields[field].label, field })

const own: Readonly<Record<SortColumn, FieldLabels>> = {
  status: { word: 'Status', field: 'connected' },
  name: { word: 'Name', field: 'name' },
  since: { word: 'In state for', field: '' },
  seenAt: { word: 'Updated', field: '' },
  ...plainValues(plainLabels, plainLabels),
  room: { word: 'Room', field: 'room' },
  site: { word: 'Site', field: 'site' },
  tenant: { word: 'Tenant', field: 'tenant' },
  region: { word: 'Region', field: 'region' },
  id: { word: 'ID', field: 'id' },
}

/** Fields that many services offer beyond the eight; any other is called what the service calls it. */
const extra: ReadonlyMap<string, string> = new Map([
  ['softwareVersion', 'Firmware'],
  ['serialNumber', 'Serial'],
  ['macAddress', 'MAC'],
])

/** What a field of the service is called. */
export function fieldLabels(field: string): string {
  return extra.get(field) ?? Object.values(own).find((each) => each.field === field)?.word ?? field
}

export function columnLabel(id: ColumnId): FieldLabels {
  const field = extraName(id)
  return field === null ? own[id as SortColumn] : { word: fieldLabels(field), field }
}
