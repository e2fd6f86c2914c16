import { expect, test } from 'vitest'
import { placeTree } from '../../../src-renderer/overview/then/place-tree.ts'

test('a tree of places adds up what is below, leaves out what has no devices, and is by name', () => {
  const group = (id: string, kind: 'region' | 'tenant', parent: number | null) => ({ id, kind, name: id, parent })
  const tile = (id: string, at: number) => ({ id, name: id, group: at })
  const places = {
    kind: 'site' as const,
    groups: [group('EU', 'region', null), group('Acme', 'tenant', 0), group('Empty', 'tenant', 0)],
    tiles: [tile('Site 10', 1), tile('Site 9', 1), tile('Bare', 1), tile('None', 2)],
    leftOut: 0,
  }
  expect(placeTree({ places, counts: [1, 2, 3, 0, 0, 4, 0, 0, 0, 0, 0, 0] })).toEqual([
    {
      id: 'EU',
      name: 'EU',
      counts: [1, 2, 7],
      below: [
        {
          id: 'Acme',
          name: 'Acme',
          counts: [1, 2, 7],
          below: [
            { id: 'Site 9', name: 'Site 9', counts: [0, 0, 4], below: [] },
            { id: 'Site 10', name: 'Site 10', counts: [1, 2, 3], below: [] },
          ],
        },
      ],
    },
  ])
})
