/** A field that Muster stores, shows, sorts and filters unchanged. */
interface PlainFieldDefinition {
  /**
   * `text`: devices share its values, and '' is "the service does not say". `time`: ms since the epoch, and null is
   * "the service does not say".
   */
  kind: 'text' | 'time'
  /** Head of its column. */
  label: string
  /** Its written name in filters, when that is not its own name. */
  short?: string
  /** Hint in the filter's completion. */
  hint: string
}

/**
 * The plain fields of the base sync. The operations, the decoder, the cache, the engine, the filter, exports, and the
 * window's columns and detail use this table. A new field needs only a line here and a new `cacheVersion`.
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

/** Returns an object with a value for each plain field. `index`: the field's position among those of its kind. */
export function plainValues<T, M>(
  textOf: (field: TextField, index: number) => T,
  timeOf: (field: TimeField, index: number) => M,
): Record<TextField, T> & Record<TimeField, M> {
  const values: Partial<Record<PlainField, T | M>> = {}
  // By index: it runs for each device that is read, and an iterator would be made each time.
  for (let index = 0; index < textFields.length; index += 1) {
    const field = textFields[index] as TextField
    values[field] = textOf(field, index)
  }
  for (let index = 0; index < timeFields.length; index += 1) {
    const field = timeFields[index] as TimeField
    values[field] = timeOf(field, index)
  }
  return values as Record<TextField, T> & Record<TimeField, M>
}

/** A field that a service may fail to return, or not offer. It then keeps its former value and age. */
export type BaseField = 'name' | TextField | 'connected' | TimeField | 'site' | 'room'

/** All base fields, in the order of the queries. */
export const baseFields: readonly BaseField[] = ['name', ...textFields, 'connected', ...timeFields, 'site', 'room']
