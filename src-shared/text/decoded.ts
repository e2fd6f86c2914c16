/** A part of an address or a key without its percent-encoding; what cannot be read stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
