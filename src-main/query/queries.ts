import { getIntrospectionQuery, type DocumentNode, type OperationDefinitionNode } from 'graphql'
import type { CallInput, CallOutput, Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Raw, RawSink } from '../api/raw.ts'
import { idOfKey } from '../inventory/keys.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Ports } from '../ports.ts'
import {
  isOperation,
  readDocument,
  readingDocument,
  sentOperation,
  shapeOf,
  type SentOperation,
} from '../pacing/cost/shape.ts'
import { openAnswers, type AnswersThread } from './answers/client.ts'
import { openBatches } from './batch/batches.ts'
import { tableHandlers } from './tables/tables.ts'
import { openConfiguration, type ConfigurationSource } from './configuration/configuration.ts'
import { offerHandlers, type OffersSource } from './offers/offers.ts'
import { openKeptQueries, type KeptCall } from './kept/kept.ts'
import type { KeptOptions } from './kept/kept-options.ts'

type QueryCall = Extract<keyof Handlers, `${'query' | 'offers' | 'configuration'}.${string}`> | KeptCall

export interface Queries {
  handlers: Pick<Handlers, QueryCall>
  /** Ends all runs. */
  stop(): Promise<void>
}

export interface QueriesOptions {
  ports: Pick<Ports, 'clock' | 'log'> & { paths: Pick<Ports['paths'], 'answersThread'> }
  data: KeptOptions['data'] & Pick<InventoryData, 'locations' | 'devicesById' | 'device'>
  connections: QueryConnections
}

/** The connections, as the screen sees them. */
export interface QueryConnections extends OffersSource, ConfigurationSource {
  /** Returns the sending of a connection. Throws a `FaultError` for one that is unknown or does not run. */
  raw: (connection: string) => Raw
  /** Removes the secrets of all connections from a text. */
  redact(text: string): string
}

/** Most answers that are kept: those of older runs are forgotten. */
const maxAnswers = 20
/** Longest answer to an introspection, characters. */
const maxSchema = 16_000_000

/** Opens the query screen's side of the core. */
export function openQueries({ ports, data, connections }: QueriesOptions): Queries {
  const { clock, paths } = ports
  const { raw, redact } = connections
  const { handlers: keptHandlers, history } = openKeptQueries({ ...ports, data, redact })
  const answers = openAnswers(paths.answersThread)
  const configuration = openConfiguration(data, connections, clock)
  const running = new Map<string, AbortController>()
  const forget = async (run: string) => {
    batches.forget(run)
    await answers.forget(run)
  }
  const keep = keeper((run) => batches.isRunning(run), forget)
  const batches = openBatches({ answers, data, raw, clock, random: Math.random, operationOf, keep })
  const run = async (input: CallInput<'query.run'>): Promise<CallOutput<'query.run'>> => {
    const sending = raw(input.connection)
    const { operation, shape, size } = readOf(input)
    const controller = new AbortController()
    keep(input.run)
    running.set(input.run, controller)
    try {
      const expected = sending.expects(shape, size)
      const operationName = operation.name?.value ?? null
      const sent = {
        // Not the operator's own name for it: the gauge is in the support bundle.
        name: 'Query',
        document: input.document,
        operationName,
        variables: input.variables,
        shape,
        size,
        signal: controller.signal,
        sink: sinkTo(answers, input.run),
      }
      const reply = await history.enter({ ...input, operation: operationName, expected }, () => sending.run(sent))
      return { ...reply, expected, summary: await answers.finish(input.run) }
    } finally {
      running.delete(input.run)
    }
  }
  return {
    handlers: {
      ...batches.handlers,
      ...tableHandlers(answers, data),
      ...keptHandlers,
      'query.run': run,
      'query.schema': schemaReading(connections),
      ...offerHandlers(connections),
      ...configuration.handlers,
      'query.tenants': ({ connection }) => tenantsOf(data, connection),
      'query.cancel': async (input) => {
        running.get(input.run)?.abort(new FaultError('abort'))
        batches.cancel(input.run)
        return {}
      },
      'query.lines': async ({ run: of, from, count }) => ({ lines: await answers.lines(of, from, count) }),
      'query.find': async ({ run: of, text, from }) => ({ line: await answers.find(of, text, from) }),
      'query.text': ({ run: of, from }) => answers.text(of, from),
      'query.forget': async ({ run: of }) => {
        await forget(of)
        return {}
      },
    },
    async stop() {
      configuration.stop()
      for (const controller of running.values()) controller.abort(new FaultError('stopped'))
      batches.stop()
      await answers.stop()
    },
  }
}

/** Returns what notes the id of a new run, and forgets the oldest of too many. Throws where the id is in use. */
function keeper(isRunning: (run: string) => boolean, forget: (run: string) => Promise<void>): (run: string) => void {
  const kept: string[] = []
  return (run) => {
    if (kept.includes(run)) throw new FaultError('input', 'run: This id is in use.')
    kept.push(run)
    const old = kept.length > maxAnswers ? kept.find((each) => !isRunning(each)) : undefined
    if (old === undefined) return
    kept.splice(kept.indexOf(old), 1)
    void forget(old).catch(() => {})
  }
}

/** Returns the call that reads a schema; an answer is kept as long as its connection runs. */
function schemaReading({ raw, schemaHistory }: QueryConnections): Handlers['query.schema'] {
  const schemas = new WeakMap<Raw, string>()
  return async ({ connection, again }) => {
    const sending = raw(connection)
    const known = again ? undefined : schemas.get(sending)
    const introspection = known ?? (await introspectionOf(sending))
    schemas.set(sending, introspection)
    // Whoever waits for the schema needs no history.
    if (known === undefined) void schemaHistory.read(connection, introspection).catch(() => {})
    return { introspection }
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

/** Returns the operation that is to be run, with what its cost depends on. Throws a fault of kind `input` where there is none. */
function readOf({ document, operation, variables }: CallInput<'query.run'>): SentOperation {
  return readingDocument(() => {
    const tree = readDocument(document)
    return sentOperation(tree, chosenOperation(tree, operation), variables)
  })
}

const operationOf = ({ document, operation }: Pick<CallInput<'query.run'>, 'document' | 'operation'>) =>
  chosenOperation(readDocument(document), operation)

function chosenOperation(tree: DocumentNode, name: string | null): OperationDefinitionNode {
  const all = tree.definitions.filter(isOperation)
  const named = name === null ? all : all.filter((node) => node.name?.value === name)
  const [only, ...more] = named
  if (only === undefined)
    throw new FaultError(
      'input',
      `document: ${name === null ? 'It has no operation.' : `It has no operation “${name}”.`}`,
    )
  if (more.length > 0) throw new FaultError('input', 'document: It has several operations: choose one.')
  if (only.operation !== 'query')
    throw new FaultError('input', `document: Only queries can be run here, and this is a ${only.operation}.`)
  return only
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
