/** Values by text; those that were not used recently are dropped. */
type TextCache<T> = { get(text: string): T | undefined; set(text: string, value: T): void }

/** Starts a cache. `size`: characters of all texts together. Texts longer than a quarter of it are not cached. */
export function startTextCache<T>(size: number): TextCache<T> {
  const kept = new Map<string, T>()
  let held = 0
  const drop = (text: string): void => void (kept.delete(text) && (held -= text.length))
  return {
    get(text) {
      const value = kept.get(text)
      if (value === undefined) return undefined
      // Moved to the end, so that used entries stay longest.
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
