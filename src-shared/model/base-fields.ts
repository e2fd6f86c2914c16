/** A field that Muster stores, shows, sorts and filters as it is. */
interface PlainFieldDefinition {
  /** `text`: devices share its values, '' is "the service does not say". `time`: ms since the epoch, null is "the service does not say". */
  kind: 'text' | 'time'
  /** Head of its column. */
  label: string
  /** How a filter writes it, where that is not its name. */
  short?: string
  /** Shown with it in the filter's completion. */
  hint: string
}

/**
 * The plain fields of the base sync. The operations, the decoder, the cache, the engine, the filter, exports and the window's columns and detail take
 * them from this table. A new field needs a line here and a new version of the cache (`cacheVersion`), nothing else.
 */
export const plainFields = {
  hardwareModel: { kind: 'text', label: 'Model', short: 'model', hint: 'the hardware model' },
  lastDetected: { kind: 'time', label: 'Last seen', hint: 'an age or a date: lastDetected:>7d' },
  lastConfigRequestDate: { kind: 'time', label: 'Last config check-in', hint: 'an age or a date' },
} as const satisfies Record<string, PlainFieldDefinition>

export type PlainField = keyof typeof plainFields
type FieldsOfKind<K> = { [F in PlainField]: (typeof plainFields)[F]['kind'] extends K ? F : never }[PlainField]
export type TextField = FieldsOfKind<'text'>
export type TimeField = FieldsOfKind<'time'>

const names = Object.keys(plainFields) as PlainField[]
export const textFields: readonly TextField[] = names.filter(isTextField)
export const timeFields: readonly TimeField[] = names.filter(isTimeField)

export function isTextField(name: string): name is TextField {
  return Object.hasOwn(plainFields, name) && plainFields[name as PlainField].kind === 'text'
}

export function isTimeField(name: string): name is TimeField {
  return Object.hasOwn(plainFields, name) && plainFields[name as PlainField].kind === 'time'
}

/** An object with a value for each plain field. `index`: the field's position among those of its kind. */
export function plainValues<T, M>(
  textOf: (field: TextField, index: number) => T,
  timeOf: (field: TimeField, index: number) => M,
): Record<TextField, T> & Record<TimeField, M> {
  const values: Partial<Record<PlainField, T | M>> = {}
  for (const [index, field] of textFields.entries()) values[field] = textOf(field, index)
  for (const [index, field] of timeFields.entries()) values[field] = timeOf(field, index)
  return values as Record<TextField, T> & Record<TimeField, M>
}

/** A field that a service may fail to tell, or not offer; it then keeps its former value and age. */
export type BaseField = 'name' | TextField | 'connected' | TimeField | 'site' | 'room'

/** All of them, in the order in which they are asked for. */
export const baseFields: readonly BaseField[] = ['name', ...textFields, 'connected', ...timeFields, 'site', 'room']
