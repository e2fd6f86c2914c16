import { expect, test } from 'vitest'
import { acme, connection, fact, pageOf, service } from '../inventory/profile.ts'
import { useThread } from '../inventory/thread.ts'

const thread = useThread()
const at = (id: string, site: string, hardwareModel = 'X50') =>
  fact(id, { site: { id: site, name: site }, room: { id: `${site}-r`, name: 'Room' }, hardwareModel })
const facts = (version: string | null, now = 9000, tiles: 'site' | 'room' = 'site') =>
  thread.calls.overviewFacts({
    tiles,
    targets: version === null ? [] : [{ model: 'X50', version }],
    now,
  }).places

test('a site counts what is behind the target of its model, and what has a known version', () => {
  thread.calls.page(
    pageOf([at('a', 'Wien'), at('b', 'Wien'), at('c', 'Wien'), at('d', 'Wien', 'G7500'), at('e', 'Berlin')], {
      connection,
    }),
  )
  expect(facts('2.0').map(({ known, behind }) => [known, behind])).toEqual([
    [0, 0],
    [0, 0],
  ])
  thread.calls.extraColumns({ columns: [{ name: 'softwareVersion', type: 'text', services: [service] }] })
  for (const [id, softwareVersion] of [
    ['a', '1.9'],
    ['b', '2.0'],
    ['d', '1.0'],
    ['e', '1.10'],
  ] as const)
    thread.calls.extraValues({ service, tenant: acme.id, devices: [{ id, values: { softwareVersion } }] })
  const counts = (version: string | null) => facts(version).map(({ known, behind }) => [known, behind])
  expect(counts('2.0')).toEqual([
    [1, 1],
    [2, 1],
  ])
  expect(counts('1.10')).toEqual([
    [1, 0],
    [2, 1],
  ])
  expect(counts(null)).toEqual([
    [0, 0],
    [0, 0],
  ])
  expect(facts('2.0', 9000, 'room')).toHaveLength(2)
})

test('a site is as old as its oldest device, and one from the future has no negative age', () => {
  thread.calls.page(pageOf([at('a', 'Wien')], { connection, at: 1000 }))
  thread.calls.page(pageOf([at('b', 'Wien')], { connection, at: 5000 }))
  expect(facts(null, 9000).map(({ age }) => age)).toEqual([8000])
  expect(facts(null, 500).map(({ age }) => age)).toEqual([0])
})
