/** A line of a text. `isHead`: it is a heading. */
export interface PlainLine {
  text: string
  isHead: boolean
}

/**
 * Returns Muster's own Markdown (src-main/reports/markdown.ts) as lines to read: without marks and escapes, a table as a
 * list with the names of its columns.
 */
export function plainLines(markdown: string): PlainLine[] {
  let heads: string[] | null = null
  return markdown
    .trimEnd()
    .split('\n')
    .flatMap((line): PlainLine[] => {
      const cells = cellsOf(line)
      if (cells === null) heads = null
      if (cells === null) return [lineOf(line)]
      if (heads === null) {
        heads = cells.map(inlineText)
        return []
      }
      return cells.every((cell) => cell === '---') ? [] : rowLines(heads, cells.map(inlineText))
    })
}

function lineOf(line: string): PlainLine {
  const [, heading] = /^#{1,6} (.*)$/u.exec(line) ?? []
  if (heading !== undefined) return { text: inlineText(heading), isHead: true }
  const [, indent = '', item] = /^( *)- (.*)$/u.exec(line) ?? []
  return { text: item === undefined ? inlineText(line) : `${indent}• ${inlineText(item)}`, isHead: false }
}

/** Returns a row as an item: the first cell, and below it the others that are not empty. */
function rowLines(heads: readonly string[], [first = '', ...others]: readonly string[]): PlainLine[] {
  const facts = others.flatMap((cell, index) => (cell === '' ? [] : [`${heads[index + 1] ?? ''}: ${cell}`]))
  const texts = facts.length === 0 ? [`• ${first}`] : [`• ${first}`, `  ${facts.join(' · ')}`]
  return texts.map((text) => ({ text, isHead: false }))
}

/** Returns the cells of a table's line, still as Markdown; null for any other line. */
function cellsOf(line: string): string[] | null {
  if (!line.startsWith('| ') || !line.endsWith(' |')) return null
  // A bar after a backslash is text, also within code.
  const cells = [...line.slice(1).matchAll(/((?:[^\\|]|\\.)*)\|/gu)]
  return cells.map(([, cell = '']) => cell.replaceAll(String.raw`\|`, '|').trim())
}

/** Matches code with its fences, an escaped character, or the mark of strong text. */
const marks = /(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])|\*\*/gu

/** Returns the text of a line of Markdown. */
const inlineText = (text: string): string =>
  text.replaceAll(marks, (_found, fence?: string, code?: string, escaped?: string) => {
    if (fence === undefined || code === undefined) return escaped ?? ''
    return fence.length > 1 ? code.slice(1, -1) : code
  })
