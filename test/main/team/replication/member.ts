import { repeat, wait } from '../../../../src-shared/lib/clock.ts'
import { FaultError, toFault } from '../../../../src-shared/model/fault.ts'
import type { LoggedCall } from '../../../../src-main/inventory/thread/log-protocol.ts'
import type { InventoryData } from '../../../../src-main/inventory/thread/protocol.ts'
import type { Leads } from '../../../../src-main/team/leads.ts'
import type { LogRow, Position } from '../../../../src-main/team/log/log-store.ts'
import type { AppendOutcome, LogWriter } from '../../../../src-main/team/log/writer.ts'
import { readItems } from '../../../../src-main/team/replica/codec.ts'
import { replicatedData } from '../../../../src-main/team/replica/data.ts'
import { nothingChanged, startMember, type Member } from '../../../../src-main/team/member.ts'
import type { Link } from './database.ts'
import type { Computer, World } from './world.ts'

export const set = 'a credential set'

/** Interval of what a leader reads, and of a member's own acts, ms. */
const readMs = 700
const actMs = 1500
/** The least age of rows that are removed, ms: longer than any of them is on its way. */
const keepMs = 13_000
/** Time before what could not be evaluated is tried again, ms. */
const retryMs = 500
/** Time before a copy that could not be opened is opened again, ms. */
const reopenMs = 5000
/** Share of the calls that a disk does not take at once. */
const diskFailures = 0.01

/** What a member has stored: it outlasts the member. */
export interface Disk {
  /** What each row of the log said. */
  texts: string[]
  position: Position | null
}

/** Rows that were written in a term, and what their writer was told of them. `ids`: of the entries. */
export interface Asked {
  ids: string[]
  writer: LogWriter
  /** On which it was asked. */
  computer: Computer
  outcome: AppendOutcome | null
}

/** A call of a member, and what became of it. */
export interface Act {
  text: string
  computer: Computer
  outcome: 'done' | 'failed' | 'unsent' | null
}

export interface LifeOptions {
  world: World
  computer: Computer
  link: Link
  /** The member's id. */
  id: string
  disk: Disk
  asked: Asked[]
  acts: Act[]
  /** Returns another text each time. */
  nextText: (kind: 'row' | 'post') => string
  isActing: () => boolean
  onStored: (disk: Disk) => void
}

/** A Muster from its start to its end. */
export interface Life {
  computer: Computer
  /** Null while its copy is opened. */
  leads(): Leads | null
  /** A leader's acts; nothing for others. */
  burst(): void
  snapshot(): void
  prune(): void
  stop(): Promise<void>
}

const ignore = (): void => {}

/** What a member is not told of. */
export const unheard = {
  bell: { on: () => ignore },
  onSet: ignore,
  onChannel: ignore,
  onCall: ignore,
  onAnswer: ignore,
  onMessage: ignore,
  onCaughtUp: ignore,
  onErased: ignore,
  onNewer: ignore,
  onFault: ignore,
  onStorage: ignore,
}

const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
const decode = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString())

const mark = 'of '
/** Returns the texts that a row of the evaluator is about; none for another row. */
export const evaluatedIn = (text: string): string[] => (text.startsWith(mark) ? text.slice(mark.length).split(',') : [])
/** Returns the texts that are to be evaluated. */
export const sourcesIn = (texts: readonly string[]): string[] => texts.filter((text) => !text.startsWith(mark))

const textOf = ({ call, input }: Pick<LoggedCall, 'call' | 'input'>): string => {
  const { text } = input as { text: string }
  return call === 'saveAlerts' ? mark + text : text
}

const known = new WeakMap<LogRow, string>()
/** Returns what a row of the log says. */
export function textOfRow(row: LogRow): string {
  const before = known.get(row)
  if (before !== undefined) return before
  const [item] = readItems([], [row]).items
  if (item?.item?.is !== 'call') throw new Error('a row that is no call')
  const text = textOf(item.item)
  known.set(row, text)
  return text
}

/**
 * Starts a member over a data thread that only keeps what the log said: it follows, tries to lead the set, and tries to be the
 * evaluator.
 */
