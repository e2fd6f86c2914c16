import { randomUUID } from 'node:crypto'
import { OperationTypeNode } from 'graphql'
import type { CallInput, CallOutput, Handlers } from '../../../src-shared/contract/contract.ts'
import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, explain } from '../../../src-shared/model/fault.ts'
import type { Estimate } from '../../../src-shared/model/gauge.ts'
import type { MutationField, MutationOutcome } from '../../../src-shared/model/mutation.ts'
import type { WrittenMutations } from '../../actions/written-mutations.ts'
import type { SentOutcome } from '../../api/mutations/mutations.ts'
import { writtenOutcomes } from '../../api/mutations/outcomes.ts'
import type { Raw, RawSink } from '../../api/raw.ts'
import { readDocument, readingDocument, type Shape } from '../../pacing/cost/shape.ts'
import type { AnswersThread } from '../answers/client.ts'
import { sentOf } from '../operation.ts'
import { maxFields, rootFields } from './root-fields.ts'

type MutationCall = Extract<keyof Handlers, `mutation.${string}`>

/** The operator's mutations: each is prepared, confirmed by a press, and sent once. */
export interface RawMutations {
  handlers: Pick<Handlers, MutationCall>
  /** Withdraws a mutation that has not left, and no longer waits for one that has. Returns whether there is one of this run. */
  cancel(run: string): boolean
  /** Withdraws what has not left; answers on their way get a moment. Resolves when every outcome is written. */
  stop(): Promise<void>
}

export interface RawMutationsOptions {
  clock: Clock
  answers: AnswersThread
  /** Takes the id of an answer, once. Throws `input` where it is in use. */
  keep: (answer: string) => void
  sinkTo: (answer: string) => RawSink
  raw: (connection: string) => Raw
  /** Reads the ids of all tenants that a connection's service lists now. */
  tenantIds: (connection: string) => Promise<string[]>
  estimate: (asked: CallInput<'mutation.prepare'>) => Estimate
  written: WrittenMutations
}

interface Prepared {
  input: CallInput<'mutation.prepare'>
  name: string | null
  fields: readonly MutationField[]
  tenants: readonly { key: string; name: string }[]
  shape: Shape
  size: number
  at: number
}

interface Sending {
  withdraw: AbortController
  give: AbortController
  over: Promise<unknown>
}

/** How long a sheet can be sent, ms, and how many are kept. */
const maxAgeMs = 15 * 60_000
const maxSheets = 20
/** Time for answers that are on their way when Muster ends, ms. */
const lastAnswersMs = 2_000

export function openRawMutations(options: RawMutationsOptions): RawMutations {
  const { clock } = options
  const sheets = new Map<string, Prepared>()
  const sending = new Map<string, Sending>()
  let stopped = false
  const take = (id: string): Prepared => {
    const found = sheets.get(id)
    sheets.delete(id)
    if (found === undefined || clock.monotonic() - found.at > maxAgeMs)
      throw new FaultError('input', 'sheet: It was sent already, or is too old. Prepare the mutation again.')
    return found
  }
  return {
    handlers: {
      'mutation.prepare': async (input) => {
        const prepared = { ...readOf(input), input, tenants: await tenantsFor(options, input.connection) }
        const estimate = options.estimate(input)
        const id = randomUUID()
        sheets.set(id, { ...prepared, at: clock.monotonic() })
        for (const old of sheets.keys()) if (sheets.size > maxSheets) sheets.delete(old)
        const { name, fields, tenants } = prepared
        return { id, name, fields: [...fields], tenants, estimate }
      },
      'mutation.send': async ({ sheet, run }) => {
        if (stopped) throw new FaultError('stopped')
        const known = sheets.get(sheet)
        // A locked tenant uses no sheet up: it is armed, and the same sheet is sent.
        if (known !== undefined) await options.written.check(known.input.connection, known.tenants)
        const prepared = take(sheet)
        options.keep(run)
        const controllers = { withdraw: new AbortController(), give: new AbortController() }
        const sent = send(options, prepared, run, controllers)
        sending.set(run, { ...controllers, over: sent.catch(() => {}) })
        return await sent.finally(() => sending.delete(run))
      },
    },
    cancel(run) {
      const found = sending.get(run)
      found?.withdraw.abort(new FaultError('abort'))
      found?.give.abort(new FaultError('abort'))
      return found !== undefined
    },
    async stop() {
      stopped = true
      const all = [...sending.values()]
      if (all.length === 0) return
      for (const { withdraw } of all) withdraw.abort(new FaultError('stopped'))
      const timer = new AbortController()
      const over = Promise.all(all.map((each) => each.over))
      await Promise.race([over, wait(clock, lastAnswersMs, timer.signal).catch(() => {})])
      timer.abort()
      for (const { give } of all) give.abort(new FaultError('stopped'))
      await over
    },
  }
}

