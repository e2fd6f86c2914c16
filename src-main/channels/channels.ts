import { isDeepStrictEqual } from 'node:util'
import type { Channel } from '../../src-shared/model/channels.ts'
import { repeat } from '../../src-shared/lib/clock.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { StepDeliveries } from '../incidents/runner-options.ts'
import { afterChange, withDeliveries, withoutGone } from './alerts.ts'
import { type ChannelsOptions, type Context, idIn, type PresentIncidents, readStored } from './context.ts'
import { type ChannelHandlers, handlersOf } from './handlers.ts'
import {
  changeList,
  concernsChannels,
  deliveriesIn,
  followed,
  heard,
  readAgain,
  reloadAll,
  shareOwn,
  tellSendable,
  tellUnsent,
} from './heard.ts'
import { look } from './held.ts'
import { checkChannel } from './input.ts'
import { openChannelList, type ChannelList, readSecret } from './list.ts'
import { hearsEnds, planDeliveries, seenAfter } from './plan.ts'
import { openQueue } from './queue.ts'
import { changed, closed, held, obsolete, send } from './sending.ts'
import { openTeamChannelList } from './team-list.ts'

/** Tells people who are not here, through channels (model/channels.ts). */
export interface Channels {
  handlers: ChannelHandlers
  deliveries: StepDeliveries
  /**
   * Makes and changes channels of a list, whose secrets are known already. `isTrusted`: these come from where the list does, and not
   * from a channel that was here before. Rejects with a fault of kind `input` for the first that is wrong; then nothing has changed. In a
   * team the channels are made and changed once it is reached.
   */
  importList(list: readonly unknown[], isTrusted: boolean): Promise<void>
  /** Begins to send. */
  start(incidents: PresentIncidents): void
  /** Runs an erasure of journal data; what was erased is not sent and not written again. */
  whileErasing<T>(run: () => Promise<T>): Promise<T>
  team: TeamOfChannels
  stop(): Promise<void>
}

/** What a team does with its channels. */
export interface TeamOfChannels {
  /** Must be called with the incidents that this member has written. */
  written(input: unknown): void
  /** Must be called with each call of another member that was carried out, and what it came to. */
  heard(call: string, input: unknown, value: unknown): Promise<void>
  /** Must be called when the incidents are as the last calls say. */
  followed(): Promise<void>
  /** Must be called when this member begins or ends to send a channel's messages. */
  leadChanged(): Promise<void>
  /** Must be called when everything was replaced, or this member begins to evaluate. */
  reload(): Promise<void>
  /** Makes and changes the channels of the imported list. Rejects with `team-away`. */
  importAll(): Promise<void>
  /** Gives the team the channels that a Muster has on its own. Rejects with `team-away`. */
  shareOwn(own: ChannelList): Promise<void>
}

/** What waits for another time is looked at this often (ms), because the clock may be set. */
const reviewMs = 60_000
/** A team's messages that nobody sends are looked for this often, ms. */
const unsentMs = 15_000

