import { FaultError } from '../../src-shared/model/fault.ts'

/** The fault's detail for a body that exceeds its limit. */
export const tooLarge = 'the answer is too large'

/**
 * Returns the text of a body of at most `maxBytes` bytes after decompression; rejects with a fault of kind `http` for a
 * longer one. The header `content-length` may be wrong or missing.
 */
export async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const isDeclaredLonger = Number(response.headers.get('content-length') ?? 0) > maxBytes
  if (isDeclaredLonger) response.body?.cancel().catch(() => {})
  const { text, isWhole } = isDeclaredLonger ? { text: '', isWhole: false } : await readBeginning(response, maxBytes)
  if (!isWhole) throw new FaultError('http', tooLarge)
  return text
}

/** Returns the text of a body, or the first `maxBytes` bytes of a longer one, which is then cancelled. */
export async function readBeginning(response: Response, maxBytes: number): Promise<{ text: string; isWhole: boolean }> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', isWhole: true }
  const pieces: Uint8Array[] = []
  let size = 0
  while (size <= maxBytes) {
    const { done, value } = await reader.read()
    if (done) return { text: textOf(pieces, size), isWhole: true }
    pieces.push(value)
    size += value.byteLength
  }
  reader.cancel().catch(() => {})
  return { text: textOf(pieces, maxBytes), isWhole: false }
}

const textOf = (pieces: Uint8Array[], size: number): string => new TextDecoder().decode(Buffer.concat(pieces, size))
