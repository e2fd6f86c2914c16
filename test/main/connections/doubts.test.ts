import { afterEach, expect, test } from 'vitest'
import { createDialect } from '../../../src-main/api/dialect.ts'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { startClient } from '../../../src-main/connections/client.ts'
import { startRunner } from '../../../src-main/connections/runner.ts'
import { callsOn } from '../../../src-main/inventory/thread/calls.ts'
import type { InventoryData } from '../../../src-main/inventory/thread/protocol.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import type { Ports } from '../../../src-main/ports.ts'
import { createSocketHistory } from '../../../src-main/live/history.ts'
import { detectSleep } from '../../../src-main/live/transport/sleep-detection.ts'
import { createDeduplicator } from '../../../src-main/sync/events/deduplicator.ts'
import { createEventQueues } from '../../../src-main/sync/events/events.ts'
import { createAssignments } from '../../../src-main/sync/assignments/assignments.ts'
import type { Check } from '../../../src-shared/model/connection.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'
import { smallService } from './small-service.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const record = {
  id: 'c1',
  name: 'Acme',
  tokenUrl: 'https://acme.test/token',
  graphqlUrl: 'https://acme.test/graphql',
  subscriptionUrl: 'wss://acme.test/graphql',
  clientId: 'me',
  ca: '',
  subscription: '',
  portal: '',
  paused: false,
}

