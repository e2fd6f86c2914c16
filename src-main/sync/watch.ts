import { toFault, type Fault } from '../../src-shared/fault.ts'
import type { LinkState } from '../../src-shared/connection.ts'
import { deafTo, heard } from './heard.ts'
import type { Standing } from './readers.ts'
import { note, want, type Ears, type Running } from './running.ts'
import { isHeard, sight } from './sight.ts'
import { letTakeOver, noteMove } from './stand-in.ts'
import { compareFirst } from './urgent.ts'
import { watchParked } from './watched.ts'

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

/** The devices that this connection claims, each with its tenant. They are asked for once, and again when a reading has ended; what pages bring in between is added. */
async function idsOf(estate: Running): Promise<Map<string, string>> {
  const { data, service, connection } = estate.options
  const all = new Map<string, string>()
  for (const { id: tenant } of estate.tenants?.list ?? []) {
    if (!estate.ids.has(tenant) || estate.stale.delete(tenant))
      estate.ids.set(tenant, new Set(await data.ids({ service, tenant, connection })))
    for (const id of estate.ids.get(tenant) ?? []) all.set(id, tenant)
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

function ears(estate: Running, subscribes: boolean, settled: () => void): Ears {
  return {
    onState(state: LinkState, fault: Fault | null) {
      if (estate.stopping.signal.aborted) return
      noteMove(estate, state)
      const stands = state.state === 'live' || state.state === 'readings-only'
      const isStandIn = estate.standIn.since !== null
      if (state.state !== 'live') estate.subscribedAt = null
      estate.downSince =
        stands || (isStandIn && estate.readableSince !== null) ? null : (estate.downSince ?? estate.options.clock.now())
      estate.options.onState()
      stand(estate)
      // While it connects again, the reason for the last failure stays in sight.
      if (state.state === 'connecting') return
      // What keeps breaking has not been mended by standing for a moment.
      if (fault !== null || !isStandIn) note(estate, 'live', 'the live connection', fault)
      if (state.state === 'live') note(estate, 'foreign', '', null)
      if (!isStandIn) estate.readableSince = state.state === 'readings-only' ? estate.options.clock.now() : null
      // What was heard of before is unknown until it is read, and no subscription asks for that.
      if (state.state === 'readings-only') want(estate, 'states')
      if (stands) isHeard(estate)
      void sight(estate)
      if (state.state !== 'live' || !subscribes) settled()
    },
    onEvent: (data, source) => heard(estate, data, source),
    onSubscribed() {
      letTakeOver(estate, () => subscribed(estate))
      settled()
    },
    onUnheard: (devices) => void unheard(estate, devices),
    onParked: () => watchParked(estate),
    onDoubt() {
      estate.options.onState()
      void sight(estate)
    },
  }
}

function subscribed(estate: Running): void {
  const { sync: reading } = estate
  if (estate.subscribedAt === null && reading.state === 'reading' && reading.what === 'inventory')
    void compareFirst(estate)
  estate.subscribedAt ??= estate.options.clock.now()
  // What was told before they were all subscribed to, may be missing: only what is read from now on is vouched for.
  if (estate.live?.covers() === true) void sight(estate, true)
  want(estate, 'states')
}

/** What happens to these devices until they are subscribed to again, nobody tells: they are compared then. */
export async function unheard(estate: Running, devices: ReadonlySet<string>): Promise<void> {
  const { data, service, connection, clock, publish } = estate.options
  deafTo(estate, devices)
  try {
    publish(await data.unheard({ service, connection, ids: [...devices], at: clock.now() }))
  } catch (error) {
    note(estate, 'storage', 'this computer', toFault(error))
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
  const flawless =
    link.state === 'live' || link.state === 'readings-only' || (link.state === 'connecting' && link.attempt === 0)
  return flawless ? 2 : 1
}

/** More came of these devices than could be kept, or nobody knows whether it was: they are compared. */
export function lost(estate: Running, ids: ReadonlySet<string>): void {
  estate.options.log('warn', `live: events of ${ids.size} devices were left out, they are compared`)
  note(estate, 'flood', 'the live connection', { kind: 'flood', detail: '' })
  void unheard(estate, ids)
  want(estate, 'states')
}
