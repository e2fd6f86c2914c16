import { parentPort } from 'node:worker_threads'
import { createEventLogs, type EventLogs } from '../subscriptions/event-log.ts'
import { createAnswers, type Answers } from './answers.ts'

/** What the thread keeps: answers, and the events of subscriptions. */
export type AnswersCalls = Answers & EventLogs

/** A call of the answers thread; `input` are its arguments. */
export interface AnswersRequest {
  id: number
  call: keyof AnswersCalls
  input: unknown[]
}

export type AnswersReply = { id: number } & ({ ok: true; value: unknown } | { ok: false; detail: string })

/**
 * The entry of the thread that keeps the answers of the query screen: indexing 50 MB takes longer than the core may
 * stand still. Bundled into one CommonJS file for production, it needs nothing but Node.
 */
const port = parentPort
if (port) {
  const kept = createAnswers()
  const answers: AnswersCalls = { ...kept, ...createEventLogs(kept) }
  port.on('message', ({ id, call, input }: AnswersRequest) => {
    try {
      // The client types the arguments together with the name.
      const run = answers[call] as (one: unknown, two: unknown, three: unknown) => unknown
      port.postMessage({ id, ok: true, value: run(input[0], input[1], input[2]) } satisfies AnswersReply)
    } catch (thrown) {
      const detail = thrown instanceof Error ? thrown.message : ''
      port.postMessage({ id, ok: false, detail } satisfies AnswersReply)
    }
  })
}
