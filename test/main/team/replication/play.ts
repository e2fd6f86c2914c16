import { randomUUID } from 'node:crypto'
import { createDatabase, createLink, type Link, type Mishap } from './database.ts'
import {
  type Act,
  evaluatedIn,
  set,
  sourcesIn,
  startLife,
  textOfRow,
  type Asked,
  type Disk,
  type Life,
} from './member.ts'
import type { LogWriter } from '../../../../src-main/team/log/writer.ts'
import type { Content } from './model.ts'
import { createComputer, createWorld } from './world.ts'

export const kinds = [
  'before',
  'after',
  'late',
  'cut',
  'pull',
  'freeze',
  'sleep',
  'kill',
  'release',
  'away',
  'failover',
  'burst',
  'quiet',
  'snapshot',
  'prune',
] as const

/** One misfortune, or one act of a leader, after a wait; after `quiet` nothing more is appended. `member`: to whom; `ms`: for how long. */
export interface Step {
  waitMs: number
  kind: (typeof kinds)[number]
  member: number
  ms: number
}

/** What is wrong with a sequence, as text, and how much happened in it. */
export interface Played {
  wrong: string[]
  rows: number
  terms: number
  lost: number
}

const members = 3
/** Longest time in which a lease that was lost by a failover still counts for its member, ms. */
const leaseMs = 6000
/** True time until all is well again, and then until everybody has everything, ms. */
const healMs = 16_000
const quietMs = 8000

interface Member {
  id: string
  disk: Disk
  link: Link | null
  life: Life | null
}

const textsOf = ({ archive }: Content) => archive.map(textOfRow)

const isPrefix = (texts: readonly string[], of: readonly string[]) =>
  texts.length <= of.length && texts.every((text, index) => text === of[index])

/** Plays one sequence: three members with one database, in which everything is decided by the seed and the steps. */
export async function play(seed: number, steps: readonly Step[]): Promise<Played> {
  const world = createWorld(seed)
  const database = createDatabase(world)
  const wrong = new Set<string>()
  const [asked, acts, lives]: [Asked[], Act[], Life[]] = [[], [], []]
  let isActing = true
  let texts = 0
  const all: Member[] = Array.from({ length: members }, () => ({
    id: randomUUID(),
    disk: { texts: [], position: null },
    link: null,
    life: null,
  }))
  const contents = () => [database.content(), ...database.lost]
  const start = (member: Member) => {
    const computer = createComputer(world, 1 + (world.random() - 0.5) / 1000, (world.random() - 0.5) * 1_200_000)
    const link = createLink(world, database, computer)
    member.link = link
    member.life = startLife({
      world,
      computer,
      link,
      id: member.id,
      disk: member.disk,
      asked,
      acts,
      nextText(kind) {
        texts += 1
        return `${kind} ${texts}`
      },
      isActing: () => isActing,
      onStored(disk) {
        if (!contents().some((content) => isPrefix(disk.texts, textsOf(content))))
          wrong.add(`a follower stored what is no log: ${disk.texts.join(', ')}`)
        if ((disk.position?.number ?? 0) !== disk.texts.length) wrong.add('a position does not fit its rows')
      },
    })
    lives.push(member.life)
  }
  const check = () => {
    if (world.now() - database.failedOverAt() < leaseMs) return
    for (const which of [0, 1]) {
      const count = lives.filter((life) => !life.computer.isStill() && writersOf(life)[which] !== null).length
      if (count > 1) wrong.add(`${count} members lead at ${Math.round(world.now())}`)
    }
  }
  for (const member of all) start(member)
  for (const step of steps) {
    await world.run(world.now() + step.waitMs, check)
    const member = all[step.member]
    if (member !== undefined) act(step, member)
  }
  function act({ kind, ms }: Step, member: Member) {
    const { life, link } = member
    switch (kind) {
      case 'before':
      case 'after':
      case 'late':
        return link?.next(kind satisfies Mishap)
      case 'cut':
        link?.cut(true)
        return void world.after(ms, () => link?.cut(false))
      case 'pull':
        link?.pull(true)
        return void world.after(ms, () => link?.pull(false))
      case 'freeze':
      case 'sleep':
        return life?.computer.still(ms, kind === 'sleep')
      case 'kill':
        if (life === null) return
        kill(life)
        member.life = null
        return void world.after(ms, () => start(member))
      case 'release':
        if (life === null) return
        member.life = null
        return void life.stop().then(() => {
          kill(life)
          world.after(ms, () => start(member))
        })
      case 'away':
        database.setAway(true)
        return void world.after(ms, () => database.setAway(false))
      case 'failover':
        return database.failOver(ms % 6, ((ms * 7) % 40_001) - 20_000)
      case 'quiet':
        isActing = false
        return undefined
      default:
        return life?.[kind]()
    }
  }
  function kill(life: Life) {
    life.computer.kill()
    lives.splice(lives.indexOf(life), 1)
  }
  await world.run(world.now() + healMs, check)
  isActing = false
  await world.run(world.now() + quietMs, check)
  const content = database.content()
  for (const text of judge({ content, lost: database.lost, asked, acts, members: all, lives })) wrong.add(text)
  return {
    wrong: [...wrong],
    rows: content.archive.length,
    terms: [...content.leads.values()].reduce((sum, { term }) => sum + term, 0),
    lost: database.lost.length,
  }
}

