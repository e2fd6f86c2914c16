import { expect, test } from 'vitest'
import type { Profile } from '../../../src-service/graphql/schema/type-definitions.ts'
import { dig, digAll, open, pageQuery, plainClient } from '../client.ts'

const MINUTE = 60_000
const start = Date.parse('2026-04-01T12:00:00.123Z')
const dates = ['lastDetected', 'lastConfigRequestDate'] as const

async function ready(profile: Profile = 'full') {
  const clock = { at: start }
  const service = await open({ devices: 400, tenants: 1, now: () => clock.at, profile })
  const client = plainClient(service)
  const token = await client.token()
  const id = service.world.tenants()[0]?.id ?? ''
  for (const device of service.world.devices().slice(0, 20)) service.world.setConnected(device.id, false)
  clock.at += 90 * MINUTE + 777
  const page = async (params: object) => {
    const reply = await client.ask(token, pageQuery, { id, params })
    const found = reply.at('data', 'tenant', 'inventory', 'deviceSearch')
    return {
      ids: digAll(found, 'edges').map((edge) => String(dig(edge, 'node', 'id'))),
      total: dig(found, 'pageInfo', 'totalCount'),
      nextToken: dig(found, 'pageInfo', 'nextToken'),
      code: reply.at('errors', 0, 'extensions', 'code'),
    }
  }
  return { service, clock, page }
}

test.each(dates)(
  '%s sorts by what is shown, in both directions; a device without it counts as earliest',
  async (name) => {
    const { service, page } = await ready()
    const wanted = service.world
      .devices()
      .map((device) => ({ id: device.id, date: device[name] ?? '' }))
      .toSorted((one, other) =>
        one.date === other.date ? (one.id < other.id ? -1 : 1) : one.date < other.date ? -1 : 1,
      )
    expect(new Set(wanted.map(({ date }) => date)).size).toBeGreaterThan(20)
    const sorted = async (direction: string) =>
      (await page({ pageSize: 400, sort: { fields: [{ name, direction }] } })).ids
    expect(await sorted('ASC')).toEqual(wanted.map(({ id }) => id))
    const dateOf = new Map(wanted.map(({ id, date }) => [id, date]))
    expect((await sorted('DESC')).map((id) => dateOf.get(id))).toEqual(wanted.map(({ date }) => date).toReversed())
  },
)

test.each(dates)(
  '%s is filtered by a part of its text, by the whole of it, and by whether there is one',
  async (field) => {
    const { service, page } = await ready()
    const all = service.world.devices()
    const [device] = all.filter(({ connected }) => connected === false)
    const whole = device?.[field] ?? ''
    const matching = (test: (date: string | null) => boolean) =>
      all.filter((one) => test(one[field])).map(({ id }) => id)
    const found = async (filter: object) => {
      const { ids, total } = await page({ pageSize: 400, filter: { field, ...filter } })
      expect(total).toBe(ids.length)
      return ids
    }
    expect(await found({ eq: whole })).toEqual(matching((date) => date === whole))
    const hour = whole.slice(0, 13)
    expect(await found({ contains: hour })).toEqual(matching((date) => date?.startsWith(hour) ?? false))
    expect(await found({ exists: false })).toEqual(matching((date) => date === null))
    expect(await found({ exists: true })).toEqual(matching((date) => date !== null))
  },
)

test.each(['ASC', 'DESC'])('pages sorted by date hold each device once while time passes (%s)', async (direction) => {
  const { service, clock, page } = await ready()
  const params = { pageSize: 60, sort: { fields: [{ name: 'lastDetected', direction }] } }
  const seen: string[] = []
  let nextToken: unknown = null
  do {
    const { ids, nextToken: next } = await page({ ...params, nextToken })
    seen.push(...ids)
    nextToken = next
    clock.at += 2 * MINUTE
  } while (nextToken !== null)
  expect(seen.toSorted()).toEqual(service.world.devices().map(({ id }) => id))
})

test('a page token of a date is refused for another order', async () => {
  const { page } = await ready()
  const { nextToken } = await page({ sort: { fields: [{ name: 'lastDetected' }] } })
  expect((await page({ nextToken, sort: { fields: [{ name: 'name' }] } })).code).toBe('BAD_USER_INPUT')
})

test('the minimal profile filters by the dates, which the specification shows', async () => {
  const { service, page } = await ready('minimal')
  const [device] = service.world.devices().filter(({ connected }) => connected === false)
  const { ids, code } = await page({ filter: { field: 'lastDetected', contains: device?.lastDetected } })
  expect(code).toBeUndefined()
  expect(ids).toContain(device?.id)
})
