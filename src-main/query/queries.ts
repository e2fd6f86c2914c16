import { getIntrospectionQuery, OperationTypeNode, type OperationDefinitionNode } from 'graphql'
import type { CallInput, CallOutput, Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Raw, RawSink } from '../api/raw.ts'
import { idOfKey } from '../inventory/keys.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import { pageSizeOf, readingDocument, shapeOf, type Shape } from '../pacing/cost/shape.ts'
import { openAnswers, type AnswersThread } from './answers/client.ts'
import { operationOf } from './operation.ts'
import { openStreams, type Streams, type StreamsOptions } from './streams.ts'

type QueryCall = Extract<keyof Handlers, `query.${string}`>

export interface Queries {
  handlers: Pick<Handlers, QueryCall> & Streams['handlers']
  /** Ends all runs. */
  stop(): Promise<void>
}

export interface QueriesOptions {
  /** The entry of the answers thread (`ports.ts`). */
  thread: string
  data: Pick<InventoryData, 'locations'>
  /** Returns the sending of a connection. Throws a `FaultError` for one that is unknown or does not run. */
  raw: (connection: string) => Raw
  streams: StreamsOptions
}

/** Most answers that are kept: those of older runs are forgotten. */
const maxAnswers = 20
/** Longest answer to an introspection, characters. */
const maxSchema = 16_000_000

/** Opens the query screen's side of the core. */
export function openQueries({ thread, data, raw, streams: given }: QueriesOptions): Queries {
  const answers = openAnswers(thread)
  const running = new Map<string, AbortController>()
  const kept: string[] = []
  /** Answers to introspections, as long as their connection runs. */
  const schemas = new WeakMap<Raw, string>()
  const keep = (run: string) => {
    if (running.has(run) || kept.includes(run)) throw new FaultError('input', 'run: This id is in use.')
    kept.push(run)
    for (const old of kept.splice(0, Math.max(0, kept.length - maxAnswers))) void answers.forget(old).catch(() => {})
  }
  const streams = openStreams(given, { answers, keep, raw, sinkTo })
  const run = async (input: CallInput<'query.run'>): Promise<CallOutput<'query.run'>> => {
    const sending = raw(input.connection)
    const { operation, shape, size } = readOf(input)
    const controller = new AbortController()
    keep(input.run)
    running.set(input.run, controller)
    try {
      const expected = sending.expects(shape, size)
      const reply = await sending.run({
        // Not the operator's own name for it: the gauge is in the support bundle.
        name: 'Query',
        document: input.document,
        operationName: operation.name?.value ?? null,
        variables: input.variables,
        shape,
        size,
        signal: controller.signal,
        sink: sinkTo(answers, input.run),
      })
      return { ...reply, expected, summary: await answers.finish(input.run) }
    } finally {
      running.delete(input.run)
    }
  }
  return {
    handlers: {
      ...streams.handlers,
      'query.run': run,
      'query.schema': async ({ connection, again }) => {
        const sending = raw(connection)
        const known = again ? undefined : schemas.get(sending)
        const introspection = known ?? (await introspectionOf(sending))
        schemas.set(sending, introspection)
        return { introspection }
      },
      'query.tenants': ({ connection }) => tenantsOf(data, connection),
      'query.cancel': async (input) => {
        if (!streams.cancel(input.run)) running.get(input.run)?.abort(new FaultError('abort'))
        return {}
      },
      'query.lines': async ({ run: of, from, count }) => ({ lines: await answers.lines(of, from, count) }),
      'query.find': async ({ run: of, text, from }) => ({ line: await answers.find(of, text, from) }),
      'query.text': ({ run: of, from }) => answers.text(of, from),
      'query.forget': async ({ run: of }) => {
        await answers.forget(of)
        return {}
      },
    },
    async stop() {
      const settled = streams.stop()
      for (const controller of running.values()) controller.abort(new FaultError('stopped'))
      await settled
      await answers.stop()
    },
  }
}

async function tenantsOf(
  data: Pick<InventoryData, 'locations'>,
  connection: string,
): Promise<CallOutput<'query.tenants'>> {
  const { tenants } = await data.locations({ keys: [], paused: [] })
  const listed = tenants.filter(({ connections }) => connections.includes(connection))
  return { tenants: listed.map(({ key, name }) => ({ id: idOfKey(key), name })) }
}

function sinkTo(answers: AnswersThread, run: string): RawSink {
  const encoder = new TextEncoder()
  return {
    restart: () => void answers.forget(run).catch(() => {}),
    write: (part) => answers.append(run, encoder.encode(part)),
  }
}

interface ReadQuery {
  operation: OperationDefinitionNode
  shape: Shape
  size: number
}

/** Returns the operation that is to be run, with what its cost depends on. Throws a fault of kind `input` where there is none. */
function readOf(input: CallInput<'query.run'>): ReadQuery {
  const { document, variables } = input
  return readingDocument(() => ({
    operation: operationOf(input, OperationTypeNode.QUERY),
    shape: shapeOf(document),
    size: pageSizeOf(document, variables),
  }))
}

/** Returns the answer to an introspection. Throws what the service says instead. */
async function introspectionOf(raw: Raw): Promise<string> {
  const document = getIntrospectionQuery({ descriptions: true })
  let text = ''
  const reply = await raw.run({
    name: 'Introspection',
    document,
    operationName: null,
    variables: {},
    shape: shapeOf(document),
    size: 1,
    signal: new AbortController().signal,
    sink: {
      restart() {
        text = ''
      },
      async write(part) {
        if (text.length <= maxSchema) text += part
      },
    },
  })
  if (reply.fault !== null) throw new FaultError(reply.fault.kind, reply.fault.detail)
  if (!reply.isWhole || text.length > maxSchema) throw new FaultError('http', 'the answer is too large')
  return text
}
