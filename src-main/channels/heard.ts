import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type ChannelSecret } from '../../src-shared/model/channels.ts'
import { toFault } from '../../src-shared/model/fault.ts'
import { withDeliveries, isOver } from './alerts.ts'
import { readDeliveries } from '../incidents/stored/delivery.ts'
import { type Context, readStored, secretFor } from './context.ts'
import type { ChannelList } from './list.ts'
import { reasons } from './outcome.ts'
import { changed, revised, trouble } from './sending.ts'
import { senderOf, waitingMessages } from './status.ts'

/** Calls that change a team's channels, or messages to them. */
const calls = [
  'forget',
  'saveAlerts',
  'settleDeliveries',
  'reviseDeliveries',
  'shareChannel',
  'unshareChannel',
] as const
type ChannelCall = (typeof calls)[number]

export const concernsChannels = (call: string): call is ChannelCall => (calls as readonly string[]).includes(call)

const values = z.array(z.object({ value: z.unknown() })).catch([])
const inputs = {
  saveAlerts: z.object({ deliveries: values }).catch({ deliveries: [] }),
  rows: z.object({ rows: values }),
  ids: z.object({ ids: z.array(z.string()) }),
  shareChannel: z.object({ record: z.object({ id: z.string() }) }),
  unshareChannel: z.object({ id: z.string() }),
}
/** Returns the messages that were written with incidents. */
export const deliveriesIn = (input: unknown) => messagesIn(inputs.saveAlerts.parse(input).deliveries)

const messagesIn = (rows: z.infer<typeof values>) => readDeliveries(rows.map(({ value }) => value))

/** Takes over a call of another member that was carried out here. `value`: what it came to. */
export async function heard(context: Context, call: ChannelCall, input: unknown, value: unknown): Promise<void> {
  switch (call) {
    case 'forget':
      return readAgain(context)
    case 'saveAlerts': {
      const deliveries = deliveriesIn(input)
      context.alerts = withDeliveries(context.alerts, deliveries)
      // They are looked at when the incidents that they tell of are here (`followed`).
      if (deliveries.some(({ channel }) => context.options.team?.sends(channel))) context.isBehind = true
      return
    }
    case 'settleDeliveries':
      for (const row of messagesIn(inputs.rows.parse(input).rows)) {
        changed(context, row)
        // It ended while the first message about it was sent elsewhere: that is still to be told.
        const present = context.incidents?.state()
        if (row.state === 'sent' && row.begins && present !== undefined && isOver(row, present)) lookAgain(context)
      }
      return
    case 'reviseDeliveries':
      revised(context, messagesIn(inputs.rows.parse(input).rows), inputs.ids.parse(value).ids)
      return
    case 'shareChannel':
      return context.inTurn(() => listChanged(context, [inputs.shareChannel.parse(input).record.id]))
    case 'unshareChannel':
      return context.inTurn(async () => {
        const { id } = inputs.unshareChannel.parse(input)
        await context.teamList?.forget(id)
        await listChanged(context, [id])
      })
  }
}

/** Handles that the incidents are as the last messages say. */
export async function followed(context: Context): Promise<void> {
  context.queue.review()
  if (!context.isBehind) return
  context.isBehind = false
  await readAgain(context)
}

/** Reads what waits again. */
export const readAgain = (context: Context): Promise<void> =>
  context.queue.pause(
    async () => {},
    () => readStored(context),
  )

/** Handles channels (ids) of the team that were made, changed or removed. */
export async function listChanged(context: Context, ids: readonly string[]): Promise<void> {
  await context.teamList?.reload()
  for (const id of ids) if (context.list.find(id)?.on !== true) trouble(context, id, null)
  await tellSendable(context)
  // What waits has ended where it was switched off or removed.
  await readAgain(context)
  for (const id of ids) context.queue.wake(id)
  lookAgain(context)
}

/** Has what ended meanwhile be told, by the member that evaluates. */
function lookAgain(context: Context): void {
  context.isFirst = true
  context.incidents?.recheck()
}

/** Everything that the team shares may be other than before. */
export async function reloadAll(context: Context): Promise<void> {
  await context.inTurn(async () => {
    await context.teamList?.reload()
    await tellSendable(context)
    await readAgain(context)
  })
  lookAgain(context)
}

/** Tells the team through which channels this member can send. */
export async function tellSendable(context: Context): Promise<void> {
  const { list, options } = context
  if (options.team === null) return
  const able = new Set<string>()
  for (const { id, on } of list.all()) if (on && (await secretFor(context, id).catch(() => null)) !== null) able.add(id)
  options.team.canSend(able)
}

/** Says of which channels messages are due that no member can send. */
export async function tellUnsent(context: Context): Promise<void> {
  const { list, troubled, options } = context
  const waiting = await waitingMessages(options.data)
  const now = options.ports.clock.now()
  const due = new Set(waiting.flatMap(({ channel, dueAt }) => (dueAt <= now ? [channel] : [])))
  for (const { id, name } of list.all()) {
    const words = `${name}: ${reasons.nobody}`
    if (due.has(id) && senderOf(context, id) === null) trouble(context, id, words)
    else if (troubled.get(id) === words) trouble(context, id, null)
  }
}

/**
 * Changes channels of the team in turn. `run` adds the ids of those that it has changed, which are then handled together, also
 * where a later one fails.
 */
export const changeList = (context: Context, run: (changed: string[]) => Promise<void>): Promise<void> =>
  context.inTurn(async () => {
    const changed: string[] = []
    try {
      await run(changed)
    } finally {
      if (changed.length > 0) await listChanged(context, changed)
    }
  })

/** Gives a team the channels that this Muster has on its own, with their secrets here. Those that it has already are left out. */
export async function shareOwn(context: Context, own: ChannelList): Promise<void> {
  const { teamList, options } = context
  if (teamList === null) return
  await changeList(context, async (changed) => {
    for (const channel of own.all()) {
      if (teamList.all().some((one) => one.name === channel.name && one.kind === channel.kind)) continue
      const secret: ChannelSecret | null = await own.secret(channel.id).catch((error: unknown) => {
        options.ports.log('warn', `the secret of a channel could not be read (${toFault(error).kind})`)
        return null
      })
      const id = randomUUID()
      await teamList.save({ ...channel, id }, secret)
      changed.push(id)
    }
  })
}
