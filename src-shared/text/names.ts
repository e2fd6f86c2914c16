import { isolated, undirected } from './direction.ts'
import { lazy } from '../lib/lazy.ts'

/** The maximum length of a name in a message, in graphemes. A longer one is cut. */
const maxGraphemes = 40

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Returns a foreign name for the middle of a sentence: on one line, limited in length, without effect on the direction
 * of its surroundings.
 */
export function nameText(name: string): string {
  const line = undirected(name.toWellFormed())
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const short = cut(line)
  if (short === '') return '(no name)'
  return isolated(short)
}

/** Cuts a name between graphemes. */
function cut(text: string): string {
  // A grapheme has at least one code unit.
  if (text.length <= maxGraphemes) return text
  // More units than the longest cut needs, so that no name is slow.
  const parts = [...graphemes.segment(text.slice(0, maxGraphemes * 50))]
  if (parts.length <= maxGraphemes)
    return text.length > maxGraphemes * 50 ? `${parts.map(({ segment }) => segment).join('')}…` : text
  return `${parts
    .slice(0, maxGraphemes - 1)
    .map(({ segment }) => segment)
    .join('')
    .trimEnd()}…`
}

/** Returns for example "A, B, C and 9 more". The names are ready for a sentence. */
export function nameList(names: readonly string[], count: number): string {
  const more = count - names.length
  if (more > 0) return `${names.join(', ')} and ${more} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

const formats = (zone: { timeZone?: string }) => ({
  day: new Intl.DateTimeFormat('en-GB', { ...zone, day: 'numeric', month: 'short' }),
  time: new Intl.DateTimeFormat('en-GB', { ...zone, hour: '2-digit', minute: '2-digit' }),
})
/** Created once, because creating a formatter takes longer than using it. */
const [local, inUtc] = [lazy(() => formats({})), lazy(() => formats({ timeZone: 'UTC' }))]

/**
 * Returns for example "03:12", with the date on a day other than `now`'s ("20 Nov 03:12"), and with " UTC" when `utc`
 * is set.
 */
export function timeText(at: number, now: number, utc: boolean): string {
  const { day, time } = utc ? inUtc() : local()
  const date = day.format(at) === day.format(now) ? '' : `${day.format(at)} `
  return `${date}${time.format(at)}${utc ? ' UTC' : ''}`
}
