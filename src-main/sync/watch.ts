import { toFault, type Fault } from '../../src-shared/fault.ts'
import type { LinkState } from '../../src-shared/model.ts'
import { readEvent } from '../api/decode.ts'
import type { LiveOptions } from '../live/socket.ts'
import { note, want, type Running } from './running.ts'

/** The first reading waits this long for the link, so that it need not be compared again; a dead one does not hold it up. */
const firstLinkMs = 3_000

/** Subscribes to what is known by now; the first time it waits, but not for long, until the link stands or fails. */
export async function listen(estate: Running): Promise<void> {
  const { data, service, clock } = estate.options
  const ids = new Set<string>()
  for (const tenant of estate.tenants?.list ?? []) {
    for (const id of await data.ids({ service, tenant: tenant.id })) ids.add(id)
  }
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
  await sight(estate)
}

function ears(estate: Running, subscribes: boolean, settled: () => void): Pick<LiveOptions, 'onState' | 'onEvent' | 'onSubscribed'> {
  return {
    onState(state: LinkState, fault: Fault | null) {
      if (estate.stopping.signal.aborted) return
      estate.options.onState()
      // While it connects again, the reason for the last failure stays in sight.
      if (state.state === 'connecting') return
      note(estate, 'live', 'the live connection', fault)
      estate.readableSince = state.state === 'readings-only' ? estate.options.clock.now() : null
      void sight(estate)
      if (state.state !== 'live' || !subscribes) settled()
    },
    onEvent: (data) => heard(estate, data),
    onSubscribed() {
      want(estate, 'states')
      settled()
    },
  }
}

function heard(estate: Running, data: unknown): void {
  const { clock, order } = estate.options
  const event = readEvent(data)
  if (event === null) return
  estate.lastEventAt = clock.now()
  estate.queue.push({ ...event, order: order(), at: clock.now() })
  estate.options.onState()
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
  const sees = from === null ? { seen: false } : { seen: true, from }
  try {
    publish(await data.sight({ service, connection, tenants: null, confirmedAt, ...sees }))
  } catch (error) {
    note(estate, 'storage', 'this computer', toFault(error))
  }
}
