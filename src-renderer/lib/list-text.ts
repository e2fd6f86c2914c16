import { numberText } from './format/numbers.ts'

/** Returns why a pasted list cannot be taken; null: it can. `limit`: the longest text, characters. */
export function problemOf(text: string, limit: number): string | null {
  if (text.trim() === '') return 'There is no text in it.'
  return text.length > limit ? `It is longer than ${numberText(limit)} characters. Import it in parts.` : null
}

/** Reads a file of a list, of twice as many bytes as characters at most. Resolves with its text, or why there is none. */
export async function textOfFile(file: File, limit: number): Promise<{ text: string } | { problem: string }> {
  if (file.size > 2 * limit) return { problem: 'The file is too large. Import it in parts.' }
  const bytes = await file.arrayBuffer().catch(() => null)
  return bytes === null ? { problem: 'The file could not be read.' } : { text: decoded(new Uint8Array(bytes)) }
}

/**
 * Decodes a file: by its byte order mark, or else as UTF-8, or else as Windows-1252, which Western spreadsheets write.
 */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
