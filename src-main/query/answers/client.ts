import { Worker } from 'node:worker_threads'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { AnswersReply, AnswersRequest, ThreadCalls } from './thread.ts'

type AnswerCalls = {
  [N in keyof ThreadCalls]: (...input: Parameters<ThreadCalls[N]>) => Promise<Awaited<ReturnType<ThreadCalls[N]>>>
}

/** The answers of the query screen, in their thread. Calls reject with `internal` when it ends with them. */
export interface AnswersThread extends AnswerCalls {
  stop(): Promise<void>
}

interface Pending {
  resolve: (value: never) => void
  reject: (fault: FaultError) => void
}

/** Largest memory of the thread, MB: with the answers outside of its heap. */
const heapMb = 512

/**
 * Starts the thread with the first call, and again after it has died: its answers are gone then. `file`: its entry,
 * `thread.ts` from source, `answers-thread.cjs` when built.
 */
export function openAnswers(file: string): AnswersThread {
  let worker: Worker | null = null
  let last = 0
  let stopped = false
  const pending = new Map<number, Pending>()
  const start = (): Worker => {
    const started = new Worker(file, { name: 'answers', resourceLimits: { maxOldGenerationSizeMb: heapMb } })
    started.on('message', (reply: AnswersReply) => {
      const asked = pending.get(reply.id)
      pending.delete(reply.id)
      if (reply.ok) asked?.resolve(reply.value as never)
      else asked?.reject(new FaultError('internal', reply.detail))
    })
    // The `exit` event follows an error.
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (worker === started) worker = null
      for (const [id, { reject }] of pending) {
        pending.delete(id)
        reject(new FaultError('internal', 'the answers thread has ended'))
      }
    })
    // It keeps no process alive that has ended otherwise.
    started.unref()
    return started
  }
  const call = <T>(name: keyof ThreadCalls, input: unknown[], moved: ArrayBuffer[] = []): Promise<T> =>
    new Promise((resolve, reject) => {
      if (stopped) return reject(new FaultError('stopped'))
      worker ??= start()
      last += 1
      pending.set(last, { resolve, reject })
      worker.postMessage({ id: last, call: name, input } satisfies AnswersRequest, moved)
    })
  return {
    append: (id, part) => call('append', [id, part], [part.buffer as ArrayBuffer]),
    finish: (id) => call('finish', [id]),
    lines: (...input) => call('lines', input),
    find: (...input) => call('find', input),
    text: (...input) => call('text', input),
    forget: (id) => call('forget', [id]),
    stage: (id, slot, part) => call('stage', [id, slot, part], [part.buffer as ArrayBuffer]),
    unstage: (...input) => call('unstage', input),
    takePage: (...input) => call('takePage', input),
    markFailed: (...input) => call('markFailed', input),
    finishList: (...input) => call('finishList', input),
    continueList: (...input) => call('continueList', input),
    forgetList: (...input) => call('forgetList', input),
    tables: (id) => call('tables', [id]),
    table: (of) => call('table', [of]),
    tableRows: (of) => call('tableRows', [of]),
    tableCell: (of) => call('tableCell', [of]),
    tableExport: (of) => call('tableExport', [of]),
    tableTexts: (of) => call('tableTexts', [of]),
    addEvents: (...input) => call('addEvents', input),
    eventRows: (...input) => call('eventRows', input),
    openEvent: (...input) => call('openEvent', input),
    eventsText: (...input) => call('eventsText', input),
    clearEvents: (id) => call('clearEvents', [id]),
    forgetEvents: (id) => call('forgetEvents', [id]),
    async stop() {
      stopped = true
      await worker?.terminate()
    },
  }
}
