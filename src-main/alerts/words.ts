import { withMoments } from '../../src-shared/moments.ts'
import type { Told } from '../../src-shared/model.ts'
import type { PlaceNode } from '../data/protocol.ts'
import { moment, spoken, type Words } from './moments.ts'
import { listed, nameIn } from './names.ts'
import type { Incident, Rules } from './state.ts'

/** Names of more devices than this are not told. */
export const mostNamed = 3

const figure = new Intl.NumberFormat('en')
export const devices = (count: number): string => (count === 1 ? '1 device' : `${figure.format(count)} devices`)
const sentences = (...parts: (string | null | readonly (string | null)[])[]): string =>
  parts
    .flat()
    .filter((part) => part !== null && part !== '')
    .map((part) => `${part}.`)
    .join(' ')

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
  return path
    .filter(({ kind, placeless }) => !placeless && kind !== 'region')
    .map(({ name }) => nameIn(name))
    .join(', ')
}

/** How many devices of a telling are down, and how many were when they were last seen. */
export interface Standing {
  down: number
  unseen: number
}

/** The maintenance window that something on the watch list broke through, and how many are down in the place in which that is; '' for none. */
export interface Watched {
  window: string
  place: string
  down: number
}

/** An incident as it stands, in the words in which it is told. */
export function incidentWords(
  incident: Incident,
  watched: Watched | null,
  now: number,
  rules: Pick<Rules, 'utc'>,
): Words {
  const { down, unseen, kind } = incident
  if (down === 0 && unseen > 0 && incident.closedAt === null) return unseenWords(incident, unseen, now, rules)
  // When all of it is back it is over, or soon will be: then its words are about what it was.
  const count = down > 0 ? down : incident.peak
  return kind === 'flapping'
    ? flappingWords(incident, count, now, rules)
    : offlineWords(incident, { down: count, unseen }, watched, now, rules)
}

/** Nothing is called offline that Muster does not see (invariant 4). */
function unseenWords(incident: Incident, count: number, now: number, rules: Pick<Rules, 'utc'>): Words {
  const { where, context, shape, kind } = incident
  const since = incident.since === null ? null : `Since ${moment(incident.since)} as far as Muster saw`
  const was = kind === 'flapping' ? 'coming and going' : 'offline'
  const [first] = incident.named
  if (count === 1 && first !== undefined) {
    return spoken(
      {
        title: `${nameIn(first.name)} was ${was} when last seen`,
        body: sentences(shape === 'node' ? placeIn(where, context) : context, since),
      },
      now,
      rules,
    )
  }
  return spoken(
    {
      title: `${devices(count)}${where === '' ? '' : ` ${where}`} were ${was} when last seen`,
      body: sentences(context, namesOf(incident, count), since),
    },
    now,
    rules,
  )
}

function offlineWords(
  incident: Incident,
  { down: count, unseen }: Standing,
  watched: Watched | null,
  now: number,
  rules: Pick<Rules, 'utc'>,
): Words {
  const { why, where, context, shape } = incident
  const more = [besidesWords(incident), ...watchedWords(watched), unseenMore(unseen)]
  const since = incident.since === null ? null : `Since ${moment(incident.since)}`
  const [first] = incident.named
  if (count === 1 && first !== undefined) {
    const missed = why === 'absence' ? 'It went offline while Muster could not see it' : null
    return spoken(
      {
        title: `${nameIn(first.name)} is offline`,
        body: sentences(shape === 'node' ? placeIn(where, context) : context, missed, since, more),
      },
      now,
      rules,
    )
  }
  const title =
    shape === 'several' && why === 'absence'
      ? `${devices(count)} went offline while Muster could not see them`
      : `${devices(count)} offline${where === '' ? '' : ` ${where}`}`
  return spoken({ title, body: sentences(context, namesOf(incident, count), since, more) }, now, rules)
}

function watchedWords(watched: Watched | null): string[] {
  if (watched === null) return []
  const { window, place, down } = watched
  const quiet = `the maintenance window ${nameIn(window)}`
  return place === '' || down === 0
    ? [`On the watch list, in ${quiet}`]
    : ['On the watch list', `${devices(down)} of ${nameIn(place)} ${down === 1 ? 'is' : 'are'} down in ${quiet}`]
}

/** What is down there and not of the incident: its own count is the one that the title has. */
function besidesWords({ down, also }: Pick<Incident, 'down' | 'also'>): string | null {
  return also === 0 || down === 0
    ? null
    : also === 1
      ? '1 other is offline there'
      : `${figure.format(also)} others are offline there`
}

const placeIn = (where: string, context: string): string =>
  [where.replace(/^in /u, ''), context].filter((part) => part !== '').join(', ')

