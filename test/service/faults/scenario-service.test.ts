import { expect, onTestFinished, test, vi } from 'vitest'
import { digAll, open, plainClient, streamClient, until } from '../client.ts'
import type { ServiceOptions } from '../../../src-service/service.ts'

/** A service whose scenario runs by timers that the test turns; sockets go on by themselves. */
async function ready(options: ServiceOptions) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const service = await open(options)
  const client = plainClient(service)
  const bearer = await client.token()
  return { service, bearer, ask: (query: string, variables: unknown = {}) => client.ask(bearer, query, variables) }
}

test('region-loss: requests that need EU-1 fail while it is gone, and no others', async () => {
  const { service, ask } = await ready({ scenario: 'region-loss' })
  expect(service.scenario?.announced).toContain('EU-1')
  const counts = async () => {
    const reply = await ask('{ tenants { region { id } inventory { deviceSearch { edges { node { id } } } } } }')
    const failed = digAll(reply.json, 'errors').length
    return [reply.at('data', 'tenants', 0, 'region', 'id'), reply.at('data', 'tenants', 1, 'region', 'id'), failed > 0]
  }
  expect(await counts()).toEqual(['US-1', 'EU-1', false])
  vi.advanceTimersByTime(91_000)
  expect(await counts()).toEqual(['US-1', 'EU-1', true])
  vi.advanceTimersByTime(150_000)
  expect(await counts()).toEqual(['US-1', 'EU-1', false])
})

test('a storm shows in streams and queries; stopping the service ends it', async () => {
  const { service, bearer, ask } = await ready({ scenario: 'storm', devices: 60 })
  const online = service.world
    .devices()
    .filter(({ connected }) => connected === true)
    .map(({ id }) => id)
  const seen: unknown[] = []
  // Not more than one heartbeat while the socket is open: the next would find that nobody had time to answer.
  vi.advanceTimersByTime(29_000)
  streamClient(service, bearer).subscribe(
    {
      query: 'subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) { id connected } }',
      variables: { ids: online },
    },
    { next: ({ data }) => void seen.push(data?.['deviceStream']), error: () => undefined, complete: () => undefined },
  )
  await until(() => service.subscribedIds().length === online.length)
  vi.advanceTimersByTime(3250)
  await until(() => seen.length === online.length)
  const query = '{ deviceSearch(params: { filter: { field: "connected", eq: "true" } }) { pageInfo { totalCount } } }'
  expect((await ask(query)).at('data', 'deviceSearch', 'pageInfo', 'totalCount')).toBe(0)
  vi.advanceTimersByTime(88_000)
  expect((await ask(query)).at('data', 'deviceSearch', 'pageInfo', 'totalCount')).toBe(online.length)
  const timers = vi.getTimerCount()
  await service.stop()
  expect(vi.getTimerCount()).toBeLessThan(timers)
  vi.advanceTimersByTime(600_000)
})

test('no scenario runs unless one is asked for', async () => {
  const { service } = await ready({})
  const before = service.world.devices().map(({ id, connected }) => [id, connected])
  expect(service.scenario).toBeNull()
  vi.advanceTimersByTime(900_000)
  expect(service.world.devices().map(({ id, connected }) => [id, connected])).toEqual(before)
})
