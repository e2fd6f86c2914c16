/** Marks around an instant in a text whose reader writes it by their own clock. No name contains them. */
const [begin, end] = ['\uE000', '\uE001']
const marked = /\uE000(\d+)\uE001/gu

/** Returns an instant (ms since the epoch) in its marks. */
export const momentMark = (at: number): string => `${begin}${Math.max(0, Math.round(at))}${end}`

/**
 * Returns a text with each marked instant replaced by the result of `write`, which also receives its index and mark.
 */
export function writeMarks(text: string, write: (at: number, index: number, mark: string) => string): string {
  return text.replaceAll(marked, (mark: string, digits: string, index: number) => write(Number(digits), index, mark))
}
