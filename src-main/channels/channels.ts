import { randomUUID } from 'node:crypto'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { repeat } from '../../src-shared/lib/clock.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import { createZones } from '../../src-shared/maintenance/zones.ts'
import type { Channel, ChannelSecret } from '../../src-shared/model/channels.ts'
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
import { faultReason, type Outcome } from './outcome.ts'
import { hearsEnds, planDeliveries } from './plan.ts'
import { openQueue, type DeliveryQueue } from './queue.ts'
import { onShift } from './rota.ts'
import { sendMail } from './send-mail.ts'
import { sendWebhook } from './send-webhook.ts'

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
   * Makes and changes channels of a list, whose secrets are known already. Rejects with a fault of kind `input` for the first that is
   * wrong.
   */
  importList(list: readonly unknown[]): Promise<void>
  /** Begins to send. `state`: the present incidents. */
  start(state: () => State): void
  /** Runs an erasure of journal data; what was erased is not sent and not written again. */
  whileErasing<T>(run: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

interface Context {
  options: ChannelsOptions
  list: ChannelList
  queue: DeliveryQueue
  alerts: Alerts
  /** Null until `start`. */
  state: (() => State) | null
  isFirst: boolean
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
      closed: (channel) => closed(context, channel),
      onAttempt: (delivery) => void (context.alerts = afterChange(context.alerts, { ...delivery, attempts: 1 })),
      onChange: (delivery) => changed(context, delivery),
    }),
    alerts: new Map(),
    state: null,
    isFirst: true,
  }
  const stored = await readStored(context)
  const offSecrets = ports.secrets.onChange(() => context.queue.wake(null))
  let stopReviews = () => {}
  return {
    handlers: handlersOf(context),
    deliveries: {
      plan({ before, state, outgoing, notes }) {
        const { isFirst } = context
        const told = { before, state, outgoing, closed: notes.closed, now: ports.clock.now(), isFirst }
        return planDeliveries(list.all(), context.alerts, told)
      },
      accept(deliveries) {
        context.isFirst = false
        if (deliveries.length > 0) context.alerts = withDeliveries(context.alerts, deliveries)
        tidy(context)
        context.queue.add(deliveries)
      },
    },
    async importList(all) {
      for (const given of all) {
        const id = typeof given === 'object' && given !== null && 'id' in given ? String(given.id) : ''
        const secret = id === '' ? null : await list.secret(id)
        const { channel } = checkChannel(given, null, { channel: null, secret, isTrusted: true })
        await list.save(channel, null)
      }
    },
    start(state) {
      context.state = state
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

/** Reads what waits, and learns what was told. */
async function readStored(context: Context): Promise<StoredDelivery[]> {
  const { data, ports } = context.options
  const { waiting, told } = await data.openDeliveries({ since: ports.clock.now() - lookBackMs })
  const read = (rows: unknown[]) => rows.flatMap((row) => readDelivery(row) ?? [])
  context.alerts = withDeliveries(new Map(), read(told))
  return read(waiting)
}

function tidy(context: Context): void {
  const state = context.state?.()
  if (state === undefined || context.alerts.size === 0) return
  context.alerts = withoutGone(context.alerts, state, (id) => {
    const channel = context.list.find(id)
    return channel !== null && hearsEnds(channel)
  })
}

function obsolete({ state }: Context, { incidents, about }: StoredDelivery): string | null {
  const present = state?.()
  if (present === undefined) return null
  const alert = { incidents, about: about.filter((key) => key.endsWith('/')) }
  if (isOver(alert, present) || isSeenAgain(alert, present)) return 'It was over before the channel was due.'
  if (isTaken(alert, present)) return 'Somebody had acknowledged or snoozed it before the channel was due.'
  return null
}

async function send(context: Context, delivery: StoredDelivery): Promise<Outcome> {
  const channel = context.list.find(delivery.channel)
  if (channel === null) return { is: 'never', to: [], reason: removed }
  const needed = needsSecret(channel)
  let secret: ChannelSecret | null = null
  try {
    secret = needed ? await context.list.secret(channel.id) : {}
  } catch (thrown) {
    return { is: 'later', to: [], reason: faultReason(toFault(thrown)), waitMs: null }
  }
  if (secret === null)
    return { is: 'later', to: [], reason: 'Its secret is not known here. Enter it in the channel.', waitMs: null }
  const content = contentOf(delivery, channel.rule.zone, context.options.ports.clock.now())
  return sendContent(context, { channel, secret }, content, delivery.to)
}

const removed = 'The channel was removed.'
const switchedOff = 'The channel was switched off.'

function closed({ list }: Context, id: string): string | null {
  const channel = list.find(id)
  return channel === null ? removed : channel.on ? null : switchedOff
}

const needsSecret = (channel: Channel): boolean => channel.kind === 'webhook' || channel.user !== ''

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

const zones = createZones()

/** Returns who is on shift; null where the channel has no rota. */
const shiftOf = (channel: Channel, now: number) =>
  channel.kind === 'email' && channel.rota !== null ? onShift(channel.rota, zones, channel.rule.zone, now) : null

function changed(context: Context, delivery: StoredDelivery): void {
  context.alerts = afterChange(context.alerts, delivery)
  const { banners } = context.options
  const id = `channel:${delivery.channel}`
  const isTroubled =
    closed(context, delivery.channel) === null &&
    (delivery.state === 'failed' || (delivery.state === 'waiting' && delivery.attempts >= troubledAttempts))
  if (isTroubled)
    banners.show(id, 'warning', { kind: 'channel', detail: `${delivery.channelName}: ${delivery.reason}` })
  else if (delivery.state === 'sent') banners.remove(id)
}

function handlersOf(context: Context): Channels['handlers'] {
  const { options, list, queue } = context
  const { data, ports, banners } = options
  const inTurn = oneByOne()
  const check = async (given: unknown, entered: ChannelSecret | null) => {
    const id = typeof given === 'object' && given !== null && 'id' in given ? String(given.id) : ''
    const known = list.find(id)
    const secret = known === null ? null : await list.secret(id)
    return { ...checkChannel(given, entered, { channel: known, secret }), hadSecret: secret !== null }
  }
  return {
    'channels.read': () => readAll(context),
    'channels.save': ({ channel: given, secret }) =>
      inTurn(async () => {
        const { channel, secret: whole, hadSecret } = await check(given, secret)
        // A login that is removed takes its password with it.
        const isKept = secret === null ? needsSecret(channel) || !hadSecret : !needsSecret(channel) && !hadSecret
        await list.save(channel, isKept ? null : whole)
        if (channel.on) queue.wake(channel.id)
        else {
          await queue.drop(channel.id, switchedOff)
          banners.remove(`channel:${channel.id}`)
        }
        return {}
      }),
    'channels.remove': ({ id }) =>
      inTurn(async () => {
        await list.remove(id)
        await queue.drop(id, removed)
        const others = new Map(context.alerts)
        others.delete(id)
        context.alerts = others
        banners.remove(`channel:${id}`)
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
      return { total, rows: rows.flatMap((row) => readDelivery(row) ?? []).map(shown) }
    },
    'channels.retry': ({ id }) => inTurn(() => retry(context, id)),
    'channels.dismiss': ({ id }) =>
      inTurn(async () => {
        const rows = await failedRows(context, id)
        await queue.record(rows.map((row) => ({ ...row, state: 'dropped' as const })))
        for (const { channel } of rows) banners.remove(`channel:${channel}`)
        return { count: rows.length }
      }),
  }
}

/** Sends failed messages again, with the same keys. Of what is over meanwhile nothing is sent: its end was told. */
async function retry(context: Context, id: string | null): Promise<{ count: number }> {
  const { list, queue, options, state } = context
  const now = options.ports.clock.now()
  const failed = (await failedRows(context, id)).filter(({ channel }) => list.find(channel)?.on === true)
  const present = state?.()
  const ended = failed.filter((row) => row.begins && present !== undefined && isOver(row, present))
  await queue.record(ended.map((row) => ({ ...row, state: 'dropped', reason: 'It is over. Nothing was sent again.' })))
  const again = failed.filter((row) => !ended.includes(row))
  await queue.resend(
    again.map((row) => ({
      ...row,
      state: 'waiting',
      nextAt: now,
      settledAt: null,
      unlessTaken: false,
      givenUpAt: now + givenUpMs,
    })),
  )
  return { count: again.length }
}

/** The most failed messages that one call sends again. */
const maxRetried = 1000

async function failedRows({ options }: Context, id: string | null): Promise<StoredDelivery[]> {
  const { rows } = await options.data.deliveries({ state: 'failed', incident: null, offset: 0, limit: maxRetried })
  const failed = rows.flatMap((row) => readDelivery(row) ?? [])
  return failed.filter((row) => id === null || row.id === id).toReversed()
}

const shown = ({ about: _about, unlessTaken: _unlessTaken, ...delivery }: StoredDelivery) => delivery

async function readAll({ options, list, queue }: Context): ReturnType<Channels['handlers']['channels.read']> {
  const { counts } = await options.data.deliveryCounts({})
  const of = (channel: string, state: string) => counts.find((one) => one.channel === channel && one.state === state)
  const channels = await Promise.all(
    list.all().map(async (channel) => {
      const waiting = queue.waiting(channel.id)
      return {
        channel,
        hasSecret: needsSecret(channel) ? await hasSecret(list, channel.id) : true,
        waiting: waiting.length,
        failed: of(channel.id, 'failed')?.count ?? 0,
        sentAt: of(channel.id, 'sent')?.last ?? null,
        reason: waiting.findLast(({ reason }) => reason !== '')?.reason ?? '',
        onShift: shiftOf(channel, options.ports.clock.now())?.name ?? null,
      }
    }),
  )
  return { channels, unread: list.unread, ownZone: new Intl.DateTimeFormat().resolvedOptions().timeZone }
}

const hasSecret = (list: ChannelList, id: string): Promise<boolean | null> =>
  list.secret(id).then(
    (secret) => secret !== null,
    () => null,
  )
