import { lazy } from '../../src-shared/lib/lazy.ts'

/**
 * Whether a text may hold a secret in another form than it was given in: other letters that look alike, letters of no width between,
 * numbers of letters (percent, HTML, hex, decimal, escapes), base64, backwards, or a piece of it alone. Both are compared by
 * what is left of them when all that is the same for a reader is made the same.
 */

/** What is left of a secret to compare with: each run of its letters of one length, forwards and backwards. */
export interface SecretVariants {
  length: number
  runs: ReadonlySet<string>
}

/** Of a long secret, so many letters in a row are no accident; of a shorter one, two thirds of it. */
const longRun = 8
/** Anything shorter stands in ordinary words. */
const shortestSecret = 6

export function secretVariants(secret: string): SecretVariants | null {
  const letters = folded(secret)
  if (letters.length < shortestSecret) return null
  const length = Math.min(longRun, Math.max(shortestSecret, Math.ceil((letters.length * 2) / 3)))
  const runs = new Set<string>()
  for (const text of [letters, [...letters].toReversed().join('')])
    for (let at = 0; at + length <= text.length; at += 1) addRun(runs, text.slice(at, at + length))
  return { length, runs }
}

/** What stands in every service's words of secrets tells nothing of this one. */
function addRun(runs: Set<string>, run: string): void {
  if (!ordinary().some((word) => word.includes(run))) runs.add(run)
}

const ordinary = lazy(() =>
  [
    'the client secret was',
    'client credentials',
    'access token',
    'refresh token',
    'bearer token',
    'authorization header',
    'unauthenticated',
    'authentication',
    'invalid password',
  ].map(folded),
)

/** Of texts that are longer, only the begin is looked at: cut before. */
export function holdsVariant(text: string, all: readonly SecretVariants[]): boolean {
  return all.length > 0 && looksInto(text, all, 2)
}

function looksInto(text: string, all: readonly SecretVariants[], deeper: number): boolean {
  const plain = unescaped(text)
  if ([text, plain].some((each) => isTraceIn(folded(each), all))) return true
  return deeper > 0 && decodings(plain).some((each) => looksInto(each, all, deeper - 1))
}

function isTraceIn(letters: string, all: readonly SecretVariants[]): boolean {
  return all.some(({ length, runs }) => {
    for (let at = 0; at + length <= letters.length; at += 1) if (runs.has(letters.slice(at, at + length))) return true
    return false
  })
}

/** Letters and digits alone, small, without accents, those that look alike as one. */
function folded(text: string): string {
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]|[\u115F\u1160\u3164\uFFA0]/gu, '')
  return [...letters].map((letter) => alike.get(letter) ?? letter).join('')
}

/** Cyrillic, Greek, Armenian and Latin letters, and digits, that are read as the one after the colon. */
const alike = new Map(
  'аαɑ:a вʙ:b сϲᴄ:c ԁɗ:d еєҽε:e ғƒ:f ɡց:g һհн:h іιıїlӏ1|:i јϳ:j кκ:k мᴍ:m пηո:n оοσօ0ѳө:o рρ:p ԛգ:q гᴦ:r ѕꜱ5:s тτᴛ:t υцսμ:u νѵ:v шωѡԝ:w хχ:x уγүყ:y ᴢ:z ß:s'
    .split(' ')
    .flatMap((each) => {
      const [letters = '', as = ''] = each.split(':')
      return [...letters].map((letter): [string, string] => [letter, as])
    }),
)

/** With what stands for a letter by its number read as that letter. */
function unescaped(text: string): string {
  return text
    .replaceAll(/(?:%[\da-f]{2})+/giu, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString())
    .replaceAll(/&#(x?)([\da-f]{1,7});?/giu, (_whole, hex: string, code: string) =>
      letterOf(Number.parseInt(code, hex === '' ? 10 : 16)),
    )
    .replaceAll(/&[a-z]{2,8};/giu, '')
    .replaceAll(
      /\\u\{?([\da-f]{1,6})\}?|\\x([\da-f]{2})/giu,
      (_whole, long: string | undefined, short: string | undefined) =>
        letterOf(Number.parseInt(long ?? short ?? '', 16)),
    )
    .replaceAll(/[=]([\da-f]{2})/giu, (_whole, code: string) => letterOf(Number.parseInt(code, 16)))
}

const letterOf = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** What it may mean: its hexadecimal digits from each of two places on, its base64 from each of four, its numbers. What comes out as no text is none. */
function decodings(text: string): string[] {
  const hex = text.replaceAll(/0x|[^\da-f]/giu, '')
  const sixtyFour = text
    .replaceAll(/[^\w+/-]/gu, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  const numbers = text.match(/\d{2,3}/gu) ?? []
  return [
    ...[0, 1].map((from) =>
      Buffer.from(hex.slice(from, from + Math.floor((hex.length - from) / 2) * 2), 'hex').toString('latin1'),
    ),
    ...[0, 1, 2, 3].map((from) => Buffer.from(sixtyFour.slice(from), 'base64').toString('latin1')),
    numbers.map((code) => String.fromCharCode(Number(code))).join(''),
  ].filter((each) => (each.match(/[\w\s.,:;=+/%&-]/gu) ?? []).length >= shortestSecret)
}
