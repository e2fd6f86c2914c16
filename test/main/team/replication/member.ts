import { repeat } from '../../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { openLease, type Lease, type Leadership } from '../../../../src-main/team/lead/lease.ts'
import { follow, type Follower } from '../../../../src-main/team/log/follow.ts'
import { postRows, type Posted } from '../../../../src-main/team/log/post.ts'
import { openConsumer } from '../../../../src-main/team/log/consume.ts'
import type { Position } from '../../../../src-main/team/log/log-store.ts'
import { entriesOf, openWriter, type AppendOutcome, type LogWriter } from '../../../../src-main/team/log/writer.ts'
import type { Link } from './database.ts'
import type { Computer, World } from './world.ts'

export const set = 'a credential set'
export const evaluator = 'evaluator'

/** Name of the one log of all leases, where there is one. */
export const sharedLog = 'team'

/** Interval of a leader's appends, and the least age of what it prunes, ms. */
const appendMs = 700
const keepMs = 4000
/** The same of a log with rows without a lease: longer than any of them is on its way. */
const keepPostsMs = 13_000
/** Interval of a member's rows without a lease, and how long it tries, ms. */
const postMs = 1500
const giveUpMs = 4000
/** Share of the rows that a disk does not take at once. */
const diskFailures = 0.05

/** What a member has stored: it outlasts the member. */
export interface Disk {
  texts: string[]
  position: Position | null
}

/** A row that was asked to be written, and what was told of it. `leadership`: null for a row without a lease. */
export interface Asked {
  text: string
  leadership: Leadership | null
  /** On which it was asked. */
  computer: Computer
  outcome: AppendOutcome | Posted | null
}

export interface LifeOptions {
  world: World
  computer: Computer
  link: Link
  /** The member's id. */
  id: string
  /** Whether all leases write one log, and members without one as well. */
  isShared: boolean
  disk: Disk
  asked: Asked[]
  /** Returns another text each time. */
  nextText: (kind: 'row' | 'post') => string
  isAppending: () => boolean
  onStored: (disk: Disk) => void
}

/** A Muster from its start to its end. */
export interface Life {
  computer: Computer
  leases: Lease[]
  /** A leader's acts; nothing for others. */
  burst(): void
  snapshot(): void
  prune(): void
  stop(): Promise<void>
}

export const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
export const decode = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString())

/** Starts a member: it follows, tries to lead the set, and tries to be the evaluator. */
export function startLife(options: LifeOptions): Life {
  const { computer, link, disk, world } = options
  const { clock } = computer
  const follower = followToDisk(options)
  let led: { leadership: Leadership; writer: LogWriter } | null = null
  const append = (count: number) => {
    if (led?.leadership.isCurrent() !== true) return
    const { leadership, writer } = led
    const rows = Array.from(
      { length: count },
      () => ({ text: options.nextText('row'), leadership, computer, outcome: null }) as Asked,
    )
    options.asked.push(...rows)
    void writer.append(entriesOf(rows.map(({ text }) => encode(text)))).then((outcome) => {
      for (const row of rows) row.outcome = outcome
    })
  }
  const keepAppending = (leadership: Leadership) => {
    if (!leadership.isCurrent()) return
    if (options.isAppending()) append(1 + Math.floor(world.random() * 3))
    clock.after(appendMs, () => keepAppending(leadership))
  }
  const onLead = async (leadership: Leadership) => {
    const writer = openWriter({
      store: link.logs,
      clock,
      leadership,
      limits: { keepMs: options.isShared ? keepPostsMs : keepMs },
    })
    led = { leadership, writer }
    await follower.reached(leadership.last)
    keepAppending(leadership)
  }
  const open = (subject: string, lead: (leadership: Leadership) => Promise<void>) =>
    openLease({
      store: link.leases,
      clock,
      subject,
      member: options.id,
      random: world.random,
      onLead: (leadership) => void lead(leadership).catch(ignoreEnd),
      onFollow: () => {},
    })
  if (options.isShared) keepPosting(options, follower)
  const leases = [open(set, onLead), open(evaluator, (leadership) => evaluate(options, leadership))]
  return {
    computer,
    leases,
    burst: () => append(20),
    snapshot() {
      if (disk.position !== null) void led?.writer.snapshot(disk.position, encode(disk.texts)).catch(ignoreEnd)
    },
    prune: () => void led?.writer.prune().catch(ignoreEnd),
    async stop() {
      await Promise.all([...leases.map((lease) => lease.release()), follower.stop()])
    },
  }
}

/** Where a fault ends an act, as it was stopped or cut. */
function ignoreEnd(error: unknown): void {
  if (!(error instanceof FaultError)) throw error
}

function followToDisk({ computer, link, disk, world, isShared, onStored }: LifeOptions): Follower {
  return follow({
    store: link.logs,
    clock: computer.clock,
    subject: isShared ? sharedLog : set,
    from: disk.position,
    onRows(rows, position) {
      if (world.random() < diskFailures) throw new FaultError('storage')
      disk.texts = [...disk.texts, ...rows.map(({ body }) => String(decode(body)))]
      disk.position = position
      onStored(disk)
    },
    onSnapshot(snapshot) {
      disk.texts = snapshot === null ? [] : (decode(snapshot.body) as string[])
      disk.position = snapshot?.position ?? null
      onStored(disk)
    },
  })
}

/** Writes rows without a lease, and reads them at once. */
function keepPosting(options: LifeOptions, follower: Follower): void {
  const { computer, link, world } = options
  const post = async () => {
    const entries = Array.from({ length: 1 + Math.floor(world.random() * 2) }, () => options.nextText('post'))
    const rows = entries.map((text) => ({ text, leadership: null, computer, outcome: null }) as Asked)
    options.asked.push(...rows)
    const posting = { store: link.logs, clock: computer.clock, log: sharedLog }
    const outcome = await postRows(posting, entriesOf(entries.map(encode)), { giveUpMs })
    for (const row of rows) row.outcome = outcome
    if (outcome.is === 'stored') follower.poke()
  }
  repeat(computer.clock, postMs, () => {
    if (options.isAppending()) void post()
  })
}

const mark = 'of '
/** Returns whether a row is one of the evaluator's. */
export const isEvaluated = (text: string): boolean => text.startsWith(mark)
/** Returns the text of which the evaluator has made this one. */
export const sourceOf = (text: string): string => text.slice(mark.length)

/** Consumes the set's log: its state are the texts that it has consumed, and it writes a row for each but its own. */
async function evaluate({ computer: { clock }, link, isShared }: LifeOptions, leadership: Leadership): Promise<void> {
  const writer = openWriter({ store: link.logs, clock, leadership })
  const consumer = await openConsumer<readonly string[]>({
    store: link.logs,
    clock,
    leadership,
    writer,
    initial: [],
    decode: (value) => decode(value) as string[],
    encode,
    evaluate(state, _source, rows) {
      const texts = rows.map(({ body }) => String(decode(body))).filter((text) => !isEvaluated(text))
      return { state: [...state, ...texts], entries: entriesOf(texts.map((text) => encode(mark + text))) }
    },
    evaluateSnapshot: (state, _source, snapshot) => ({
      state:
        state.length > 0 || snapshot === null
          ? state
          : (decode(snapshot.body) as string[]).filter((text) => !isEvaluated(text)),
      entries: [],
    }),
  })
  consumer.consume(isShared ? sharedLog : set)
}
