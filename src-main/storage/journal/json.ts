/** Returns the value of stored JSON; null when it is invalid. */
export function fromJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return null
  }
}

/** Returns a list of texts from stored JSON; an empty one when it is invalid. */
export function textsOf(json: unknown): string[] {
  const value = fromJson(json)
  return Array.isArray(value) ? value.map(String) : []
}

/** Returns JSON text; undefined becomes null. */
export const toJson = (value: unknown) => JSON.stringify(value ?? null)
