import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startData } from '../../../src-main/inventory/thread/client.ts'
import { openViews } from '../../../src-main/settings/views.ts'
import type { SavedView } from '../../../src-shared/model/inventory.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const thread = join(import.meta.dirname, '../../../src-main/inventory/thread/thread.ts')

async function opened(profile = temporaryProfile(leftovers)) {
  const { data, opened: found, stop } = await startData({ profile, thread })
  leftovers.push(stop)
  const heard: SavedView[][] = []
  const log: string[] = []
  const views = await openViews({
    data,
    log: (_level, text) => void log.push(text),
    onChange: (all) => void heard.push(all),
  })
  return { profile, data, found, stop, views, heard, log }
}

const view = (id: string, over: Partial<SavedView> = {}): SavedView => ({
  id,
  name: `View ${id}`,
  query: { scope: 'all', filter: 'connected:no', sort: [{ column: 'since', direction: 'asc' }] },
  columns: null,
  isDefault: false,
  ...over,
})

test('a view is saved, changed and removed, and a single default moves', async () => {
  const { views, heard } = await opened()
  await views.save(view('a', { isDefault: true }))
  await views.save(view('b', { isDefault: true, columns: ['name', 'extra:serial'] }))
  const both = [view('a'), view('b', { isDefault: true, columns: ['name', 'extra:serial'] })]
  expect(views.all()).toEqual(both)
  expect(heard.at(-1)).toEqual(both)
  await views.remove('b')
  expect(heard.at(-1)).toEqual([view('a')])
})

test('views survive a damaged cache and a removed connection', async () => {
  const { profile, views, data, stop } = await opened()
  await data.tenants({ service: 's', connection: 'c', tenants: [{ id: 't', name: 'T', region: null }], at: 1 })
  await views.save(view('a', { query: { scope: 't:s/t', filter: '', sort: [] } }))
  await data.forget({ connection: 'c' })
  await stop()
  writeFileSync(join(profile, 'cache.db'), 'no database, '.repeat(2000))
  const again = await opened(profile)
  expect(again.found.cache).toBe('damaged')
  expect(again.views.all()).toEqual([view('a', { query: { scope: 't:s/t', filter: '', sort: [] } })])
})

test('a view of another version is kept and not shown', async () => {
  const { profile, data, views, stop } = await opened()
  await views.save(view('a'))
  await data.saveView({ ...view('b'), query: { later: true } } as unknown as SavedView)
  await stop()
  const again = await opened(profile)
  expect(again.views.all().map(({ id }) => id)).toEqual(['a'])
  expect(again.log).toEqual(['1 of the saved views cannot be read'])
  expect(await again.data.views()).toHaveLength(2)
})

test('there are a hundred views at most, and an existing one can still be changed', async () => {
  const { views } = await opened()
  for (let n = 0; n < 100; n += 1) await views.save(view(String(n)))
  await expect(views.save(view('one more'))).rejects.toMatchObject({ fault: { kind: 'input' } })
  await views.save(view('7', { name: 'Seven' }))
  expect(views.all()).toHaveLength(100)
})
