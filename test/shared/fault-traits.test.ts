import { expect, test } from 'vitest'
import { faultKinds, proxyKinds } from '../../src-shared/model/fault.ts'
import { traitsOf, type FaultTraits } from '../../src-shared/model/fault-traits.ts'

const kindsThat = (holds: (traits: FaultTraits) => boolean) => faultKinds.filter((kind) => holds(traitsOf(kind)))

test('network faults pass, except a wrong protocol or certificate', () => {
  expect(kindsThat(({ again }) => again === 'soon').toSorted()).toEqual(
    ['name', 'connect', 'reset', 'timeout', ...proxyKinds].toSorted(),
  )
  expect(kindsThat(({ of, again }) => of === 'network' && again !== 'soon').toSorted()).toEqual([
    'abort',
    'protocol',
    'tls',
  ])
})

test('lasting faults come from an answer, and a definite rejection lasts', () => {
  expect(kindsThat(({ lasts, of }) => lasts !== null && of !== 'answer')).toEqual([])
  expect(kindsThat(({ rejects: level, lasts }) => level === 'surely' && lasts !== 'asked')).toEqual([])
  expect(kindsThat(({ lasts }) => lasts === 'reading').toSorted()).toEqual(['not-found', 'paging'])
})

test('without an answer of the service itself nothing was reached', () => {
  const network = kindsThat(({ of }) => of === 'network').filter((kind) => kind !== 'abort')
  expect(kindsThat(({ answered }) => !answered).toSorted()).toEqual([...network, 'http', 'unavailable'].toSorted())
})

test('a fault that may be charged is never free: a reset, a timeout, a partial answer', () => {
  for (const kind of ['reset', 'timeout', 'http', 'not-json', 'not-graphql', 'no-data', 'partial'] as const)
    expect(traitsOf(kind).uncharged, kind).toBe(false)
})

test('a fault that the pacer has waited for is not retried again', () => {
  expect([traitsOf('exhausted').again, traitsOf('unavailable').again]).toEqual(['no', 'no'])
})

test("every kind has an owner: faults of Muster itself do not blame the service's documents", () => {
  expect(faultKinds.filter((kind) => traitsOf(kind).of === 'muster' && traitsOf(kind).rejects !== null)).toEqual([])
})
