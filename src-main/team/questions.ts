import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { TeamQuestion } from '../connections/team-connections.ts'
import type { Message } from './replica/replica.ts'
import type { Team } from './team.ts'

/** A member that has not answered after so long, ms, will not. */
const answerMs = 5_000

type Asked = Extract<Message, { is: 'question' }>
type Reply = Extract<Message, { is: 'reply' }>

/** What only the members that read can say, asked of them by the others, over the log. */
export interface Questions {
  /**
   * Asks all other members that read a connection now. Resolves with their answers; none where nobody reads. Rejects with the
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
  let on: { answer: Parameters<Questions['start']>[0]; onFault: (error: unknown) => void } | null = null
  const reply = async ({ id, what, input }: Asked, member: string) => {
    if (on === null) return
    const answered = await on.answer(what, input).then(
      (value) => ({ value }),
      (error: unknown) => ({ fault: toFault(error) }),
    )
    await team.tell({ is: 'reply', question: id, member, ...answered })
  }
  return {
    async ask(what, input) {
      const member = team.member()
      const missing = new Set(readers().filter((reader) => reader !== member))
      if (member === null || missing.size === 0) return []
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