function flappingWords(incident: Incident, count: number, now: number, rules: Pick<Rules, 'utc'>): Words {
  const { where, context, shape } = incident
  const since = incident.since === null ? null : `Since ${moment(incident.since)}`
  const [first] = incident.named
  if (count === 1 && first !== undefined) {
    return spoken(
      {
        title: `${nameIn(first.name)} is flapping`,
        body: sentences(shape === 'node' ? placeIn(where, context) : context, since),
      },
      now,
      rules,
    )
  }
  return spoken(
    {
      title: `${devices(count)} flapping${where === '' ? '' : ` ${where}`}`,
      body: sentences(context, namesOf(incident, count), since),
    },
    now,
    rules,
  )
}

const namesOf = ({ named }: Pick<Incident, 'named'>, count: number): string =>
  listed(named.map(({ name }) => nameIn(name)).slice(0, count), count)

/** What was down when Muster last saw it is not offline for that (invariant 4). */
const unseenMore = (count: number): string | null =>
  count === 0 ? null : `${figure.format(count)} more not seen since`

/** How many of those that came back nobody saw come back, and between which moments that was. */
export interface Missed {
  count: number
  from: number
  until: number
}

/** `left`: the others of the telling. Others than these may be down in the same place. Instants are marked (moments.ts). */
export function backWords(
  open: Pick<Incident, 'where' | 'context' | 'kind'>,
  names: readonly string[],
  count: number,
  left: Standing,
  missed: Missed | null,
): { title: string; body: string } {
  const rest = [missedWords(missed, count), stillWords(left)]
  const [first] = names
  if (count === 1 && first !== undefined)
    return {
      title: `${nameIn(first)} is ${open.kind === 'flapping' ? 'steady again' : 'back'}`,
      body: sentences(open.context, rest),
    }
  const title = `${devices(count)} are ${open.kind === 'flapping' ? 'steady again' : 'back'}${open.where === '' ? '' : ` ${open.where}`}`
  return { title, body: sentences(open.context, listed(names.map(nameIn), count), rest) }
}

function missedWords(missed: Missed | null, count: number): string | null {
  if (missed === null) return null
  const who = count === 1 ? 'It' : missed.count < count ? `${figure.format(missed.count)} of them` : 'They'
  const isOneMinute = Math.floor(missed.from / 60_000) === Math.floor(missed.until / 60_000)
  return `${who} came back ${isOneMinute ? `at ${moment(missed.until)}` : `between ${moment(missed.from)} and ${moment(missed.until)}`}, while Muster could not see ${missed.count === 1 ? 'it' : 'them'}`
}

function stillWords({ down, unseen }: Standing): string | null {
  const parts = [
    down === 0 ? null : `${figure.format(down)} still offline`,
    unseen === 0 ? null : `${figure.format(unseen)} not seen since`,
  ]
  const still = parts.filter((part) => part !== null)
  return still.length === 0 ? null : `From the same notification: ${still.join(', ')}`
}

/** What was told to be down and is no longer listed. */
export function unlistedWords(
  { where, context }: Pick<Incident, 'where' | 'context'>,
  names: readonly string[],
  count: number,
): { title: string; body: string } {
  const [first] = names
  const end = `Whether ${count === 1 ? 'it is' : 'they are'} back is not known`
  if (count === 1 && first !== undefined)
    return { title: `${first} is no longer listed`, body: sentences(context, end) }
  return {
    title: `${devices(count)} ${count === 1 ? 'is' : 'are'} no longer listed${where === '' ? '' : ` ${where}`}`,
    body: sentences(context, listed(names, count), end),
  }
}

/** Returns of several outages at a time. */
export function backsWords(
  names: readonly string[],
  count: number,
  missed: Missed | null,
): { title: string; body: string } {
  return {
    title: `${devices(count)} are back`,
    body: sentences(listed(names.map(nameIn), count), missedWords(missed, count)),
  }
}

/** `all`: it is every tenant that there is, of more than one. */
export function blindWords(names: readonly string[], all: boolean, since: number, now: number, rules: Rules): Words {
  return spoken(
    {
      title: all
        ? `Muster has seen nothing since ${moment(since)}`
        : `Muster has not seen ${whom(names)} since ${moment(since)}`,
      body: sentences(
        names.length > 1 && !all ? shortList(names) : null,
        all
          ? 'Nothing is told of devices until it sees them again'
          : 'Nothing is told of devices there until it sees them again',
      ),
    },
    now,
    rules,
  )
}

function whom(names: readonly string[]): string {
  const [first] = names
  return names.length === 1 && first !== undefined ? nameIn(first) : `${figure.format(names.length)} tenants`
}

const shortList = (names: readonly string[]): string => listed(names.slice(0, mostNamed).map(nameIn), names.length)

/** Several incidents as one: how many, and how many of them are open still. */
export function countWords(all: number, open: number): string {
  const some = all === 1 ? '1 incident' : `${figure.format(all)} incidents`
  if (open === 0) return all === 1 ? `${some}, which is over` : `${some}, all of them over`
  return open === all ? `${some}, still open` : `${some}, ${figure.format(open)} still open`
}

