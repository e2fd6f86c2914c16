import { randomUUID } from 'node:crypto'
import { createDatabase, createLink, type Link, type Mishap } from './database.ts'
import {
  decode,
  evaluator,
  isEvaluated,
  set,
  sharedLog,
  sourceOf,
  startLife,
  type Asked,
  type Disk,
  type Life,
} from './member.ts'
import { subjectOf, type Content } from './model.ts'
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

const textsOf = (content: Content, subject: string) =>
  subjectOf(content, subject).archive.map(({ body }) => String(decode(body)))

const isPrefix = (texts: readonly string[], of: readonly string[]) =>
  texts.length <= of.length && texts.every((text, index) => text === of[index])

/**
 * Plays one sequence: three members with one database, in which everything is decided by the seed and the steps.
 * `isShared`: all leases write one log, and members without one as well.
 */
export async function play(seed: number, steps: readonly Step[], isShared: boolean): Promise<Played> {
  const world = createWorld(seed)
  const database = createDatabase(world)
  const wrong = new Set<string>()
  const asked: Asked[] = []
  const lives: Life[] = []
  let isAppending = true
  let texts = 0
  const all: Member[] = Array.from({ length: members }, () => ({
    id: randomUUID(),
    disk: { texts: [], position: null },
    link: null,
    life: null,
  }))
  const log = isShared ? sharedLog : set
  const contents = () => [database.content(), ...database.lost]
  const start = (member: Member) => {
    const computer = createComputer(world, 1 + (world.random() - 0.5) / 1000, (world.random() - 0.5) * 1_200_000)
    const link = createLink(world, database, computer, isShared ? sharedLog : undefined)
    member.link = link
    member.life = startLife({
      world,
      computer,
      link,
      id: member.id,
      isShared,
      disk: member.disk,
      asked,
      nextText(kind) {
        texts += 1
        return `${kind} ${texts}`
      },
      isAppending: () => isAppending,
      onStored(disk) {
        if (!contents().some((content) => isPrefix(disk.texts, textsOf(content, log))))
          wrong.add(`a follower stored what is no log: ${disk.texts.join(', ')}`)
        if ((disk.position?.number ?? 0) !== disk.texts.length) wrong.add('a position does not fit its rows')
      },
    })
    lives.push(member.life)
  }
  const check = () => {
    if (world.now() - database.failedOverAt() < leaseMs) return
    for (const which of [0, 1]) {
      const leading = lives.filter((life) => !life.computer.isStill() && life.leases[which]?.leadership() != null)
      if (leading.length > 1) wrong.add(`${leading.length} members lead at ${Math.round(world.now())}`)
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
        isAppending = false
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
  isAppending = false
  await world.run(world.now() + quietMs, check)
  for (const text of judge({ content: database.content(), lost: database.lost, asked, members: all, lives, isShared }))
    wrong.add(text)
  const rows = subjectOf(database.content(), log).archive.length
  const terms = subjectOf(database.content(), set).lead?.term ?? 0
  return { wrong: [...wrong], rows, terms, lost: database.lost.length }
}

interface Judged {
  content: Content
  lost: readonly Content[]
  asked: readonly Asked[]
  members: readonly Member[]
  lives: readonly Life[]
  isShared: boolean
}

/** What must be so in the end, when all members have run undisturbed for a while. */
function judge({ content, lost, asked, members, lives, isShared }: Judged): string[] {
  const wrong: string[] = []
  const log = isShared ? sharedLog : set
  const { archive } = subjectOf(content, log)
  const texts = textsOf(content, log)
  if (archive.some(({ number }, index) => number !== index + 1)) wrong.push('a number is missing or there twice')
  const terms = archive.flatMap(({ term }, index) => (texts[index]?.startsWith('row') === true ? [term] : []))
  if (terms.some((term, index) => term < (terms[index - 1] ?? 0))) wrong.push('terms are mixed')
  if (new Set(texts).size !== texts.length) wrong.push('a row is in the log twice')
  const there = new Set(texts)
  const gone = new Set(lost.flatMap((each) => textsOf(each, log)))
  for (const { text, outcome, leadership, computer } of asked) {
    if (outcome === null && lives.some((life) => life.computer === computer))
      wrong.push(`what became of ${text} is not told`)
    if ((outcome?.is === 'fenced' || outcome?.is === 'unsent') && there.has(text))
      wrong.push(`${text} was ${outcome.is} and is in the log`)
    if (outcome?.is !== 'stored' || there.has(text)) continue
    if (!gone.has(text)) wrong.push(`${text} was stored and is not in the log`)
    if (leadership?.isCurrent() === true && lives.some(({ leases }) => leases[0]?.leadership() === leadership))
      wrong.push(`${text} was lost by a failover, and its writer does not know`)
  }
  // Of a log without any row nobody can tell that it is another one.
  for (const [index, { disk }] of members.entries())
    if (texts.length > 0 && disk.texts.join() !== texts.join())
      wrong.push(`member ${index} has ${disk.texts.length} of ${texts.length} rows`)
  for (const which of [0, 1])
    if (lives.filter(({ leases }) => leases[which]?.leadership() != null).length !== 1) wrong.push('nobody leads')
  const { state } = subjectOf(content, evaluator)
  const consumed = state === null ? [] : (decode(state.value) as string[])
  const sources = texts.filter((text) => !isEvaluated(text))
  if (consumed.join() !== sources.join())
    wrong.push(`the evaluator has consumed ${consumed.length} of ${sources.length} rows`)
  const written = (isShared ? texts : textsOf(content, evaluator)).filter(isEvaluated).map(sourceOf)
  if (written.join() !== sources.slice(sources.length - written.length).join())
    wrong.push('the evaluator has not written one row for each')
  return wrong
}
