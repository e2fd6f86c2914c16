import { holdsVariant, secretVariants, type SecretVariants } from './secret-variants.ts'

/** What a service was given, so that its own words, which are shown and logged, can be freed of it (invariant 1). */
export interface Redactor {
  register(secret: string): void
  /** The text with every covered secret hidden, in whatever form services and proxies repeat what they were sent. */
  redact(text: string): string
  /** Returns a service's text as it may be shown: cut, and without any registered secret. Where it may still hold one in another form, a sentence says so instead. */
  words(text: string): string
}

export const withheldText = 'The service\u2019s words are not shown because they may contain a secret.'

/** Characters of a service's words that are looked at; of these, fewer are shown. */
const mostWords = 1000

/** The secret, the token, and the token before, of which an answer may still be under way. */
const kept = 3
/** Anything shorter is a part of ordinary words. */
const shortest = 6
/** Of its base64 with something before or after it, the part that is the same each time; shorter ones stand in any text. */
const shortestInside = 8

export function createRedactor(): Redactor {
  let registered: { secret: string; forms: string[]; traces: SecretVariants | null }[] = []
  const redact = (text: string) =>
    registered.reduce(
      (shown, { forms }) => forms.reduce((rest, form) => rest.replaceAll(form, '[hidden]'), shown),
      text,
    )
  return {
    register(secret) {
      if (registered[0]?.secret === secret) return
      registered = [
        { secret, forms: formsOf(secret), traces: secretVariants(secret) },
        ...registered.filter((other) => other.secret !== secret),
      ].slice(0, kept)
    },
    redact,
    words(text) {
      const shown = redact(text.slice(0, mostWords))
      return holdsVariant(
        shown,
        registered.flatMap(({ traces }) => traces ?? []),
      )
        ? withheldText
        : shown
    },
  }
}

/** The longest first: as it is, as in JSON, in an address, in a form, and in base64, also with a client id before it. */
function formsOf(secret: string): string[] {
  if (secret.length < shortest) return []
  const address = encodeURIComponent(secret)
  const inside = [0, 1, 2]
    .map((before) => base64Inside(secret, before))
    .filter(({ length }) => length >= shortestInside)
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

/** What the base64 of any text has in it that holds the secret `before` (modulo 3) bytes after its begin. */
function base64Inside(secret: string, before: number): string {
  const bytes = Buffer.from(`${'\0'.repeat(before)}${secret}`)
  const [first, last] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
  return bytes.toString('base64').slice(first, last)
}

const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')

/** Of an address what stands after its `?` or `#`, with names that the log marked (`support/names/name-shapes.ts`) and what JSON escapes. */
const tail = String.raw`(?:‹[^‹›\n]*›|\\[^"\s]|['\x60](?=[\p{L}\p{N}])|[^\s"'\x60<>\\])*`
const address = new RegExp(String.raw`\b([a-z][a-z\d+.-]{0,30}:\/\/(?:‹[^‹›\n]*›|[^\s"'<>?#])*)([?#]${tail})?`, 'giu')
const alone = new RegExp(String.raw`(?<=[\p{L}\p{N}/}\]])(\?[\w.~%[\]-]{1,100}=${tail})`, 'giu')

/** Tokens and credentials by what they look like, of any owner: the last net, where no redactor knows them. What a parameter of an address holds may be one, whatever it is called. */
export function withoutCredentials(text: string): string {
  return text
    .replaceAll(address, (_whole, before: string, after = '') => `${before}${withoutValues(after)}`)
    .replaceAll(alone, withoutValues)
    .replaceAll(/[\w\\.-]+/gu, tokenless)
    .replaceAll(
      /\b(bearer\s+|basic\s+(?=[\w+/=]{8})|(?:client[_-]?secret|password|access_token|refresh_token)\\?["']?\s*[=:]\s*\\?["']?)[^\s|`"'&,\\]{6,}/giu,
      '$1[hidden]',
    )
    .replaceAll(/:\/\/[^\s/@"'<>]+@/gu, '://[hidden]@')
}

/** Returns the text without the signed tokens of any owner. */
export const withoutTokens = (text: string): string => text.replaceAll(/[\w\\.-]+/gu, tokenless)

/** Part by part: a pattern that looks for the dot behind each `eyJ` goes through a text of these as often as there are. */
function tokenless(run: string): string {
  if (!run.includes('eyJ')) return run
  const parts = run.split('.')
  const shown: string[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? ''
    const begin = part.indexOf('eyJ')
    const isToken = begin >= 0 && part.length - begin >= shortestHead && (parts[at + 1] ?? '') !== ''
    shown.push(isToken ? `${part.slice(0, begin)}[token]` : part)
    // What it claims, and its signature.
    if (isToken) at += 2
  }
  return shown.join('.')
}

/** Of the first part of a signed token. */
const shortestHead = 9

/** `?a=1&b` as `?a=[hidden]&[hidden]`; what Muster itself fills in (`{id}`) and the path of a fragment stay, as does the end of a sentence. */
function withoutValues(after: string): string {
  const end = /[.,;:)]$/u.exec(after)?.[0] ?? ''
  const shown = after
    .slice(0, after.length - end.length)
    .replaceAll(
      /(?<=[?&#])([^=&?#]*)(=?)([^&#]*)/gu,
      (part, name: string, is: string, value: string, at: number, all: string) => {
        const held = is === '' ? part : value
        const isPath = is === '' && all[at - 1] === '#'
        return isPath || held === '' || /^(?:\{\w+\}|…)$/u.test(held) ? part : `${is === '' ? '' : `${name}=`}[hidden]`
      },
    )
  return `${shown}${end}`
}
