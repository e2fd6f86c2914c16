import { expect, test } from 'vitest'
import { changesHandlers } from '../../../src-main/changes/changes.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'

const asked = { kinds: [], text: '', offset: 0, limit: 10 }
const answer = {
  recordedSince: null,
  statusSince: null,
  firmwareSince: null,
  counts: {} as never,
  leftOut: 0,
  total: 0,
  changes: [],
}

function setup() {
  const steps: number[] = []
  const handlers = changesHandlers({
    data: {
      // Done with the second step of the same time, as the thread keeps one comparison.
      changesRead({ from, until }) {
        const isDone = steps.at(-1) === from
        steps.push(from)
        return Promise.resolve(isDone ? { ...answer, from, until } : null)
      },
      changesCsv: () => Promise.resolve({ text: '', next: null }),
    },
    settings: () => defaultSettings(false),
    clock: { now: () => 1000 },
    visits: { last: () => null },
  })
  return { steps, read: (from: number, until: number) => handlers['changes.read']({ ...asked, from, until }) }
}

test('comparisons that are asked for at once are made one after the other', async () => {
  const { steps, read } = setup()
  const found = await Promise.all([read(1, 100), read(2, 100), read(3, 100)])
  expect(found.map(({ from }) => from)).toEqual([1, 2, 3])
  expect(steps).toEqual([1, 1, 2, 2, 3, 3])
})

test('a time that ends before it begins is an error, and the next call is answered', async () => {
  const { read } = setup()
  await expect(read(100, 100)).rejects.toMatchObject({ fault: { kind: 'input' } })
  expect(await read(1, 100)).toMatchObject({ from: 1 })
})
