import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import {
  channel as channelSchema,
  type Channel,
  type ChannelSecret,
  delivery as deliverySchema,
  type Delivery,
} from '../../src-shared/model/channels.ts'
import { deliveryRow, readDeliveries, type StoredDelivery } from '../incidents/stored/delivery.ts'
import { isOver } from './alerts.ts'
import { givenUpMs } from './attempts.ts'
import { type Context, idIn } from './context.ts'
import { testContent } from './formats/content.ts'
import { checkChannel, parseChannel } from './input.ts'
import type { ChannelList } from './list.ts'
import { reasons } from './outcome.ts'
import { closed, held, revised, sendContent, trouble } from './sending.ts'
import { needsSecret, readChannels, senderOf } from './status.ts'
import { listChanged } from './heard.ts'
import { isSameTarget } from './team-list.ts'

export type ChannelHandlers = Pick<Handlers, Extract<keyof Handlers, `channels.${string}`>>

export function handlersOf(context: Context): ChannelHandlers {
  const { options, list, inTurn } = context
  const { data, ports } = options
  return {
    'channels.read': () => readChannels(context),
    'channels.save': ({ channel: given, secret }) =>
      inTurn(async () => {
        await changedFrom(context, await saved(context, given, secret))
        return {}
      }),
    'channels.remove': ({ id }) =>
      inTurn(async () => {
        await list.remove(id)
        await removed(context, id)
        return {}
      }),
    async 'channels.test'({ channel: given, secret }) {
      const checked = await check(context, given, secret)
      const { name, rule } = checked.channel
      const content = testContent(randomUUID(), name, rule.zone, ports.clock.now())
      const { is, to, reason } = await sendContent(context, checked, content, { have: [], stopping: null })
      return { ok: is === 'sent', to, reason }
    },
    async 'channels.deliveries'(query) {
      const { total, rows } = await data.deliveries(query)
      return { total, rows: readDeliveries(rows).map((row) => shown(context, row)) }
    },
    'channels.retry': ({ id }) => inTurn(() => retry(context, id)),
    'channels.dismiss': ({ id }) =>
      inTurn(async () => {
        const rows = await failedRows(context, id)
        const dismissed = await revise(
          context,
          rows.map((row) => ({ ...row, state: 'dropped' as const })),
        )
        for (const { channel } of dismissed) trouble(context, channel, null)
        return { count: dismissed.length }
      }),
  }
}

async function check({ list }: Context, given: unknown, entered: ChannelSecret | null) {
  const id = idIn(given)
  const known = list.find(id)
  const secret = known === null ? null : await list.secret(id)
  return { ...checkChannel(given, entered, { channel: known, secret }), hadSecret: secret !== null }
}

/** Stores a channel that the operator made or changed. */
async function saved(context: Context, given: unknown, entered: ChannelSecret | null): Promise<Channel> {
  const { list } = context
  const known =
    (entered === null ? switched(list, given) : null) ??
    (isEmpty(entered) ? await ruledElsewhere(context, given) : null)
  if (known !== null) {
    await list.save(known, null)
    return known
  }
  const { channel, secret, hadSecret } = await check(context, given, entered)
  // A login that is removed takes its password with it.
  const isKept = needsSecret(channel) ? entered === null : !hadSecret
  await list.save(channel, isKept ? null : secret)
  return channel
}

const isEmpty = (secret: ChannelSecret | null): boolean => Object.values(secret ?? {}).every((text) => text === '')

/** Returns a known channel that is only switched on or off: its secret is not needed for that. Null for any other change. */
function switched(list: ChannelList, given: unknown): Channel | null {
  const read = channelSchema.safeParse(given)
  if (!read.success) return null
  const known = list.find(read.data.id)
  const isSame = known !== null && isDeepStrictEqual({ ...known, on: read.data.on }, read.data)
  return isSame ? read.data : null
}

/**
 * Returns a channel of a team whose secret other members have, and that leads to where it did: what it is told can be changed here
 * too. Null for any other. Throws as `checkChannel` does.
 */
async function ruledElsewhere({ teamList }: Context, given: unknown): Promise<Channel | null> {
  const known = teamList?.find(idIn(given)) ?? null
  if (known === null || !needsSecret(known) || (await teamList?.secret(known.id)) !== null) return null
  const read = parseChannel(given)
  // The host of a webhook is known from its address.
  const channel = read.kind === 'webhook' ? { ...read, host: known.host } : read
  return isSameTarget(known, channel) ? channel : null
}

async function changedFrom(context: Context, channel: Channel): Promise<void> {
  const { queue } = context
  if (context.teamList !== null) return listChanged(context, [channel.id])
  if (channel.on) {
    queue.wake(channel.id)
    // What ended meanwhile is told.
    context.isFirst = true
    context.incidents?.recheck()
  } else {
    await queue.drop(channel.id, reasons.switchedOff)
    trouble(context, channel.id, null)
  }
}

async function removed(context: Context, id: string): Promise<void> {
  if (context.teamList !== null) return listChanged(context, [id])
  await context.queue.drop(id, reasons.removed)
  const others = new Map(context.alerts)
  others.delete(id)
  context.alerts = others
  trouble(context, id, null)
}

/** Returns a message without what only the core needs, and with why it waits. */
function shown(context: Context, row: StoredDelivery): Delivery {
  const one = deliverySchema.parse(row)
  if (one.state !== 'waiting') return one
  if (senderOf(context, one.channel) === null) return { ...one, reason: reasons.nobody }
  const isDue = one.dueAt <= context.options.ports.clock.now()
  return { ...one, reason: (isDue ? held(context, row) : null) ?? one.reason }
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
  const revised = await revise(context, [...ended, ...again])
  return { count: revised.filter(({ state }) => state === 'waiting').length }
}

/** Writes what the operator decided of failed messages, and returns those that still had failed. */
async function revise(context: Context, rows: readonly StoredDelivery[]): Promise<StoredDelivery[]> {
  if (rows.length === 0) return []
  const { ids } = await context.options.data.reviseDeliveries({ rows: rows.map(deliveryRow) })
  return revised(context, rows, ids)
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
  return readDeliveries(rows)
    .filter((row) => id === null || row.id === id)
    .toReversed()
}