/** What a member writes with as it leads the set, and as it evaluates; null where it does not. */
const writersOf = (life: Life): (LogWriter | null)[] => [
  life.leads()?.writerOf(set) ?? null,
  life.leads()?.evaluating() ?? null,
]

interface Judged {
  content: Content
  lost: readonly Content[]
  asked: readonly Asked[]
  acts: readonly Act[]
  members: readonly Member[]
  lives: readonly Life[]
}

/** What must be so in the end, when all members have run undisturbed for a while. */
function judge({ content, lost, asked, acts, members, lives }: Judged): string[] {
  const wrong: string[] = []
  const { archive } = content
  const texts = textsOf(content)
  if (archive.some(({ number }, index) => number !== index + 1)) wrong.push('a number is missing or there twice')
  const terms = archive.flatMap(({ term }, index) => (texts[index]?.startsWith('row') === true ? [term] : []))
  if (terms.some((term, index) => term < (terms[index - 1] ?? 0))) wrong.push('terms are mixed')
  const there = new Set(texts)
  if (there.size !== texts.length) wrong.push('a row is in the log twice')
  const gone = new Set(lost.flatMap(textsOf))
  for (const { text, computer, outcome } of acts) {
    if (outcome === 'done' && !there.has(text) && !gone.has(text)) wrong.push(`${text} was done and is not in the log`)
    if (outcome === 'unsent' && there.has(text)) wrong.push(`${text} was unsent and is in the log`)
    if (outcome === null && lives.some((life) => life.computer === computer))
      wrong.push(`what became of ${text} is not told`)
  }
  wrong.push(...judgeAsked({ content, lost, asked, lives }))
  for (const [index, { disk }] of members.entries())
    if (disk.texts.join() !== texts.join())
      wrong.push(`member ${index} has ${disk.texts.length} of ${texts.length} rows`)
  for (const which of [0, 1])
    if (lives.filter((life) => writersOf(life)[which] !== null).length !== 1) wrong.push('nobody leads')
  const [evaluated, sources] = [texts.flatMap(evaluatedIn), sourcesIn(texts)]
  if (evaluated.join() !== sources.join())
    wrong.push(`the evaluator has not evaluated each row once, in order: ${evaluated.join()} of ${sources.join()}`)
  return wrong
}

/** Whether each writer was told the truth. */
function judgeAsked({ content, lost, asked, lives }: Pick<Judged, 'content' | 'lost' | 'asked' | 'lives'>): string[] {
  const wrong: string[] = []
  const entriesOf = ({ archive }: Content) => archive.map(({ entry }) => entry)
  const [there, gone] = [new Set(entriesOf(content)), new Set(lost.flatMap(entriesOf))]
  for (const { ids, outcome, writer, computer } of asked) {
    const isThere = ids.some((id) => there.has(id))
    if (outcome === null && lives.some((life) => life.computer === computer))
      wrong.push('what became of rows is not told')
    if (outcome?.is === 'fenced' && isThere) wrong.push('rows were fenced and are in the log')
    if (outcome?.is !== 'stored' || isThere) continue
    if (!ids.some((id) => gone.has(id))) wrong.push('rows were stored and are not in the log')
    if (lives.some((life) => writersOf(life).includes(writer)))
      wrong.push('rows were lost by a failover, and their writer does not know')
  }
  return wrong
}
