import { parseFilter } from '../filter/filter.ts'
import { everything } from '../model/inventory.ts'
import { addings, screens, type Adding, type OpenRequest, type Screen } from './screens.ts'

/** The target of a `muster://` link. A link only opens something; it never changes anything. */
export type Link =
  | { to: 'device'; key: string }
  | { to: 'incident'; id: string }
  /** A place (a node of the tree, or `everything`) and a filter, '' for none. */
  | { to: 'devices'; scope: string; filter: string }
  /** The page of a tenant, an account or a site (its node). */
  | { to: 'place'; id: string }
  /** The fleet at a past minute (ms). */
  | { to: 'past'; at: number }
  /** The wall display. */
  | { to: 'wall' }
  | { to: 'screen'; screen: Screen }
  /** The form of a new connection, or the import of connections. */
  | { to: 'add'; what: Adding }
  /** A saved operation, or the text of one with its variables (JSON), in a new tab of the query screen. It is never run. */
  | { to: 'operation'; id: string }
  | { to: 'query'; document: string; variables: string }

export const linkScheme = 'muster'
const begin = `${linkScheme}://`
/** The part of a link before the name of a screen. */
const screenWord = 'room'

/** The maximum length of a link in characters, which every system and browser passes on completely. */
export const linkLimit = 2000

/**
 * Returns a link in the form that `parseLink` reads, each part percent-encoded: `muster://device/<key>`,
 * `muster://incident/<id>`, `muster://place/<node>`, `muster://past/<2026-11-24T08:00Z>`,
 * `muster://devices?scope=<node>&filter=<text>`, `muster://room/<name>`, `muster://wall`,
 * `muster://add/<connection or import>`, `muster://operation/<id>`, and `muster://query?document=<text>&variables=<text>` with
 * base64url of UTF-8 instead. Returns null for a target that no link can hold: too long, or not well-formed
 * text.
 */
export function printLink(link: Link): string | null {
  if (!Object.values(link).every((part) => String(part).isWellFormed())) return null
  const text = `${begin}${pathOf(link)}`
  // A link that cannot be parsed again is invalid: it has a faulty filter or a forbidden character.
  return text.length <= linkLimit && !('problem' in parseLink(text)) ? text : null
}

function pathOf(link: Link): string {
  switch (link.to) {
    case 'devices':
      return printedQuery(link)
    case 'past':
      return `past/${encodeURIComponent(minuteText(link.at))}`
    case 'wall':
      return 'wall'
    case 'query':
      return printedOperation(link)
    case 'screen':
      return `${screenWord}/${encodeURIComponent(link.screen)}`
    default:
      return `${link.to}/${encodeURIComponent('key' in link ? link.key : 'id' in link ? link.id : link.what)}`
  }
}

function printedOperation({ document, variables }: Extract<Link, { to: 'query' }>): string {
  const beside = variables === '' ? '' : `&variables=${encodedText(variables)}`
  return `query?document=${encodedText(document)}${beside}`
}

function printedQuery({ scope, filter }: Extract<Link, { to: 'devices' }>): string {
  const parts = [
    ...(scope === everything ? [] : [`scope=${encodeURIComponent(scope)}`]),
    ...(filter === '' ? [] : [`filter=${encodeURIComponent(filter)}`]),
  ]
  return parts.length === 0 ? 'devices' : `devices?${parts.join('&')}`
}

