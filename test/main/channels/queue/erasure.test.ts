import { describe, expect, test } from 'vitest'
import { deliveryOf } from '../../../support/deliveries.ts'
import { settle } from '../../../support/clock.ts'
import { accepted, later, openBench, waitingIn, type Bench } from './bench.ts'

const minute = 60_000

/** Erases these ids while the queue is paused. `meanwhile` runs before the erasure. */
async function erase(it: Bench, ids: string[], meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  await it.queue.pause(
    async () => {
      await meanwhile()
      for (const id of ids) it.journal.delete(id)
    },
    async () => waitingIn(it.journal),
  )
  await settle()
}

describe('an erasure', () => {
  test('takes what waits with it, and what is left is sent', async () => {
    const it = openBench(({ attempts }) => (attempts === 0 ? later() : accepted))
    await it.add(deliveryOf('a1'), deliveryOf('b1', { alert: 'i2' }))
    await erase(it, ['a1'])
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([['a1', 'b1', 'b1'], { b1: 'sent' }])
  })

  test('nothing begins while it runs', async () => {
    const it = openBench(() => accepted)
    await erase(it, [], async () => {
      await it.add(deliveryOf('a1'))
      await it.clock.advance(minute)
      expect(it.sent).toEqual([])
    })
    expect([it.sent, it.states()]).toEqual([['a1'], { a1: 'sent' }])
  })

  test('of a message that is being sent lets its result not be written', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'))
    await erase(it, ['a1'])
    await it.answer(accepted)
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([['a1'], {}])
  })

  test('of a message that is being sent and fails lets it not be tried again', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'), deliveryOf('a2'))
    await erase(it, ['a1', 'a2'])
    await it.answer(later())
    await it.clock.advance(60 * minute)
    expect([it.sent, it.states()]).toEqual([['a1'], {}])
  })

  test('writes the result of another that is being sent, and sends it once', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'))
    await erase(it, [])
    await it.answer(accepted)
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([['a1'], { a1: 'sent' }])
  })

  test('a message that is accepted while it runs is not sent a second time', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'))
    await erase(it, [], () => it.answer(accepted))
    expect(it.asking()).toBe(0)
    expect([it.sent, it.states()]).toEqual([['a1'], { a1: 'sent' }])
  })

  test('a message that fails while it runs waits its time before the next attempt', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'))
    await erase(it, [], () => it.answer(later()))
    expect(it.sent).toEqual(['a1'])
    await it.clock.advance(minute)
    expect(it.sent).toEqual(['a1', 'a1'])
    await it.answer(accepted)
    expect(it.journal.get('a1')).toMatchObject({ state: 'sent', attempts: 2 })
  })

  test('what was accepted and not yet recorded is not written again once it is erased', async () => {
    const it = openBench(() => accepted)
    it.disk.full = true
    await it.add(deliveryOf('a1'))
    it.disk.full = false
    await erase(it, ['a1'])
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([['a1'], {}])
  })

  test('what failed and could not be recorded is tried again afterwards', async () => {
    const it = openBench(({ attempts }) => (attempts === 0 ? later() : accepted))
    it.disk.full = true
    await it.add(deliveryOf('a1'))
    it.disk.full = false
    await erase(it, [])
    await it.clock.advance(60 * minute)
    expect([it.sent, it.states()]).toEqual([['a1', 'a1'], { a1: 'sent' }])
  })

  test('beside another one lets nothing begin before both are over', async () => {
    const it = openBench(() => accepted)
    const second = Promise.withResolvers<void>()
    const erasing = it.queue.pause(
      () => second.promise,
      async () => waitingIn(it.journal),
    )
    await erase(it, [], () => it.add(deliveryOf('a1')))
    expect(it.sent).toEqual([])
    it.journal.delete('a1')
    second.resolve()
    await erasing
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([[], {}])
  })

  test('that fails lets everything be sent', async () => {
    const it = openBench(() => accepted)
    await expect(
      it.queue.pause(
        async () => {
          await it.add(deliveryOf('a1'))
          throw new Error('no')
        },
        async () => waitingIn(it.journal),
      ),
    ).rejects.toThrow('no')
    await settle()
    expect(it.states()).toEqual({ a1: 'sent' })
  })

  test('after which the journal cannot be read sends what the queue has', async () => {
    const it = openBench(({ attempts }) => (attempts === 0 ? later() : accepted))
    await it.add(deliveryOf('a1'))
    await it.queue.pause(
      async () => {},
      () => Promise.reject(new Error('no')),
    )
    await it.clock.advance(minute)
    expect(it.states()).toEqual({ a1: 'sent' })
    expect(it.log).toContain('messages to channels could not be read again')
  })
})

describe('a disk that rejects records', () => {
  test('has them later, and nothing is sent twice', async () => {
    const it = openBench(() => accepted)
    it.disk.full = true
    await it.add(deliveryOf('a1'), deliveryOf('a2'))
    await it.clock.advance(5 * minute)
    expect([it.sent, it.states()]).toEqual([['a1', 'a2'], { a1: 'waiting', a2: 'waiting' }])
    it.disk.full = false
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([['a1', 'a2'], { a1: 'sent', a2: 'sent' }])
  })

  test('is asked once more at the end', async () => {
    const it = openBench(() => accepted)
    it.disk.full = true
    await it.add(deliveryOf('a1'))
    it.disk.full = false
    await it.queue.stop()
    expect(it.states()).toEqual({ a1: 'sent' })
    expect(it.clock.pending()).toBe(0)
  })
})

describe('the end', () => {
  test('waits for what is being sent, records it and begins nothing', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'), deliveryOf('a2'))
    let stopped = false
    const ending = it.queue.stop().then(() => (stopped = true))
    await it.clock.advance(1_000)
    expect(stopped).toBe(false)
    await it.answer(accepted)
    await ending
    await it.clock.advance(minute)
    expect([it.sent, it.states()]).toEqual([['a1'], { a1: 'sent', a2: 'waiting' }])
  })

  test('gives up a server that hangs, and what was sent waits for the next start', async () => {
    const it = openBench()
    await it.add(deliveryOf('a1'))
    const ending = it.queue.stop()
    await it.clock.advance(2_000)
    await ending
    expect(it.journal.get('a1')).toMatchObject({ state: 'waiting', attempts: 1 })
    expect(it.clock.pending()).toBe(0)
  })

  test('leaves no timer', async () => {
    const it = openBench(() => later())
    await it.add(deliveryOf('a1'), deliveryOf('c1', { channel: 'mail' }))
    expect(it.clock.pending()).toBe(2)
    await it.queue.stop()
    expect(it.clock.pending()).toBe(0)
  })
})
