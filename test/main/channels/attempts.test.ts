import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterAttempt, isReplaced, nextOf } from '../../../src-main/channels/attempts.ts'
import type { Outcome } from '../../../src-main/channels/outcome.ts'
import { begin, deliveryOf, notificationOf } from '../../support/deliveries.ts'

const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const later = (waitMs: number | null = null): Outcome => ({ is: 'later', to: [], reason: 'Busy.', waitMs })

describe('the next message', () => {
  test('is the earliest, and of equal ones the oldest', () => {
    const rows = [
      deliveryOf('a', { alert: '1', nextAt: begin + 2 }),
      deliveryOf('b', { alert: '2', nextAt: begin + 1 }),
      deliveryOf('c', { alert: '3', nextAt: begin + 1 }),
    ]
    expect(nextOf(rows)?.id).toBe('b')
    expect(nextOf([])).toBeNull()
  })

  test('never has an older one of its alert before it', () => {
    const row = fc.record({ alert: fc.nat(3), nextAt: fc.nat(5) })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (given) => {
        const rows = given.map(({ alert, nextAt }, n) => deliveryOf(`m${n}`, { alert: `i${alert}`, nextAt }))
        const next = nextOf(rows)
        expect(rows.find(({ alert }) => alert === next?.alert)).toBe(next)
      }),
      { seed },
    )
  })
})

test('a newer version is of the same alert, action, kind and notification', () => {
  const one = deliveryOf('a', { notification: notificationOf() })
  const by = deliveryOf('b', { notification: notificationOf({ at: begin + 1 }) })
  expect(isReplaced(one, by)).toBe(true)
  expect(isReplaced(one, one)).toBe(false)
  const others = [
    { alert: 'i2' },
    { action: 'trigger' as const },
    { notification: notificationOf({ id: 'n2' }) },
    { notification: notificationOf({ kind: 'recovered' }) },
  ]
  for (const other of others) expect(isReplaced(one, { ...by, ...other })).toBe(false)
})

describe('after an attempt', () => {
  test('a message that was held is tried for three days from its first attempt on', () => {
    const now = begin + 10 * day
    const first = afterAttempt(deliveryOf('a'), later(), now, 0.5)
    expect([first.state, first.givenUpAt]).toEqual(['waiting', now + 3 * day])
    expect(afterAttempt(first, later(), now + day, 0.5).givenUpAt).toBe(now + 3 * day)
    expect(afterAttempt(first, later(), now + 3 * day, 0.5).state).toBe('failed')
  })

  test('an accepted message is settled, with who has it and the reason of others', () => {
    const outcome: Outcome = { is: 'sent', to: ['a@b'], reason: 'c@b: no.' }
    expect(afterAttempt(deliveryOf('a', { reason: 'Old.' }), outcome, begin + 7, 0.5)).toMatchObject({
      state: 'sent',
      attempts: 1,
      nextAt: null,
      settledAt: begin + 7,
      to: ['a@b'],
      reason: 'c@b: no.',
    })
  })

  test('a message that would be rejected again is given up, and keeps who has it', () => {
    const outcome: Outcome = { is: 'never', to: [], reason: 'No.' }
    expect(afterAttempt(deliveryOf('a', { to: ['a@b'] }), outcome, begin, 0.5)).toMatchObject({
      state: 'failed',
      nextAt: null,
      settledAt: begin,
      to: ['a@b'],
      reason: 'No.',
    })
  })

  test('the waits grow threefold from five seconds to a quarter of an hour', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 50].map((attempts) => {
      const { nextAt } = afterAttempt(deliveryOf('a', { attempts }), later(), begin, 0.5)
      return (nextAt ?? 0) - begin
    })
    expect(waits.map((ms) => ms / second)).toEqual([5, 15, 45, 135, 405, 900, 900, 900])
  })

  test('the waits differ by a quarter at most, whatever the chance and the number', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const { nextAt, state } = afterAttempt(deliveryOf('a', { attempts }), later(), begin, random)
        const usual = Math.min(900, 5 * 3 ** Math.min(attempts, 20)) * second
        expect(state).toBe('waiting')
        expect((nextAt ?? 0) - begin).toBeGreaterThanOrEqual(0.75 * usual)
        expect((nextAt ?? 0) - begin).toBeLessThanOrEqual(1.25 * usual)
      }),
      { seed },
    )
  })

  test('a wait that a server asks for is observed up to an hour, and never shortens the usual one', () => {
    const waits = [0, 1, 30, 3600, 7200, 10 ** 9].map((asked) => {
      const { nextAt } = afterAttempt(deliveryOf('a'), later(asked * second), begin, 0.5)
      return ((nextAt ?? 0) - begin) / second
    })
    expect(waits).toEqual([5, 5, 30, 3600, 3600, 3600])
  })

  test('a message is given up at its time', () => {
    const row = deliveryOf('a', { attempts: 100, dueAt: begin + day, givenUpAt: begin + 4 * day })
    const within = afterAttempt(row, later(), begin + 4 * day - 15 * minute, 0.5)
    expect(within).toMatchObject({ state: 'waiting', nextAt: begin + 4 * day })
    const after = afterAttempt(row, later(), begin + 4 * day - 15 * minute + 1, 0.5)
    expect(after).toMatchObject({ state: 'failed', nextAt: null, settledAt: begin + 4 * day - 15 * minute + 1 })
  })

  test('a message that was sent again on request after three days gets more than one attempt', () => {
    const again = deliveryOf('a', { attempts: 300, nextAt: begin + 4 * day, givenUpAt: begin + 7 * day })
    expect(afterAttempt(again, later(), begin + 4 * day, 0.5)).toMatchObject({ state: 'waiting' })
  })
})
