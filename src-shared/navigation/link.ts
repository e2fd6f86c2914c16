import { parseFilter } from '../filter/filter.ts'
import { everything } from '../model/inventory.ts'
import { addings, screens, type Adding, type OpenRequest, type Screen } from './screens.ts'

/** What a `muster://` link leads to. A link only opens: there is none that changes anything. */
export type Link =
  | { to: 'device'; key: string }
  | { to: 'incident'; id: string }
  /** A place (a node of the tree, or `everything`) and a filter, '' for none. */
  | { to: 'devices'; scope: string; filter: string }
  | { to: 'screen'; screen: Screen }
  /** The form of a new connection, or the list of connections to import. */
  | { to: 'add'; what: Adding }

export const linkScheme = 'muster'
const begin = `${linkScheme}://`
/** The part of a link that stands before the name of a screen. */
const screenWord = 'room'

/** The most characters of a link: what every system and every browser hands on whole. */
export const linkLimit = 2000

/**
 * The link in the one form that `parseLink` reads: `muster://device/<key>`, `muster://incident/<id>`,
 * `muster://devices?scope=<node>&filter=<text>`, `muster://room/<name>`, `muster://add/<connection or import>`, each part percent-encoded. Null for what no
 * link can hold: too long, or not well-formed text.
 */
export function printLink(link: Link): string | null {
  if (!Object.values(link).every((part) => part.isWellFormed())) return null
  const path =
    link.to === 'devices' ? printedQuery(link) : `${link.to === 'screen' ? screenWord : link.to}/${partOf(link)}`
  const text = `${begin}${path}`
  // What cannot be read again is no link: a filter with a mistake in it, a character that a link may not have.
  return text.length <= linkLimit && !('problem' in parseLink(text)) ? text : null
}

function partOf(link: Exclude<Link, { to: 'devices' }>): string {
  return encodeURIComponent(
    link.to === 'device' ? link.key : link.to === 'incident' ? link.id : link.to === 'add' ? link.what : link.screen,
  )
}

function printedQuery({ scope, filter }: Extract<Link, { to: 'devices' }>): string {
  const parts = [
    ...(scope === everything ? [] : [`scope=${encodeURIComponent(scope)}`]),
    ...(filter === '' ? [] : [`filter=${encodeURIComponent(filter)}`]),
  ]
  return parts.length === 0 ? 'devices' : `devices?${parts.join('&')}`
}

/** What a text leads to, or why it leads nowhere, in a sentence. Throws never, whatever the text. */
export function parseLink(text: string): Link | { problem: string } {
  if (text.length > linkLimit) return { problem: `It is longer than ${linkLimit} characters.` }
  // A browser may add a slash behind the last word.
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
  if (name === '' || query.size > 0) return null
  if (to === 'device') return { to, key: name }
  if (to === 'incident') return { to, id: name }
  const what = addings.find((each) => each === name)
  if (to === 'add') return what === undefined ? null : { to, what }
  const screen = screens.find((each) => each === name)
  return to === screenWord && screen !== undefined ? { to: 'screen', screen } : null
}

function devicesIn(query: ReadonlyMap<string, string>): Link | null {
  const { scope = everything, filter = '', ...more } = Object.fromEntries(query)
  if (Object.keys(more).length > 0 || scope === '' || parseFilter(filter).problems.length > 0) return null
  return { to: 'devices', scope, filter }
}

/** Null where a part is no name and value, or comes twice. */
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

/** Null for what is no percent-encoded text, and for what holds a character that steers and does not write. */
function decoded(text: string): string | null {
  try {
    const read = decodeURIComponent(text)
    return /\p{Cc}/u.test(read) ? null : read
  } catch {
    return null
  }
}

/** What the window brings into sight for a link. */
export function openedBy(link: Link): OpenRequest {
  const nothing = { scope: everything, filter: '', device: null }
  switch (link.to) {
    case 'device':
      return { ...nothing, device: link.key }
    case 'incident':
      return { ...nothing, incident: link.id }
    case 'devices':
      return { ...nothing, scope: link.scope, filter: link.filter }
    case 'screen':
      return { ...nothing, screen: link.screen }
    case 'add':
      return { ...nothing, dialog: link.what }
  }
}
