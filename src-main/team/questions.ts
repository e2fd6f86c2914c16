import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { TeamQuestion } from '../connections/team-connections.ts'
import type { Message } from './replica/replica.ts'
import type { Team } from './team.ts'

/** A member that has not answered after so long, ms, will not. */
const answerMs = 5_000
/** Answers that every member keeps, whoever asked, for so long, ms: the window asks for them again and again. */
const freshMs: Readonly<Record<TeamQuestion, number>> = { hours: 30_000, cost: 0, status: 0, column: 0 }

type Asked = Extract<Message, { is: 'question' }>
type Reply = Extract<Message, { is: 'reply' }>

/** What only the members that read can say, asked of them by the others, over the log. */
export interface Questions {
  /**
   * Asks all other members that read a connection now, unless their answers to the same are still kept. Resolves with these; none
   * where nobody reads. Rejects with the
   * fault of one of them, `timeout` where one does not answer, or `team-away`.
   */
  ask(what: TeamQuestion, input: unknown): Promise<unknown[]>
  heard(message: Asked | Reply): void
  /** Begins to answer. */
  start(answer: (what: TeamQuestion, input: unknown) => Promise<unknown>, onFault: (error: unknown) => void): void
  stop(): void
}

interface Pending {
  missing: Set<string>
  answers: unknown[]
  settle: (fault: FaultError | null) => void
}

/** `readers`: the members (ids) that tell of connections. `reads`: whether this member reads any. */
export function openQuestions(
  clock: Clock,
  team: Pick<Team, 'member' | 'tell'>,
  { readers, reads }: { readers: () => readonly string[]; reads: () => boolean },
): Questions {
  const pending = new Map<string, Pending>()
  const kept = createKept(clock)
  let on: { answer: Parameters<Questions['start']>[0]; onFault: (error: unknown) => void } | null = null
  const reply = async ({ id, what, input }: Asked, member: string) => {
    if (on === null) return
    const answered = await on.answer(what, input).then(
      (value) => ({ value }),
      (error: unknown) => ({ fault: toFault(error) }),
    )
    await team.tell({ is: 'reply', question: id, member, what, ...answered })
  }
  return {
    async ask(what, input) {
      const member = team.member()
      const missing = new Set(readers().filter((reader) => reader !== member))
      if (member === null || missing.size === 0) return []
      const known = kept.of(what, missing)
      if (known !== null) return known
      const id = randomUUID()
      const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
      const cancel = clock.after(answerMs, () => one.settle(new FaultError('timeout', 'another member of the team')))
      const one: Pending = {
        missing,
        answers: [],
        settle(fault) {
          cancel()
          pending.delete(id)
          if (fault === null) resolve(one.answers)
          else reject(fault)
        },
      }
      pending.set(id, one)
      team.tell({ is: 'question', id, member, what, input }).catch((error: unknown) => {
        const { kind, detail } = toFault(error)
        one.settle(new FaultError(kind, detail))
      })
      return promise
    },
    heard(message) {
      if (message.is === 'question') {
        const member = team.member()
        if (member !== null && message.member !== member && reads()) void reply(message, member).catch(on?.onFault)
        return
      }
      kept.answered(message)
      const one = pending.get(message.question)
      if (one === undefined || !one.missing.delete(message.member)) return
      if (message.fault !== undefined) return one.settle(new FaultError(message.fault.kind, message.fault.detail))
      one.answers.push(message.value)
      if (one.missing.size === 0) one.settle(null)
    },
    start(answer, onFault) {
      on = { answer, onFault }
    },
    stop() {
      on = null
      for (const one of pending.values()) one.settle(new FaultError('stopped'))
    },
  }
}

/** The newest answers of each member to questions that are the same whoever asks. */
function createKept(clock: Clock) {
  const answers = new Map<TeamQuestion, Map<string, { at: number; value: unknown }>>()
  return {
    answered({ what, member, value, fault }: Reply) {
      if (freshMs[what] === 0 || fault !== undefined) return
      const byMember = answers.get(what) ?? new Map<string, { at: number; value: unknown }>()
      answers.set(what, byMember.set(member, { at: clock.monotonic(), value }))
    },
    /** Returns the answers of these members; null where one has none, or an old one. */
    of(what: TeamQuestion, members: ReadonlySet<string>): unknown[] | null {
      const found = [...members].flatMap((member) => answers.get(what)?.get(member) ?? [])
      const isFresh = found.every(({ at }) => clock.monotonic() - at < freshMs[what])
      return found.length === members.size && isFresh ? found.map(({ value }) => value) : null
    },
  }
}
