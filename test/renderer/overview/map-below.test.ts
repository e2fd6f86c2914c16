import { expect, test } from 'vitest'
import { mapBelow } from '../../../src-renderer/overview/place/map-below.ts'
import type { FleetMap } from '../../../src-renderer/overview/map/use-map.ts'

const map: FleetMap = {
  layout: 'x',
  places: {
    kind: 'site',
    groups: [
      { id: 'r:1', kind: 'region', name: 'EU-1', parent: null },
      { id: 't:a', kind: 'tenant', name: 'Acme', parent: 0 },
      { id: 'a:a', kind: 'account', name: 'North', parent: 1 },
      { id: 't:b', kind: 'tenant', name: 'Beta', parent: 0 },
    ],
    tiles: [
      { id: 's:b', name: 'Bonn', group: 3 },
      { id: 's:1', name: 'Berlin', group: 2 },
      { id: 's:2', name: 'Bremen', group: 1 },
    ],
    leftOut: 0,
  },
  counts: [9, 9, 9, 1, 2, 3, 4, 0, 0],
  devices: [27, 6, 4],
  watched: [0, 2],
}

test('a tenant has the sites of its accounts too, with their counts and marks', () => {
  const below = mapBelow(map, 't:a')
  expect(below?.path.map(({ name }) => name)).toEqual(['EU-1', 'Acme'])
  expect(below?.map.places.tiles.map(({ name }) => name)).toEqual(['Berlin', 'Bremen'])
  expect(below?.map).toMatchObject({ counts: [1, 2, 3, 4, 0, 0], devices: [6, 4], watched: [1] })
  expect(below?.counts).toEqual({ offline: 5, unknown: 2, online: 3 })
})

test('a site that is a tile has itself, and a place that is not in the map has nothing', () => {
  const below = mapBelow(map, 's:1')
  expect(below?.path.map(({ name }) => name)).toEqual(['EU-1', 'Acme', 'North', 'Berlin'])
  expect(below?.counts).toEqual({ offline: 1, unknown: 2, online: 3 })
  expect(mapBelow(map, 's:9')).toBeNull()
})
