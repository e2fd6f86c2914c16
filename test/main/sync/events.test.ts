import { expect, test } from 'vitest'
import type { Change, LiveEvent } from '../../../src-main/data/protocol.ts'
import { createEventQueues } from '../../../src-main/sync/events.ts'
import { FaultError, type Fault } from '../../../src-shared/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

const event = (order: number): LiveEvent => ({ id: `d${order}`, tenant: 't', connected: false, name: null, order, at: order })
const change: Change = { base: 0, rev: 1, totals: { connected: 0, disconnected: 0, unknown: 0 }, devices: [], many: false, structure: false, transitions: [] }

function setup(commit: (events: LiveEvent[]) => Promise<void>) {
  const clock = manualClock()
  const written: number[] = []
  const faults: (Fault | null)[] = []
  let waiting = 0
  let published = 0
  const queue = createEventQueues().start({
    service: 's',
    clock,
    async commit(events) {
      await commit(events)
      written.push(...events.map(({ order }) => order))
      return change
    },
    publish: () => { published += 1 },
    onFault: (fault, count) => {
      faults.push(fault)
      waiting = count
    },
  })
  return { clock, queue, written, faults, published: () => published, waiting: () => waiting }
}

test('the first goes at once, what comes meanwhile goes together, in order', async () => {
  const sizes: number[] = []
  const { queue, written, published } = setup(async (events) => { sizes.push(events.length) })
  for (let order = 1; order <= 5; order += 1) queue.push(event(order))
  await settle()
  expect(written).toEqual([1, 2, 3, 4, 5])
  expect(sizes).toEqual([1, 4])
  expect(published()).toBe(2)
})

test('a full disk loses nothing: events wait, are told as a fault, and are written in order when there is room', async () => {
  let full = true
  let tries = 0
  const { clock, queue, written, faults, published, waiting } = setup(async () => {
    tries += 1
    if (full) throw new FaultError('storage', 'disk full')
  })
  for (let order = 1; order <= 50; order += 1) queue.push(event(order))
  await settle()
  expect([written, published(), tries]).toEqual([[], 0, 1])
  // One try in its time, however many events come meanwhile.
  expect(clock.pending()).toBe(1)
  await clock.advance(2_000)
  expect([tries, waiting(), clock.pending()]).toEqual([2, 50, 1])
  expect(faults.at(-1)?.kind).toBe('storage')
  full = false
  await clock.advance(2_000)
  expect(written).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  expect(faults.at(-1)).toBeNull()
})

test('a stopped queue writes nothing more', async () => {
  const { queue, written } = setup(async () => {})
  void queue.stop()
  queue.push(event(1))
  await settle()
  expect(written).toEqual([])
})

test('a queue that stops writes what it has heard first, once, and gives up what the disk refuses', async () => {
  const gate = Promise.withResolvers<void>()
  const { queue, written } = setup(() => gate.promise)
  for (let order = 1; order <= 3; order += 1) queue.push(event(order))
  const stopped = queue.stop()
  gate.resolve()
  await stopped
  expect(written).toEqual([1, 2, 3])

  const full = setup(async () => Promise.reject(new FaultError('storage', 'disk full')))
  full.queue.push(event(1))
  await full.queue.stop()
  expect([full.written, full.clock.pending()]).toEqual([[], 0])
})

test('what connections of one service hear is written in one order, and a page waits for what came in before it was asked for', async () => {
  const clock = manualClock()
  const written: number[] = []
  let full = true
  const queues = createEventQueues()
  const [one, other] = [1, 2].map(() => queues.start({
    service: 's', clock, publish: () => {}, onFault: () => {},
    async commit(events) {
      if (full) throw new FaultError('storage', 'disk full')
      written.push(...events.map(({ order }) => order))
      return change
    },
  }))
  one?.push(event(1))
  await settle()
  await clock.advance(1_000)
  other?.push(event(2))
  one?.push(event(3))
  const pages: string[] = []
  for (const order of [0, 2, 4]) void queues.writtenBefore(order).then(() => pages.push(`page ${order} over ${written.join()}`))
  await settle()
  expect(pages).toEqual(['page 0 over '])
  full = false
  await clock.advance(1_000)
  expect(written).toEqual([1, 2, 3])
  expect(pages).toEqual(['page 0 over ', 'page 2 over 1,2,3', 'page 4 over 1,2,3'])
})

test('what one connection has heard and cannot write when it goes, another one of the service writes', async () => {
  const clock = manualClock()
  const written: number[] = []
  let full = true
  const queues = createEventQueues()
  const start = (service: string) => queues.start({
    service, clock, publish: () => {}, onFault: () => {},
    async commit(events) {
      if (full) throw new FaultError('storage', 'disk full')
      written.push(...events.map(({ order }) => order))
      return change
    },
  })
  const [one, other, elsewhere] = [start('s'), start('s'), start('t')]
  one.push(event(1))
  other.push(event(2))
  one.push(event(3))
  await settle()
  await one.stop()
  expect([one.isWritten(), other.isWritten(), elsewhere.isWritten()]).toEqual([false, false, true])
  full = false
  await clock.advance(2_000)
  expect([written, other.isWritten()]).toEqual([[1, 2, 3], true])
})

test('when all connections of a service go at once and the disk refuses what they heard, nobody waits for it any more', async () => {
  const clock = manualClock()
  const queues = createEventQueues()
  const [one, other] = [1, 2].map(() => queues.start({
    service: 's', clock, publish: () => {}, onFault: () => {}, commit: async () => Promise.reject(new FaultError('storage', 'disk full')),
  }))
  one?.push(event(1))
  other?.push(event(2))
  await settle()
  const page = queues.writtenBefore(3).then(() => 'on it goes')
  await Promise.all([one?.stop(), other?.stop()])
  expect([await page, clock.pending()]).toEqual(['on it goes', 0])
})
