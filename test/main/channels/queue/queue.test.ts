import { describe, expect, test } from 'vitest'
import { begin, deliveryOf, notificationOf } from '../../../support/deliveries.ts'
import { settle } from '../../../support/clock.ts'
import { accepted, later, never, openBench, waitingIn, type Bench } from './bench.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

describe('the order', () => {
  test('a message waits for the older one of its alert, and not for those of others', async () => {
    const it = openBench(({ id, attempts }) => (id === 'a1' && attempts === 0 ? later() : accepted))
    await it.add(deliveryOf('a1'), deliveryOf('a2'), deliveryOf('b1', { alert: 'i2' }))
    expect(it.sent).toEqual(['a1', 'b1'])
    await it.clock.advance(10 * second)
    expect(it.sent).toEqual(['a1', 'b1', 'a1', 'a2'])
    expect(it.states()).toEqual({ a1: 'sent', a2: 'sent', b1: 'sent' })
  })

  test('a message that failed for ever lets the next one of its alert go', async () => {
    const it = openBench(({ id }) => (id === 'a1' ? never : accepted))
    await it.add(deliveryOf('a1'), deliveryOf('a2'))
    expect([it.sent, it.states()]).toEqual([['a1', 'a2'], { a1: 'failed', a2: 'sent' }])
  })

  test('one message at a time goes to a channel, and another channel does not wait for it', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'), deliveryOf('b1', { alert: 'i2' }), deliveryOf('c1', { channel: 'mail' }))
    expect(it.sent).toEqual(['a1', 'c1'])
    await it.answer(accepted)
    expect(it.sent).toEqual(['a1', 'c1', 'b1'])
  })

  test('a result is in the journal before the next message is sent', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'), deliveryOf('a2'))
    it.disk.full = true
    await it.answer(accepted)
    expect(it.log).toEqual(['what became of messages to channels could not be stored yet'])
    expect(it.sent).toEqual(['a1', 'a2'])
  })

  test('a message that is due later is sent then, and not before', async () => {
    const it = openBench(() => accepted)
    await it.add(deliveryOf('a1', { dueAt: begin + 5 * minute, nextAt: begin + 5 * minute }))
    await it.clock.advance(5 * minute - 1)
    expect(it.sent).toEqual([])
    await it.clock.advance(1)
    expect(it.sent).toEqual(['a1'])
  })

  test('the end of an alert that was told does not wait for a message that is due tomorrow', async () => {
    const it = openBench(() => accepted)
    const tomorrow = begin + 24 * 60 * minute
    await it.add(
      deliveryOf('told', { action: 'trigger' }),
      deliveryOf('grown', { action: 'trigger', dueAt: tomorrow, nextAt: tomorrow, unlessTaken: true }),
      deliveryOf('end', { action: 'resolve' }),
    )
    expect(it.sent).toEqual(['told', 'end'])
  })
})

describe('versions of a message', () => {
  const version = (id: string, more = {}) => deliveryOf(id, { notification: notificationOf(), ...more })

  test('a newer one takes the place of one that waits', async () => {
    const it = openBench(({ attempts }) => (attempts === 0 ? later() : accepted))
    await it.add(version('v1'))
    await it.add(version('v2'))
    expect([it.sent, it.states()]).toEqual([['v1', 'v2'], { v1: 'dropped', v2: 'waiting' }])
    expect(it.journal.get('v1')).toMatchObject({ reason: 'A newer message about it took its place.', nextAt: null })
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([['v1', 'v2', 'v2'], { v1: 'dropped', v2: 'sent' }])
  })

  test('one that is being sent stays, and the newer one follows', async () => {
    const it = openBench()
    await it.add(version('v1'))
    await it.add(version('v2'))
    expect(it.sent).toEqual(['v1'])
    await it.answer(accepted)
    expect(it.sent).toEqual(['v1', 'v2'])
  })

  test('neither an end nor another notification takes the place of one', async () => {
    const it = openBench()
    await it.add(version('v0', { alert: 'i0' }))
    await it.add(
      version('v1', { action: 'trigger' }),
      version('v2', { action: 'resolve' }),
      deliveryOf('v3', { action: 'trigger' }),
      version('v4', { action: 'trigger', notification: notificationOf({ kind: 'recovered' }) }),
    )
    expect(it.queue.waiting('hook').map(({ id }) => id)).toEqual(['v0', 'v1', 'v2', 'v3', 'v4'])
  })
})

