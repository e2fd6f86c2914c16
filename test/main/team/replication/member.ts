import { FaultError } from '../../../../src-shared/model/fault.ts'
import { openLease, type Lease, type Leadership } from '../../../../src-main/team/lead/lease.ts'
import { follow, type Follower } from '../../../../src-main/team/log/follow.ts'
import { openConsumer } from '../../../../src-main/team/log/consume.ts'
import type { Position } from '../../../../src-main/team/log/log-store.ts'
import { entriesOf, openWriter, type AppendOutcome, type LogWriter } from '../../../../src-main/team/log/writer.ts'
import type { Link } from './database.ts'
import type { Computer, World } from './world.ts'

export const set = 'a credential set'
export const evaluator = 'evaluator'

/** Interval of a leader's appends, and the least age of what it prunes, ms. */
const appendMs = 700
const keepMs = 4000
/** Share of the rows that a disk does not take at once. */
const diskFailures = 0.05

/** What a member has stored: it outlasts the member. */
export interface Disk {
  texts: string[]
  position: Position | null
}

/** A row that a leader was asked to append, and what it was told of it. */
export interface Asked {
  text: string
  leadership: Leadership
  /** On which it was asked. */
  computer: Computer
  outcome: AppendOutcome | null
}

export interface LifeOptions {
  world: World
  computer: Computer
  link: Link
  /** The member's id. */
  id: string
  disk: Disk
  asked: Asked[]
  /** Returns another text each time. */
  nextText: () => string
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
      () => ({ text: options.nextText(), leadership, computer, outcome: null }) as Asked,
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
    const writer = openWriter({ store: link.logs, clock, leadership, limits: { keepMs } })
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

function followToDisk({ computer, link, disk, world, onStored }: LifeOptions): Follower {
  return follow({
    store: link.logs,
    clock: computer.clock,
    subject: set,
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

/** Consumes the set's log: its state are the texts that it has consumed, and it writes a row for each. */
async function evaluate({ computer: { clock }, link }: LifeOptions, leadership: Leadership): Promise<void> {
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
      const texts = rows.map(({ body }) => String(decode(body)))
      return { state: [...state, ...texts], entries: entriesOf(texts.map((text) => encode(text))) }
    },
    evaluateSnapshot: (state, _source, snapshot) => ({
      state: state.length > 0 || snapshot === null ? state : (decode(snapshot.body) as string[]),
      entries: [],
    }),
  })
  consumer.consume(set)
}
