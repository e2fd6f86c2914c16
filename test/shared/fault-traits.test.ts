import { expect, test } from 'vitest'
import { faultKinds, proxyKinds } from '../../src-shared/model/fault.ts'
import { kindsThat, traitsOf } from '../../src-shared/model/fault-traits.ts'

test('the network’s faults pass, but for a protocol or a certificate that is not the one', () => {
  expect(kindsThat(({ again }) => again === 'soon').toSorted()).toEqual(
    ['name', 'connect', 'reset', 'timeout', ...proxyKinds].toSorted(),
  )
  expect(kindsThat(({ of, again }) => of === 'network' && again !== 'soon').toSorted()).toEqual([
    'abort',
    'protocol',
    'tls',
  ])
})

test('what lasts comes of an answer, and what a service surely refuses lasts', () => {
  expect(kindsThat(({ lasts, of }) => lasts !== null && of !== 'answer')).toEqual([])
  expect(kindsThat(({ refuses, lasts }) => refuses === 'surely' && lasts !== 'asked')).toEqual([])
  expect(kindsThat(({ lasts }) => lasts === 'reading').toSorted()).toEqual(['not-found', 'paging'])
})

test('nothing was reached where no answer came, or only one of whoever stands before the service', () => {
  const network = kindsThat(({ of }) => of === 'network').filter((kind) => kind !== 'abort')
  expect(kindsThat(({ answered }) => !answered).toSorted()).toEqual([...network, 'http', 'unavailable'].toSorted())
})

test('what may be charged is never called free: a cut, a silence, an answer that broke off', () => {
  for (const kind of ['reset', 'timeout', 'http', 'not-json', 'not-graphql', 'no-data', 'partial'] as const)
    expect(traitsOf(kind).uncharged, kind).toBe(false)
})

test('what waits for points or for the service has waited in the pacer: nobody asks once more on top', () => {
  expect([traitsOf('exhausted').again, traitsOf('unavailable').again]).toEqual(['no', 'no'])
})

test('every kind is somebody’s: faults of Muster itself say nothing of a service’s documents', () => {
  expect(faultKinds.filter((kind) => traitsOf(kind).of === 'muster' && traitsOf(kind).refuses !== null)).toEqual([])
})
