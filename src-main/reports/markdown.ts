import { isolated, undirected } from '../../src-shared/text/direction.ts'

/**
 * Markdown of words that others have written (GitHub's kind, which ticket systems share). Whatever a device is called, it
 * breaks no table, makes no link, image or HTML, calls nobody, and turns no line around.
 */

/** Marks an instant in words (moments.ts). */
const instants = /[\uE000\uE001]/gu
/** Unless said otherwise, longer words are cut. */
const longest = 300

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** One line without control characters that turns nothing around it; cut between characters as a reader sees them. */
export function oneLine(text: string, most: number = longest): string {
  const line = isolated(
    text
      .slice(0, most * 50)
      .toWellFormed()
      .replaceAll(instants, '')
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ).trim()
  if (line.length <= most) return line
  const parts = [...graphemes.segment(line)]
  return parts.length <= most
    ? line
    : isolated(
        `${parts
          .slice(0, most - 1)
          .map(({ segment }) => segment)
          .join('')
          .trimEnd()}…`,
      )
}

/** What becomes a link, a mention or the number of another ticket without any brackets. */
const reaching = /:\/\/|www\.|mailto:|xmpp:|@|#\d|GH-\d/iu

/** Somebody's words within a line or a cell of a table. None is a dash. */
export function inline(text: string, most?: number): string {
  const line = oneLine(text, most)
  if (line === '') return '–'
  return reaching.test(line) ? code(line) : escaped(line)
}

function escaped(line: string): string {
  const inner = line.replaceAll(/[\\`*_{}[\]<>|~&$]/gu, String.raw`\$&`)
  return inner.replace(/^[#+\-=:]/u, String.raw`\$&`).replace(/^(\d{1,9})([.)])(?= |$)/u, String.raw`$1\$2`)
}

/** One line that is to be copied as it is: an id, an address. */
export function code(text: string, most?: number): string {
  const line = oneLine(text, most)
  if (line === '') return '–'
  const fence = '`'.repeat(longestRun(line) + 1)
  const pad = fence.length > 1 ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/** Lines as they are, without control characters. Nothing in them ends the block. */
export function block(language: string, lines: readonly string[]): string {
  const clean = lines
    .flatMap((line) => line.split(/\r\n|[\n\r\u2028\u2029]/u))
    .map((line) =>
      undirected(line.toWellFormed())
        .replaceAll(instants, '')
        .replaceAll('\t', '  ')
        .replaceAll(/\p{Cc}/gu, ''),
    )
  const fence = '`'.repeat(Math.max(3, longestRun(clean.join('\n')) + 1))
  return [`${fence}${language}`, ...clean, fence].join('\n')
}

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/gu)].reduce((most, [run]) => Math.max(most, run.length), 0)

/** Cells are ready: `words`, `code` or Muster's own. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(whole).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Tables part their cells before anything else is read, also within a code: a bar stands behind an odd number of backslashes. */
const whole = (cell: string): string =>
  cell.replaceAll(/\\+\|?|\|/gu, (found) => (found.endsWith('|') && found.length % 2 === 1 ? `\\${found}` : found))

/** Points of a list. Items are ready as cells are. */
export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** Parts with an empty line between them; those that are empty are left out. */
export const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`

const figure = new Intl.NumberFormat('en')
export const count = (number: number): string => figure.format(number)

/** Says that a list was cut; '' when it was not. */
export const cutWords = (shown: number, total: number, what: string): string =>
  shown >= total ? '' : `Shown are ${count(shown)} of ${count(total)} ${what}.`
