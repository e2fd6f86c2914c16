import type { Told } from '../../src-shared/model.ts'
import { countDown, openAt, scopeOf, tell, wait, type Draft } from './draft.ts'
import { growMs, type Open } from './state.ts'
import { backsWords, backWords, mostNamed, type Words } from './words.ts'

export interface Back {
  key: string
  name: string
  /** Id of the telling that told its drop. */
  telling: string
}

/** More outages than this that end at a time are told as one. */
const mostApart = 3

interface Ending {
  id: string
  open: Open
  members: Back[]
}

/** Devices that came back and stayed for the hold-off, outage by outage; not more often than once a minute for each. */
export function tellBack(draft: Draft, back: readonly Back[]): void {
  const ready = back.filter(({ key, telling }) => {
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

function endingsOf({ tellings }: Draft, back: readonly Back[]): Ending[] {
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

function tellEnding(draft: Draft, { id, open, members }: Ending): void {
  const backs = open.backs + members.length
  const left = countDown(draft).get(id) ?? 0
  noteBack(draft, id, members.length)
  const names = members.map(({ name }) => name).slice(0, mostNamed)
  const [only] = backs === 1 ? members : []
  const opens = only === undefined ? openAt(scopeOf(open), '') : { scope: 'all', filter: '', device: only.key }
  say(draft, `${id}-back`, backWords(open, names, backs, left), backs, opens, members)
}

function tellTogether(draft: Draft, endings: readonly Ending[]): void {
  const members = endings.flatMap((ending) => ending.members)
  for (const { id, members: own } of endings) noteBack(draft, id, own.length)
  const names = members.map(({ name }) => name).slice(0, mostNamed)
  say(draft, `${endings[0]?.id ?? ''}-backs-${draft.now.toString(36)}`, backsWords(names, members.length), members.length, openAt('all', ''), members)
}

function noteBack(draft: Draft, id: string, many: number): void {
  const telling = draft.tellings.get(id)
  if (telling?.open) draft.tellings.set(id, { ...telling, open: { ...telling.open, backs: telling.open.backs + many, backToldAt: draft.now } })
}

function say(draft: Draft, id: string, words: Words, count: number, open: Told['open'], members: readonly Back[]): void {
  const tenants = members.flatMap(({ telling }) => draft.tellings.get(telling)?.about ?? []).filter((key) => key.endsWith('/'))
  const about = [...new Set([...tenants, ...members.slice(0, mostNamed).map(({ key }) => key)])]
  const told: Told = { id, at: draft.now, kind: 'recovered', ...words, devices: count, open }
  tell(draft, { told, about, open: null }, members.map(({ key }) => key))
}
