import { expect, test } from 'vitest'
import { compareHandlers } from '../../../src-main/compare/compare.ts'
import type { Asset, KeptComparison } from '../../../src-shared/model/comparison.ts'

function compared() {
  const given = new Map<string, readonly Asset[]>()
  const kept = new Map<string, { comparison: KeptComparison; text: Uint8Array | null }>()
  const log: string[] = []
  const handlers = compareHandlers({
    data: {
      giveAssets: async ({ list, assets }) => void given.set(list, assets),
      compareRead: async () => null,
      compareCsv: async () => ({ text: '', next: null }),
      comparisons: async () => [...[...kept.values()].map(({ comparison }) => comparison), { of: 'another version' }],
      saveComparison: async (saved) => void kept.set(saved.comparison.id, saved),
      removeComparison: async ({ id }) => void kept.delete(id),
      comparisonList: async ({ id }) => ({ text: kept.get(id)?.text ?? null }),
    },
    clock: { now: () => 1 },
    log: (_level, line) => log.push(line),
  })
  return { handlers, given, kept, log }
}

const second = { kind: 'place', place: 'all', name: 'All tenants' } as const

test('a list is given to the data thread, and again after its columns were set', async () => {
  const { handlers, given } = compared()
  const { list, heads } = await handlers['compare.list']({ name: 'a.csv', text: 'Foo,Name\n1,A' })
  expect(heads.map(({ field }) => field)).toEqual([null, 'name'])
  expect(given.get(list)).toMatchObject([{ serial: '', name: 'A' }])
  await handlers['compare.columns']({ list, fields: ['serial', 'name'] })
  expect(given.get(list)).toMatchObject([{ serial: '1', name: 'A' }])
  await expect(handlers['compare.columns']({ list: 'gone', fields: [] })).rejects.toThrow('no longer kept')
})

test('a kept comparison brings its list and its columns back', async () => {
  const { handlers, given } = compared()
  const { list } = await handlers['compare.list']({ name: 'ä.csv', text: 'Foo;Bar\nÄ1;B\n' })
  await handlers['compare.columns']({ list, fields: ['serial', null] })
  await handlers['compare.save']({ id: '1', name: 'Mine', first: { kind: 'list', list }, second })
  const opened = await handlers['compare.open']({ id: '1' })
  expect(opened.list).toMatchObject({
    name: 'ä.csv',
    heads: [{ head: 'Foo', sample: 'Ä1', field: 'serial' }, { field: null }],
  })
  expect(opened.comparison.first).toEqual({ kind: 'list', list: opened.list?.list })
  expect(given.get(opened.list?.list ?? '')).toMatchObject([{ serial: 'Ä1' }])
  await handlers['compare.remove']({ id: '1' })
  await expect(handlers['compare.open']({ id: '1' })).rejects.toThrow('not kept any more')
})

test('only the last four lists are kept, and what another version wrote is left out and logged', async () => {
  const { handlers, kept, log } = compared()
  const lists: string[] = []
  for (let index = 0; index < 5; index += 1)
    lists.push((await handlers['compare.list']({ name: 'a', text: 'Name\nA' })).list)
  const save = (list: string) =>
    handlers['compare.save']({ id: list, name: 'x', first: { kind: 'list', list }, second })
  await expect(save(lists[0] ?? '')).rejects.toThrow('no longer kept')
  await save(lists[1] ?? '')
  expect([kept.size, (await handlers['compare.saved']({})).saved.length]).toEqual([1, 1])
  expect(log).toEqual(['1 of the comparisons cannot be read'])
})

test('a list that is damaged on the disk says so', async () => {
  const { handlers, kept } = compared()
  const { list } = await handlers['compare.list']({ name: 'a', text: 'Name\nA' })
  await handlers['compare.save']({ id: '1', name: 'x', first: { kind: 'list', list }, second })
  const saved = kept.get('1')
  if (saved !== undefined) saved.text = new Uint8Array([1, 2, 3])
  await expect(handlers['compare.open']({ id: '1' })).rejects.toThrow('list: ')
})
