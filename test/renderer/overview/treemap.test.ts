import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  mapLayout,
  neighbour,
  pathOf,
  readingOrder,
  tileAt,
  type MapPlaces,
} from '../../../src-renderer/overview/map/layout.ts'
import { squarified, type Rect } from '../../../src-renderer/overview/map/treemap.ts'

const box: Rect = { x: 10, y: 20, width: 800, height: 400 }
const area = ({ width, height }: Rect) => width * height
const slack = 1e-6

const isInside = (inner: Rect, outer: Rect) =>
  inner.x >= outer.x - slack &&
  inner.y >= outer.y - slack &&
  inner.x + inner.width <= outer.x + outer.width + slack &&
  inner.y + inner.height <= outer.y + outer.height + slack

const overlap = (one: Rect, other: Rect) =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > slack &&
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) > slack

const overlaps = (rects: readonly Rect[]) =>
  rects.some((one, index) =>
    rects.slice(index + 1).some((other) => area(one) > 0 && area(other) > 0 && overlap(one, other)),
  )

describe('the treemap', () => {
  test('areas are in proportion to the weights, within the box, and never overlap', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000), { minLength: 1, maxLength: 60 }), (weights) => {
        const rects = squarified(weights, box)
        const sum = weights.reduce((all, weight) => all + weight, 0)
        rects.forEach((rect, index) => {
          const wanted = sum === 0 ? 0 : ((weights[index] ?? 0) / sum) * area(box)
          expect(Math.abs(area(rect) - wanted)).toBeLessThan(0.01)
          expect(isInside(rect, box)).toBe(true)
        })
        expect(overlaps(rects)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('equal weights are nearly square', () => {
    for (const { width, height } of squarified(
      Array.from({ length: 32 }, () => 1),
      box,
    ))
      expect(Math.max(width / height, height / width)).toBeLessThan(1.6)
  })

  test('a box or weights of nothing give nothing', () => {
    expect(squarified([1, 2], { ...box, width: 0 }).map(area)).toEqual([0, 0])
    expect(squarified([0, 0], box).map(area)).toEqual([0, 0])
    expect(squarified([], box)).toEqual([])
  })
})

/** Two regions; Acme has two accounts, and Beta has its site below itself. */
const places: MapPlaces = {
  kind: 'site',
  groups: [
    { id: 'r:eu', kind: 'region', name: 'EU-1', parent: null },
    { id: 't:acme', kind: 'tenant', name: 'Acme', parent: 0 },
    { id: 'a:north', kind: 'account', name: 'North', parent: 1 },
    { id: 'a:south', kind: 'account', name: 'South', parent: 1 },
    { id: 'r:us', kind: 'region', name: 'US-1', parent: null },
    { id: 't:beta', kind: 'tenant', name: 'Beta', parent: 4 },
  ],
  tiles: [
    { id: 's:1', name: 'Berlin', group: 2 },
    { id: 's:2', name: 'Hamburg', group: 2 },
    { id: 's:3', name: 'Roma', group: 3 },
    { id: 's:4', name: 'Austin', group: 5 },
    { id: 's:5', name: 'Empty', group: 5 },
  ],
  leftOut: 0,
}

describe('the layout of the map', () => {
  test('tiles lie in their groups, groups in theirs, and nothing overlaps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(900), { minLength: 5, maxLength: 5 }),
        fc.nat(1500),
        fc.nat(900),
        (devices, width, height) => {
          const whole = { x: 0, y: 0, width, height }
          const { groups, tiles } = mapLayout(places, devices, whole)
          places.groups.forEach(({ parent }, index) => {
            const { rect } = groups[index] ?? { rect: whole }
            if (area(rect) > 0) expect(isInside(rect, groups[parent ?? -1]?.rect ?? whole)).toBe(true)
          })
          tiles.forEach((rect, index) => {
            if (area(rect) > 0)
              expect(isInside(rect, groups[places.tiles[index]?.group ?? -1]?.rect ?? whole)).toBe(true)
          })
          expect(overlaps(tiles)).toBe(false)
        },
      ),
    )
  })

  test('tiles of one group keep the proportions of their devices, and one without devices has none', () => {
    const { tiles } = mapLayout(places, [300, 100, 50, 50, 0], box)
    expect(area(tiles[0] ?? box) / area(tiles[1] ?? box)).toBeCloseTo(3, 6)
    expect(readingOrder({ groups: [], tiles })).toEqual([0, 1, 2, 3])
  })

  test('a point is in the tile that is drawn there; arrow keys go on and stay at the edge', () => {
    const tiles = [0, 1, 2, 3].map((n) => ({ x: (n % 2) * 100, y: Math.floor(n / 2) * 100, width: 100, height: 100 }))
    const layout = { groups: [], tiles }
    expect([tileAt(layout, 50, 50), tileAt(layout, 150, 199), tileAt(layout, 200, 50)]).toEqual([0, 3, null])
    expect(neighbour(layout, 0, 'right')).toBe(1)
    expect(neighbour(layout, 1, 'down')).toBe(3)
    expect(neighbour(layout, 3, 'left')).toBe(2)
    expect(neighbour(layout, 2, 'up')).toBe(0)
    expect([neighbour(layout, 1, 'right'), neighbour(layout, 0, 'up')]).toEqual([1, 0])
  })

  test('the path of a tile names its groups from the inside out', () => {
    expect(pathOf(places, 0)).toEqual(['North', 'Acme', 'EU-1'])
    expect(pathOf(places, 3)).toEqual(['Beta', 'US-1'])
  })
})
