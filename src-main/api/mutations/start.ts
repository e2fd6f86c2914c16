import { createListeners } from '../../../src-shared/lib/listeners.ts'
import { unlessAborted } from '../../../src-shared/lib/unless-aborted.ts'
import { assertNever, FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { operationLimit } from '../../pacing/cost/costs.ts'
import type { Shape } from '../../pacing/cost/shape.ts'
import type { Api } from '../client.ts'
import {
  canUpdate,
  rebootOperation,
  rebootSending,
  roomOperation,
  roomSending,
  siteOperation,
  siteSending,
  updateOperation,
  updateSending,
  type Sending,
} from './documents.ts'
import { maxUpdates, type DeviceUpdate, type Mutations, type SendSignals, type SentOutcome } from './mutations.ts'
import { outcomesOf } from './outcomes.ts'
import { readDevices } from './read.ts'
import { mutationsOperation, offerOf, readMutationSchema, type MutationSchema } from './schema.ts'
import { abortOf, sendOnce, type SendOptions } from './send.ts'

export interface MutationsOptions extends SendOptions {
  /** Sends what only reads; that may be repeated. */
  api: Api
}

export interface StartedMutations extends Mutations {
  /** Ends what waits; what was sent is `unknown` then. */
  stop(): void
}

/** The schema is read again after this many ms where that failed, or where the service rejected a document. */
const retryMs = 60_000
/** Longest duration of an operation of updates, ms. */
const updateMs = 20_000

export function startMutations(options: MutationsOptions): StartedMutations {
  const stopping = new AbortController()
  const schema = openSchema(options, stopping.signal)
  const tied = (signal: AbortSignal) => AbortSignal.any([signal, stopping.signal])
  const tiedBoth = ({ signal, withdraw }: SendSignals): SendSignals => ({ signal: tied(signal), withdraw })
  const send: Send = async (prepare, signals) => {
    const known = await schema.ready(AbortSignal.any([signals.signal, signals.withdraw]))
    if ('fault' in known) return [{ outcome: 'not-sent', fault: known.fault }]
    const sending = prepare(known.schema)
    if ('kind' in sending) return [{ outcome: 'not-sent', fault: sending }]
    const exchange = await sendOnce(options, sending, signals)
    const outcomes = outcomesOf(exchange, sending, options.tokens.redact)
    if (outcomes.some((each) => each.outcome === 'refused' && each.fault?.kind === 'query')) schema.renew()
    return outcomes
  }
  const single = async (...given: Parameters<typeof send>): Promise<SentOutcome> =>
    (await send(...given))[0] ?? { outcome: 'not-sent', fault: notOffered }
  return {
    offer: schema.offer,
    offerFault: schema.fault,
    onOffer: schema.onChange,
    reboot: (device, linked, signals) =>
      single(
        ({ reboot }) => (reboot === null ? notOffered : (rebootSending(reboot, device, linked) ?? notWhole)),
        tiedBoth(signals),
      ),
    saveSite: (fields, signals) =>
      single(({ site }) => (site === null ? notOffered : (siteSending(site, fields) ?? notWhole)), tiedBoth(signals)),
    saveRoom: (fields, signals) =>
      single(({ room }) => (room === null ? notOffered : (roomSending(room, fields) ?? notWhole)), tiedBoth(signals)),
    update: (updates, signals) => updateAll(options, schema, send, updates, tiedBoth(signals)),
    async read(ids, given) {
      const signal = tied(given)
      const known = await schema.ready(signal)
      if ('fault' in known) throw new FaultError(known.fault.kind, known.fault.detail)
      if (known.schema.device === null) throw new FaultError('query', 'the service reads no device by its id')
      return readDevices(options.api, known.schema.device, ids, signal)
    },
    cost: (kind, count) => costOf(options, schema.known(), kind, count),
    stop: () => stopping.abort(new FaultError('stopped')),
  }
}

const notOffered: Fault = { kind: 'input', detail: 'The service does not offer this.' }
/** What was chosen is never sent without a part of it. */
const notWhole: Fault = { kind: 'input', detail: 'The service does not offer all that was chosen.' }

/** `prepare` returns what is sent, or why that cannot be expressed. */
type Send = (prepare: (known: MutationSchema) => Sending | Fault, signals: SendSignals) => Promise<SentOutcome[]>

/** Sends one operation, or smaller ones where the service would reject one as too expensive. */
async function updateAll(
  { pacer }: MutationsOptions,
  schema: OwnSchema,
  send: Send,
  updates: readonly DeviceUpdate[],
  signals: SendSignals,
): Promise<SentOutcome[]> {
  if (updates.length === 0) return []
  const known = await schema.ready(AbortSignal.any([signals.signal, signals.withdraw]))
  if ('fault' in known) return updates.map(() => ({ outcome: 'not-sent', fault: known.fault }))
  const update = known.schema.update
  const outcomes: SentOutcome[] = updates.map(() => ({ outcome: 'not-sent', fault: notOffered }))
  if (update === null) return outcomes
  const possible = [...updates.entries()].filter(([, each]) => canUpdate(update, each))
  const { shape } = updateOperation(update, 1)
  let rejected = Infinity
  for (let from = 0; from < possible.length;) {
    const fitting = pacer.costs.largestPage(shape, { points: operationLimit, ms: updateMs }) ?? maxUpdates
    // Half of what was too expensive: its rejection may not say what is not.
    const size = Math.max(1, Math.min(maxUpdates, fitting, Math.floor(rejected / 2)))
    const part = possible.slice(from, from + size)
    const sent = await send(
      () =>
        updateSending(
          update,
          part.map(([, each]) => each),
        ),
      signals,
    )
    if (part.length > 1 && isTooExpensive(sent)) {
      rejected = part.length
      continue
    }
    from += size
    for (const [at, [index]] of part.entries()) {
      const outcome = sent[at] ?? sent[0]
      if (outcome !== undefined) outcomes[index] = outcome
    }
  }
  return outcomes
}

/** Returns whether the service rejected a whole operation because of its cost, before it began: so nothing of it was done. */
const isTooExpensive = (outcomes: readonly SentOutcome[]): boolean =>
  outcomes.length > 0 && outcomes.every((each) => each.outcome === 'not-sent' && each.fault.kind === 'cost-limit')

function costOf(
  { pacer }: MutationsOptions,
  known: MutationSchema | null,
  kind: 'reboot' | 'update' | 'site' | 'room',
  count: number,
): number | null {
  const expected = (shape: Shape, size: number, operations: number): number | null => {
    const { likely, atMost, certainty } = pacer.costs.quote(shape, size)
    // A guess compares with nothing that the service ever charged.
    if (certainty === 'guess') return null
    return Math.ceil((certainty === 'learned' ? likely : atMost) * operations)
  }
  if (known === null || count <= 0) return null
  const { reboot, update, site, room } = known
  switch (kind) {
    case 'reboot':
      return reboot && expected(rebootOperation(reboot).shape, 1, count)
    case 'update': {
      if (update === null) return null
      const size = Math.min(count, maxUpdates)
      return expected(updateOperation(update, size).shape, size, count / size)
    }
    case 'site':
      return site && expected(siteOperation(site).shape, 1, count)
    case 'room':
      return room && expected(roomOperation(room).shape, 1, count)
    default:
      return assertNever(kind)
  }
}

type OwnSchema = ReturnType<typeof openSchema>

/** The schema of the mutations, read when it is first needed. */
function openSchema({ api, clock }: MutationsOptions, signal: AbortSignal) {
  const listeners = createListeners()
  let known: MutationSchema | null = null
  let fault: Fault | null = null
  let reading: Promise<void> | null = null
  let triedAt = -Infinity
  const settle = (found: MutationSchema | null, failed: Fault | null) => {
    known = found ?? known
    fault = known === null ? failed : null
    listeners.emit()
  }
  const read = async () => {
    try {
      const asked = { operation: mutationsOperation, variables: {}, lane: 'visible' as const, size: 1, signal }
      const { data, errors } = await api.run(asked)
      const found = readMutationSchema(data)
      settle(found, { kind: 'query', detail: errors[0]?.message ?? 'the service does not tell its schema' })
    } catch (error) {
      settle(null, toFault(error))
    } finally {
      reading = null
    }
  }
  const begin = (): Promise<void> => {
    if (reading !== null) return reading
    if (clock.monotonic() - triedAt < retryMs) return Promise.resolve()
    triedAt = clock.monotonic()
    reading = read()
    return reading
  }
  return {
    known: () => known,
    offer() {
      if (known === null) void begin()
      return known && offerOf(known)
    },
    fault: () => fault,
    onChange: listeners.on,
    /** Resolves with the schema, or the reason why it is not known. */
    async ready(wanted: AbortSignal): Promise<{ schema: MutationSchema } | { fault: Fault }> {
      if (known === null) await unlessAborted(wanted, begin()).catch(() => {})
      if (wanted.aborted) return { fault: abortOf(wanted) }
      return known === null ? { fault: fault ?? { kind: 'no-data', detail: 'the schema' } } : { schema: known }
    },
    /** Reads it again, because the service rejected a document made from it. */
    renew: () => void begin(),
  }
}
