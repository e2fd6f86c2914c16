import type { PlaceNode } from '../data/protocol.ts'
import type { Told } from '../../src-shared/model.ts'
import { scopeOf, tell, wait, type Draft } from './draft.ts'
import { around, opensThese, standing } from './members.ts'
import type { Words } from './moments.ts'
import { growMs, type Open } from './state.ts'
import { backsWords, backWords, mostNamed } from './words.ts'

export interface Back {
  key: string
  name: string
  path: readonly PlaceNode[]
}

interface ToldBack extends Back {
  /** Id of the telling that told its drop. */
  telling: string
}

/** More outages than this that end at a time are told as one. */
const mostApart = 3
/** What holds the devices that came back, when they are more than a filter can name. */
export const cameBack = 'up:<1d'

interface Ending {
  id: string
  open: Open
  members: ToldBack[]
}

/** Devices that came back and stayed for the hold-off, outage by outage; not more often than once a minute for each. */
export function tellBack(draft: Draft, back: readonly Back[]): void {
  const ready = back.flatMap((one) => toldIn(draft, one)).filter(({ key, telling }) => {
    const until = (draft.tellings.get(telling)?.open?.backToldAt ?? -Infinity) + growMs
    if (!draft.rules.recovered || until <= draft.now) return draft.drops.delete(key)
    wait(draft, [key], until)
    return false
  })
  if (!draft.rules.recovered) return
  const endings = endingsOf(draft, ready)
  if (endings.length > mostApart) tellTogether(draft, endings)
  else for (const ending of endings) tellEnding(draft, ending)
}

/** Under which telling its drop is known now: what was told in this very look may have taken the first one into another. */
function toldIn({ drops }: Draft, one: Back): ToldBack[] {
  const telling = drops.get(one.key)?.telling ?? null
  return telling === null ? [] : [{ ...one, telling }]
}

function endingsOf({ tellings }: Draft, back: readonly ToldBack[]): Ending[] {
  const endings = new Map<string, Ending>()
  for (const one of back) {
    const open = tellings.get(one.telling)?.open
    if (!open) continue
    const ending = endings.get(one.telling) ?? { id: one.telling, open, members: [] }
    ending.members.push(one)
    endings.set(one.telling, ending)
  }
  return [...endings.values()]
}

function tellEnding(draft: Draft, ending: Ending): void {
  const { id, open, members } = ending
  const backs = noteBack(draft, ending)
  const { down, unseen } = standing(draft, id)
  // Those of which the service no longer says anything are left out of where they are.
  const found = backs.flatMap((key) => draft.found.get(key) ?? [])
  const place = open.shape === 'several' || open.shape === 'sighted' ? around(found.map(({ path }) => path)) : open
  const names = found.map(({ name }) => name).slice(0, mostNamed)
  const words = backWords(place, names, backs.length, { down: down.length, unseen })
  say(draft, `${id}-back`, words, backs.length, opensThese(scopeOf(place), backs, cameBack), members)
}

function tellTogether(draft: Draft, endings: readonly Ending[]): void {
  const members = endings.flatMap((ending) => ending.members)
  for (const ending of endings) noteBack(draft, ending)
  const names = members.map(({ name }) => name).slice(0, mostNamed)
  const opens = opensThese(scopeOf(around(members.map(({ path }) => path))), members.map(({ key }) => key), cameBack)
  say(draft, `${endings[0]?.id ?? ''}-backs-${draft.now.toString(36)}`, backsWords(names, members.length), members.length, opens, members)
}

/** All that is back of a telling as far as anyone was told, the latest first: what was told to be down again is not. */
function noteBack(draft: Draft, { id, open, members }: Ending): string[] {
  const telling = draft.tellings.get(id)
  const all = new Set([...members.map(({ key }) => key), ...open.backs])
  const backs = [...all].filter((key) => (draft.drops.get(key)?.telling ?? null) === null)
  if (telling?.open) draft.tellings.set(id, { ...telling, open: { ...telling.open, backs, backToldAt: draft.now } })
  return backs
}

function say(draft: Draft, id: string, words: Words, count: number, open: Told['open'], members: readonly ToldBack[]): void {
  const tenants = members.flatMap(({ telling }) => draft.tellings.get(telling)?.about ?? []).filter((key) => key.endsWith('/'))
  const about = [...new Set([...tenants, ...members.slice(0, mostNamed).map(({ key }) => key)])]
  const told: Told = { id, at: draft.now, kind: 'recovered', ...words, devices: count, open }
  tell(draft, { told, about, open: null }, members.map(({ key }) => key))
}
