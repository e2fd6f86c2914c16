import { createHash } from 'node:crypto'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Bell } from './lead/bell.ts'
import type { LeaseStore } from './lead/lease-store.ts'
import { openLease, type Lease, type Leadership, type LeaseOptions } from './lead/lease.ts'
import type { LogStore, Position } from './log/log-store.ts'
import { openWriter, type LogWriter, type WriterOptions } from './log/writer.ts'

/** The subject of the member that turns transitions into incidents. */
const evaluator = 'evaluator'

export interface LeadsOptions extends Pick<LeaseOptions, 'random'>, Pick<WriterOptions, 'limits'> {
  leases: LeaseStore
  store: LogStore
  clock: Clock
  bell: Bell
  member: string
  /** Resolves when the log was carried out here up to a number. */
  reached: (number: number) => Promise<void>
  /** Returns the last row that was carried out here. */
  position: () => Position | null
  /** Is called when this member begins to read a credential set, with what writes in its term, or ends to. */
  onSet: (set: string, leads: boolean) => void
  /** Is called when this member begins or ends to send the messages of a channel. */
  onChannel: (channel: string) => void
  onEvaluating: (evaluates: boolean) => void
  /** Returns whether this member can carry out the log. Another one leads otherwise. */
  isHealthy: () => boolean
}

/** What this member leads: credential sets that it can read, channels through which it can send, and the evaluation. */
export interface Leads {
  /** Sets the credential sets that this member can read. */
  canRead(sets: ReadonlySet<string>): void
  /** Sets the channels (ids) whose secret this member has. */
  canSend(channels: ReadonlySet<string>): void
  writerOf(set: string): LogWriter | null
  writerOfChannel(channel: string): LogWriter | null
  evaluating(): LogWriter | null
  /** Returns the id of the member that evaluates, as seen last; null: none. */
  evaluatorMember(): string | null
  /** Returns how many leases this member has taken over from other members. */
  takeovers(): number
  /** Ends to lead, because this member can no longer carry out the log. */
  giveUp(): void
  /** Lets other members lead at once. */
  stop(): Promise<void>
}

interface Led {
  lease: Lease
  writer: LogWriter | null
}

/** Returns what writes in a term; null where it has ended by the clock of this moment, though no timer has told so yet. */
const writerNow = (led: Led | undefined): LogWriter | null =>
  led === undefined || led.lease.leadership() === null ? null : led.writer

/** Returns the name under which a credential set or a channel is leased: it says nothing of it. */
const subjectOf = (kind: 'set' | 'channel', name: string): string =>
  `${kind}:${createHash('sha256').update(name).digest('hex')}`

export function openLeads(options: LeadsOptions): Leads {
  const { onSet, onChannel, onEvaluating } = options
  const sets = new Map<string, Led>()
  const channels = new Map<string, Led>()
  let takeovers = 0
  const leading = (subject: string, onChange: (leads: boolean) => void) =>
    lead(options, subject, (leads, isTakeover) => {
      if (isTakeover) takeovers += 1
      onChange(leads)
    })
  const evaluation = leading(evaluator, onEvaluating)
  const end = async (led: Led) => {
    await led.lease.release()
    await led.writer?.close()
  }
  const want = (led: Map<string, Led>, wanted: ReadonlySet<string>, begin: (name: string) => Led) => {
    for (const [name, one] of led)
      if (!wanted.has(name)) {
        led.delete(name)
        void end(one)
      }
    for (const name of wanted) if (!led.has(name)) led.set(name, begin(name))
  }
  const readSet = (set: string) => leading(subjectOf('set', set), (leads) => onSet(set, leads))
  const sendThrough = (channel: string) => leading(subjectOf('channel', channel), () => onChannel(channel))
  const all = () => [...sets.values(), ...channels.values(), evaluation]
  return {
    canRead: (wanted) => want(sets, wanted, readSet),
    canSend: (wanted) => want(channels, wanted, sendThrough),
    writerOf: (set) => writerNow(sets.get(set)),
    writerOfChannel: (channel) => writerNow(channels.get(channel)),
    evaluating: () => writerNow(evaluation),
    evaluatorMember() {
      if (evaluation.lease.leadership() !== null) return options.member
      const seen = evaluation.lease.seen()
      return seen === null || seen.leftMs <= 0 ? null : seen.member
    },
    takeovers: () => takeovers,
    giveUp() {
      for (const { lease } of all()) lease.leadership()?.giveUp('taken')
    },
    async stop() {
      const led = all()
      sets.clear()
      channels.clear()
      await Promise.all(led.map(end))
    },
  }
}

/**
 * Takes a lease whenever it is free. `onChange` is called when this member has caught up and leads, and when it no longer does.
 * `isTakeover`: another member led before.
 */
function lead(
  { leases, store, clock, bell, member, reached, position, isHealthy, random = Math.random, limits = {} }: LeadsOptions,
  subject: string,
  onChange: (leads: boolean, isTakeover: boolean) => void,
): Led {
  const begin = async (leadership: Leadership) => {
    await reached(leadership.last)
    if (!leadership.isCurrent()) return
    led.writer = openWriter({ store, clock, leadership, position, limits })
    const before = led.lease.seen()
    onChange(true, before !== null && before.member !== member)
  }
  const led: Led = {
    writer: null,
    lease: openLease({
      store: leases,
      clock,
      subject,
      member,
      bell,
      random,
      canLead: isHealthy,
      onLead: (leadership) => void begin(leadership).catch(() => {}),
      onFollow() {
        const { writer } = led
        led.writer = null
        if (writer === null) return
        void writer.close()
        onChange(false, false)
      },
    }),
  }
  return led
}
