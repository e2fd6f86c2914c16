import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { repeat } from '../../src-shared/lib/clock.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import {
  channel as channelSchema,
  type Channel,
  type ChannelSecret,
  delivery as deliverySchema,
} from '../../src-shared/model/channels.ts'
import type { Severity } from '../../src-shared/model/incidents.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { StepDeliveries } from '../incidents/runner-options.ts'
import type { State } from '../incidents/engine/state.ts'
import { readDelivery, type StoredDelivery } from '../incidents/stored/delivery.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Banners } from '../ipc/banners.ts'
import type { Ports } from '../ports.ts'
import { afterChange, type Alerts, isOver, isSeenAgain, isTaken, withDeliveries, withoutGone } from './alerts.ts'
import { givenUpMs } from './attempts.ts'
import { contentOf, testContent, type Content } from './formats/content.ts'
import { checkChannel, type CheckedChannel } from './input.ts'
import { openChannelList, type ChannelList } from './list.ts'
import { faultReason, type Outcome, reasons } from './outcome.ts'
import { hearsEnds, isForPlaces, planDeliveries, seenAfter } from './plan.ts'
import { openQueue, type DeliveryQueue } from './queue.ts'
import { sendMail } from './send-mail.ts'
import { sendWebhook } from './send-webhook.ts'
import { needsSecret, readChannels, shiftOf } from './status.ts'

export interface ChannelsOptions {
  data: Pick<InventoryData, 'openDeliveries' | 'deliveries' | 'deliveryCounts' | 'settleDeliveries'>
  ports: Pick<Ports, 'network' | 'mail' | 'secrets' | 'settings' | 'clock' | 'log'>
  banners: Pick<Banners, 'show' | 'remove'>
  random: () => number
}

