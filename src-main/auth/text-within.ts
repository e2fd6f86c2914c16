import { FaultError } from '../../src-shared/fault.ts'

/**
 * The text of a body of at most so many bytes once it is unpacked; a longer one is a fault of kind `http`. What its
 * header says need not be true, or there.
 */
export async function textWithin(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const pieces: Uint8Array[] = []
  let size = Number(response.headers.get('content-length') ?? 0) > most ? Infinity : 0
  while (size <= most) {
    const { done, value } = await reader.read()
    if (done) return new TextDecoder().decode(Buffer.concat(pieces, size))
    pieces.push(value)
    size += value.byteLength
  }
  reader.cancel().catch(() => {})
  throw new FaultError('http', 'the answer is too large')
}
