import { holdsVariant, secretVariants, type SecretVariants } from './secret-variants.ts'

/** The secrets that were sent to a service, to remove them from its texts, which are shown and logged (invariant 1). */
export interface Redactor {
  register(secret: string): void
  /**
   * Returns the text with every registered secret hidden, in each form in which services and proxies repeat what they
   * were sent.
   */
  redact(text: string): string
  /**
   * Returns a service's text as it may be shown: cut, and without any registered secret. Where it may still hold one in
   * another form, a sentence says so instead.
   */
  safeText(text: string): string
}

export const withheldText = 'The service\u2019s words are not shown because they may contain a secret.'

/** Number of characters of a service's text that are examined; fewer are shown. */
const maxExamined = 1000

/** The secret, the token, and the previous token, for which an answer may still be in flight. */
const maxSecrets = 3
/** A shorter secret is a part of ordinary words. */
const minLength = 6
/** Shortest base64 fragment that is searched for, characters; shorter ones occur in any text. */
const minFragment = 8

export function createRedactor(): Redactor {
  let registered: { secret: string; forms: string[]; variants: SecretVariants | null }[] = []
  const redact = (text: string) =>
    registered.reduce(
      (shown, { forms }) => forms.reduce((rest, form) => rest.replaceAll(form, '[hidden]'), shown),
      text,
    )
  return {
    register(secret) {
      if (registered[0]?.secret === secret) return
      registered = [
        { secret, forms: formsOf(secret), variants: secretVariants(secret) },
        ...registered.filter((other) => other.secret !== secret),
      ].slice(0, maxSecrets)
    },
    redact,
    safeText(text) {
      const shown = redact(text.slice(0, maxExamined))
      return holdsVariant(
        shown,
        registered.flatMap(({ variants }) => variants ?? []),
      )
        ? withheldText
        : shown
    },
  }
}

/**
 * Returns the forms of a secret, the longest first: as it is, as in JSON, in an address, in a form, and in base64, also
 * with a client id before it.
 */
function formsOf(secret: string): string[] {
  if (secret.length < minLength) return []
  const address = encodeURIComponent(secret)
  const inside = [0, 1, 2].map((before) => base64Inside(secret, before)).filter(({ length }) => length >= minFragment)
  const all = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    address,
    address.replaceAll('%20', '+'),
    address.replaceAll(/%../g, (code) => code.toLowerCase()),
    ...inside,
    ...inside.map(urlSafe),
  ]
  return [...new Set(all)].sort((one, other) => other.length - one.length)
}

/**
 * Returns the part that the base64 of any text contains when the secret starts `before` (modulo 3) bytes after the
 * text's start.
 */
function base64Inside(secret: string, before: number): string {
  const bytes = Buffer.from(`${'\0'.repeat(before)}${secret}`)
  const [first, last] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
  return bytes.toString('base64').slice(first, last)
}

const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')

/**
 * The part of an address after `?` or `#`, including names that the log marked (`support/names/name-shapes.ts`) and
 * JSON escapes.
 */
const tail = String.raw`(?:‹[^‹›\n]*›|\\[^"\s]|['\x60](?=[\p{L}\p{N}])|[^\s"'\x60<>\\])*`
const address = new RegExp(String.raw`\b([a-z][a-z\d+.-]{0,30}:\/\/(?:‹[^‹›\n]*›|[^\s"'<>?#])*)([?#]${tail})?`, 'giu')
const queryAlone = new RegExp(String.raw`(?<=[\p{L}\p{N}/}\]])(\?[\w.~%[\]-]{1,100}=${tail})`, 'giu')

/**
 * Returns the text without anything that looks like a token or a credential, known to a redactor or not. The value of
 * each query parameter counts as one.
 */
export function withoutCredentials(text: string): string {
  return text
    .replaceAll(address, (_whole, before: string, after = '') => `${before}${withoutValues(after)}`)
    .replaceAll(queryAlone, withoutValues)
    .replaceAll(/[\w\\.-]+/gu, tokenless)
    .replaceAll(
      /\b(bearer\s+|basic\s+(?=[\w+/=]{8})|(?:client[_-]?secret|password|access_token|refresh_token)\\?["']?\s*[=:]\s*\\?["']?)[^\s|`"'&,\\]{6,}/giu,
      '$1[hidden]',
    )
    .replaceAll(/:\/\/[^\s/@"'<>]+@/gu, '://[hidden]@')
}

/** Returns the text without the signed tokens of any owner. */
export const withoutTokens = (text: string): string => text.replaceAll(/[\w\\.-]+/gu, tokenless)

/**
 * Replaces tokens part by part: a pattern that searches for the dot behind each `eyJ` takes quadratic time in a text of
 * many.
 */
function tokenless(run: string): string {
  if (!run.includes('eyJ')) return run
  const parts = run.split('.')
  const shown: string[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? ''
    const begin = part.indexOf('eyJ')
    const isToken = begin >= 0 && part.length - begin >= minTokenHead && (parts[at + 1] ?? '') !== ''
    shown.push(isToken ? `${part.slice(0, begin)}[token]` : part)
    // Skips the claims and the signature.
    if (isToken) at += 2
  }
  return shown.join('.')
}

/** Shortest first part of a signed token, characters. */
const minTokenHead = 9

/**
 * Returns `?a=1&b` as `?a=[hidden]&[hidden]`. Keeps Muster's placeholders (`{id}`), the path of a fragment, and the end
 * of a sentence.
 */
function withoutValues(after: string): string {
  const end = /[.,;:)]$/u.exec(after)?.[0] ?? ''
  const shown = after
    .slice(0, after.length - end.length)
    .replaceAll(
      /(?<=[?&#])([^=&?#]*)(=?)([^&#]*)/gu,
      (part, name: string, is: string, value: string, at: number, all: string) => {
        const content = is === '' ? part : value
        const isPath = is === '' && all[at - 1] === '#'
        return isPath || content === '' || /^(?:\{\w+\}|…)$/u.test(content)
          ? part
          : `${is === '' ? '' : `${name}=`}[hidden]`
      },
    )
  return `${shown}${end}`
}
