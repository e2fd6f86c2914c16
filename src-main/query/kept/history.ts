import { z } from 'zod'
import type { Handlers } from '../../../src-shared/contract/contract.ts'
import { toFault } from '../../../src-shared/model/fault.ts'
import { pastRun, runTextLimit, type RunOutcome } from '../../../src-shared/model/kept-queries.ts'
import { readable } from './readable.ts'
import type { KeptOptions } from './kept-options.ts'

/** A run that begins. `run`: its id. `operation`: the name of its operation. */
export interface BegunRun {
  run: string
  connection: string
  operation: string | null
  document: string
  variables: Record<string, unknown>
  /** Points. */
  expected: number
}

/** What the history tells of an answer. */
export interface Answered {
  status: number
  ms: number
  cost: number | null
  fault: { kind: NonNullable<RunOutcome['fault']> } | null
}

export interface RunHistory {
  handlers: Pick<Handlers, Extract<keyof Handlers, `queryHistory.${string}`>>
  /**
   * Enters a run into the history: that it begins, and how it ends. Returns what `work` returns, and throws what it throws. An entry
   * that cannot be written is logged, and does not end the run. `answerOf`: what is entered of the result.
   */
  enter<T>(run: BegunRun, work: () => Promise<T>, answerOf: (result: T) => Answered): Promise<T>
}

/** Most characters of a document that a list of runs shows. */
const excerptLength = 300

const runText = z.object({ document: z.string(), variables: z.string() })

export function openHistory({ data, log, clock, redact }: KeptOptions): RunHistory {
  const running = new Set<string>()
  const written = (writing: Promise<void>) =>
    void writing.catch((error: unknown) => log('warn', `a run is not in the history: ${toFault(error).kind}`))
  const begin = ({ run, connection, operation, document, variables, expected }: BegunRun) => {
    const text = { document: redact(document), variables: redact(JSON.stringify(variables, null, 2)) }
    const isLong = text.document.length + text.variables.length > runTextLimit
    running.add(run)
    written(
      data.beginQueryRun({
        id: run,
        connection,
        at: clock.now(),
        operation,
        expected,
        excerpt: excerptOf(text.document),
        text: isLong ? null : text,
      }),
    )
    return (answer: Answered | { error: unknown }) => {
      running.delete(run)
      written(data.endQueryRun({ id: run, outcome: outcomeOf(answer) }))
    }
  }
  return {
    async enter(run, work, answerOf) {
      const end = begin(run)
      try {
        const result = await work()
        end(answerOf(result))
        return result
      } catch (error) {
        end({ error })
        throw error
      }
    },
    handlers: {
      'queryHistory.list': async () => {
        const stored = await data.queryRuns()
        const marked = stored.map((run) => ({ ...(run as object), isRunning: running.has((run as { id: string }).id) }))
        return { runs: readable(pastRun, marked, { log, what: 'past runs' }) }
      },
      'queryHistory.text': async (input) => ({ text: runText.safeParse(await data.queryRunText(input)).data ?? null }),
      'queryHistory.clear': async () => {
        await data.clearQueryRuns()
        return {}
      },
    },
  }
}

function outcomeOf(answer: Answered | { error: unknown }): RunOutcome {
  if ('error' in answer) return { status: null, fault: toFault(answer.error).kind, cost: null, ms: null }
  const { status, ms, cost, fault } = answer
  return { status, ms, cost, fault: fault?.kind ?? null }
}

/** Returns the beginning of a document in one line, without its comments. */
const excerptOf = (document: string): string =>
  document
    .slice(0, excerptLength * 10)
    .replaceAll(/#[^\n]*/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, excerptLength)