describe('what is not needed any more', () => {
  test('a message that was taken before it was due is dropped without a word', async () => {
    const it = openBench(() => accepted)
    it.obsolete.set('a1', 'Taken.')
    await it.add(deliveryOf('a1', { unlessTaken: true }), deliveryOf('a2'))
    expect([it.sent, it.states()]).toEqual([['a2'], { a1: 'dropped', a2: 'sent' }])
    expect(it.journal.get('a1')).toMatchObject({ reason: 'Taken.', attempts: 0, nextAt: null })
  })

  test('a message that is held waits with what begins in its alert; ends and others are sent', async () => {
    const it = openBench(() => accepted)
    it.held.add('a1')
    const end = deliveryOf('end', { begins: false, action: 'acknowledge' })
    await it.add(deliveryOf('a1'), deliveryOf('a2'), deliveryOf('b1', { alert: 'i2' }), end)
    await it.clock.advance(hour)
    expect(it.states()).toEqual({ a1: 'waiting', a2: 'waiting', b1: 'sent', end: 'sent' })
    it.held.clear()
    it.queue.review()
    await settle()
    expect(it.sent.slice(2)).toEqual(['a1', 'a2'])
  })

  test('one that must be sent, or was tried, is sent whoever took it', async () => {
    const it = openBench(({ attempts }) => (attempts === 0 ? later() : accepted))
    await it.add(deliveryOf('a1', { unlessTaken: true }), deliveryOf('b1', { alert: 'i2' }))
    it.obsolete.set('a1', 'Taken.').set('b1', 'Taken.')
    await it.clock.advance(minute)
    expect(it.states()).toEqual({ a1: 'sent', b1: 'sent' })
  })
})

describe('a server that asks for a wait', () => {
  test('is sent nothing meanwhile, and then one after the other', async () => {
    const it = openBench()
    await it.add(...['a', 'b', 'c'].map((id) => deliveryOf(id, { alert: id })))
    await it.answer(later(minute))
    await it.clock.advance(minute - 1)
    expect(it.sent).toEqual(['a'])
    await it.clock.advance(1)
    await it.answer(accepted)
    await it.answer(accepted)
    await it.answer(accepted)
    expect(it.states()).toEqual({ a: 'sent', b: 'sent', c: 'sent' })
    expect(it.sent).toHaveLength(4)
  })

  test('for very long is sent nothing for an hour', async () => {
    const it = openBench()
    await it.add(deliveryOf('a'), deliveryOf('b', { alert: 'b' }))
    await it.answer(later(5 * hour))
    await it.clock.advance(hour - 1)
    expect(it.sent).toEqual(['a'])
    await it.clock.advance(1)
    expect(it.sent).toHaveLength(2)
  })

  test('is asked at once where a failed message is tried again', async () => {
    const it = openBench()
    await it.add(deliveryOf('a'))
    await it.answer(later(hour))
    it.queue.again([deliveryOf('b', { alert: 'b' })])
    await settle()
    expect(it.sent).toEqual(['a', 'b'])
  })

  test('is not waited for longer by a clock that is set back', async () => {
    const it = openBench()
    await it.add(deliveryOf('a'))
    await it.answer(later(hour))
    it.clock.jump(-5 * hour)
    it.queue.review()
    await settle()
    expect(it.sent).toEqual(['a', 'a'])
  })

  test('is asked at once where the operator wants it, and holds up no other channel', async () => {
    const it = openBench()
    await it.add(deliveryOf('a'), deliveryOf('b', { alert: 'b' }), deliveryOf('c', { channel: 'mail' }))
    await it.answer(later(hour))
    expect(it.sent).toEqual(['a', 'c'])
    it.queue.wake('hook')
    await settle()
    expect(it.sent).toEqual(['a', 'c', 'a'])
  })
})

describe('wake', () => {
  test('sends at once what waits for another attempt, of that channel alone', async () => {
    const it = openBench(({ attempts }) => (attempts === 0 ? later() : accepted))
    await it.add(deliveryOf('a1'), deliveryOf('c1', { channel: 'mail' }))
    it.queue.wake('hook')
    await settle()
    expect(it.states()).toEqual({ a1: 'sent', c1: 'waiting' })
    it.queue.wake(null)
    await settle()
    expect(it.states()).toEqual({ a1: 'sent', c1: 'sent' })
  })

  test('leaves what is not due yet, and what is being sent', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'), deliveryOf('b1', { alert: 'i2', dueAt: begin + minute, nextAt: begin + minute }))
    it.queue.wake(null)
    await it.answer(accepted)
    expect(it.sent).toEqual(['a1'])
    await it.clock.advance(minute)
    expect(it.sent).toEqual(['a1', 'b1'])
  })
})

