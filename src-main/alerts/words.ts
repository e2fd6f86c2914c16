import { withMoments } from '../../src-shared/moments.ts'
import type { Told } from '../../src-shared/model.ts'
import type { PlaceNode } from '../data/protocol.ts'
import { moment, spoken, type Words } from './moments.ts'
import { listed, nameIn } from './names.ts'
import type { Open, Rules } from './state.ts'

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

export function offlineWords(open: Open, { down: count, unseen }: Standing, now: number, rules: Rules): Words {
  const since = open.since === null ? null : `Since ${moment(open.since)}`
  const [first] = open.named
  if (count === 1 && first !== undefined) {
    const missed = open.why === 'absence' ? 'It went offline while Muster could not see it' : null
    return spoken({ title: `${nameIn(first.name)} is offline`, body: sentences(open.context, missed, since, unseenMore(unseen)) }, now, rules)
  }
  const title = open.shape === 'several' && open.why === 'absence'
    ? `${devices(count)} went offline while Muster could not see them`
    : `${devices(count)} offline${open.where === '' ? '' : ` ${open.where}`}`
  return spoken({ title, body: sentences(open.context, namesOf(open, count), since, unseenMore(unseen)) }, now, rules)
}

const namesOf = ({ named }: Open, count: number): string => listed(named.map(({ name }) => nameIn(name)).slice(0, count), count)

/** What was down when Muster last saw it is not offline for that (invariant 4). */
const unseenMore = (count: number): string | null => (count === 0 ? null : `${figure.format(count)} more not seen since`)

/** `left`: the others of the telling. Others than these may be down in the same place. */
export function backWords(open: Pick<Open, 'where' | 'context'>, names: readonly string[], count: number, left: Standing): Words {
  const still = stillWords(left)
  const [first] = names
  if (count === 1 && first !== undefined) return { title: `${nameIn(first)} is back`, body: sentences(open.context, still), moments: [] }
  const title = `${devices(count)} are back${open.where === '' ? '' : ` ${open.where}`}`
  return { title, body: sentences(open.context, listed(names.map(nameIn), count), still), moments: [] }
}

function stillWords({ down, unseen }: Standing): string | null {
  const parts = [down === 0 ? null : `${figure.format(down)} still offline`, unseen === 0 ? null : `${figure.format(unseen)} not seen since`]
  const still = parts.filter((part) => part !== null)
  return still.length === 0 ? null : `From the same notification: ${still.join(', ')}`
}

/** Returns of several outages at a time. */
export function backsWords(names: readonly string[], count: number): Words {
  return { title: `${devices(count)} are back`, body: sentences(listed(names.map(nameIn), count)), moments: [] }
}

/** `all`: it is every tenant that there is, of more than one. */
export function blindWords(names: readonly string[], all: boolean, since: number, now: number, rules: Rules): Words {
  return spoken({
    title: `Muster cannot see ${whom(names, all)} since ${moment(since)}`,
    body: sentences(names.length > 1 && !all ? shortList(names) : null, 'Nothing is told of devices there until it sees them again'),
  }, now, rules)
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
    moments: [],
  }
}

/** What a pause held back, as one. `parts`: what would have been told. */
export function pauseWords(offline: number, back: number, parts: readonly Told[], now: number, rules: Rules): Words {
  const down = offline === 0 ? null : `${devices(offline)} went offline`
  const up = back === 0 ? null : `${devices(back)} came back`
  const titles = parts.slice(0, mostNamed).map((told) => withMoments(told, 'title', moment))
  const both = [down, up].filter((part) => part !== null)
  return spoken({
    title: both.length === 0 ? 'What happened while notifications were paused' : `${both.join(', ')} while notifications were paused`,
    body: sentences(...titles, parts.length > mostNamed ? `${parts.length - mostNamed} more` : null),
  }, now, rules)
}