export function startLife(options: LifeOptions): Life {
  const { computer, link, disk, world } = options
  const { clock } = computer
  let member: Member | null = null
  let isEvaluating = false
  const present = (): Member => {
    if (member === null) throw new FaultError('team-away')
    return member
  }
  const data = replicatedData({
    // What all carry out goes through the log; nothing else is called.
    local: {} as InventoryData,
    write: async (...given) => present().replica.write(...given),
    post: async (entries) => present().post(entries),
    act: () => Promise.reject(new Error('no call waits')),
    writerFor: () => recording(options, member?.leads.writerOf(set) ?? null),
    sending: () => null,
    evaluating: () => recording(options, member?.leads.evaluating() ?? null),
  }) as unknown as Record<'events' | 'saveAlerts' | 'createJob', (input: object) => Promise<unknown>>
  const act = (call: 'events' | 'createJob', text: string) => {
    const one: Act = { text, computer, outcome: null }
    options.acts.push(one)
    data[call]({ service: 's', text }).then(
      () => (one.outcome = 'done'),
      (error: unknown) => {
        ignoreEnd(error)
        one.outcome = toFault(error).detail === nothingChanged ? 'unsent' : 'failed'
      },
    )
  }
  const read = (count: number) => {
    if ((member?.leads.writerOf(set) ?? null) === null) return
    for (let n = 0; n < count; n += 1) act('events', options.nextText('row'))
  }
  const evaluate = async () => {
    if (isEvaluating) return
    isEvaluating = true
    for (let pending = pendingOf(disk); pending.length > 0; pending = pendingOf(disk)) {
      if ((member?.leads.evaluating() ?? null) === null) break
      const isDone = await data.saveAlerts({ text: pending.join() }).then(() => true, ignoreEnd)
      if (isDone !== true) await wait(clock, retryMs)
    }
    isEvaluating = false
  }
  const stored = () => {
    options.onStored(disk)
    clock.after(0, () => void evaluate())
  }
  /** Nothing is stored by a computer that stands still or is off. */
  const store = async () => {
    await new Promise<void>((resolve) => computer.deliver(resolve))
    if (world.random() < diskFailures) throw new FaultError('storage')
  }
  const open = async () => {
    member = await startMember({
      leases: link.leases,
      store: link.logs,
      clock,
      member: options.id,
      sets: new Set([set]),
      channels: new Set(),
      random: world.random,
      limits: { keepMs },
      data: {
        logPosition: async () => disk.position,
        async applyLog({ calls, position }) {
          await store()
          disk.texts = [...disk.texts, ...calls.map(textOf)]
          disk.position = position
          stored()
          return { results: calls.map(() => ({ ok: true, value: undefined })), again: [] }
        },
      },
      async takeIn(snapshot) {
        await store()
        disk.texts = snapshot === null ? [] : (decode(snapshot.body) as string[])
        disk.position = snapshot?.position ?? null
        stored()
      },
      onEvaluating: () => void evaluate(),
      ...unheard,
    })
  }
  const openAtLast = async (): Promise<void> => {
    try {
      await open()
    } catch (error) {
      ignoreEnd(error)
      await wait(clock, reopenMs)
      await openAtLast()
    }
  }
  const opened = openAtLast()
  const stops = [
    repeat(clock, readMs, () => {
      if (options.isActing()) read(1 + Math.floor(world.random() * 3))
    }),
    repeat(clock, actMs, () => {
      if (options.isActing()) act('createJob', options.nextText('post'))
    }),
  ]
  return {
    computer,
    leads: () => member?.leads ?? null,
    burst: () => read(20),
    snapshot() {
      if (disk.position !== null)
        void member?.leads.evaluating()?.snapshot(disk.position, encode(disk.texts)).catch(ignoreEnd)
    },
    prune: () => void member?.leads.evaluating()?.prune().catch(ignoreEnd),
    async stop() {
      for (const stop of stops) stop()
      await opened
      await member?.stop()
    },
  }
}

/** Where a fault ends an act, as it was stopped or cut. */
function ignoreEnd(error: unknown): void {
  if (!(error instanceof FaultError)) throw error
}

/** Returns what a copy says that was not evaluated, in its order. */
function pendingOf({ texts }: Disk): string[] {
  const evaluated = new Set(texts.flatMap(evaluatedIn))
  return sourcesIn(texts).filter((text) => !evaluated.has(text))
}

/** Returns a writer of which it is noted what it was asked, and told. */
function recording({ asked, computer }: LifeOptions, writer: LogWriter | null): LogWriter | null {
  if (writer === null) return null
  return {
    ...writer,
    async append(entries) {
      const one: Asked = { ids: entries.map(({ id }) => id), writer, computer, outcome: null }
      asked.push(one)
      one.outcome = await writer.append(entries)
      return one.outcome
    },
  }
}
