/** Stand around an instant in words that are made for somebody who writes it by a clock of his own; no name has them. */
const [begin, end] = ['\uE000', '\uE001']
const marked = /\uE000(\d+)\uE001/gu

/** An instant in such words. */
export const momentMark = (at: number): string => `${begin}${Math.max(0, Math.round(at))}${end}`

/** Such words with each instant written. `write` hears where it stands, too. */
export function writeMarks(text: string, write: (at: number, index: number, mark: string) => string): string {
  return text.replaceAll(marked, (mark: string, digits: string, index: number) => write(Number(digits), index, mark))
}
