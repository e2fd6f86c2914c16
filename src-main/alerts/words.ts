import type { PlaceNode } from '../data/protocol.ts'
import { listed, nameIn, timeIn } from './names.ts'
import type { Open, Rules } from './state.ts'

export interface Words {
  title: string
  body: string
}

/** Names of more devices than this are not told. */
export const mostNamed = 3

const figure = new Intl.NumberFormat('en')
export const devices = (count: number): string => (count === 1 ? '1 device' : `${figure.format(count)} devices`)
const sentences = (...parts: (string | null)[]): string => parts.filter((part) => part !== null && part !== '').map((part) => `${part}.`).join(' ')

/** A place in the words: "in Berlin", and what is above it, from its path with the deepest first. */
export function placeWords(path: readonly PlaceNode[]): { where: string; context: string } {
  const [node, ...above] = path
  if (node === undefined) return { where: '', context: '' }
  const named = above.filter(({ kind, placeless }) => !placeless && kind !== 'region').map(({ name }) => nameIn(name))
  if (!node.placeless) return { where: `in ${nameIn(node.name)}`, context: named.join(', ') }
  if (node.kind === 'region') return { where: 'in tenants without a region', context: '' }
  const [first, ...rest] = named
  return { where: `in ${first ?? 'a tenant'}, without a ${node.kind}`, context: rest.join(', ') }
}

/** "Room 1, Berlin, Acme". */
export function deviceContext(path: readonly PlaceNode[]): string {
  return path.filter(({ kind, placeless }) => !placeless && kind !== 'region').map(({ name }) => nameIn(name)).join(', ')
}

/** How many devices of a telling are down, and how many were when they were last seen. */
export interface Standing {
  down: number
  unseen: number
}

export function offlineWords(open: Open, { down: count, unseen }: Standing, now: number, { utc }: Rules): Words {
  const since = open.since === null ? null : `Since ${timeIn(open.since, now, utc)}`
  const [first] = open.named
  if (count === 1 && first !== undefined) {
    const missed = open.why === 'absence' ? 'It went offline while Muster could not see it' : null
    return { title: `${nameIn(first.name)} is offline`, body: sentences(open.context, missed, since, unseenMore(unseen)) }
  }
  const title = open.shape === 'several' && open.why === 'absence'
    ? `${devices(count)} went offline while Muster could not see them`
    : `${devices(count)} offline${open.where === '' ? '' : ` ${open.where}`}`
  return { title, body: sentences(open.context, namesOf(open, count), since, unseenMore(unseen)) }
}

const namesOf = ({ named }: Open, count: number): string => listed(named.map(({ name }) => nameIn(name)).slice(0, count), count)

/** What was down when Muster last saw it is not offline for that (invariant 4). */
const unseenMore = (count: number): string | null => (count === 0 ? null : `${figure.format(count)} more not seen since`)

/** `left`: the others of the telling. Others than these may be down in the same place. */
export function backWords(open: Pick<Open, 'where' | 'context'>, names: readonly string[], count: number, left: Standing): Words {
  const still = stillWords(left)
  const [first] = names
  if (count === 1 && first !== undefined) return { title: `${nameIn(first)} is back`, body: sentences(open.context, still) }
  const title = `${devices(count)} are back${open.where === '' ? '' : ` ${open.where}`}`
  return { title, body: sentences(open.context, listed(names.map(nameIn), count), still) }
}

function stillWords({ down, unseen }: Standing): string | null {
  const parts = [down === 0 ? null : `${figure.format(down)} still offline`, unseen === 0 ? null : `${figure.format(unseen)} not seen since`]
  const still = parts.filter((part) => part !== null)
  return still.length === 0 ? null : `From the same notification: ${still.join(', ')}`
}

/** Returns of several outages at a time. */
export function backsWords(names: readonly string[], count: number): Words {
  return { title: `${devices(count)} are back`, body: sentences(listed(names.map(nameIn), count)) }
}

/** `all`: it is every tenant that there is, of more than one. */
export function blindWords(names: readonly string[], all: boolean, since: number, now: number, { utc }: Rules): Words {
  return {
    title: `Muster cannot see ${whom(names, all)} since ${timeIn(since, now, utc)}`,
    body: sentences(names.length > 1 && !all ? shortList(names) : null, 'Nothing is told of devices there until it sees them again'),
  }
}

function whom(names: readonly string[], all: boolean): string {
  if (all) return 'anything'
  const [first] = names
  return names.length === 1 && first !== undefined ? nameIn(first) : `${figure.format(names.length)} tenants`
}

const shortList = (names: readonly string[]): string => listed(names.slice(0, mostNamed).map(nameIn), names.length)

/** `behind`: not everything has been read again yet. */
export function sightedWords(tenants: readonly string[], open: Open, { down: count, unseen }: Standing, behind: boolean): Words {
  const found = count === 0 ? null : `${devices(count)} went offline meanwhile: ${namesOf(open, count)}`
  const all = count + unseen === 0 && !behind ? 'No device went offline meanwhile' : null
  return {
    title: `Muster sees ${whom(tenants, false)} again`,
    body: sentences(tenants.length > 1 ? shortList(tenants) : null, found, unseenMore(unseen), all, behind ? 'Not everything has been read again yet' : null),
  }
}

/** What a pause held back, as one. */
export function pauseWords(offline: number, back: number, titles: readonly string[]): Words {
  const down = offline === 0 ? null : `${devices(offline)} went offline`
  const up = back === 0 ? null : `${devices(back)} came back`
  const both = [down, up].filter((part) => part !== null)
  return {
    title: both.length === 0 ? 'What happened while telling was paused' : `${both.join(', ')} while telling was paused`,
    body: sentences(...titles.slice(0, mostNamed), titles.length > mostNamed ? `${titles.length - mostNamed} more` : null),
  }
}