describe('drop', () => {
  test('ends what waits for a channel, and nothing of another', async () => {
    const it = openBench(() => later())
    await it.add(deliveryOf('a1'), deliveryOf('a2'), deliveryOf('c1', { channel: 'mail' }))
    await it.queue.drop('hook', 'Off.')
    expect(it.states()).toEqual({ a1: 'dropped', a2: 'dropped', c1: 'waiting' })
    expect(it.journal.get('a1')).toMatchObject({ reason: 'Off.', nextAt: null, settledAt: begin })
    expect(it.queue.waiting('hook')).toEqual([])
  })

  test('lets what is being sent end, and records that', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'))
    await it.queue.drop('hook', 'Off.')
    await it.answer(accepted)
    expect(it.states()).toEqual({ a1: 'sent' })
  })

  test('does not try again what was being sent and failed', async () => {
    let reason: string | null = null
    const it = openBench(undefined, { closed: () => reason })
    await it.add(deliveryOf('a1'))
    reason = 'Off.'
    await it.queue.drop('hook', reason)
    await it.answer(later())
    await it.clock.advance(60 * minute)
    expect(it.sent).toEqual(['a1'])
    expect(it.states()).toEqual({ a1: 'dropped' })
  })
})

describe('a failed message', () => {
  test('is sent once more', async () => {
    const it = openBench(({ attempts }) => (attempts === 0 ? never : accepted))
    await it.add(deliveryOf('a1'))
    const [failed] = [...it.journal.values()]
    if (failed === undefined) throw new Error('it is not there')
    it.queue.again([{ ...failed, state: 'waiting', nextAt: begin, settledAt: null }])
    await settle()
    expect([it.sent, it.states()]).toEqual([['a1', 'a1'], { a1: 'sent' }])
  })

  test('is sent once though it was asked twice, while the disk is full', async () => {
    const it = openBench(({ attempts }) => (attempts === 0 ? never : accepted))
    await it.add(deliveryOf('a1'))
    const again = { ...deliveryOf('a1'), attempts: 1 }
    it.disk.full = true
    for (let times = 0; times < 2; times += 1) it.queue.again([again])
    await it.clock.advance(minute)
    expect(it.sent).toEqual(['a1', 'a1'])
  })
})

describe('in a team', () => {
  const led = (...channels: string[]) => {
    const ids = new Set(channels)
    return { ids, more: { sends: (channel: string) => ids.has(channel), adds: false } }
  }
  const takeOver = (it: Bench) =>
    it.queue.pause(
      async () => {},
      async () => waitingIn(it.journal),
    )

  test('messages of a channel wait until this member sends them', async () => {
    const { ids, more } = led()
    const it = openBench(() => accepted, more)
    await it.add(deliveryOf('a1'))
    expect([it.sent, it.queue.waiting('hook')]).toEqual([[], []])
    ids.add('hook')
    await takeOver(it)
    await settle()
    expect([it.sent, it.states()]).toEqual([['a1'], { a1: 'sent' }])
  })

  test('of two versions that wait for the next sender the newer one is sent', async () => {
    const { ids, more } = led()
    const it = openBench(() => accepted, more)
    const notification = notificationOf()
    await it.add(deliveryOf('a1', { notification }), deliveryOf('a2', { notification }))
    ids.add('hook')
    await takeOver(it)
    await settle()
    expect([it.sent, it.states()]).toEqual([['a2'], { a1: 'dropped', a2: 'sent' }])
  })

  test('what was accepted while the lease ended is written once it is back, and not sent again', async () => {
    const { ids, more } = led('hook')
    const it = openBench(undefined, more)
    await it.add(deliveryOf('a1'))
    ids.delete('hook')
    await takeOver(it)
    await it.answer(accepted)
    await it.clock.advance(10 * minute)
    expect([it.sent, it.states()]).toEqual([['a1'], { a1: 'waiting' }])
    ids.add('hook')
    await takeOver(it)
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([['a1'], { a1: 'sent' }])
  })

  test('what another member settled meanwhile stays as it says', async () => {
    const { ids, more } = led('hook')
    const it = openBench(undefined, more)
    await it.add(deliveryOf('a1'))
    ids.delete('hook')
    await takeOver(it)
    await it.answer(later())
    it.journal.set('a1', { ...deliveryOf('a1'), state: 'sent' })
    ids.add('hook')
    await takeOver(it)
    await it.clock.advance(60 * minute)
    expect([it.sent, it.states()]).toEqual([['a1'], { a1: 'sent' }])
  })
})

test('a review finds what is due after the clock was set forward', async () => {
  const it = openBench(() => accepted)
  await it.add(deliveryOf('a1', { dueAt: begin + 60 * minute, nextAt: begin + 60 * minute }))
  it.clock.jump(60 * minute)
  it.queue.review()
  await settle()
  expect(it.sent).toEqual(['a1'])
})

test('after the clock was set back the next attempt comes within the longest wait', async () => {
  const it = openBench(({ attempts }) => (attempts === 0 ? later() : accepted))
  await it.add(deliveryOf('a1'))
  it.clock.jump(-24 * 60 * minute)
  for (let passed = 0; passed < 20; passed += 1) {
    it.queue.review()
    await it.clock.advance(minute)
  }
  expect(it.sent).toEqual(['a1', 'a1'])
})
