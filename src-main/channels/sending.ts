import type { Channel, ChannelSecret } from '../../src-shared/model/channels.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import { unlessAborted } from '../../src-shared/lib/unless-aborted.ts'
import type { StoredDelivery } from '../incidents/stored/delivery.ts'
import { afterChange, isOver, isSeenAgain } from './alerts.ts'
import { type Context, secretFor } from './context.ts'
import { contentOf, type Content } from './formats/content.ts'
import type { CheckedChannel } from './input.ts'
import { hasWaited, heldReason, isOff, look } from './held.ts'
import { faultReason, type Outcome, reasons } from './outcome.ts'
import { isForPlaces } from './plan.ts'
import { sendMail } from './send-mail.ts'
import { sendWebhook } from './send-webhook.ts'
import { shiftOf } from './status.ts'

/** The longest time of one attempt, ms; and from when a mail server has all of a letter, which it may have accepted when the wait ends. */
const [attemptMs, acceptanceMs] = [60_000, 10 * 60_000]
/** A channel that has not accepted a message after this many attempts has a banner. */
const troubledAttempts = 3

/** Returns why a message that was never sent is not needed any more; null while it is. */
export function obsolete(context: Context, delivery: StoredDelivery): string | null {
  const present = context.incidents?.state()
  if (context.incidents === null || present === undefined) return null
  if (!delivery.begins && hasWaited(delivery) && isOff(delivery, context.incidents.rules())) return reasons.off
  if (!delivery.unlessTaken) return null
  const { incidents, about } = delivery
  const alert = { incidents, about: about.filter((key) => key.endsWith('/')) }
  return isOver(alert, present) || isSeenAgain(alert, present) ? reasons.over : null
}

/** Returns why a message that is due waits on; null where it is sent. */
export function held({ incidents, looking, options }: Context, delivery: StoredDelivery): string | null {
  if (incidents === null) return null
  const now = options.ports.clock.now()
  look(looking, now)
  return heldReason(delivery, { state: incidents.state(), rules: incidents.rules(), looking, now })
}

/** Returns why a message is not for its channel any more; null while it is. */
export function closed({ list }: Context, delivery: StoredDelivery): string | null {
  const channel = list.find(delivery.channel)
  if (channel === null) return reasons.removed
  if (!channel.on) return reasons.switchedOff
  return isForPlaces(channel, delivery) ? null : reasons.moved
}

/** Sends a message. Never rejects. `stopping`: Muster ends. */
export async function send(context: Context, delivery: StoredDelivery, stopping: AbortSignal): Promise<Outcome> {
  const { list, inTurn, options } = context
  let found: { channel: Channel | null; secret: ChannelSecret | null }
  try {
    const read = inTurn(async () => ({
      channel: list.find(delivery.channel),
      secret: await secretFor(context, delivery.channel),
    }))
    found = await unlessAborted(stopping, read)
  } catch (thrown) {
    return { is: 'later', to: [], reason: faultReason(toFault(thrown)), waitMs: null }
  }
  const { channel, secret } = found
  if (channel === null) return { is: 'never', to: [], reason: reasons.removed }
  if (secret === null)
    return { is: 'later', to: [], reason: 'Its secret is not known here. Enter it in the channel.', waitMs: null }
  const content = contentOf(delivery, channel.rule.zone, options.ports.clock.now())
  return sendContent(context, { channel, secret }, content, { have: delivery.to, stopping })
}

interface Attempt {
  /** The addresses that have the message already. */
  have: readonly string[]
  /** Aborts when Muster ends; null for a test, which an operator awaits. */
  stopping: AbortSignal | null
}

/** Sends through a channel. */
export async function sendContent(
  { options: { ports } }: Context,
  { channel, secret }: CheckedChannel,
  content: Content,
  { have, stopping }: Attempt,
): Promise<Outcome> {
  const { clock, network, mail } = ports
  const late = new AbortController()
  const within = (ms: number) => clock.after(ms, () => late.abort(new FaultError('timeout', channel.host)))
  let cancel = within(attemptMs)
  const signal = stopping === null ? late.signal : AbortSignal.any([late.signal, stopping])
  try {
    if (channel.kind === 'webhook')
      return await sendWebhook(content, { network, channel, secret, now: clock.now(), signal })
    const person = shiftOf(channel, clock.now())
    const onHandedOver = () => {
      cancel()
      cancel = within(acceptanceMs)
    }
    return await sendMail(content, {
      mail,
      channel,
      secret,
      onShift: person?.address ?? null,
      have,
      signal,
      onHandedOver,
    })
  } finally {
    cancel()
  }
}

/** Learns what became of a message, and tells of a channel that does not deliver. */
export function changed(context: Context, delivery: StoredDelivery): void {
  context.alerts = afterChange(context.alerts, delivery)
  const { state, attempts, channel, channelName, reason } = delivery
  const isTroubled = state === 'failed' || (state === 'waiting' && attempts >= troubledAttempts)
  if (isTroubled && closed(context, delivery) === null) trouble(context, channel, `${channelName}: ${reason}`)
  else if (state === 'sent') trouble(context, channel, null)
}

/** Takes over what an operator decided of failed messages; `ids`: of those that still had failed. */
export function revised(context: Context, rows: readonly StoredDelivery[], ids: readonly string[]): StoredDelivery[] {
  const done = rows.filter(({ id }) => ids.includes(id))
  for (const row of done) changed(context, row)
  context.queue.again(done.filter(({ state }) => state === 'waiting'))
  return done
}

/** Shows one banner for all channels that do not deliver. `words`: null when it does. */
export function trouble({ troubled, options: { banners } }: Context, channel: string, words: string | null): void {
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
