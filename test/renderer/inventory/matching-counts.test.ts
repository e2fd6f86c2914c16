import { expect, test } from 'vitest'
import { createMatching } from '../../../src-renderer/inventory/filter/matching-counts.ts'
import { firstView, type View } from '../../../src-renderer/inventory/filter/view.ts'
import type { InventoryQuery } from '../../../src-shared/model/inventory.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { corePipe } from '../support/pipe-stub.ts'

/** A core that finds as many devices as the filter has letters. */
function start() {
  const clock = manualClock()
  const asked: string[][] = []
  const { pipe } = corePipe({
    'inventory.totals': (input) => {
      const filters = (input as { queries: InventoryQuery[] }).queries.map(({ filter }) => filter)
      asked.push(filters)
      return { rev: 1, totals: filters.map(({ length }) => length) }
    },
  })
  let view: View = firstView
  const matching = createMatching({ pipe, clock, view: () => view })
  const put = (change: Partial<View>) => {
    view = { ...view, ...change }
    matching.asked()
  }
  const turn = async (ms: number) => {
    await clock.advance(ms)
    await settle()
  }
  return { matching, asked, put, turn }
}

const sum = (filters: string[]) => filters.map(({ length }) => length)

test('the counts of all choices are one request, when typing has paused', async () => {
  const { matching, asked, put, turn } = start()
  for (const filter of ['connected:no s', 'connected:no st', 'connected:no stu']) {
    put({ filter })
    await turn(200)
  }
  expect([asked, matching.state.get()]).toEqual([[], null])
  await turn(50)
  const filters = [
    'status:online stu',
    'status:offline stu',
    'status:unknown stu',
    'connected:no stu',
    'connected:no spare:yes stu',
    'status:offline spare:yes stu',
  ]
  expect(asked).toEqual([filters])
  const [connected, disconnected, unknown, down, spares, offline] = sum(filters)
  expect(matching.state.get()).toEqual({
    counts: { connected, disconnected, unknown },
    down,
    spares: { down: spares, offline },
  })
})

test('another term drops the counts at once, and another choice needs no new ones', async () => {
  const { matching, asked, put, turn } = start()
  put({ filter: 'connected:no stu' })
  await turn(250)
  put({ filter: 'status:online stu' })
  await turn(1_000)
  expect([asked.length, matching.state.get() === null]).toEqual([1, false])
  put({ filter: 'status:online stud' })
  expect(matching.state.get()).toBeNull()
  put({ filter: 'status:online' })
  await turn(1_000)
  matching.refresh()
  await turn(1_000)
  expect([asked.length, matching.state.get()]).toEqual([1, null])
})

test('another place and changed devices are counted anew; not while letters come', async () => {
  const { matching, asked, put, turn } = start()
  put({ filter: 'stu' })
  await turn(250)
  matching.refresh()
  matching.refresh()
  await turn(250)
  expect(asked).toHaveLength(2)
  put({ path: [{ id: 'node', name: 'Berlin' }] })
  expect(matching.state.get()).toBeNull()
  matching.refresh()
  await turn(249)
  expect(asked).toHaveLength(2)
  await turn(1)
  expect(asked).toHaveLength(3)
  expect(matching.state.get()).not.toBeNull()
})
