import { expect, test } from 'vitest'
import { planStreams, roomsOfStream } from '../../../src-main/occupancy/plan.ts'

const tenant = (key: string, count: number) => ({
  key,
  id: key,
  node: `t:${key}`,
  name: key,
  rooms: Array.from({ length: count }, (_, n) => ({
    id: `m:${key}${n}`,
    ref: `${n}`,
    name: '',
    site: '',
    capacity: null,
  })),
})

test('a tenant with many rooms has several subscriptions, the largest tenants come first', () => {
  const plan = planStreams([{ id: 'c', tenants: [tenant('small', 3), tenant('large', 1200), tenant('none', 0)] }]).get(
    'c',
  )
  expect(plan?.streams.map(({ key, rooms }) => [key, rooms.size])).toEqual([
    ['c large 0', roomsOfStream],
    ['c large 1', roomsOfStream],
    ['c large 2', 200],
    ['c small 0', 3],
  ])
  expect([plan?.tenants, plan?.leftOut]).toEqual([2, 0])
})

test('a tenant of several connections is streamed once, and what is beyond the limit is counted', () => {
  const many = Array.from({ length: 25 }, (_, n) => tenant(`t${n}`, 1))
  const plans = planStreams([
    { id: 'one', tenants: many },
    { id: 'two', tenants: [tenant('t0', 1), tenant('other', 1)] },
  ])
  expect([plans.get('one')?.streams.length, plans.get('one')?.leftOut]).toEqual([20, 5])
  expect(plans.get('two')?.streams.map(({ tenant: { key } }) => key)).toEqual(['other'])
})
