/**
 * What an object holds itself under a name that somebody else gave: a field of a service's schema, a column, a word of a filter.
 * `record[name]` would find what every object inherits, for `constructor` or `toString`; a test sees to it that nobody reads so.
 */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
