import { createDialect } from '../../../src-main/api/dialect.ts'
import { createTurns } from '../../../src-main/api/event-loop-turns.ts'
import { startClient } from '../../../src-main/connections/client.ts'
import { startRunner, type Runner } from '../../../src-main/connections/runner.ts'
import type { Ports } from '../../../src-main/ports.ts'
import { callsOn, type Calls } from '../../../src-main/inventory/thread/calls.ts'
import type { InventoryData } from '../../../src-main/inventory/thread/protocol.ts'
import { closeStore } from '../../../src-main/inventory/store.ts'
import { createSocketHistory } from '../../../src-main/live/history.ts'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { createDeduplicator } from '../../../src-main/sync/events/deduplicator.ts'
import { createEventQueues } from '../../../src-main/sync/events/events.ts'
import { createAssignments } from '../../../src-main/sync/assignments/assignments.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { newDisk } from '../missed/disk.ts'
import type { Far } from './far.ts'

/** One connection of the console, from fetch and dial to its journal: everything from the runner down is the real thing. */
export interface Near {
  calls: Calls
  runner: Runner
  stop(): Promise<void>
}

export const service = 's'

/** `from`: a profile of empty files. */
export function startNear(far: Far, clock: Clock, random: () => number, from: string, refreshMs: number): Near {
  const disk = newDisk(from)
  const store = disk.open(() => {}, clock.now())
  const calls = callsOn(store)
  const data = Object.fromEntries(
    Object.entries(calls).map(([name, run]) => [
      name,
      async (input: never) => (run as (given: never) => unknown)(input),
    ]),
  ) as unknown as InventoryData
  const pacer = startPacer({
    clock,
    random,
    policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  let place = 0
  const record = {
    id: 'c',
    name: 'c',
    tokenUrl: 'https://far.test/oauth/token',
    graphqlUrl: 'https://far.test/graphql',
    subscriptionUrl: 'wss://far.test/graphql',
    clientId: far.pair.clientId,
    ca: '',
    subscription: '',
  }
  const client = startClient({
    record,
    ports: { network: { open: () => far.link }, clock, log: () => {} } as unknown as Ports,
    pacer,
    dialect: createDialect(),
    turns: createTurns(),
    secret: async () => far.pair.clientSecret,
    random,
  })
  const runner = startRunner({
    client,
    record,
    data,
    service,
    credentials: 'k',
    place: () => 0,
    refreshMs: () => refreshMs,
    urgentKeys: () => [],
    assignments: createAssignments(),
    deduplicator: createDeduplicator(clock),
    queues: createEventQueues(),
    order: () => (place += 1),
    isTimeLost: () => false,
    lastReadingAt: null,
    onSchema: () => {},
    access: { clientId: '', onRead: () => {} },
    places: { onChange: () => {} },
    columns: { readAt: () => ({}), onRead: () => {}, onChange: () => {} },
    history: createSocketHistory(clock),
    publish: () => {},
    onState: () => {},
  })
  return {
    calls,
    runner,
    async stop() {
      client.end()
      await runner.stop()
      pacer.stop()
      closeStore(store)
      disk.remove()
    },
  }
}