/** Returns the target of a link, or a sentence that says why it has none. Never throws. */
export function parseLink(text: string): Link | { problem: string } {
  if (text.length > linkLimit) return { problem: `It is longer than ${linkLimit} characters.` }
  // A browser may add a slash at the end.
  const parts = /^muster:\/\/([a-z]+)(?:\/([^/?#]*))?\/?(?:\?([^#]*))?$/iu.exec(text)
  const [, to = '', part = '', query = ''] = parts ?? []
  const name = decoded(part)
  const values = queryOf(query)
  if (parts === null || name === null || values === null) return { problem: 'It is not whole, or not one of Muster’s.' }
  const link = linkOf(to.toLowerCase(), name, values)
  return link ?? { problem: 'It names nothing that Muster can open.' }
}

function linkOf(to: string, name: string, query: ReadonlyMap<string, string>): Link | null {
  if (to === 'devices') return name === '' ? devicesIn(query) : null
  if (to === 'query') return name === '' ? operationIn(query) : null
  if (to === 'wall') return name === '' && query.size === 0 ? { to } : null
  if (name === '' || query.size > 0) return null
  if (to === 'device') return { to, key: name }
  if (to === 'incident' || to === 'operation' || to === 'place') return { to, id: name }
  if (to === 'past') return pastAt(name)
  const what = addings.find((each) => each === name)
  if (to === 'add') return what === undefined ? null : { to, what }
  const screen = screens.find((each) => each === name)
  return to === screenWord && screen !== undefined ? { to: 'screen', screen } : null
}

/** Returns a minute (ms) as "2026-11-24T08:00Z". */
const minuteText = (at: number): string => {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, -':00.000Z'.length)}Z`
}

function pastAt(text: string): Link | null {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/u.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) || minuteText(at) !== text ? null : { to: 'past', at }
}

function devicesIn(query: ReadonlyMap<string, string>): Link | null {
  const { scope = everything, filter = '', ...more } = Object.fromEntries(query)
  if (Object.keys(more).length > 0 || scope === '' || parseFilter(filter).problems.length > 0) return null
  return { to: 'devices', scope, filter }
}

function operationIn(query: ReadonlyMap<string, string>): Link | null {
  const { document = '', variables = '', ...more } = Object.fromEntries(query)
  const [text, values] = [decodedText(document), decodedText(variables)]
  if (Object.keys(more).length > 0 || text === null || text === '' || values === null) return null
  return { to: 'query', document: text, variables: values }
}

function encodedText(text: string): string {
  // A longer text makes no link.
  const encoded = new TextEncoder().encode(text.slice(0, linkLimit))
  const bytes = Array.from(encoded, (byte) => String.fromCodePoint(byte)).join('')
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns null for text that is not base64url of UTF-8, or that contains control characters beside line breaks and tabs. */
function decodedText(text: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    )
    const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return /(?![\n\t])\p{Cc}/u.test(read) ? null : read
  } catch {
    return null
  }
}

/** Returns null when a part is not a name with a value, or a name is repeated. */
function queryOf(text: string): Map<string, string> | null {
  const found = new Map<string, string>()
  for (const part of text === '' ? [] : text.split('&')) {
    const [name = '', value, ...more] = part.split('=')
    const read = decoded(value ?? '')
    if (value === undefined || more.length > 0 || read === null || found.has(name)) return null
    found.set(name, read)
  }
  return found
}

/** Returns null for text that is not percent-encoded, or that contains control characters. */
function decoded(text: string): string | null {
  try {
    const read = decodeURIComponent(text)
    return /\p{Cc}/u.test(read) ? null : read
  } catch {
    return null
  }
}

/** Returns the window's open request for a link. */
export function openedBy(link: Link): OpenRequest {
  const nothing = { scope: everything, filter: '', device: null }
  switch (link.to) {
    case 'device':
      return { ...nothing, device: link.key }
    case 'incident':
      return { ...nothing, incident: link.id }
    case 'devices':
      return { ...nothing, scope: link.scope, filter: link.filter }
    case 'place':
      return { ...nothing, screen: 'overview', place: link.id }
    case 'past':
      return { ...nothing, screen: 'overview', past: link.at }
    case 'wall':
      return { ...nothing, wall: true }
    case 'screen':
      return { ...nothing, screen: link.screen }
    case 'add':
      return { ...nothing, dialog: link.what }
    case 'operation':
      return { ...nothing, screen: 'query', operation: link.id }
    case 'query':
      return { ...nothing, screen: 'query', query: { document: link.document, variables: link.variables } }
  }
}
