const boundary = /-----(BEGIN|END) (?:TRUSTED )?CERTIFICATE-----/gu

/**
 * Returns the certificates of a PEM text, each from its first line to its last, without the text between them. Runs in
 * linear time.
 */
export function certificateBlocks(text: string): string[] {
  const blocks: string[] = []
  let begun: number | null = null
  for (const found of text.matchAll(boundary)) {
    if (found[1] === 'BEGIN') begun ??= found.index
    else if (begun !== null) {
      blocks.push(text.slice(begun, found.index + found[0].length))
      begun = null
    }
  }
  return blocks
}
