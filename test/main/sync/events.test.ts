import { expect, test } from 'vitest'
import type { Change } from '../../../src-main/inventory/thread/change.ts'
import type { LiveEvent } from '../../../src-main/inventory/thread/update-protocol.ts'
import { createEventQueues } from '../../../src-main/sync/events/events.ts'
import { FaultError, type Fault } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

const event = (order: number): LiveEvent => ({
  id: `d${order}`,
  tenant: 't',
  connected: false,
  name: null,
  order,
  at: order,
})
const change: Change = {
  base: 0,
  rev: 1,
  totals: { connected: 0, disconnected: 0, unknown: 0 },
  devices: [],
  many: false,
  structure: false,
  transitions: [],
}

function setup(commit: (events: LiveEvent[]) => Promise<void>, publish: () => void = () => {}) {
  const publishFaults: (Fault | null)[] = []
  const lost: string[][] = []
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
    publish() {
      published += 1
      publish()
    },
    onPublishFault: (fault) => publishFaults.push(fault),
    onLost: (ids) => lost.push([...ids]),
    onFault: (fault, count) => {
      faults.push(fault)
      waiting = count
    },
  })
  return { clock, queue, written, faults, publishFaults, lost, published: () => published, waiting: () => waiting }
}

test('the first is written at once, later ones together, in order', async () => {
  const sizes: number[] = []
  const { queue, written, published } = setup(async (events) => {
    sizes.push(events.length)
  })
  for (let order = 1; order <= 5; order += 1) queue.push(event(order))
  await settle()
  expect(written).toEqual([1, 2, 3, 4, 5])
  expect(sizes).toEqual([1, 4])
  expect(published()).toBe(2)
})