/** Tells people who are not here, through channels (model/channels.ts). */
export interface Channels {
  handlers: Pick<Handlers, Extract<keyof Handlers, `channels.${string}`>>
  deliveries: StepDeliveries
  /**
   * Makes and changes channels of a list, whose secrets are known already. `isTrusted`: these come from where the list does, and not
   * from a channel that was here before. Rejects with a fault of kind `input` for the first that is wrong; then nothing has changed.
   */
  importList(list: readonly unknown[], isTrusted: boolean): Promise<void>
  /** Begins to send. */
  start(incidents: PresentIncidents): void
  /** Runs an erasure of journal data; what was erased is not sent and not written again. */
  whileErasing<T>(run: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/** The present incidents, and what has them evaluated again. */
export interface PresentIncidents {
  state: () => State
  recheck: () => void
}

interface Context {
  options: ChannelsOptions
  list: ChannelList
  queue: DeliveryQueue
  alerts: Alerts
  /** Null until `start`. */
  incidents: PresentIncidents | null
  isFirst: boolean
  /** As in `Told` (plan.ts). */
  seen: ReadonlyMap<string, Severity>
  /** Names of the channels that do not deliver, by their ids, with the reason. */
  troubled: Map<string, string>
  /** A channel and its secret are changed and read together. */
  inTurn: <T>(run: () => Promise<T>) => Promise<T>
}

/** Messages that were told this long ago (ms) are looked at after a start; those of systems that keep alerts however old they are. */
const lookBackMs = 30 * 24 * 3_600_000
/** The longest time of one attempt, ms. */
const attemptMs = 60_000
/** A channel that has not accepted a message after this many attempts has a banner. */
const troubledAttempts = 3
/** What waits for another time is looked at this often (ms), because the clock may be set. */
const reviewMs = 60_000

export async function openChannels(options: ChannelsOptions): Promise<Channels> {
  const { data, ports } = options
  const list = openChannelList(ports.settings, ports.secrets)
  const context: Context = {
    options,
    list,
    queue: openQueue({
      data,
      ...ports,
      random: options.random,
      send: (delivery) => send(context, delivery),
      obsolete: (delivery) => obsolete(context, delivery),
      closed: (delivery) => closed(context, delivery),
      onAttempt: (delivery) => void (context.alerts = afterChange(context.alerts, { ...delivery, attempts: 1 })),
      onChange: (delivery) => changed(context, delivery),
    }),
    alerts: new Map(),
    incidents: null,
    isFirst: true,
    seen: new Map(),
    troubled: new Map(),
    inTurn: oneByOne(),
  }
  const stored = await readStored(context)
  const offSecrets = ports.secrets.onChange(() => context.queue.wake(null))
  let stopReviews = () => {}
  return {
    handlers: handlersOf(context),
    deliveries: {
      plan({ before, state, outgoing, notes }) {
        const { isFirst, seen } = context
        const told = { before, state, outgoing, closed: notes.closed, now: ports.clock.now(), isFirst, seen }
        return planDeliveries(list.all(), context.alerts, told)
      },
      accept(deliveries) {
        context.isFirst = false
        if (deliveries.length > 0) context.alerts = withDeliveries(context.alerts, deliveries)
        const state = context.incidents?.state()
        if (state !== undefined) context.seen = seenAfter(context.seen, state, ports.clock.now())
        tidy(context)
        context.queue.add(deliveries)
      },
    },
    async importList(all, isTrusted) {
      const checked = []
      for (const [index, given] of all.entries()) checked.push(await checkImported(list, given, index, isTrusted))
      for (const channel of checked) await list.save(channel, null)
    },
    start(incidents) {
      context.incidents = incidents
      context.queue.add(stored)
      stopReviews = repeat(ports.clock, reviewMs, () => context.queue.review())
    },
    whileErasing: (run) => context.queue.pause(run, () => readStored(context)),
    async stop() {
      offSecrets()
      stopReviews()
      await context.queue.stop()
    },
  }
}

/** Returns the id of what may be a channel; '' for none. */
const idIn = (given: unknown): string =>
  typeof given === 'object' && given !== null && 'id' in given ? String(given.id) : ''

async function checkImported(list: ChannelList, given: unknown, index: number, isTrusted: boolean): Promise<Channel> {
  const id = idIn(given)
  try {
    const secret = id === '' ? null : await list.secret(id)
    return checkChannel(given, null, { channel: list.find(id), secret, isTrusted }).channel
  } catch (thrown) {
    const { kind, detail } = toFault(thrown)
    if (kind !== 'input') throw thrown
    throw new FaultError('input', `channel ${index + 1}${id === '' ? '' : ` (${id})`}, ${detail}`)
  }
}

/** Reads what waits, and learns what was told. */
async function readStored(context: Context): Promise<StoredDelivery[]> {
  const { data, ports } = context.options
  const { waiting, told } = await data.openDeliveries({ since: ports.clock.now() - lookBackMs })
  const read = (rows: unknown[]) => rows.flatMap((row) => readDelivery(row) ?? [])
  context.alerts = withDeliveries(new Map(), read(told))
  return read(waiting)
}

function tidy(context: Context): void {
  const state = context.incidents?.state()
  if (state === undefined || context.alerts.size === 0) return
  context.alerts = withoutGone(context.alerts, state, (id) => {
    const channel = context.list.find(id)
    return channel !== null && hearsEnds(channel)
  })
}

function obsolete(context: Context, { incidents, about }: StoredDelivery): string | null {
  const present = context.incidents?.state()
  if (present === undefined) return null
  const alert = { incidents, about: about.filter((key) => key.endsWith('/')) }
  if (isOver(alert, present) || isSeenAgain(alert, present)) return reasons.over
  if (isTaken(alert, present)) return reasons.taken
  return null
}

async function send(context: Context, delivery: StoredDelivery): Promise<Outcome> {
  const { list, inTurn, options } = context
  let found: { channel: Channel | null; secret: ChannelSecret | null }
  try {
    found = await inTurn(async () => {
      const channel = list.find(delivery.channel)
      return { channel, secret: channel !== null && needsSecret(channel) ? await list.secret(channel.id) : {} }
    })
  } catch (thrown) {
    return { is: 'later', to: [], reason: faultReason(toFault(thrown)), waitMs: null }
  }
  const { channel, secret } = found
  if (channel === null) return { is: 'never', to: [], reason: reasons.removed }
  if (secret === null)
    return { is: 'later', to: [], reason: 'Its secret is not known here. Enter it in the channel.', waitMs: null }
  const content = contentOf(delivery, channel.rule.zone, options.ports.clock.now())
  return sendContent(context, { channel, secret }, content, delivery.to)
}

function closed({ list }: Context, delivery: StoredDelivery): string | null {
  const channel = list.find(delivery.channel)
  if (channel === null) return reasons.removed
  if (!channel.on) return reasons.switchedOff
  return isForPlaces(channel, delivery) ? null : reasons.moved
}

async function sendContent(
  { options: { ports } }: Context,
  { channel, secret }: CheckedChannel,
  content: Content,
  have: readonly string[],
): Promise<Outcome> {
  const { clock, network, mail } = ports
  const controller = new AbortController()
  const cancel = clock.after(attemptMs, () => controller.abort(new FaultError('timeout', channel.host)))
  const { signal } = controller
  try {
    if (channel.kind === 'webhook')
      return await sendWebhook(content, { network, channel, secret, now: clock.now(), signal })
    const person = shiftOf(channel, clock.now())
    return await sendMail(content, { mail, channel, secret, onShift: person?.address ?? null, have, signal })
  } finally {
    cancel()
  }
}

function changed(context: Context, delivery: StoredDelivery): void {
  context.alerts = afterChange(context.alerts, delivery)
  const { state, attempts, channel, channelName, reason } = delivery
  const isTroubled = state === 'failed' || (state === 'waiting' && attempts >= troubledAttempts)
  if (isTroubled && closed(context, delivery) === null) trouble(context, channel, `${channelName}: ${reason}`)
  else if (state === 'sent') trouble(context, channel, null)
}

/** Shows one banner for all channels that do not deliver. `words`: null when it does. */
function trouble({ troubled, options: { banners } }: Context, channel: string, words: string | null): void {
  const before = troubled.get(channel)
  if (words === null) troubled.delete(channel)
  else troubled.set(channel, words)
  if (before === troubled.get(channel)) return
  const [first, ...more] = troubled.values()
  if (first === undefined) return banners.remove(bannerId)
  const others = more.length === 0 ? '' : ` And ${more.length === 1 ? '1 other' : `${more.length} others`}.`
  banners.show(bannerId, 'warning', { kind: 'channel', detail: `${first}${others}` })
}

const bannerId = 'channels'

/** Returns a known channel that is only switched on or off: its secret is not needed for that. Null for any other change. */
function switched(list: ChannelList, given: unknown): Channel | null {
  const read = channelSchema.safeParse(given)
  if (!read.success) return null
  const known = list.find(read.data.id)
  const isSame = known !== null && isDeepStrictEqual({ ...known, on: read.data.on }, read.data)
  return isSame ? read.data : null
}

function handlersOf(context: Context): Channels['handlers'] {
  const { options, list, queue, inTurn } = context
  const { data, ports } = options
  const check = async (given: unknown, entered: ChannelSecret | null) => {
    const id = idIn(given)
    const known = list.find(id)
    const secret = known === null ? null : await list.secret(id)
    return { ...checkChannel(given, entered, { channel: known, secret }), hadSecret: secret !== null }
  }
  const save = async (given: unknown, entered: ChannelSecret | null) => {
    const { channel, secret, hadSecret } = await check(given, entered)
    // A login that is removed takes its password with it.
    const isKept = needsSecret(channel) ? entered === null : !hadSecret
    await list.save(channel, isKept ? null : secret)
    return channel
  }
  return {
    'channels.read': () => readChannels({ ...context, ...options }),
    'channels.save': ({ channel: given, secret }) =>
      inTurn(async () => {
        const known = secret === null ? switched(list, given) : null
        if (known !== null) await list.save(known, null)
        const channel = known ?? (await save(given, secret))
        if (channel.on) {
          queue.wake(channel.id)
          // What ended meanwhile is told.
          context.isFirst = true
          context.incidents?.recheck()
        } else {
          await queue.drop(channel.id, reasons.switchedOff)
          trouble(context, channel.id, null)
        }
        return {}
      }),
    'channels.remove': ({ id }) =>
      inTurn(async () => {
        await list.remove(id)
        await queue.drop(id, reasons.removed)
        const others = new Map(context.alerts)
        others.delete(id)
        context.alerts = others
        trouble(context, id, null)
        return {}
      }),
    async 'channels.test'({ channel: given, secret }) {
      const checked = await check(given, secret)
      const { name, rule } = checked.channel
      const content = testContent(randomUUID(), name, rule.zone, ports.clock.now())
      const { is, to, reason } = await sendContent(context, checked, content, [])
      return { ok: is === 'sent', to, reason }
    },
    async 'channels.deliveries'(query) {
      const { total, rows } = await data.deliveries(query)
      // Without what only the core needs.
      return { total, rows: rows.flatMap((row) => deliverySchema.safeParse(row).data ?? []) }
    },
    'channels.retry': ({ id }) => inTurn(() => retry(context, id)),
    'channels.dismiss': ({ id }) =>
      inTurn(async () => {
        const rows = await failedRows(context, id)
        await queue.record(rows.map((row) => ({ ...row, state: 'dropped' as const })))
        for (const { channel } of rows) trouble(context, channel, null)
        return { count: rows.length }
      }),
  }
}

/** Sends failed messages again, with the same keys. Of what is over meanwhile nothing is sent: its end was told. */
async function retry(context: Context, id: string | null): Promise<{ count: number }> {
  const now = context.options.ports.clock.now()
  const ended: StoredDelivery[] = []
  const again: StoredDelivery[] = []
  for (const row of await failedRows(context, id)) {
    const reason = closed(context, row) ?? notNeeded(context, row)
    // A channel that is not used leaves its failed messages as they are.
    if (reason === reasons.removed || reason === reasons.switchedOff) continue
    if (reason !== null) ended.push({ ...row, state: 'dropped', reason })
    else
      again.push({
        ...row,
        state: 'waiting',
        nextAt: now,
        settledAt: null,
        unlessTaken: false,
        givenUpAt: now + givenUpMs,
      })
  }
  // Both at once: an erasure that begins meanwhile finds all of them.
  await Promise.all([context.queue.record(ended), context.queue.resend(again)])
  return { count: again.length }
}

/** Returns why a failed message is not sent again; null where it is. */
function notNeeded({ alerts, incidents }: Context, row: StoredDelivery): string | null {
  if (!row.begins) return null
  const present = incidents?.state()
  if (present !== undefined && isOver(row, present)) return reasons.ended
  const last = alerts.get(row.channel)?.get(row.alert)?.last
  return last === undefined || last.id === row.id ? null : reasons.newer
}

/** The most failed messages that one call sends again. */
const maxRetried = 1000

async function failedRows({ options }: Context, id: string | null): Promise<StoredDelivery[]> {
  const { rows } = await options.data.deliveries({ state: 'failed', incident: null, offset: 0, limit: maxRetried })
  const failed = rows.flatMap((row) => readDelivery(row) ?? [])
  return failed.filter((row) => id === null || row.id === id).toReversed()
}
