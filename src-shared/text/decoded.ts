/** Returns a part of an address or a key without its percent-encoding; an invalid one is returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
