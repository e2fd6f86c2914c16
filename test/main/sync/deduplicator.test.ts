import { expect, test } from 'vitest'
import { createDeduplicator } from '../../../src-main/sync/events/deduplicator.ts'
import { manualClock } from '../../support/clock.ts'

function setup() {
  const clock = manualClock()
  const deduplicator = createDeduplicator(clock)
  const since = clock.now()
  return {
    clock,
    deduplicator,
    isDuplicate: (connection: string, content: string, from = since, socket = 1) =>
      deduplicator.isDuplicate({ device: 's d1', connection, socket, content, since: from }),
  }
}

test('each change counts once, whichever connection is ahead', () => {
  const { isDuplicate } = setup()
  expect([
    isDuplicate('c1', 'gone'),
    isDuplicate('c1', 'back'),
    isDuplicate('c2', 'gone'),
    isDuplicate('c2', 'back'),
    isDuplicate('c2', 'gone'),
    isDuplicate('c1', 'gone'),
  ]).toEqual([false, false, true, true, false, true])
})

test('a connection behind repeats old events, while another one is an event ahead', () => {
  const { isDuplicate } = setup()
  expect([
    isDuplicate('c1', 'gone'),
    isDuplicate('c1', 'back'),
    isDuplicate('c2', 'gone'),
    isDuplicate('c2', 'gone'),
    isDuplicate('c2', 'back'),
  ]).toEqual([false, false, true, true, true])
})

test('a reconnected connection sends new events, also equal to one that it sent before', async () => {
  const { clock, isDuplicate } = setup()
  expect([isDuplicate('c1', 'gone'), isDuplicate('c2', 'gone'), isDuplicate('c2', 'back')]).toEqual([
    false,
    true,
    false,
  ])
  await clock.advance(1_000)
  expect(isDuplicate('c1', 'gone', clock.now())).toBe(false)
})

test('after a gap the same event of a device is new: it may have changed twice', () => {
  const { deduplicator, isDuplicate } = setup()
  expect([isDuplicate('c1', 'back'), isDuplicate('c2', 'back')]).toEqual([false, true])
  deduplicator.markGap('c1', ['s d1'])
  deduplicator.markGap('c2', ['s d1'])
  expect([isDuplicate('c1', 'back'), isDuplicate('c2', 'back')]).toEqual([false, false])
})

test('a connection without a gap continues as before', async () => {
  const { clock, deduplicator, isDuplicate } = setup()
  expect(isDuplicate('c1', 'gone')).toBe(false)
  deduplicator.markGap('c1', ['s d1', 's d2'])
  expect(isDuplicate('c2', 'gone')).toBe(true)
  await clock.advance(1_000)
  expect([isDuplicate('c2', 'back'), isDuplicate('c1', 'back')]).toEqual([false, true])
})

test('the socket that takes over first repeats the events of the one before, then sends new ones', async () => {
  const { clock, isDuplicate } = setup()
  const [first, second] = [
    (content: string) => isDuplicate('c1', content, 0, 1),
    (content: string) => isDuplicate('c1', content, 0, 2),
  ]
  expect([first('gone'), first('back'), second('gone'), second('back')]).toEqual([false, false, true, true])
  expect([second('gone'), first('gone'), first('back'), second('back')]).toEqual([false, true, false, true])
  await clock.advance(1_000)
  const taken = clock.now()
  // It does not repeat events from before it took over.
  expect([isDuplicate('c1', 'gone', taken, 3), isDuplicate('c1', 'back', taken, 3)]).toEqual([false, false])
})

test('each socket scans a flood of one device once, however far it is behind', () => {
  let compared = 0
  const clock = manualClock()
  const deduplicator = createDeduplicator(clock, (one, other) => {
    compared += 1
    return one === other
  })
  const contents = Array.from({ length: 20_000 }, (_, at) => `event ${at}`)
  const isDuplicate = (socket: number) =>
    contents.filter((content) =>
      deduplicator.isDuplicate({ device: 's d1', connection: 'c1', socket, content, since: 0 }),
    )
  expect([isDuplicate(1).length, isDuplicate(2).length, isDuplicate(3).length]).toEqual([
    0,
    contents.length,
    contents.length,
  ])
  expect(compared).toBeLessThan(contents.length * 6)
})

test('of a long flood, at most half a minute is repeated', async () => {
  const { clock, isDuplicate } = setup()
  for (let second = 0; second < 100; second += 1) {
    expect(isDuplicate('c1', `event ${second}`)).toBe(false)
    await clock.advance(1_000)
  }
  expect([isDuplicate('c2', 'event 71'), isDuplicate('c2', 'event 99'), isDuplicate('c3', 'event 70')]).toEqual([
    true,
    true,
    false,
  ])
})
