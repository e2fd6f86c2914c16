import { FaultError } from '../../src-shared/model/fault.ts'

/** What the fault says of a body that is longer than it may be. */
export const tooLarge = 'the answer is too large'

/**
 * The text of a body of at most so many bytes once it is unpacked; a longer one is a fault of kind `http`. What its
 * header says need not be true, or there.
 */
export async function readLimited(response: Response, most: number): Promise<string> {
  const saysSo = Number(response.headers.get('content-length') ?? 0) > most
  if (saysSo) response.body?.cancel().catch(() => {})
  const { text, isWhole } = saysSo ? { text: '', isWhole: false } : await readBeginning(response, most)
  if (!isWhole) throw new FaultError('http', tooLarge)
  return text
}

/** The text of a body, or what comes first of one that has more than so many bytes; it is called off there. */
export async function readBeginning(response: Response, most: number): Promise<{ text: string; isWhole: boolean }> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', isWhole: true }
  const pieces: Uint8Array[] = []
  let size = 0
  while (size <= most) {
    const { done, value } = await reader.read()
    if (done) return { text: textOf(pieces, size), isWhole: true }
    pieces.push(value)
    size += value.byteLength
  }
  reader.cancel().catch(() => {})
  return { text: textOf(pieces, most), isWhole: false }
}

const textOf = (pieces: Uint8Array[], size: number): string => new TextDecoder().decode(Buffer.concat(pieces, size))
