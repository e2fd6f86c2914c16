/**
 * Normalises a text for comparison: without case and accents. Full compatibility decomposition, combining marks
 * removed, then upper and lower case, so that `ß` meets `ss`; the final sigma is an ordinary one.
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .replaceAll('ς', 'σ')
}

// Every ASCII character, control characters too: what has none but these needs no decomposition.
// oxlint-disable-next-line no-control-regex
const ascii = /^[\u0000-\u007f]*$/
const combiningMarks = /\p{M}+/gu
