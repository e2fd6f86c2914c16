import { isolated, undirected } from './direction.ts'
import { lazy } from '../lib/lazy.ts'

/** Longer names are cut: a notice has room for a few words. */
const longest = 40
/** Marks an instant in words (moments.ts). */
const instants = /[\uE000\uE001]/gu

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A name from the service for the middle of a sentence: one line, not too long, and it turns nothing around it. */
export function nameText(name: string): string {
  const line = undirected(name.toWellFormed())
    .replaceAll(instants, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const short = cut(line)
  if (short === '') return '(no name)'
  return isolated(short)
}

/** Cut between characters as a reader sees them. */
function cut(text: string): string {
  // As many units as the longest cut can have: no name makes this slow.
  const parts = [...graphemes.segment(text.slice(0, longest * 50))]
  if (parts.length <= longest)
    return text.length > longest * 50 ? `${parts.map(({ segment }) => segment).join('')}…` : text
  return `${parts
    .slice(0, longest - 1)
    .map(({ segment }) => segment)
    .join('')
    .trimEnd()}…`
}

/** "A, B, C and 9 more". Names are ready for a sentence. */
export function nameList(names: readonly string[], count: number): string {
  const more = count - names.length
  if (more > 0) return `${names.join(', ')} and ${more} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

const formats = (zone: { timeZone?: string }) => ({
  day: new Intl.DateTimeFormat('en-GB', { ...zone, day: 'numeric', month: 'short' }),
  time: new Intl.DateTimeFormat('en-GB', { ...zone, hour: '2-digit', minute: '2-digit' }),
})
/** Made once: making one takes longer than all that is done with it. */
const [local, inUtc] = [lazy(() => formats({})), lazy(() => formats({ timeZone: 'UTC' }))]

/** "03:12", "20 Nov 03:12" on another day than `now`; with UTC said where it is meant. */
export function timeText(at: number, now: number, utc: boolean): string {
  const { day, time } = utc ? inUtc() : local()
  const date = day.format(at) === day.format(now) ? '' : `${day.format(at)} `
  return `${date}${time.format(at)}${utc ? ' UTC' : ''}`
}
