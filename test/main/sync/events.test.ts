import { expect, test } from 'vitest'
import type { Change, LiveEvent } from '../../../src-main/data/protocol.ts'
import { startEventQueue } from '../../../src-main/sync/events.ts'
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
  const queue = startEventQueue({
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
  queue.stop()
  queue.push(event(1))
  await settle()
  expect(written).toEqual([])
})
