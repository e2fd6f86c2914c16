export type TokenKind = 'name' | 'text' | 'number' | 'word' | 'mark'

/** Returns the parts of a line of JSON, for their colours. Together they are the line. */
export function tokensOf(line: string): { kind: TokenKind; text: string }[] {
  const tokens: { kind: TokenKind; text: string }[] = []
  for (const [text] of line.matchAll(/"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|[A-Za-z]+|[^"\w-]+|./gsu)) {
    const isFirst = tokens.length === 0
    const kind = text.startsWith('"')
      ? isFirst && line.startsWith(': ', text.length)
        ? 'name'
        : 'text'
      : /^-?\d/u.test(text)
        ? 'number'
        : /^[A-Za-z]/u.test(text)
          ? 'word'
          : 'mark'
    tokens.push({ kind, text })
  }
  return tokens
}
