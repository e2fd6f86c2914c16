import { expect, onTestFinished, test } from 'vitest'
import { createWorld } from '../../../src-service/world/world.ts'
import { startScheduler } from '../../../src-service/world/search/scheduler.ts'
import type { Sliced } from '../../../src-service/world/search/scheduler.ts'
import { digAll, open, plainClient, until } from '../client.ts'

/** Work of so many slices, each of which writes its name down. */
function* slices(name: string, count: number, seen: string[], work: () => void = () => undefined): Sliced<string> {
  for (let n = 0; n < count; n += 1) {
    work()
    seen.push(name)
    yield
  }
  return name
}

test('different callers take turns; the work of one caller runs in order', async () => {
  const seen: string[] = []
  const turns = startScheduler({ limit: 1000, clock: () => 0 })
  const [many, few] = [{}, {}]
  const all = [
    turns.run(many, slices('a', 3, seen)),
    turns.run(many, slices('b', 2, seen)),
    turns.run(few, slices('c', 2, seen)),
  ]
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c'])
  expect(seen.join('')).toBe('acacabb')
})

test('the caller who has had less comes first, however late', async () => {
  let now = 0
  const seen: string[] = []
  const turns = startScheduler({ limit: 1000, clock: () => now })
  const late: Promise<string>[] = []
  const much = turns.run(
    {},
    slices('a', 4, seen, () => {
      now += 20
      if (seen.length === 1) late.push(turns.run({}, slices('b', 3, seen)))
    }),
  )
  await much
  expect([seen.join(''), await late[0]]).toEqual(['aabbbaa', 'b'])
})

test('between slices the process does its other work', async () => {
  let now = 0
  const seen: string[] = []
  const turns = startScheduler({ limit: 1000, clock: () => now })
  const done = turns.run(
    {},
    slices('a', 4, seen, () => (now += 20)),
  )
  setImmediate(() => setImmediate(() => seen.push('between')))
  await done
  expect(seen.indexOf('between')).toBeGreaterThan(0)
  expect(seen.indexOf('between')).toBeLessThan(4)
})

test('a caller who asks for too much is rejected, and other callers are not', async () => {
  let now = 0
  const seen: string[] = []
  const turns = startScheduler({ limit: 1000, clock: () => now })
  const [greedy, other] = [{}, {}]
  const all = await Promise.allSettled([
    turns.run(
      greedy,
      slices('a', 1, seen, () => (now += 600)),
    ),
    turns.run(
      greedy,
      slices('b', 9, seen, () => (now += 600)),
    ),
    turns.run(greedy, slices('c', 1, seen)),
    turns.run(other, slices('d', 2, seen)),
  ])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(seen.join('')).toBe('addb')
  await expect(turns.run(greedy, slices('e', 1, seen))).rejects.toThrow('longer than 1 s')
})

test('an error in a slice fails its own work alone', async () => {
  const seen: string[] = []
  const turns = startScheduler({ limit: 1000, clock: () => 0 })
  const asker = {}
  const broken = turns.run(
    asker,
    slices('a', 1, seen, () => {
      throw new RangeError('broken')
    }),
  )
  const whole = turns.run(asker, slices('b', 1, seen))
  await expect(broken).rejects.toThrow('broken')
  expect(await whole).toBe('b')
})

