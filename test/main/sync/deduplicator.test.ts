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
    tell: (connection: string, word: string, from = since, socket = 1) =>
      deduplicator.isDuplicate({ device: 's d1', connection, socket, word, since: from }),
  }
}

test('each change counts once, whichever connection is ahead', () => {
  const { tell } = setup()
  expect([
    tell('c1', 'gone'),
    tell('c1', 'back'),
    tell('c2', 'gone'),
    tell('c2', 'back'),
    tell('c2', 'gone'),
    tell('c1', 'gone'),
  ]).toEqual([false, false, true, true, false, true])
})

test('a connection behind repeats old events, while another one is an event ahead', () => {
  const { tell } = setup()
  expect([tell('c1', 'gone'), tell('c1', 'back'), tell('c2', 'gone'), tell('c2', 'gone'), tell('c2', 'back')]).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
})

test('a reconnected connection sends new events, also equal to one that it sent before', async () => {
  const { clock, tell } = setup()
  expect([tell('c1', 'gone'), tell('c2', 'gone'), tell('c2', 'back')]).toEqual([false, true, false])
  await clock.advance(1_000)
  expect(tell('c1', 'gone', clock.now())).toBe(false)
})

test('after a gap the same event of a device is new: it may have changed twice', () => {
  const { deduplicator, tell } = setup()
  expect([tell('c1', 'back'), tell('c2', 'back')]).toEqual([false, true])
  deduplicator.markGap('c1', ['s d1'])
  deduplicator.markGap('c2', ['s d1'])
  expect([tell('c1', 'back'), tell('c2', 'back')]).toEqual([false, false])
})

test('a connection without a gap continues as before', async () => {
  const { clock, deduplicator, tell } = setup()
  expect(tell('c1', 'gone')).toBe(false)
  deduplicator.markGap('c1', ['s d1', 's d2'])
  expect(tell('c2', 'gone')).toBe(true)
  await clock.advance(1_000)
  expect([tell('c2', 'back'), tell('c1', 'back')]).toEqual([false, true])
})

test('the socket that takes over first repeats the events of the one before, then sends new ones', async () => {
  const { clock, tell } = setup()
  const [first, second] = [(word: string) => tell('c1', word, 0, 1), (word: string) => tell('c1', word, 0, 2)]
  expect([first('gone'), first('back'), second('gone'), second('back')]).toEqual([false, false, true, true])
  expect([second('gone'), first('gone'), first('back'), second('back')]).toEqual([false, true, false, true])
  await clock.advance(1_000)
  const taken = clock.now()
  // What was told before it took over, it does not repeat.
  expect([tell('c1', 'gone', taken, 3), tell('c1', 'back', taken, 3)]).toEqual([false, false])
})

test('each socket scans a flood of one device once, however far it is behind', () => {
  let compared = 0
  const clock = manualClock()
  const deduplicator = createDeduplicator(clock, (one, other) => {
    compared += 1
    return one === other
  })
  const words = Array.from({ length: 20_000 }, (_, at) => `word ${at}`)
  const tell = (socket: number) =>
    words.filter((word) => deduplicator.isDuplicate({ device: 's d1', connection: 'c1', socket, word, since: 0 }))
  expect([tell(1).length, tell(2).length, tell(3).length]).toEqual([0, words.length, words.length])
  expect(compared).toBeLessThan(words.length * 6)
})

test('of a long flood, at most half a minute is repeated', async () => {
  const { clock, tell } = setup()
  for (let second = 0; second < 100; second += 1) {
    expect(tell('c1', `word ${second}`)).toBe(false)
    await clock.advance(1_000)
  }
  expect([tell('c2', 'word 71'), tell('c2', 'word 99'), tell('c3', 'word 70')]).toEqual([true, true, false])
})
