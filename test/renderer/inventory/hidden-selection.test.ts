import { expect, test } from 'vitest'
import { createHiddenSelection } from '../../../src-renderer/inventory/table/hidden-selection.ts'
import { createPaged } from '../../../src-renderer/lib/list/paged.ts'
import { createSelection } from '../../../src-renderer/inventory/table/selection.ts'
import type { DeviceRow } from '../../../src-shared/model/inventory.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { corePipe } from '../support/pipe-stub.ts'

const keys = ['a', 'b', 'c', 'd']

/** A table of four devices, all selected; the test says which are not listed any more, and which are gone. */
async function start() {
  const clock = manualClock()
  const world = { hidden: [] as string[], gone: [] as string[] }
  const { pipe, asked } = corePipe({
    'inventory.rows': () => ({ rev: 1, total: 4, offset: 0, rows: keys.map((key) => ({ key })), unread: [] }),
    'inventory.hidden': (input) => {
      const { keys: chosen } = input as { keys: string[] }
      return {
        rev: 1,
        hidden: chosen.filter((key) => world.hidden.includes(key)),
        gone: chosen.filter((key) => world.gone.includes(key)),
      }
    },
  })
  const query = () => ({ scope: 'all', filter: 'connected:no', sort: [] })
  const rows = createPaged<DeviceRow>({
    load: (offset, limit) => pipe.call('inventory.rows', { query: query(), offset, limit }),
    clock,
  })
  const selection = createSelection({ pipe, rows, query, cursor: () => ({ index: 0, key: 'a' }), onTooMany: () => {} })
  const hidden = createHiddenSelection({ pipe, clock, query, selection })
  rows.show(0, 3)
  await settle()
  selection.extend(3)
  await settle()
  const turn = async () => {
    hidden.refresh()
    await clock.advance(300)
    await settle()
  }
  const chosen = () => {
    const now = selection.state.get()
    return now.what === 'some' ? [...now.keys].join('') : now.what
  }
  return { world, hidden, selection, asked, turn, chosen }
}

test('selected devices that are no longer listed are counted, and stay until they are deselected', async () => {
  const { world, hidden, turn, chosen } = await start()
  expect([hidden.state.get(), chosen()]).toEqual([[], 'abcd'])
  world.hidden = ['b', 'd']
  await turn()
  expect([hidden.state.get(), chosen()]).toEqual([['b', 'd'], 'abcd'])
  hidden.release()
  await turn()
  expect([hidden.state.get(), chosen()]).toEqual([[], 'ac'])
})

test('a device that is gone leaves the selection by itself; no action can be about it', async () => {
  const { world, hidden, turn, chosen } = await start()
  world.gone = ['c']
  await turn()
  expect([hidden.state.get(), chosen()]).toEqual([[], 'abd'])
})

test('with nothing selected nothing is requested', async () => {
  const { selection, hidden, asked, turn } = await start()
  selection.clear()
  await settle()
  const before = asked.length
  await turn()
  expect(asked).toHaveLength(before)
  expect(hidden.state.get()).toEqual([])
})
