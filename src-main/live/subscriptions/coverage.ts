import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Machine } from '../machine.ts'
import type { RejectionsOptions } from './rejections.ts'
import { nextId, reshard, reshardApart, type Shard } from './shards.ts'
import type { Socket } from '../state.ts'

/*
 * The devices to which the present transport is subscribed: the wanted, the confirmed and the rejected shards, and
 * those to unsubscribe once another one replaces them.
 */

/** Sets the wanted devices; unchanged shards are kept. */
export function setDevices(machine: Machine, devices: ReadonlyMap<string, string>): void {
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

/** Subscribes on a transport that replaces the previous one, and ends the trials of rejected shards there. */
export function adopt(machine: Machine, transport: Socket, subscribed: readonly Shard[]): void {
  machine.rejections.begin()
  machine.shards = resharded(machine)
  follow(machine, transport, subscribed)
}

/** Returns whether the service confirmed the subscriptions of all wanted devices. */
export const covers = ({ state, shards, confirmed }: Machine): boolean =>
  state.is === 'live' && shards.every((shard) => confirmed.has(shard))

/** Records that the service confirmed a shard, and unsubscribes those that waited for it. */
export function subscribed(machine: Machine, shard: Shard): void {
  machine.confirmed.add(shard)
  if (covers(machine)) releaseLeaving(machine)
  machine.options.onSubscribed(shard.devices)
  machine.rejections.confirmed(shard)
}

const coverageIn = ({ wanted, rejections }: Machine): ReadonlySet<string> =>
  new Set([...wanted.keys()].filter((id) => !rejections.holds(id)))

/** Prepares the shards for another socket: the known size limit applies, and trials of rejected shards begin anew. */
export function begin(machine: Machine): void {
  const { rejections, shards } = machine
  rejections.begin()
  machine.shards = reshard(
    shards.filter(({ devices }) => devices.size <= rejections.size()),
    coverageIn(machine),
    rejections.size(),
  )
}

/** Handles the rejection of one shard while others are subscribed: those are not changed. */
export function noteRejected(machine: Machine, transport: Socket, shard: Shard, why: Fault): void {
  const { options, leaving, shards, rejections } = machine
  const wasConfirmed = machine.confirmed.delete(shard)
  leaving.delete(shard)
  if (!shards.includes(shard)) return
  options.log(
    'info',
    `live: the service rejected a subscription of ${shard.devices.size} devices (${why.kind}: ${why.detail})`,
  )
  machine.shards = shards.filter((each) => each !== shard)
  transport.completions.only(machine.shards)
  // Parked devices are covered by polling, so a failed trial loses nothing.
  noteSubscriptionLost(
    machine,
    [...shard.devices].filter((id) => wasConfirmed || !rejections.parked().has(id)),
  )
  rejections.rejected(shard, why)
}

/** Handles the end of a shard that was to be unsubscribed when its replacement is confirmed. */
export function endedEarly(machine: Machine, shard: Shard): void {
  machine.leaving.delete(shard)
  machine.confirmed.delete(shard)
  noteSubscriptionLost(
    machine,
    [...shard.devices].filter((id) => machine.wanted.has(id)),
  )
}

/** Reports the devices whose subscription is lost, except those that another subscription covers. */
function noteSubscriptionLost({ options, leaving, confirmed }: Machine, ids: readonly string[]): void {
  const subscribed = [...leaving, ...confirmed]
  const lost = ids.filter((id) => !subscribed.some(({ devices }) => devices.has(id)))
  if (lost.length > 0) options.onSubscriptionLost(new Set(lost))
}

/** Returns the functions of the connection that the trials of rejected shards need. */
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
      state.socket.checkAlive((alive) => {
        if (alive) then()
      })
  },
  onParked: () => of().options.onParked(),
})

/**
 * Subscribes to the new shards, and unsubscribes the old ones when the new ones are confirmed, so that a changed shard
 * has no gap.
 */
export function follow(machine: Machine, transport: Socket, before: readonly Shard[]): void {
  const { shards, leaving } = machine
  const [known, now] = [new Set(before), new Set(shards)]
  for (const shard of before) if (!now.has(shard)) leaving.add(shard)
  for (const shard of shards) if (!known.has(shard)) transport.subscribe(shard)
  transport.completions.only(shards)
  if (covers(machine)) releaseLeaving(machine)
}

export function releaseLeaving({ state, leaving, confirmed }: Machine): void {
  for (const shard of leaving) {
    confirmed.delete(shard)
    if (state.is === 'live') state.socket.unsubscribe(shard)
  }
  leaving.clear()
}
