import { toFault, type Fault } from '../../src-shared/fault.ts'
import type { LinkState } from '../../src-shared/model.ts'
import { readEvent } from '../api/decode.ts'
import type { LiveOptions } from '../live/socket.ts'
import type { Standing } from './readers.ts'
import { note, want, type Running } from './running.ts'

/** The first reading waits this long for the link, so that it need not be compared again; a dead one does not hold it up. */
const firstLinkMs = 3_000

/** Subscribes to what is known by now; the first time it waits, but not for long, until the link stands or fails. */
export async function listen(estate: Running): Promise<void> {
  const { clock } = estate.options
  const ids = await idsOf(estate)
  if (estate.stopping.signal.aborted) return
  if (estate.live === null) {
    await new Promise<void>((resolve) => {
      estate.live = estate.options.openLive(ears(estate, ids.size > 0, resolve))
      estate.live.want(ids)
      clock.after(firstLinkMs, resolve)
      estate.stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } else estate.live.want(ids)
  if (estate.live?.state().state === 'readings-only') estate.readableSince ??= clock.now()
  stand(estate)
  await sight(estate)
}

/** The devices that this connection claims. They are asked for once, and again when a reading has ended; what pages bring in between is added. */
async function idsOf(estate: Running): Promise<Set<string>> {
  const { data, service, connection } = estate.options
  const all = new Set<string>()
  for (const { id: tenant } of estate.tenants?.list ?? []) {
    if (!estate.ids.has(tenant) || estate.stale.delete(tenant)) estate.ids.set(tenant, new Set(await data.ids({ service, tenant, connection })))
    for (const id of estate.ids.get(tenant) ?? []) all.add(id)
  }
  return all
}

/** What a page brought in. */
export function idsCame(estate: Running, tenant: string, ids: readonly string[]): void {
  const known = estate.ids.get(tenant)
  for (const id of ids) known?.add(id)
}

export function forgetIds(estate: Running, tenants: ReadonlySet<string>): void {
  for (const tenant of estate.ids.keys()) if (!tenants.has(tenant)) estate.ids.delete(tenant)
}

function ears(estate: Running, subscribes: boolean, settled: () => void): Pick<LiveOptions, 'onState' | 'onEvent' | 'onSubscribed'> {
  return {
    onState(state: LinkState, fault: Fault | null) {
      if (estate.stopping.signal.aborted) return
      if (state.state !== 'live') estate.subscribedAt = null
      estate.options.onState()
      stand(estate)
      // While it connects again, the reason for the last failure stays in sight.
      if (state.state === 'connecting') return
      note(estate, 'live', 'the live connection', fault)
      estate.readableSince = state.state === 'readings-only' ? estate.options.clock.now() : null
      void sight(estate)
      if (state.state !== 'live' || !subscribes) settled()
    },
    onEvent: (data) => heard(estate, data),
    onSubscribed() {
      estate.subscribedAt ??= estate.options.clock.now()
      want(estate, 'states')
      settled()
    },
  }
}

/** Tells the others that list the same tenants how well this connection stands. */
export function stand(estate: Running): void {
  const standing = standingOf(estate)
  estate.member.stands(standing)
}

function standingOf(estate: Running): Standing {
  if (estate.failures > 0) return 0
  const link = estate.live?.state() ?? { state: 'connecting', attempt: 0 }
  const flawless = link.state === 'live' || link.state === 'readings-only' || (link.state === 'connecting' && link.attempt === 0)
  return flawless ? 2 : 1
}

function heard(estate: Running, data: unknown): void {
  const { clock, order, service, connection, echoes } = estate.options
  const event = readEvent(data)
  if (event === null) return
  estate.lastEventAt = clock.now()
  estate.options.onState()
  const word = JSON.stringify([event.connected, event.name])
  const isEcho = estate.member.inCompany() && echoes.isEcho({ device: `${service} ${event.id}`, connection, word, since: seesSince(estate) ?? clock.now() })
  if (!isEcho) estate.queue.push({ ...event, order: order(), at: clock.now() })
}

/** Since when Muster sees: while the link is live, or while readings are all that the service offers and they succeed. */
function seesSince(estate: Running): number | null {
  const state = estate.live?.state()
  return state?.state === 'live' ? state.since : estate.readableSince
}

/** Tells the data thread what Muster sees (invariant 4): what was last heard of before that is unknown until it is read. */
export async function sight(estate: Running): Promise<void> {
  const { data, service, connection, clock, publish } = estate.options
  const from = seesSince(estate)
  const confirmedAt = estate.live?.aliveAt() ?? clock.now()
  // It vouches for what it claims of them (protocol.ts, `sight`): what only another one brings is that one's to see.
  const listed = estate.tenants?.list.map(({ id }) => id) ?? []
  const sees = from === null ? { tenants: null, seen: false } : { tenants: listed, seen: true, from }
  try {
    publish(await data.sight({ service, connection, confirmedAt, ...sees }))
  } catch (error) {
    note(estate, 'storage', 'this computer', toFault(error))
  }
}
