import { createDialect } from '../../../src-main/api/dialect.ts'
import { createTurns } from '../../../src-main/api/event-loop-turns.ts'
import { startClient } from '../../../src-main/connections/client.ts'
import { startRunner, type Runner } from '../../../src-main/connections/runner.ts'
import { callsOn, type Calls } from '../../../src-main/inventory/thread/calls.ts'
import type { InventoryData } from '../../../src-main/inventory/thread/protocol.ts'
import type { Change } from '../../../src-main/inventory/thread/change.ts'
import { closeStore } from '../../../src-main/inventory/store.ts'
import { createSocketHistory } from '../../../src-main/live/history.ts'
import { detectSleep } from '../../../src-main/live/transport/sleep-detection.ts'
import { startPacer, type Pacer } from '../../../src-main/pacing/pacer.ts'
import type { Ports } from '../../../src-main/ports.ts'
import { createDeduplicator } from '../../../src-main/sync/events/deduplicator.ts'
import { createEventQueues } from '../../../src-main/sync/events/events.ts'
import { createAssignments } from '../../../src-main/sync/assignments/assignments.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Viewer } from './answers.ts'
import type { Disk } from './disk.ts'
import type { Far } from './far.ts'
import { networkOf } from './network.ts'
import { service, type Device } from './fleet.ts'
import type { Guest } from './guest.ts'
import type { Journalled } from './oracle.ts'
import { askedAt } from './requests.ts'

/** One life of the console over the wire and the disk: everything from the connection's runner down is the real thing. */
export interface Life {
  isDead(): boolean
  /** It dies at the next crossing number so, counted from now. */
  dieAt(crossings: number): void
  die(): void
  /** Whether it is to die at a crossing to come. */
  isDoomed(): boolean
  /** The data thread is busy for so long. */
  busy(ms: number): void
  /** Nothing waits for the data thread, and nothing was rejected since the last check. */
  isQuiet(): boolean
  /** Ends it in order. */
  stop(): Promise<void>
  runner(id: string): Runner | undefined
  /** Resolves when it has stopped; a life that dies meanwhile never does. */
  pause(id: string): Promise<void>
  resume(id: string): void
  /** The journal's entries of a device; after the end, those at the end. */
  journalled(device: Device): Journalled
  readonly calls: Calls
  /** Transitions that were passed on to notifications. */
  readonly told: Change['transitions']
}

export interface Profile {
  disk: Disk
  viewers: readonly Viewer[]
  refreshMs: number
  /** The time of each connection's last sync in the settings. */
  marks: Map<string, number | null>
}

/** Writes that the disk rejected are retried within this time (sync/events/events.ts), ms. */
const triedAgainMs = 2_500

class Death extends Error {}

