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

/** A line as `JSON.stringify(value, null, 2)` writes it, with a text in it: `  "key": "text",`. */
const line = /^( *(?:"(?:[^"\\\n]|\\.)*": )?)("(?:[^"\\\n]|\\.)*")(?=,?$)/gmu

/** Changes the texts in lines of JSON, and never a key. */
export function inTexts(json: string, change: (text: string) => string): string {
  return json.replaceAll(line, (_whole, before: string, text: string) => `${before}${changed(text, change)}`)
}

/** What was hidden before may have left it unreadable: then as it stands. */
function changed(text: string, change: (text: string) => string): string {
  try {
    return JSON.stringify(change(JSON.parse(text) as string))
  } catch {
    return change(text)
  }
}

/** Text files as one zip; `at` (ms) is the time that each bears. */
export async function zipOf(files: readonly { name: string; text: string }[], at: number): Promise<Uint8Array> {
  // Its tables are made when it is loaded, and few ask for a bundle.
  const { strToU8, zipSync } = await import('fflate')
  return zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])), { level: 6, mtime: at })
}
