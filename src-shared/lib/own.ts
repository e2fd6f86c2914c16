/**
 * Returns an object's own value for a foreign name: a schema field, a column, a filter word. `record[name]` would also
 * find inherited members such as `constructor` or `toString`; a test forbids that form.
 */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
