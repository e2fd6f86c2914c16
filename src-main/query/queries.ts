import { OperationTypeNode } from 'graphql'
import type { CallInput, CallOutput, Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Raw, RawSink } from '../api/raw.ts'
import { idOfKey } from '../inventory/keys.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Ports } from '../ports.ts'
import { openAnswers, type AnswersThread } from './answers/client.ts'
import { openBatches } from './batch/batches.ts'
import { openConfiguration, type ConfigurationSource } from './configuration/configuration.ts'
import type { RunHistory } from './kept/history.ts'
import type { KeptOptions } from './kept/kept-options.ts'
import { openKeptQueries, type KeptCall } from './kept/kept.ts'
import { offerHandlers, type OffersSource } from './offers/offers.ts'
import { sentOf } from './operation.ts'
import { schemaReading } from './schema.ts'
import { openStreams, type Streams, type StreamsOptions } from './streams.ts'
import { tableHandlers } from './tables/tables.ts'

type QueryCall = Extract<keyof Handlers, `${'query' | 'offers' | 'configuration'}.${string}`> | KeptCall

export interface Queries {
  handlers: Pick<Handlers, QueryCall> & Streams['handlers']
  /** Ends all runs. Resolves when what came of every mutation is written. */
  stop(): Promise<void>
}

export interface QueriesOptions {
  ports: Pick<Ports, 'clock' | 'log'> & { paths: Pick<Ports['paths'], 'answersThread'> }
  data: KeptOptions['data'] & Pick<InventoryData, 'locations' | 'devicesById' | 'device'>
  connections: QueryConnections
  streams: StreamsOptions
}

/** The connections, as the screen sees them. */
export interface QueryConnections extends OffersSource, ConfigurationSource {
  /** Returns the sending of a connection. Throws a `FaultError` for one that is unknown or does not run. */
  raw(connection: string): Raw
  /** Removes the secrets of all connections from a text. */
  redact(text: string): string
}

/** Most answers that are kept: those of older runs are forgotten. */
const maxAnswers = 20

/** Opens the query screen's side of the core. */
export function openQueries({ ports, data, connections, streams: given }: QueriesOptions): Queries {
  const { clock, paths } = ports
  const { raw, redact } = connections
  const kept = openKeptQueries({ ...ports, data, redact })
  const answers = openAnswers(paths.answersThread)
  const configuration = openConfiguration(data, connections, clock)
  const forget = async (run: string) => {
    batches.forget(run)
    await answers.forget(run)
  }
  const keep = keeper((run) => batches.isRunning(run), forget)
  const { history } = kept
  const batches = openBatches({ answers, data, raw, clock, random: Math.random, keep, history })
  const streams = openStreams(given, { answers, keep, raw, sinkTo })
  const runs = openRuns({ answers, raw, keep, history })
  return {
    handlers: {
      ...batches.handlers,
      ...streams.handlers,
      ...tableHandlers(answers, data),
      ...kept.handlers,
      ...offerHandlers(connections),
      ...configuration.handlers,
      'query.run': runs.run,
      'query.schema': schemaReading(connections),
      'query.tenants': ({ connection }) => tenantsOf(data, connection),
      'query.cancel': async ({ run }) => {
        for (const { cancel } of [runs, batches, streams]) cancel(run)
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
      const settled = streams.stop()
      configuration.stop()
      runs.stop()
      batches.stop()
      await settled
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

interface RunsOptions {
  answers: AnswersThread
  raw: (connection: string) => Raw
  /** Notes the id of a new run. Throws where it is in use. */
  keep: (run: string) => void
  history: Pick<RunHistory, 'enter'>
}

/** The queries that are sent once. */
function openRuns({ answers, raw, keep, history }: RunsOptions) {
  const running = new Map<string, AbortController>()
  return {
    async run(input: CallInput<'query.run'>): Promise<CallOutput<'query.run'>> {
      const sending = raw(input.connection)
      const { operation, shape, size } = sentOf(input, OperationTypeNode.QUERY, input.variables)
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
        const begun = { ...input, operation: operationName, expected }
        const reply = await history.enter(
          begun,
          () => sending.run(sent),
          (answer) => answer,
        )
        return { ...reply, expected, summary: await answers.finish(input.run) }
      } finally {
        running.delete(input.run)
      }
    },
    cancel: (run: string) => running.get(run)?.abort(new FaultError('abort')),
    stop() {
      for (const controller of running.values()) controller.abort(new FaultError('stopped'))
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