/** `titles`: what the incidents are, the worst first. `beside`: devices that went offline without any of these. `behind`: not everything has been read again yet. */
export function sightedWords(
  tenants: readonly string[],
  titles: readonly string[],
  { all, open, beside }: { all: number; open: number; beside: number },
  behind: boolean,
  now: number,
  rules: Rules,
): Words {
  return spoken(
    {
      title: `Muster sees ${whom(tenants)} again`,
      body: sentences(
        tenants.length > 1 ? shortList(tenants) : null,
        all === 0 ? nothingWords(beside, behind) : `Meanwhile: ${countWords(all, open)}`,
        someOf(titles),
        behind ? 'Not everything has been read again yet' : null,
      ),
    },
    now,
    rules,
  )
}

function nothingWords(beside: number, behind: boolean): string | null {
  if (beside > 0)
    return `${devices(beside)} went offline meanwhile, in what was known before or in a maintenance window`
  return behind ? null : 'No device went offline meanwhile'
}

/** What an absence brought that nobody was told the beginning of. */
export function awayWords(
  titles: readonly string[],
  { all, open }: { all: number; open: number },
  now: number,
  rules: Rules,
): Words {
  return spoken({ title: `While you were away: ${countWords(all, open)}`, body: sentences(someOf(titles)) }, now, rules)
}

/** Many incidents at a time. */
export function stormWords(
  { offline, flapping }: { offline: number; flapping: number },
  where: string,
  titles: readonly string[],
  now: number,
  rules: Rules,
): Words {
  const parts = [
    offline === 0 ? null : `${devices(offline)} offline`,
    flapping === 0 ? null : `${devices(flapping)} flapping`,
  ]
  return spoken(
    {
      title: `${parts.filter((part) => part !== null).join(', ')}${where === '' ? '' : ` ${where}`}`,
      body: sentences(`${titles.length} incidents`, someOf(titles)),
    },
    now,
    rules,
  )
}

/** The report at the end of a maintenance window: what changed in it, and what did not come back. `hidden`: it ended where Muster did not see it, and so many went down in a span that may be in it or after it. */
export function quietWords(
  name: string,
  {
    went,
    back,
    still,
    flapping,
    unseen,
  }: { went: number; back: number; still: readonly string[]; flapping: number; unseen: number },
  hidden: { count: number; from: number; until: number; overAt: number } | null,
  now: number,
  rules: Rules,
): Words {
  const rest = [
    still.length === 0 ? null : `${devices(still.length)} did not come back`,
    flapping === 0 ? null : `${devices(flapping)} flapping`,
    unseen === 0 ? null : `${devices(unseen)} not seen since`,
  ].filter((part) => part !== null)
  const left = rest.length === 0 ? 'all of it is back' : rest.join(', ')
  return spoken(
    {
      title: `${nameIn(name)} is over: ${left}`,
      body: sentences(
        `${devices(went)} went offline in this maintenance window${hidden === null ? '' : ' or after it'}, ${figure.format(back)} came back`,
        hidden === null
          ? null
          : `It ended at ${moment(hidden.overAt)}, and Muster could not see it: ${devices(hidden.count)} went offline between ${moment(hidden.from)} and ${moment(hidden.until)}`,
        still.length === 0 ? null : `Still offline: ${listed(still.slice(0, mostNamed).map(nameIn), still.length)}`,
      ),
    },
    now,
    rules,
  )
}

function someOf(titles: readonly string[]): string[] {
  return titles.length > mostNamed
    ? [...titles.slice(0, mostNamed), `${figure.format(titles.length - mostNamed)} more`]
    : [...titles]
}

/** How many devices a pause held back. `still…`: told before, and told again after a snooze. */
interface Paused {
  offline: number
  back: number
  stillOffline: number
  stillFlapping: number
}

/** What a pause held back, as one. `parts`: what would have been told. */
export function pauseWords(
  { offline, back, stillOffline, stillFlapping }: Paused,
  parts: readonly Told[],
  now: number,
  rules: Rules,
): Words {
  const counted = (count: number, what: string) => (count === 0 ? null : `${devices(count)} ${what}`)
  const both = [
    counted(offline, 'went offline'),
    counted(back, 'came back'),
    counted(stillOffline, 'still offline'),
    counted(stillFlapping, 'still flapping'),
  ].filter((part) => part !== null)
  const titles = parts.slice(0, mostNamed).map((told) => withMoments(told, 'title', moment))
  return spoken(
    {
      title:
        both.length === 0
          ? 'What happened while notifications were paused'
          : `${both.join(', ')} while notifications were paused`,
      body: sentences(titles, parts.length > mostNamed ? `${parts.length - mostNamed} more` : null),
    },
    now,
    rules,
  )
}