test('a full disk loses nothing: events wait as a fault and are written in order later', async () => {
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

test('a queue that stops writes its events once, and drops those the disk rejects', async () => {
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

test('events of one service are written in one order, and a page waits for earlier events', async () => {
  const clock = manualClock()
  const written: number[] = []
  let full = true
  const queues = createEventQueues()
  const [one, other] = [1, 2].map(() =>
    queues.start({
      service: 's',
      clock,
      publish: () => {},
      onFault: () => {},
      onPublishFault: () => {},
      onLost: () => {},
      async commit(events) {
        if (full) throw new FaultError('storage', 'disk full')
        written.push(...events.map(({ order }) => order))
        return change
      },
    }),
  )
  one?.push(event(1))
  await settle()
  await clock.advance(1_000)
  other?.push(event(2))
  one?.push(event(3))
  const pages: string[] = []
  for (const order of [0, 2, 4])
    void queues.writtenBefore(order).then(() => pages.push(`page ${order} over ${written.join()}`))
  await settle()
  expect(pages).toEqual(['page 0 over '])
  full = false
  await clock.advance(1_000)
  expect(written).toEqual([1, 2, 3])
  expect(pages).toEqual(['page 0 over ', 'page 2 over 1,2,3', 'page 4 over 1,2,3'])
})

test('events that a stopped connection could not write are written by another of its service', async () => {
  const clock = manualClock()
  const written: number[] = []
  let full = true
  const queues = createEventQueues()
  const start = (service: string) =>
    queues.start({
      service,
      clock,
      publish: () => {},
      onFault: () => {},
      onPublishFault: () => {},
      onLost: () => {},
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

test('when all connections stop and the disk rejects their events, nobody waits for them', async () => {
  const clock = manualClock()
  const queues = createEventQueues()
  const [one, other] = [1, 2].map(() =>
    queues.start({
      service: 's',
      clock,
      publish: () => {},
      onFault: () => {},
      onPublishFault: () => {},
      onLost: () => {},
      commit: async () => Promise.reject(new FaultError('storage', 'disk full')),
    }),
  )
  one?.push(event(1))
  other?.push(event(2))
  await settle()
  const page = queues.writtenBefore(3).then(() => 'on it goes')
  await Promise.all([one?.stop(), other?.stop()])
  expect([await page, clock.pending()]).toEqual(['on it goes', 0])
})

test('an error behind the commit is reported, and the committed events are not entered again', async () => {
  let fails = true
  const { clock, queue, written, publishFaults } = setup(
    async () => {},
    () => {
      if (fails) throw new RangeError('Maximum call stack size exceeded')
    },
  )
  queue.push(event(1))
  await settle()
  await clock.advance(60_000)
  expect([written, publishFaults]).toEqual([[1], [{ kind: 'internal', detail: 'RangeError' }]])
  fails = false
  queue.push(event(2))
  await settle()
  expect([written, publishFaults.at(-1), queue.isWritten()]).toEqual([[1, 2], null, true])
})

test('a batch with an unknown result is not written twice: its devices are reconciled', async () => {
  let tries = 0
  const { clock, queue, written, lost, faults } = setup(async () => {
    tries += 1
    if (tries === 1) throw new FaultError('internal', 'the data thread has ended')
  })
  queue.push(event(1))
  queue.push(event(2))
  await settle()
  await clock.advance(60_000)
  expect([written, lost, tries, faults.map((fault) => fault?.kind)]).toEqual([
    [2],
    [['d1']],
    2,
    ['internal', undefined],
  ])
})

test('a write takes a batch at most, and a stopped connection’s rest is written', async () => {
  const sizes: number[] = []
  const { queue } = setup(async (events) => {
    sizes.push(events.length)
  })
  for (let order = 1; order <= 1_401; order += 1) queue.push(event(order))
  await queue.stop()
  expect(sizes).toEqual([1, 500, 500, 400])
})

test('a full queue keeps two events of a device, and reports the lost after all is written', async () => {
  const gate = Promise.withResolvers<void>()
  const { queue, written, lost } = setup(() => gate.promise)
  for (let order = 1; order <= 20_000; order += 1) queue.push({ ...event(order), id: 'loud' })
  for (const order of [20_001, 20_002, 20_003, 20_004]) queue.push({ ...event(order), id: 'quiet' })
  queue.push({ ...event(20_005), id: 'loud' })
  expect(lost).toEqual([])
  gate.resolve()
  await queue.stop()
  expect([written.length, written.at(-1)]).toEqual([20_002, 20_002])
})

test('a device’s lost events stay lost until all before them is written', async () => {
  const gate = Promise.withResolvers<void>()
  let commits = 0
  const { queue, written, lost } = setup(async () => {
    commits += 1
    if (commits > 2) await gate.promise
  })
  for (let order = 1; order <= 20_001; order += 1) queue.push({ ...event(order), id: 'loud' })
  await settle()
  expect(written).toHaveLength(501)
  queue.push({ ...event(20_002), id: 'loud' })
  gate.resolve()
  await settle()
  expect([written.length, lost]).toEqual([20_000, [['loud']]])
})

test('an event lost to a full queue is reported, and the next event of its device is written', async () => {
  const gate = Promise.withResolvers<void>()
  const { queue, written, lost } = setup(() => gate.promise)
  for (let order = 1; order <= 20_001; order += 1) queue.push({ ...event(order), id: 'loud' })
  gate.resolve()
  await settle()
  expect([written.length, lost]).toEqual([20_000, [['loud']]])
  queue.push({ ...event(20_002), id: 'loud' })
  await settle()
  expect([written.at(-1), lost.length]).toEqual([20_002, 1])
})

test('an unreadable part of a device is reported within a second, once for each', async () => {
  const { clock, queue, lost } = setup(async () => {})
  for (const id of ['a', 'b', 'a']) queue.giveUp(id)
  await clock.advance(1_000)
  expect([lost, clock.pending()]).toEqual([[['a', 'b']], 0])
})

test('during a flood lost events are reported once a second, however many batches are written', async () => {
  let write = Promise.withResolvers<void>()
  const { clock, queue, written, lost } = setup(() => write.promise)
  const writeOne = async () => {
    const { resolve } = write
    write = Promise.withResolvers()
    resolve()
    await settle()
  }
  let order = 0
  const push = (id: string) => queue.push({ ...event((order += 1)), id })
  // Each has one more event than can wait, and its last one is among the first that are written.
  for (let at = 0; at < 20_000; at += 1) push(`d${at % 10_000}`)
  for (let at = 0; at < 10_000; at += 1) push(`d${at}`)
  for (let batch = 0; batch < 30; batch += 1) await writeOne()
  expect([written.length, lost]).toEqual([14_501, []])
  await clock.advance(1_000)
  expect([lost.length, lost[0]?.length]).toEqual([1, 4_501])
  await writeOne()
  expect(lost).toHaveLength(1)
  await clock.advance(1_000)
  expect([lost.length, lost[1]?.length]).toEqual([2, 500])
  for (let batch = 0; batch < 10; batch += 1) await writeOne()
  // Nothing waits any more: nobody has to wait for the rest either.
  expect([written.length, lost.flat().length, lost.length]).toEqual([20_000, 10_000, 3])
})
