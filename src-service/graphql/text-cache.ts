/** What was made of some texts, by the text; of those that were not asked for lately, nothing. */
type TextCache<T> = { get(text: string): T | undefined; set(text: string, value: T): void }

/** `size`: characters of all texts together. A text that is longer than a quarter of that is not kept. */
export function startTextCache<T>(size: number): TextCache<T> {
  const kept = new Map<string, T>()
  let held = 0
  const drop = (text: string): void => void (kept.delete(text) && (held -= text.length))
  return {
    get(text) {
      const value = kept.get(text)
      if (value === undefined) return undefined
      // To the end of the row: what is used stays longest.
      kept.delete(text)
      kept.set(text, value)
      return value
    },
    set(text, value) {
      if (text.length > size / 4) return
      drop(text)
      kept.set(text, value)
      held += text.length
      for (const [oldest] of kept) {
        if (held <= size) break
        drop(oldest)
      }
    },
  }
}
