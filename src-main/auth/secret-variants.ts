import { lazy } from '../../src-shared/lib/lazy.ts'

/**
 * Finds secrets in altered forms: similar letters, zero-width letters in between, numeric codes of letters (percent,
 * HTML, hex, decimal, escapes), base64, reversed, or only a part. Both texts are compared after these differences are
 * removed.
 */

/** A secret prepared for comparison: each run of `length` of its letters, forwards and backwards. */
export interface SecretVariants {
  length: number
  runs: ReadonlySet<string>
}

/** Run length for a long secret; a shorter one uses two thirds of its length. */
const maxRunLength = 8
/** A shorter secret occurs in ordinary words. */
const minSecretLength = 6

export function secretVariants(secret: string): SecretVariants | null {
  const letters = folded(secret)
  if (letters.length < minSecretLength) return null
  const length = Math.min(maxRunLength, Math.max(minSecretLength, Math.ceil((letters.length * 2) / 3)))
  const runs = new Set<string>()
  for (const text of [letters, [...letters].toReversed().join('')])
    for (let at = 0; at + length <= text.length; at += 1) addRun(runs, text.slice(at, at + length))
  return { length, runs }
}

/** Adds a run, unless it occurs in ordinary texts about secrets. */
function addRun(runs: Set<string>, run: string): void {
  if (!ordinaryTexts().some((word) => word.includes(run))) runs.add(run)
}

const ordinaryTexts = lazy(() =>
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

/** Returns whether a text contains a variant of any secret. Callers shorten the text before. */
export function holdsVariant(text: string, all: readonly SecretVariants[]): boolean {
  return all.length > 0 && containsVariant(text, all, 2)
}

function containsVariant(text: string, all: readonly SecretVariants[], depth: number): boolean {
  const plain = unescaped(text)
  if ([text, plain].some((each) => hasRun(folded(each), all))) return true
  return depth > 0 && decodings(plain).some((each) => containsVariant(each, all, depth - 1))
}

function hasRun(letters: string, all: readonly SecretVariants[]): boolean {
  return all.some(({ length, runs }) => {
    for (let at = 0; at + length <= letters.length; at += 1) if (runs.has(letters.slice(at, at + length))) return true
    return false
  })
}

/** Returns only the letters and digits, in lower case, without accents, with similar ones made equal. */
function folded(text: string): string {
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]|[\u115F\u1160\u3164\uFFA0]/gu, '')
  return [...letters].map((letter) => lookalikes.get(letter) ?? letter).join('')
}

/** Cyrillic, Greek, Armenian and Latin letters, and digits, that look like the one after the colon. */
const lookalikes = new Map(
  'аαɑ:a вʙ:b сϲᴄ:c ԁɗ:d еєҽε:e ғƒ:f ɡց:g һհн:h іιıїlӏ1|:i јϳ:j кκ:k мᴍ:m пηո:n оοσօ0ѳө:o рρ:p ԛգ:q гᴦ:r ѕꜱ5:s тτᴛ:t υцսμ:u νѵ:v шωѡԝ:w хχ:x уγүყ:y ᴢ:z ß:s'
    .split(' ')
    .flatMap((each) => {
      const [letters = '', as = ''] = each.split(':')
      return [...letters].map((letter): [string, string] => [letter, as])
    }),
)

/** Returns the text with numeric codes of letters replaced by the letters. */
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

/**
 * Returns possible decodings: hexadecimal digits from each of two offsets, base64 from each of four, decimal numbers.
 * Leaves out results that are not text.
 */
function decodings(text: string): string[] {
  const hex = text.replaceAll(/0x|[^\da-f]/giu, '')
  const base64 = text
    .replaceAll(/[^\w+/-]/gu, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  const numbers = text.match(/\d{2,3}/gu) ?? []
  return [
    ...[0, 1].map((from) =>
      Buffer.from(hex.slice(from, from + Math.floor((hex.length - from) / 2) * 2), 'hex').toString('latin1'),
    ),
    ...[0, 1, 2, 3].map((from) => Buffer.from(base64.slice(from), 'base64').toString('latin1')),
    numbers.map((code) => String.fromCharCode(Number(code))).join(''),
  ].filter((each) => (each.match(/[\w\s.,:;=+/%&-]/gu) ?? []).length >= minSecretLength)
}
