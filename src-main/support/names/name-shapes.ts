import { isIPv6 } from 'node:net'
import { lowerCase, type FoundName, type NameIndex } from './name-index.ts'

/** The kinds of names. The same name of two kinds has two pseudonyms. */
export const nameKinds = [
  'host',
  'connection',
  'tenant',
  'account',
  'client',
  'address',
  'path',
  'certificate',
] as const
export type NameKind = (typeof nameKinds)[number]

export interface Known {
  kind: NameKind
  name: string
}

/** Returns the replacement of a found name; `text` is the replaced text, `name` the name in it. */
export type Found = (found: Known & { text: string; by: 'mark' | 'index' | 'shape' }) => string

const label = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_-]{0,62}`
const mark = String.raw`‹(?<kind>${nameKinds.join('|')}) (?<marked>[^‹›\n]+)(?:›|$)`
const address = String.raw`\b(?<before>(?:wss?|https?)://(?:[^\s/@"'<>]*@)?)(?<called>\[[\da-f:.%]+\]|[^\s/:?#"'<>\\@‹›]+)`
const mail = String.raw`(?<![\p{L}\p{N}._%+-])(?<mail>[\p{L}\p{N}._%+-]{1,64}@(?:${label}\.){1,20}\p{L}[\p{L}\p{N}-]*[\p{L}\p{N}])`
/** Excludes methods in lines of a stack, which look like hosts: `at Map.forEach (node:…`. */
const dotted = String.raw`(?<![\p{L}\p{N}_])(?!\S{1,200} \((?:file:|node:|/|<|[a-z]:\\))(?<dotted>(?:${label}\.){1,20}\p{L}[\p{L}\p{N}-]*[\p{L}\p{N}])(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`
const withPort = String.raw`(?<![\p{L}\p{N}._-])(?<short>\p{L}[\p{L}\p{N}_-]{0,62})(?=:\d{2,5}(?![\d:.]))`
const four = String.raw`(?<![\w.])(?<four>\d{1,3}(?:\.\d{1,3}){3})(?![\w-]|\.\w)`
const six = String.raw`(?<![\w:.])(?<six>[\da-f]{0,4}(?::[\da-f.]{0,15}){2,8})(?![\w:])`

const onlyDotted = new RegExp(`^(?:${dotted})$`, 'iu')

/** Hosts and addresses that mean this computer or all. */
const ownHost = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1?\]?)$/iu
/** Files of Muster and its parts; no host name ends like these. */
const file =
  /\.(?:log|db|db-wal|db-shm|json|txt|js|cjs|mjs|ts|tsx|yml|asar|node|exe|dmg|deb|rpm|appimage|part|png|icns)$/iu

const marks = new RegExp(mark, 'gimu')
const parts = [
  marks,
  new RegExp(address, 'gimu'),
  new RegExp(mail, 'gimu'),
  new RegExp(dotted, 'gimu'),
  new RegExp(withPort, 'gimu'),
  new RegExp(four, 'gimu'),
  new RegExp(six, 'gimu'),
]
const shapes = new RegExp(parts.map(({ source }) => `(?:${source})`).join('|'), 'gimu')

type Shape = RegExpExecArray & { groups: Record<string, string | undefined> }

/**
 * Returns a scanner that goes through a text once and calls `found` for each name: those marked when they were written
 * (`markOf`), known ones, and hosts and network addresses by their form. `plain`: dotted words that are not names, in
 * lower case.
 */
export function createScanner(
  known: NameIndex<Known>,
  plain: ReadonlySet<string>,
  found: Found,
): (text: string) => string {
  const isPlain = (host: string) => ownHost.test(host) || file.test(host) || plain.has(host.toLowerCase())
  const replaced = ({ 0: whole, groups }: Shape): string => {
    const { kind, marked, before = '', called, mail, six: number } = groups
    if (marked !== undefined) return found({ kind: kind as NameKind, name: marked, text: whole, by: 'mark' })
    if (called !== undefined)
      return ownHost.test(called) ? whole : `${before}${found({ ...hostOf(called), text: called, by: 'shape' })}`
    if (mail !== undefined) return found({ kind: 'address', name: mail, text: whole, by: 'shape' })
    const isNone = number === undefined ? isPlain(whole) : !isIPv6(whole) || ownHost.test(whole)
    return isNone ? whole : found({ ...hostOf(whole), text: whole, by: 'shape' })
  }
  return (text) => {
    const lower = lowerCase(text)
    let [out, done] = ['', 0]
    let shape = shapeFrom(text, 0)
    let indexed = known.next(lower, 0)
    while (shape !== null || indexed !== null) {
      const [at, end, name] =
        indexed !== null && takesPrecedence(indexed, shape)
          ? replaceIndexed(indexed, text, found)
          : replaceShape(shape as Shape, replaced)
      out += text.slice(done, at) + name
      done = end
      if (shape !== null && shape.index < done) shape = shapeFrom(text, done)
      if (indexed !== null && indexed.at < done) indexed = known.next(lower, done)
    }
    return out + text.slice(done)
  }
}

function shapeFrom(text: string, from: number): Shape | null {
  const pattern = new RegExp(shapes)
  pattern.lastIndex = from
  return pattern.exec(text) as Shape | null
}

/** Returns whether a name begins like an address, such as a connection called "https://acme.test (EU)". */
export const beginsAsAddress = (name: string): boolean => /^\w+:\/\/\S*\s/u.test(name)

/**
 * Returns whether the known name takes precedence over the shape: shapes that are marked, and the host of an address,
 * are certain; others yield to known names.
 */
const takesPrecedence = ({ at, value }: FoundName<Known>, shape: Shape | null): boolean =>
  shape === null ||
  at < shape.index ||
  (at === shape.index &&
    shape.groups['marked'] === undefined &&
    (shape.groups['called'] === undefined || beginsAsAddress(value.name)))

const replaceIndexed = ({ at, end, value }: FoundName<Known>, text: string, found: Found): [number, number, string] => [
  at,
  end,
  found({ ...value, text: text.slice(at, end), by: 'index' }),
]

const replaceShape = (shape: Shape, replaced: (shape: Shape) => string): [number, number, string] => [
  shape.index,
  shape.index + shape[0].length,
  replaced(shape),
]

/** Returns a name in a form that is found again when it is no longer known: `‹connection Acme›`. */
export const markOf = ({ kind, name }: Known): string =>
  `‹${kind} ${name.replaceAll(/[‹›]/gu, "'").replaceAll(/\s+/gu, ' ')}›`

/** Returns the text without the marks. */
export const withoutMarks = (text: string): string => text.replaceAll(marks, '$<marked>')

/** Returns whether a name is found by its form, known or not. */
export const looksLikeHost = (name: string): boolean => !file.test(name) && onlyDotted.test(name)

/** Returns a host, or a network address, without brackets, so that it has one pseudonym everywhere. */
function hostOf(text: string): Known {
  const name = text.replace(/^\[(.*)\]$/u, '$1')
  return { kind: /^[\d.]+$/u.test(name) || isIPv6(name) ? 'address' : 'host', name }
}