export function startLife(far: Far, { disk, viewers, refreshMs, marks }: Profile): Life {
  let dead = false
  let crossings = Infinity
  let place = 0
  let isStalled = false
  let refusedAt = -Infinity
  const told: Change['transitions'] = []
  const waiting: (() => void)[] = []
  const die = () => {
    if (dead) return
    dead = true
    for (const device of far.fleet.devices) left.set(device, read(device))
    closeStore(store)
    bury()
    death.resolve()
  }
  const takesAll = () =>
    !isStalled && disk.journal === 'takes' && disk.cache === 'takes' && far.clock.monotonic() - refusedAt > triedAgainMs
  const cross = (): boolean => (crossings -= 1) === 0
  const inside = () => {
    if (!dead && cross()) throw new Death('it dies here')
  }
  const store = disk.open(inside, far.clock.now())
  const calls = callsOn(store)
  const death = Promise.withResolvers<void>()
  const left = new Map<Device, Journalled>()
  const read = ({ key }: Device): Journalled => ({
    last: store.journal.state(key)?.connected ?? null,
    entries: store.journal.transitions(key, 10_000).toReversed(),
  })
  const clock: Clock = {
    ...far.clock,
    after: (ms, run) =>
      far.clock.after(ms, () => {
        if (!dead) run()
      }),
  }
  const guest: Guest = {
    loseTime: false,
    isDead: () => dead,
    place: () => (place += 1),
    crossing: () => {
      if (!dead && cross()) die()
    },
    isSure: () => takesAll(),
  }
  const work = () => {
    if (isStalled || dead) return
    const next = waiting.shift()
    if (next === undefined) return
    next()
    work()
  }
  const data = Object.fromEntries(
    Object.entries(calls).map(([name, run]) => [
      name,
      (input: never) =>
        new Promise((resolve, reject) => {
          waiting.push(() => {
            try {
              inside()
              const answer: unknown = (run as (given: never) => unknown)(input)
              inside()
              resolve(answer)
            } catch (thrown) {
              if (thrown instanceof Death) return die()
              refusedAt = far.clock.monotonic()
              reject(thrown instanceof Error ? thrown : new Error('thrown'))
            }
          })
          queueMicrotask(work)
        }),
    ]),
  ) as unknown as InventoryData
  const shared = {
    data,
    assignments: createAssignments(),
    deduplicator: createDeduplicator(clock),
    queues: createEventQueues(),
    order: () => (place += 1),
    publish: ({ transitions }: Change) => void told.push(...transitions),
  }
  const turns = createTurns()
  const runners = new Map<string, Runner>()
  const stopping = new Set<string>()
  const pacers = new Map<string, Pacer>()
  const bury = () => {
    loseTime.stop()
    for (const pacer of pacers.values()) pacer.stop()
  }
  const resume = (id: string) => {
    const viewer = viewers.find((each) => each.id === id)
    if (viewer === undefined || runners.has(id)) return
    const pacer =
      pacers.get(viewer.credentials) ??
      placed(
        startPacer({
          clock,
          random: far.weather.draws.part,
          policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
          onChange: () => {},
        }),
        () => (place += 1),
      )
    pacers.set(viewer.credentials, pacer)
    const record = {
      id,
      name: id,
      tokenUrl: 'https://far.test/token',
      graphqlUrl: 'https://far.test/graphql',
      subscriptionUrl: 'wss://far.test/graphql',
      clientId: id,
      ca: '',
      subscription: '',
    }
    const client = startClient({
      record,
      ports: { network: { open: () => networkOf(far, guest, viewer) }, clock, log: () => {} } as unknown as Ports,
      pacer,
      dialect: createDialect(),
      turns,
      secret: async () => 'x',
      random: far.weather.draws.part,
    })
    const { sync, stop } = startRunner({
      ...shared,
      client,
      record,
      service,
      credentials: viewer.credentials,
      place: () => viewers.indexOf(viewer),
      refreshMs: () => refreshMs,
      urgentKeys: () => far.fleet.devices.slice(0, 2).map(({ key }) => key),
      isTimeLost,
      lastReadingAt: marks.get(id) ?? null,
      onSchema: () => {},
      access: { clientId: '', onRead: () => {} },
      places: { onChange: () => {} },
      columns: { readAt: () => ({}), onRead: () => {}, onChange: () => {} },
      history: createSocketHistory(clock),
      onState: () => {
        if (!dead) marks.set(id, runners.get(id)?.sync.state().lastReadingAt ?? null)
      },
    })
    runners.set(id, {
      sync,
      stop() {
        client.end()
        return stop()
      },
    })
  }
  const pause = async (id: string) => {
    const runner = runners.get(id)
    if (runner === undefined || stopping.has(id)) return
    stopping.add(id)
    await runner.stop()
    stopping.delete(id)
    runners.delete(id)
  }
  const loseTime = detectSleep(clock, (_ms, wellAt) => {
    for (const { sync } of runners.values()) sync.loseTime(wellAt)
  })
  const isTimeLost = () => {
    const isLost = !dead && loseTime.check()
    guest.loseTime ||= isLost
    return isLost
  }
  for (const { id } of viewers) resume(id)
  return {
    calls,
    told,
    die,
    pause,
    resume,
    isDead: () => dead,
    isDoomed: () => crossings > 0 && crossings < Infinity,
    dieAt: (left) => {
      crossings = left
    },
    journalled: (device) => left.get(device) ?? read(device),
    busy(ms) {
      isStalled = true
      far.clock.after(ms, () => {
        isStalled = false
        work()
      })
    },
    isQuiet: () => takesAll() && waiting.length === 0,
    async stop() {
      isStalled = false
      work()
      const stopped = Promise.all([...runners.keys()].map(pause))
      // It may die over it.
      await Promise.race([stopped, death.promise])
      die()
    },
    runner: (id) => runners.get(id),
  }
}

/** Each request carries its place in the order to the wire. */
function placed(pacer: Pacer, place: () => number): Pacer {
  return {
    ...pacer,
    run(request) {
      const asked = place()
      return pacer.run({ ...request, send: (ask) => askedAt.run(asked, () => request.send(ask)) })
    },
  }
}
