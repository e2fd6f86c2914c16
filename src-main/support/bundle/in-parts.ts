/** Of a text that is changed at a time, characters. */
const atOnce = 32 * 1024

/** A long text changed part by part, in whole lines, so that no word is cut in two; between two parts others have their turn. */
export async function inParts(text: string, change: (part: string) => string): Promise<string> {
  const changed: string[] = []
  for (let from = 0; from < text.length;) {
    const line = text.indexOf('\n', from + atOnce)
    const end = line === -1 ? text.length : line + 1
    changed.push(change(text.slice(from, end)))
    from = end
    if (from < text.length)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
  }
  return changed.join('')
}