/** A connection that has read everything, listens, and runs on the test's clock. */
async function running() {
  const clock = manualClock()
  const service = smallService(clock)
  const calls = callsOn(openStore(temporaryProfile(leftovers), 1, clock.now()))
  leftovers.push(() => calls.close(undefined))
  const data = Object.fromEntries(
    Object.entries(calls).map(([name, run]) => [
      name,
      async (input: never) => (run as (given: never) => unknown)(input),
    ]),
  ) as unknown as InventoryData
  const ports = { network: { open: () => service.link }, clock, log: () => {} } as unknown as Ports
  const pacer = startPacer({
    clock,
    random: () => 0,
    policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  leftovers.push(() => pacer.stop())
  let order = 0
  const client = startClient({
    record,
    ports,
    pacer,
    dialect: createDialect(),
    turns: async () => {},
    secret: async () => 's3cret',
    random: () => 1,
  })
  const runner = startRunner({
    client,
    record,
    service: 's',
    assignments: createAssignments(),
    deduplicator: createDeduplicator(clock),
    queues: createEventQueues(),
    credentials: 'c1',
    place: () => 0,
    refreshMs: () => 30 * 60_000,
    urgentKeys: () => [],
    isTimeLost: () => sleepDetection.check(),
    columns: { readAt: () => ({}), onRead: () => {}, onChange: () => {} },
    onSchema: () => {},
    access: { clientId: '', onRead: () => {} },
    places: { onChange: () => {} },
    data,
    order: () => (order += 1),
    lastReadingAt: null,
    history: createSocketHistory(clock),
    publish: () => {},
    onState: () => {},
  })
  leftovers.push(async () => {
    client.end()
    await runner.stop()
  })
  const { sync } = runner
  const sleepDetection = detectSleep(clock, (_ms, lastGoodAt) => sync.loseTime(lastGoodAt))
  leftovers.push(() => sleepDetection.stop())
  /** Lets time pass and answers each Ping. */
  const pass = async (ms: number, answers = true) => {
    for (let left = ms; left > 0; left -= 500) {
      await clock.advance(Math.min(left, 500))
      if (answers) for (const far of service.fars) far.say({ type: 'pong' })
      await settle()
    }
  }
  const acknowledge = async () => {
    const far = service.fars.at(-1)
    if (far === undefined) throw new Error('nothing was dialled')
    far.open()
    await settle()
    far.say({ type: 'connection_ack' })
    await pass(1_000)
    return far
  }
  await pass(500)
  const far = await acknowledge()
  await pass(2_000)
  const device = (id: string) => calls.device({ key: `s/a/${id}` }).device
  return {
    clock,
    service,
    sync,
    far,
    pass,
    acknowledge,
    device,
    statuses: () => ['d1', 'd2'].map((id) => device(id)?.row.status),
    doubts: () => sync.checks().filter(({ state }) => state === 'doubt'),
    compared: () => service.asked.filter((name) => name === 'States').length,
  }
}

const known = ['connected', 'disconnected']
const unknown = ['unknown', 'unknown']
const names = (checks: readonly Check[]) => checks.map(({ check }) => check)

test('when nothing is wrong all five checks say so', async () => {
  const { sync, doubts, statuses } = await running()
  expect(names(sync.checks())).toEqual(['link', 'token', 'heartbeat', 'clock', 'balance'])
  expect(doubts()).toEqual([])
  expect(statuses()).toEqual(known)
})

test('heartbeat: while a Pong is late nothing is down, and nothing is reconciled after it', async () => {
  const { clock, far, pass, doubts, statuses, compared } = await running()
  const before = compared()
  await pass(16_500, false)
  expect(doubts()).toEqual([
    {
      check: 'heartbeat',
      state: 'doubt',
      since: expect.any(Number),
      detail: 'The service has not yet answered the last Ping.',
    },
  ])
  expect(clock.now() - (doubts()[0]?.since ?? 0)).toBeGreaterThanOrEqual(4_000)
  expect(statuses()).toEqual(unknown)
  far.say({ type: 'pong' })
  await settle()
  expect(doubts()).toEqual([])
  expect(statuses()).toEqual(known)
  await pass(5_000)
  expect(compared()).toBe(before)
})

test('heartbeat: a drop while a Pong is late is reported by the event that proves the socket', async () => {
  const { far, pass, doubts, statuses, device } = await running()
  await pass(16_500, false)
  expect(statuses()).toEqual(unknown)
  far.say({
    type: 'next',
    id: far.subscriptions()[0],
    payload: { data: { deviceStream: { id: 'd1', tenantId: 'a', name: 'd1', connected: false } } },
  } as never)
  await settle()
  expect(doubts()).toEqual([])
  expect(statuses()).toEqual(['disconnected', 'disconnected'])
  expect(device('d1')?.transitions).toMatchObject([{ connected: false, notBefore: null }])
})

test('socket: a disconnected one is in doubt until it reopens, and unknown until reconciled', async () => {
  const { clock, service, far, pass, acknowledge, doubts, statuses, compared } = await running()
  const before = compared()
  far.close(1006)
  await settle()
  expect(doubts()).toEqual([
    {
      check: 'link',
      state: 'doubt',
      since: clock.now(),
      detail: 'The connection was cut before the answer was complete.',
    },
  ])
  expect(statuses()).toEqual(unknown)
  await pass(2_000)
  expect(service.fars).toHaveLength(2)
  await acknowledge()
  expect(doubts()).toEqual([])
  expect(compared()).toBe(before + 1)
  expect(statuses()).toEqual(known)
})

test('socket: an ended subscription hides its devices alone, and their drops have a true span', async () => {
  const { clock, service, far, pass, doubts, statuses, device } = await running()
  await pass(30_000)
  const endedAt = clock.now()
  far.say({ type: 'complete', id: far.subscriptions().at(-1) })
  await settle()
  expect(doubts()).toEqual([
    {
      check: 'link',
      state: 'doubt',
      since: endedAt,
      detail: 'The service has ended a subscription. Muster asks for it again.',
    },
  ])
  expect(statuses()).toEqual(unknown)
  service.devices.set('d1', false)
  await pass(3_000)
  expect(doubts()).toEqual([])
  expect(statuses()).toEqual(['disconnected', 'disconnected'])
  expect(device('d1')?.transitions).toEqual([
    { connected: false, notBefore: expect.any(Number), at: expect.any(Number) },
  ])
  expect(device('d1')?.transitions[0]?.notBefore).toBeLessThanOrEqual(endedAt)
})

test('token: two rejected tokens hide devices though live; a valid one reconciles all', async () => {
  const { service, sync, pass, doubts, statuses } = await running()
  service.wrong.takes = true
  sync.refresh(null)
  await pass(1_000)
  expect(names(doubts())).toEqual(['token'])
  expect(doubts()[0]).toMatchObject({
    detail: 'The service no longer accepts the access token.',
    since: expect.any(Number),
  })
  expect(sync.state().link.state).toBe('live')
  expect(statuses()).toEqual(unknown)
  service.wrong.takes = false
  const before = service.asked.length
  await pass(60_000)
  expect(doubts()).toEqual([])
  expect(service.asked.slice(before)).toContain('Devices')
  expect(statuses()).toEqual(known)
})

test('clock: lost time makes devices unknown until the service sends something again', async () => {
  const { clock, service, pass, acknowledge, doubts, statuses } = await running()
  clock.jump(-3_600_000)
  service.wrong.answers = true
  await clock.advance(5_000)
  expect(names(doubts())).toEqual(['link', 'clock'])
  expect(doubts()[1]?.since).toBeGreaterThan(clock.now() - 5_001)
  expect(statuses()).toEqual(unknown)
  await acknowledge()
  expect(doubts()).toEqual([])
  // What was heard by the clock that was ahead is no word of now.
  expect(statuses()).toEqual(unknown)
  service.wrong.answers = false
  await pass(60_000)
  expect(statuses()).toEqual(known)
})

test("clock: one that differs from the service's is reported and hides nothing", async () => {
  const { clock, service, sync, pass, doubts, statuses } = await running()
  service.wrong.date = clock.now() - 10 * 60_000
  sync.refresh(null)
  await pass(1_000)
  expect(doubts()).toEqual([
    {
      check: 'clock',
      state: 'doubt',
      since: expect.any(Number),
      detail: 'This computer’s clock is 10 minutes ahead of the service’s.',
    },
  ])
  expect(statuses()).toEqual(known)
  service.wrong.date = clock.now() + 4 * 60_000
  sync.refresh(null)
  await pass(1_000)
  expect(doubts()).toEqual([])
})

test('balance: while the reconciliation waits for points, the other devices stay unknown', async () => {
  const { clock, service, sync, far, pass, acknowledge, doubts, statuses } = await running()
  service.wrong.spentUntil = clock.now() + 50_000
  sync.refresh(null)
  await pass(1_000)
  far.close(1006)
  await pass(2_000)
  await acknowledge()
  expect(names(doubts())).toEqual(['balance'])
  expect(statuses()).toEqual(unknown)
  service.wrong.spentUntil = null
  await pass(60_000)
  expect(doubts()).toEqual([])
  expect(statuses()).toEqual(known)
})

test('a service without a stream is visible by polling, and reconciled after lost time', async () => {
  const { clock, service, sync, far, pass, acknowledge, doubts, statuses } = await running()
  const refuse = async (of: typeof far) => {
    of.say({
      type: 'error',
      id: of.subscriptions().at(-1),
      payload: [{ message: 'Cannot query field', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    } as never)
    await pass(3_000)
  }
  await refuse(far)
  expect([sync.state().link.state, doubts()]).toEqual(['polling', []])
  expect(statuses()).toEqual(known)
  sync.loseTime(clock.now())
  await settle()
  expect(statuses()).toEqual(unknown)
  await refuse(await acknowledge())
  expect(statuses()).toEqual(known)
  service.wrong.answers = true
  sync.refresh(null)
  await pass(1_000)
  expect(doubts()).toMatchObject([{ check: 'link', detail: 'The service answered with an error.' }])
  expect(statuses()).toEqual(unknown)
  service.wrong.answers = false
  await pass(60_000)
  expect(doubts()).toEqual([])
  expect(statuses()).toEqual(known)
})

test('after a break without a stream the unknown devices are reconciled at once', async () => {
  const { service, far, pass, doubts, statuses } = await running()
  far.close(1012)
  await pass(2_000)
  const again = service.fars.at(-1)
  again?.open()
  await settle()
  again?.say({ type: 'connection_ack' })
  await settle()
  again?.say({
    type: 'error',
    id: again.subscriptions().at(-1),
    payload: [{ message: 'Schema is not configured to execute subscription operation.' }],
  } as never)
  await pass(3_000)
  expect(doubts()).toEqual([])
  expect(statuses()).toEqual(known)
})

test('clock: an event right after a sleep is not dated as happening now', async () => {
  const { clock, service, far, pass, acknowledge, doubts, device } = await running()
  await pass(10_000)
  const asleep = clock.now()
  clock.jump(3_600_000)
  service.devices.set('d1', false)
  far.say({
    type: 'next',
    id: far.subscriptions()[0],
    payload: { data: { deviceStream: { id: 'd1', tenantId: 'a', name: 'd1', connected: false } } },
  } as never)
  await settle()
  expect(names(doubts())).toEqual(['link', 'clock'])
  expect(far.isClosed()).toBe(true)
  await acknowledge()
  expect(doubts()).toEqual([])
  const [dropped, ...more] = device('d1')?.transitions ?? []
  expect(more).toEqual([])
  expect(dropped?.notBefore).toBeLessThanOrEqual(asleep)
  expect(dropped?.at).toBeGreaterThanOrEqual(asleep + 3_600_000)
})