function readOf(input: CallInput<'mutation.prepare'>): Pick<Prepared, 'name' | 'fields' | 'shape' | 'size'> {
  const { document, variables } = input
  const { operation, shape, size } = sentOf(input, OperationTypeNode.MUTATION, variables)
  const fields = readingDocument(() => rootFields(readDocument(document), operation, variables))
  if (fields.length === 0)
    throw new FaultError('input', 'document: This mutation does nothing: all its fields are left out.')
  if (fields.length > maxFields)
    throw new FaultError(
      'input',
      `document: A mutation of more than ${maxFields} fields cannot be checked before it is sent.`,
    )
  return { name: operation.name?.value ?? null, fields, shape, size }
}

type Tenants = CallOutput<'mutation.prepare'>['tenants']

/** Returns all tenants of a connection, as its service lists them now: one that Muster does not know cannot be armed. */
async function tenantsFor({ tenantIds, written }: RawMutationsOptions, connection: string): Promise<Tenants> {
  const listed = await tenantIds(connection)
  const known = await written.tenantsOf(connection)
  const ids = new Set(known.map(({ id }) => id))
  if (known.length === 0 || listed.some((id) => !ids.has(id)))
    throw new FaultError(
      'input',
      'connection: Its service lists tenants that Muster has not read yet, and a mutation may act on them. Refresh, and try again.',
    )
  return known.map(({ key, name, armed }) => ({ key, name, armed }))
}

async function send(
  { raw, written, answers, sinkTo }: RawMutationsOptions,
  { input, name, fields, tenants, shape, size }: Prepared,
  run: string,
  { withdraw, give }: Pick<Sending, 'withdraw' | 'give'>,
): Promise<CallOutput<'mutation.send'>> {
  const { connection, document, variables } = input
  const sender = raw(connection)
  const expected = sender.expects(shape, size)
  const names = fields.map((field) => field.name)
  const sent = await written.run(connection, { name, fields, tenants }, async (barred) => {
    const { exchange, reply } = await sender.once(
      {
        // Not the operator's own name for it: the gauge is in the support bundle.
        name: 'Mutation',
        document,
        operationName: name,
        variables,
        shape,
        size,
        signal: give.signal,
        sink: sinkTo(run),
      },
      withdraw.signal,
      barred,
    )
    return { outcomes: writtenOutcomes(exchange, names, sender.redact), reply }
  })
  // What came of it is known, also where the answer can no longer be shown.
  const summary = sent.reply === null ? null : await answers.finish(run).catch(() => null)
  return {
    job: sent.job,
    outcomes: sent.outcomes.map((outcome, index) => shownOutcome(names[index] ?? '', outcome)),
    answer: sent.reply === null || summary === null ? null : { ...sent.reply, expected, summary },
  }
}

function shownOutcome(name: string, outcome: SentOutcome): MutationOutcome {
  switch (outcome.outcome) {
    case 'confirmed':
      return { name, outcome: 'done', words: '' }
    case 'refused':
      return { name, outcome: 'refused', words: outcome.words }
    case 'not-sent': {
      const { kind, detail } = outcome.fault
      return { name, outcome: 'not-sent', words: detail === '' ? explain({ kind, detail }).title : detail }
    }
    case 'unknown':
      return { name, outcome: 'unknown', words: outcome.words }
  }
}
