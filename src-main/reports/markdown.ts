import { isolated, undirected } from '../../src-shared/text/direction.ts'

/**
 * GitHub-flavoured Markdown of foreign texts, which ticket systems accept too. A device's name cannot break a table,
 * create a link, an image or HTML, mention anybody, or change the direction of a line.
 */

/** The default maximum length of a text, in characters. */
const defaultMaxLength = 300

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Returns a text on one line, without control characters and without effect on the direction of its surroundings. It is
 * cut between graphemes.
 */
export function oneLine(text: string, maxLength: number = defaultMaxLength): string {
  const line = isolated(
    text
      .slice(0, maxLength * 50)
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ).trim()
  if (line.length <= maxLength) return line
  const parts = [...graphemes.segment(line)]
  return parts.length <= maxLength
    ? line
    : isolated(
        `${parts
          .slice(0, maxLength - 1)
          .map(({ segment }) => segment)
          .join('')
          .trimEnd()}…`,
      )
}

/** Matches text that becomes a link, a mention or a reference to another ticket without any brackets. */
const autolink = /:\/\/|www\.|mailto:|xmpp:|@|#\d|GH-\d/iu

/** Returns a foreign text for a line or a table cell; a dash when it is empty. */
export function inline(text: string, maxLength?: number): string {
  const line = oneLine(text, maxLength)
  if (line === '') return '–'
  return autolink.test(line) ? code(line) : escaped(line)
}

function escaped(line: string): string {
  const inner = line.replaceAll(/[\\`*_{}[\]<>|~&$]/gu, String.raw`\$&`)
  return inner.replace(/^[#+\-=:]/u, String.raw`\$&`).replace(/^(\d{1,9})([.)])(?= |$)/u, String.raw`$1\$2`)
}

/** Returns one line of code, for a text that readers copy, such as an id or an address. */
export function code(text: string, maxLength?: number): string {
  const line = oneLine(text, maxLength)
  if (line === '') return '–'
  const fence = '`'.repeat(longestRun(line) + 1)
  const pad = fence.length > 1 ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/** Returns lines as a code block, without control characters. No line can end the block. */
export function block(language: string, lines: readonly string[]): string {
  const clean = lines
    .flatMap((line) => line.split(/\r\n|[\n\r\u2028\u2029]/u))
    .map((line) =>
      undirected(line.toWellFormed())
        .replaceAll('\t', '  ')
        .replaceAll(/\p{Cc}/gu, ''),
    )
  const fence = '`'.repeat(Math.max(3, longestRun(clean.join('\n')) + 1))
  return [`${fence}${language}`, ...clean, fence].join('\n')
}

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/gu)].reduce((longest, [run]) => Math.max(longest, run.length), 0)

/** Returns a table. Its cells are Markdown already: from `inline`, from `code`, or Muster's own. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/**
 * Escapes bars, also within code, because a table is split into cells before anything else is parsed: a bar must follow
 * an odd number of backslashes.
 */
const cellText = (cell: string): string =>
  cell.replaceAll(/\\+\|?|\|/gu, (found) => (found.endsWith('|') && found.length % 2 === 1 ? `\\${found}` : found))

/** Returns a list. Its items are Markdown already. */
export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** Joins parts with an empty line between them, without the empty parts. */
export const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`

const numberFormat = new Intl.NumberFormat('en')
export const count = (number: number): string => numberFormat.format(number)

/** Returns a sentence that says that a list was cut; '' when it was not. */
export const omittedText = (shown: number, total: number, what: string): string =>
  shown >= total ? '' : `Shown are ${count(shown)} of ${count(total)} ${what}.`