export async function openChannels(options: ChannelsOptions): Promise<Channels> {
  const { ports } = options
  const context = await openContext(options)
  const { list, teamList } = context
  const stored = await readStored(context)
  // The keychain may ask the user first: the start does not wait for that.
  const lookForSecrets = () => void context.inTurn(() => tellSendable(context))
  lookForSecrets()
  const offSecrets = ports.secrets.onChange(() => {
    context.queue.wake(null)
    lookForSecrets()
  })
  let stopReviews = () => {}
  let stopLooking = () => {}
  let imported: readonly Channel[] = []
  return {
    handlers: handlersOf(context),
    deliveries: stepDeliveries(context),
    async importList(all, isTrusted) {
      const checked: Channel[] = []
      for (const [index, given] of all.entries()) checked.push(await checkImported(context, given, index, isTrusted))
      if (teamList !== null) imported = checked
      else for (const channel of checked) await list.save(channel, null)
    },
    start(incidents) {
      context.incidents = incidents
      context.queue.add(stored)
      stopReviews = repeat(ports.clock, reviewMs, () => {
        look(context.looking, ports.clock.now())
        context.queue.review()
      })
      if (options.team !== null)
        stopLooking = repeat(ports.clock, unsentMs, () =>
          tellUnsent(context).catch(() => ports.log('warn', 'messages to channels could not be read')),
        )
    },
    whileErasing: (run) => context.queue.pause(run, () => readStored(context)),
    team: {
      written: (input) => context.queue.add(deliveriesIn(input)),
      async heard(call, input, value) {
        if (concernsChannels(call)) await heard(context, call, input, value)
      },
      followed: () => followed(context),
      leadChanged: () => readAgain(context),
      reload: () => reloadAll(context),
      async importAll() {
        await changeList(context, async (changed) => {
          for (const channel of imported) {
            if (!isDeepStrictEqual(list.find(channel.id), channel)) await list.save(channel, null)
            teamList?.trust(channel.id)
            changed.push(channel.id)
          }
        })
      },
      shareOwn: (own) => shareOwn(context, own),
    },
    async stop() {
      offSecrets()
      stopReviews()
      stopLooking()
      await context.queue.stop()
    },
  }
}

async function openContext(options: ChannelsOptions): Promise<Context> {
  const { data, ports, team } = options
  const teamList = team === null ? null : await openTeamChannelList({ data, ports })
  const context: Context = {
    options,
    list: teamList ?? openChannelList(ports.settings, ports.secrets),
    teamList,
    queue: openQueue({
      data,
      ...ports,
      random: options.random,
      sends: (channel) => team?.sends(channel) ?? true,
      adds: team === null,
      send: (delivery, signal) => send(context, delivery, signal),
      isHeld: (delivery) => held(context, delivery) !== null,
      obsolete: (delivery) => obsolete(context, delivery),
      closed: (delivery) => closed(context, delivery),
      onAttempt: (delivery) => void (context.alerts = afterChange(context.alerts, { ...delivery, attempts: 1 })),
      onChange: (delivery) => changed(context, delivery),
    }),
    alerts: new Map(),
    incidents: null,
    isFirst: true,
    looking: { since: ports.clock.now(), at: ports.clock.now() },
    seen: new Map(),
    troubled: new Map(),
    isBehind: false,
    inTurn: oneByOne(),
  }
  return context
}

function stepDeliveries(context: Context): StepDeliveries {
  const { list, options } = context
  const { clock } = options.ports
  return {
    plan({ before, state, outgoing, notes }) {
      const { isFirst, seen } = context
      const told = { before, state, outgoing, closed: notes.closed, now: clock.now(), isFirst, seen }
      return planDeliveries(list.all(), context.alerts, told)
    },
    accept(deliveries) {
      context.isFirst = false
      if (deliveries.length > 0) context.alerts = withDeliveries(context.alerts, deliveries)
      const state = context.incidents?.state()
      if (state !== undefined) context.seen = seenAfter(context.seen, state, clock.now())
      tidy(context)
      // In a team they are sent when the log has them (`written`).
      if (options.team === null) context.queue.add(deliveries)
      context.queue.review()
    },
  }
}

function tidy(context: Context): void {
  const state = context.incidents?.state()
  if (state === undefined || context.alerts.size === 0) return
  context.alerts = withoutGone(context.alerts, state, (id) => {
    const channel = context.list.find(id)
    return channel !== null && hearsEnds(channel)
  })
}

async function checkImported(
  { list, options: { ports } }: Context,
  given: unknown,
  index: number,
  isTrusted: boolean,
): Promise<Channel> {
  const id = idIn(given)
  try {
    const secret = id === '' ? null : await (isTrusted ? readSecret(ports.secrets, id) : list.secret(id))
    return checkChannel(given, null, { channel: list.find(id), secret, isTrusted }).channel
  } catch (thrown) {
    const { kind, detail } = toFault(thrown)
    if (kind !== 'input') throw thrown
    throw new FaultError('input', `channel ${index + 1}${id === '' ? '' : ` (${id})`}, ${detail}`)
  }
}
