/** Characters of a chunk. */
const chunkLength = 32 * 1024

/** Changes a long text in parts of whole lines, so that no word is split; other tasks run between two parts. */
export async function inChunks(text: string, change: (part: string) => string): Promise<string> {
  const changed: string[] = []
  for (let from = 0; from < text.length;) {
    const line = text.indexOf('\n', from + chunkLength)
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

/** Matches a line with a text as `JSON.stringify(value, null, 2)` writes it: `  "key": "text",`. */
const jsonLine = /^( *(?:"(?:[^"\\\n]|\\.)*": )?)("(?:[^"\\\n]|\\.)*")(?=,?$)/gmu

/** Changes the texts in lines of JSON, but no keys. */
export function mapJsonTexts(json: string, change: (text: string) => string): string {
  return json.replaceAll(jsonLine, (_whole, before: string, text: string) => `${before}${changed(text, change)}`)
}

/** Changes a JSON text; one that redaction made invalid is changed as it stands. */
function changed(text: string, change: (text: string) => string): string {
  try {
    return JSON.stringify(change(JSON.parse(text) as string))
  } catch {
    return change(text)
  }
}

/** Returns text files as one zip archive; `at` (ms) is the time of each entry. */
export async function zipOf(files: readonly { name: string; text: string }[], at: number): Promise<Uint8Array> {
  // Loaded late: it builds its tables then, and few users need a bundle.
  const { strToU8, zipSync } = await import('fflate')
  return zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])), { level: 6, mtime: at })
}
