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