test('a search in many slices finds the same devices in the same order as in one', async () => {
  const world = createWorld({ devices: 4000, tenants: 3, now: () => Date.UTC(2026, 0, 1) })
  onTestFinished(() => world.close())
  const tenant = world.tenants()[0]?.id ?? ''
  const base = { tenantId: null, filter: null, sort: [], pageSize: 5000, after: null }
  const ids = async (search: object): Promise<string[]> =>
    (await world.search({ ...base, ...search })).devices.map(({ id }) => id)
  const wanted = world.devices().filter(({ hardwareModel }) => hardwareModel.includes('Studio'))
  const filter = { field: 'hardwareModel', contains: 'studio' }
  const byName = (a: { name: string; id: string }, b: { name: string; id: string }): number =>
    Buffer.compare(Buffer.from(b.name), Buffer.from(a.name)) || (a.id < b.id ? -1 : 1)
  expect(wanted.length).toBeGreaterThan(500)
  expect(await ids({ filter })).toEqual(wanted.map(({ id }) => id))
  expect(await ids({ filter, tenantId: tenant })).toEqual(
    wanted.filter(({ tenantId }) => tenantId === tenant).map(({ id }) => id),
  )
  expect(await ids({ filter, sort: [{ name: 'id', direction: 'DESC' }] })).toEqual(
    wanted.map(({ id }) => id).toReversed(),
  )
  expect(
    await ids({
      filter,
      sort: [
        { name: 'name', direction: 'DESC' },
        { name: 'displayName', direction: 'ASC' },
      ],
    }),
  ).toEqual(wanted.toSorted(byName).map(({ id }) => id))
  expect(await world.count({ tenantId: null, filter })).toBe(wanted.length)
  expect(
    (await world.search({ ...base, filter, pageSize: 7, sort: [{ name: 'name', direction: 'DESC' }] })).devices.map(
      ({ id }) => id,
    ),
  ).toEqual(
    wanted
      .toSorted(byName)
      .slice(0, 7)
      .map(({ id }) => id),
  )
}, 30_000)

test('a filter finds a MAC address in any notation', async () => {
  const world = createWorld({ devices: 300, tenants: 1, now: () => Date.UTC(2026, 0, 1) })
  onTestFinished(() => world.close())
  for (const text of ['00:E0', 'e0:db:0', '0:d', 'db', ':', '00e0', '0:0:']) {
    const wanted = world.devices().filter(({ macAddress }) => macAddress.includes(text.toLowerCase())).length
    expect(await world.count({ tenantId: null, filter: { field: 'macAddress', contains: text } }), text).toBe(wanted)
  }
})

test('a filter text over 1,000 characters is rejected; a sort of 1,000 columns is served', async () => {
  const service = await open({ points: false })
  const { ask, token } = plainClient(service)
  const find = async (params: object) =>
    await ask(
      await token(),
      'query ($p: DeviceFindArgs) { deviceSearch(params: $p) { pageInfo { totalCount countOnPage } } }',
      { p: params },
    )
  for (const test of ['contains', 'eq']) {
    expect((await find({ filter: { field: 'name', [test]: 'x'.repeat(1001) } })).at('errors', 0)).toMatchObject({
      message: expect.stringContaining('1000 characters'),
      extensions: { code: 'BAD_USER_INPUT' },
      path: ['deviceSearch'],
    })
    expect(digAll((await find({ filter: { field: 'name', [test]: 'x'.repeat(1000) } })).json, 'errors')).toEqual([])
  }
  expect(
    (await find({ sort: { fields: Array.from({ length: 1000 }, () => ({ name: 'callStatus' })) } })).at('data'),
  ).toEqual({ deviceSearch: { pageInfo: { totalCount: 120, countOnPage: 10 } } })
}, 30_000)

test('a long search delays no other request', async () => {
  const service = await open({ devices: 3000, points: false })
  const { ask, token } = plainClient(service)
  const bearer = await token()
  const filter = { OR: Array.from({ length: 99 }, (_, n) => ({ field: 'room', contains: `no such room ${n}` })) }
  const searches = Array.from(
    { length: 25 },
    (_, n) => `s${n}: deviceSearch(params: { filter: $f }) { pageInfo { totalCount } }`,
  )
  const answered: string[] = []
  const long = ask(bearer, `query ($f: DeviceFilter) { ${searches.join(' ')} }`, { f: filter }).then((reply) => {
    answered.push('long')
    return reply
  })
  // The long one is at work when the short ones come.
  await until(() => service.requests() > 0)
  for (const name of ['first', 'second']) {
    const short = await ask(
      bearer,
      '{ deviceSearch(params: { filter: { field: "name", contains: "a" } }) { pageInfo { totalCount hasNextPage } } }',
    )
    expect(short.at('errors')).toBeUndefined()
    answered.push(name)
  }
  expect((await long).at('data', 's24')).toEqual({ pageInfo: { totalCount: 0 } })
  expect(answered).toEqual(['first', 'second', 'long'])
}, 30_000)
