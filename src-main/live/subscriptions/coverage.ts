import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Machine } from '../machine.ts'
import type { RejectionsOptions } from './rejections.ts'
import { nextId, reshard, reshardApart, type Shard } from './shards.ts'
import type { Socket } from '../state.ts'

/*
 * Which devices the transport in use is subscribed to: what is wanted, what the service has confirmed, what it rejects, and what
 * is left when something else stands in its place.
 */

/** Other devices are wanted: shards that do not change are left alone. */
export function want(machine: Machine, devices: ReadonlyMap<string, string>): void {
  const { rejections, shards: before } = machine
  machine.wanted = devices
  rejections.only(devices)
  machine.shards = resharded(machine)
  if (machine.state.is === 'live') follow(machine, machine.state.socket, before)
}

function resharded(machine: Machine): Shard[] {
  const { rejections, shards } = machine
  const change = rejections.hasRejected() ? reshardApart : reshard
  return [
    ...change(
      shards.filter((shard) => !rejections.isTrial(shard)),
      coverageIn(machine),
      rejections.size(),
    ),
    ...shards.filter(rejections.isTrial),
  ]
}

/** Another transport stands in the place of the one before: what was just being found out there is subscribed to here. */
export function adopt(machine: Machine, transport: Socket, subscribed: readonly Shard[]): void {
  machine.rejections.begin()
  machine.shards = resharded(machine)
  follow(machine, transport, subscribed)
}

/** Whether the service has the subscriptions of all that is wanted. */
export const covers = ({ state, shards, confirmed }: Machine): boolean =>
  state.is === 'live' && shards.every((shard) => confirmed.has(shard))

/** The service has this one: what waited for that is left. */
export function subscribed(machine: Machine, shard: Shard): void {
  machine.confirmed.add(shard)
  if (covers(machine)) letGo(machine)
  machine.options.onSubscribed(shard.devices)
  machine.rejections.confirmed(shard)
}

const coverageIn = ({ wanted, rejections }: Machine): ReadonlySet<string> =>
  new Set([...wanted.keys()].filter((id) => !rejections.holds(id)))

/** On another socket what fits is known from the start, and what was being found out begins anew. */
export function begin(machine: Machine): void {
  const { rejections, shards } = machine
  rejections.begin()
  machine.shards = reshard(
    shards.filter(({ devices }) => devices.size <= rejections.size()),
    coverageIn(machine),
    rejections.size(),
  )
}

/** The service has not taken it, and takes others: what is heard of is not touched. */
export function noteRejected(machine: Machine, transport: Socket, shard: Shard, why: Fault): void {
  const { options, leaving, shards, rejections } = machine
  const wasHeard = machine.confirmed.delete(shard)
  leaving.delete(shard)
  if (!shards.includes(shard)) return
  options.log(
    'info',
    `live: the service did not take a subscription of ${shard.devices.size} devices (${why.kind}: ${why.detail})`,
  )
  machine.shards = shards.filter((each) => each !== shard)
  transport.completions.only(machine.shards)
  // What is parked is read again and again: that it was tried in vain makes nothing unknown.
  noteSubscriptionLost(
    machine,
    [...shard.devices].filter((id) => wasHeard || !rejections.parked().has(id)),
  )
  rejections.rejected(shard, why)
}

/** The service has ended one that was to be left anyway, when what comes in its place stands. */
export function endedEarly(machine: Machine, shard: Shard): void {
  machine.leaving.delete(shard)
  machine.confirmed.delete(shard)
  noteSubscriptionLost(
    machine,
    [...shard.devices].filter((id) => machine.wanted.has(id)),
  )
}

/** Of these nothing is heard any more, but for what another subscription still tells of. */
function noteSubscriptionLost({ options, leaving, confirmed }: Machine, ids: readonly string[]): void {
  const subscribed = [...leaving, ...confirmed]
  const lost = ids.filter((id) => !subscribed.some(({ devices }) => devices.has(id)))
  if (lost.length > 0) options.onSubscriptionLost(new Set(lost))
}

/** What finding out what the service takes needs of the connection. */
export const rejectionsOptions = (of: () => Machine): RejectionsOptions => ({
  clock: { after: (ms, run) => of().options.clock.after(ms, run) },
  random: () => of().options.random(),
  tenantOf: (id) => of().wanted.get(id),
  add(groups) {
    const machine = of()
    const before = machine.shards
    const first = nextId(before)
    const added = groups.map((ids, at) => ({ id: first + at, devices: new Set(ids) }))
    machine.shards = [...before, ...added]
    if (machine.state.is === 'live') follow(machine, machine.state.socket, before)
    return added
  },
  settled(then) {
    const { state } = of()
    if (state.is === 'live')
      state.socket.askAlive((alive) => {
        if (alive) then()
      })
  },
  onParked: () => of().options.onParked(),
})

/** The old subscriptions go when the service has the new ones: a changed shard has no gap, and what is on its way by the old one still comes in. */
export function follow(machine: Machine, transport: Socket, before: readonly Shard[]): void {
  const { shards, leaving } = machine
  const [known, now] = [new Set(before), new Set(shards)]
  for (const shard of before) if (!now.has(shard)) leaving.add(shard)
  for (const shard of shards) if (!known.has(shard)) transport.subscribe(shard)
  transport.completions.only(shards)
  if (covers(machine)) letGo(machine)
}

export function letGo({ state, leaving, confirmed }: Machine): void {
  for (const shard of leaving) {
    confirmed.delete(shard)
    if (state.is === 'live') state.socket.unsubscribe(shard)
  }
  leaving.clear()
}
