import { parentPort } from 'node:worker_threads'
import { createRowLists, type RowLists } from '../batch/row-lists.ts'
import { createEventLogs, type EventLogs } from '../subscriptions/event-log.ts'
import { createAnswers, type Answers } from './answers.ts'

/** What the thread keeps: answers, lists of rows that grow page by page, and the events of subscriptions. */
export type ThreadCalls = Answers & RowLists & EventLogs

/** A call of the answers thread; `input` are its arguments. */
export interface AnswersRequest {
  id: number
  call: keyof ThreadCalls
  input: unknown[]
}

export type AnswersReply = { id: number } & ({ ok: true; value: unknown } | { ok: false; detail: string })

/**
 * The entry of the thread that keeps the answers of the query screen: indexing 50 MB takes longer than the core may
 * stand still. Bundled into one CommonJS file for production, it needs nothing but Node.
 */
const port = parentPort
if (port) {
  const answers = createAnswers()
  const calls: ThreadCalls = { ...answers, ...createRowLists(answers), ...createEventLogs(answers) }
  port.on('message', ({ id, call, input }: AnswersRequest) => {
    try {
      // The client types the arguments together with the name.
      port.postMessage({ id, ok: true, value: Reflect.apply(calls[call], undefined, input) } satisfies AnswersReply)
    } catch (thrown) {
      const detail = thrown instanceof Error ? thrown.message : ''
      port.postMessage({ id, ok: false, detail } satisfies AnswersReply)
    }
  })
}
