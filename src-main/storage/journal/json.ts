/** What was written as JSON; null when it is not that any more. */
export function fromJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return null
  }
}

/** A list of texts that was written as JSON; an empty one when it is not that any more. */
export function textsOf(json: unknown): string[] {
  const value = fromJson(json)
  return Array.isArray(value) ? value.map(String) : []
}

/** What is not there is written as nothing at all. */
export const toJson = (value: unknown) => JSON.stringify(value ?? null)
