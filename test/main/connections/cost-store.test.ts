import { expect, test } from 'vitest'
import { openCostStore } from '../../../src-main/connections/stored/cost-store.ts'
import { manualClock, settle } from '../../support/clock.ts'

const shape = { key: 'shape', once: 1, each: 1 }

async function open(stored: { credentials: string; shapes: unknown }[] = []) {
  const clock = manualClock()
  const written = new Map<string, unknown>(stored.map(({ credentials, shapes }) => [credentials, shapes]))
  let writes = 0
  const data = {
    costs: async () => [...written].map(([credentials, shapes]) => ({ credentials, shapes })),
    async saveCosts({ credentials, shapes }: { credentials: string; shapes: unknown }) {
      writes += 1
      if (shapes === null) written.delete(credentials)
      else written.set(credentials, shapes)
    },
  }
  const store = await openCostStore({ data, clock, log: () => {} })
  return { clock, store, written, writes: () => writes }
}

test('learned costs are stored half a minute later, once, and only when they changed', async () => {
  const { clock, store, written, writes } = await open()
  const costs = store.of('set')
  costs.learn(shape, 1, 20, 5)
  store.changed('set')
  store.changed('set')
  await clock.advance(29_000)
  expect(writes()).toBe(0)
  await clock.advance(1_000)
  expect(written.get('set')).toMatchObject({ shapes: [{ key: 'shape', points: [{ size: 1, cost: 20 }] }] })
  store.changed('set')
  await clock.advance(30_000)
  expect(writes()).toBe(1)
})

test("a service's missing fields and largest page are stored, each service by itself", async () => {
  const first = await open()
  first.store.dialect('set', 'one', 'c1', () => {}).limitPages(100)
  first.store
    .dialect('set', 'one', 'c1', () => {})
    .learn('{ tenants { region { id } } }', [
      { message: 'Cannot query field "region" on type "Tenant".', code: null, path: null },
    ])
  await first.store.stop()
  const later = await open([...first.written].map(([credentials, shapes]) => ({ credentials, shapes })))
  const again = later.store.dialect('set', 'one', 'c1', () => {})
  expect([again.pageLimit(), again.adapted('{ tenants { id region { id } } }').replace(/\s+/g, ' ')]).toEqual([
    100,
    '{ tenants { id } }',
  ])
  expect(later.store.dialect('set', 'other', 'c2', () => {}).pageLimit()).toBeNull()
})

test('costs that were stored before there were dialects are read', async () => {
  const before = await open()
  before.store.of('set').learn(shape, 1, 20, 5)
  const { store } = await open([{ credentials: 'set', shapes: before.store.of('set').stored() }])
  expect(store.of('set').quote(shape, 1)).toMatchObject({ likely: 20, certainty: 'learned' })
})

test('pending costs are written at the end', async () => {
  const { store, written } = await open()
  store.of('set').learn(shape, 1, 20, 5)
  store.changed('set')
  await store.stop()
  expect(written.has('set')).toBe(true)
})

test('unreadable costs are learned again, and unused ones are removed', async () => {
  const { store, written } = await open([
    { credentials: 'bad', shapes: [{ key: 'shape', points: [{ size: 1, cost: 5, n: -1 }] }] },
    { credentials: 'text', shapes: null },
    { credentials: 'old', shapes: [] },
  ])
  expect(store.of('bad').quote(shape, 1).certainty).toBe('guess')
  store.keep(new Set(['bad']))
  await settle()
  expect([...written.keys()]).toEqual(['bad'])
})

test('nothing is written of a set that was removed meanwhile', async () => {
  const { clock, store, written } = await open()
  store.of('set').learn(shape, 1, 20, 5)
  store.changed('set')
  store.forget('set')
  store.changed('set')
  await clock.advance(60_000)
  expect(written.size).toBe(0)
})

test('a rejected page size that a former version stored as `refused` is read', async () => {
  const { store: before } = await open()
  before.of('set').learn(shape, 10, 20, 5)
  before.of('set').tooExpensive(shape, 80, null)
  const shapes = before
    .of('set')
    .stored()
    .map(({ rejectedSize, ...stored }) => ({ ...stored, refused: rejectedSize }))
  expect(shapes).toMatchObject([{ refused: 80 }])
  const { store } = await open([{ credentials: 'set', shapes: { shapes, dialects: {} } }])
  expect([79, 80].map((size) => store.of('set').wasRejected(shape, size))).toEqual([false, true])
})
