import { expect, test } from 'vitest'
import { createOrders } from '../../../src-main/connections/orders.ts'
import { manualClock } from '../../support/clock.ts'

test('orders of a Muster on its own count', () => {
  const orders = createOrders(manualClock(), false)
  expect([orders.next(), orders.next()]).toEqual([1, 2])
})

test('orders of a member are of the time, and always rise', async () => {
  const clock = manualClock()
  const orders = createOrders(clock, true)
  const first = orders.next()
  expect(first).toBe(clock.now() * 1000)
  expect(orders.next()).toBe(first + 1)
  clock.jump(-5000)
  expect(orders.next()).toBe(first + 2)
  await clock.advance(10_000)
  expect(orders.next()).toBe(clock.now() * 1000)
})

test('they are higher than those of another member, whose clock may be ahead', () => {
  const clock = manualClock()
  const orders = createOrders(clock, true)
  const ahead = (clock.now() + 3800) * 1000
  orders.seen({ service: 's', requestOrder: ahead, devices: [] })
  expect(orders.next()).toBe(ahead + 1)
  orders.seen({ events: [{ order: ahead + 7 }, { order: ahead + 5 }, {}] })
  expect(orders.next()).toBe(ahead + 8)
  orders.seen({ requestOrder: ahead })
  expect(orders.next()).toBe(ahead + 9)
})

test.each([
  ['nothing', null],
  ['text', 'text'],
  ['no order', { requestOrder: 'x', events: 'y' }],
  ['no number', { requestOrder: Number.NaN, events: [null] }],
  ['an order of another century', { requestOrder: 1e300 }],
])('%s moves none', (_what, input) => {
  const clock = manualClock()
  const orders = createOrders(clock, true)
  orders.seen(input)
  expect(orders.next()).toBe(clock.now() * 1000)
})
