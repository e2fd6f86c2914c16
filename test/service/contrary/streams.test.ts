import { once } from 'node:events'
import type { Client } from 'graphql-ws'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Service } from '../../../src-service/service.ts'
import { dig, socketClass, streamClient, until } from '../client.ts'
import { contrary } from './contrary.ts'

const query = 'subscription Live($ids: [String!]!) { deviceStream(deviceIds: $ids) { id connected name tenantId } }'

/** Subscribes; resolves when the service has accepted or rejected the ids. */
async function watch(service: Service, client: Client, ids: readonly string[]) {
  const seen: unknown[] = []
  const refused: unknown[] = []
  const stop = client.subscribe(
    { query, variables: { ids } },
    {
      next: ({ data, errors }) => void (errors ? refused.push(errors[0]) : seen.push(data?.['deviceStream'])),
      error: (error) => void refused.push(dig(error, 0)),
      complete: () => undefined,
    },
  )
  await until(() => ids.every((id) => service.subscribedIds().includes(id)) || refused.length > 0)
  return { seen, refused, stop }
}

/** The close code of a socket that begins; 0 where it is accepted, and then `onClose` is called at its end. */
async function closeOf(
  service: Service,
  token: string,
  onClose: (code: number) => void = () => undefined,
): Promise<number> {
  const socket = new (socketClass(service))(service.subscriptionUrl, 'graphql-transport-ws')
  onTestFinished(() => socket.terminate())
  const closed = new Promise((resolve) => void socket.once('close', resolve))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
  await Promise.race([closed, once(socket, 'message')])
  socket.once('close', onClose)
  return socket.readyState === WebSocket.OPEN ? 0 : Number(await closed)
}

const idsOf = (service: Service): string[] => service.world.devices().map(({ id }) => id)

test('a subscription takes at most so many ids, and says so or not', async () => {
  const { service, token } = await contrary({ streamIdsPerSubscription: 3 })
  const client = streamClient(service, token)
  expect((await watch(service, client, idsOf(service).slice(0, 4))).refused).toMatchObject([
    { message: 'A subscription takes at most 3 ids, not 4', extensions: { code: 'BAD_USER_INPUT' } },
  ])
  service.contrary.change({ streamRefusalWords: 'none', streamRefusalCode: '' })
  expect((await watch(service, client, idsOf(service).slice(0, 4))).refused).toMatchObject([
    { message: 'Subscription failed' },
  ])
  service.contrary.change({ streamRefusalForm: 'next' })
  expect((await watch(service, client, idsOf(service).slice(0, 4))).refused).toMatchObject([
    { message: 'Subscription failed', path: ['deviceStream'] },
  ])
  expect((await watch(service, client, idsOf(service).slice(0, 3))).refused).toEqual([])
})

test.each(['streamIdsPerSocket', 'streamIdsPerSet'] as const)(
  '%s counts what is open, and closing frees a place',
  async (name) => {
    const { service, token } = await contrary({ [name]: 4 })
    const ids = idsOf(service)
    const [client, other] = [streamClient(service, token), streamClient(service, token)]
    const first = await watch(service, client, ids.slice(0, 3))
    expect((await watch(service, client, ids.slice(3, 5))).refused).toHaveLength(1)
    expect((await watch(service, other, ids.slice(5, 7))).refused).toHaveLength(name === 'streamIdsPerSet' ? 1 : 0)
    first.stop()
    await until(() => !service.subscribedIds().includes(ids[0] ?? ''))
    expect((await watch(service, client, ids.slice(3, 5))).refused).toEqual([])
  },
)

test('a subscription that includes devices of a forbidden tenant is rejected as a whole', async () => {
  const { service, token, id } = await contrary({ streamForbids: 1 })
  const client = streamClient(service, token)
  const [own, others] = [
    service.world.devices().filter(({ tenantId }) => tenantId === id),
    service.world.devices().filter(({ tenantId }) => tenantId !== id),
  ]
  const mixed = [...own.slice(0, 1), ...others.slice(0, 2)].map((device) => device.id)
  expect((await watch(service, client, mixed)).refused).toMatchObject([
    { message: 'resource mapping failed', extensions: { code: 'FORBIDDEN' } },
  ])
  expect((await watch(service, client, mixed.slice(1))).refused).toEqual([])
})

test('an event can omit whether the device is connected, or all but its name', async () => {
  const { service, token } = await contrary({ nullEvents: 1 })
  const device = service.world.devices().find(({ connected }) => connected)
  const { seen } = await watch(service, streamClient(service, token), [device?.id ?? ''])
  service.world.setConnected(device?.id ?? '', false)
  await until(() => seen.length === 1)
  service.contrary.change({ nameEvents: 1 })
  service.world.setConnected(device?.id ?? '', true)
  await until(() => seen.length === 2)
  service.contrary.change({ nameEvents: 0, nullEvents: 0 })
  service.world.setConnected(device?.id ?? '', false)
  await until(() => seen.length === 3)
  const { id, name, tenantId } = device ?? {}
  expect(seen).toEqual([
    { id, name, tenantId, connected: null },
    { id, name, tenantId: null, connected: null },
    { id, name, tenantId, connected: false },
  ])
})

test.each([503, 401, 429])('an upgrade is rejected with %i as often as is asked for', async (status) => {
  const { service, token } = await contrary({
    upgradeRefusals: 2,
    upgradeRefusalStatus: status === 503 ? 503 : status === 401 ? 401 : 429,
  })
  for (const _ of [1, 2]) await expect(closeOf(service, token)).rejects.toThrow(`Unexpected server response: ${status}`)
  expect(await closeOf(service, token)).toBe(0)
})

test.each([4403, 4429, 1011, 1013] as const)(
  'a socket that begins is closed with %i as often as is asked for',
  async (code) => {
    const { service, token } = await contrary({ initRefusals: 1, initRefusalCode: code })
    expect([await closeOf(service, token), await closeOf(service, token)]).toEqual([code, 0])
  },
)

test.each([1001, 1012, 4400, 4401, 4409, 1006] as const)(
  'all sockets are closed with %i every so often, until that is over',
  async (code) => {
    const start = Date.parse('2026-05-04T08:00:00Z')
    const now = vi.fn(() => start)
    const { service, token } = await contrary({ socketEndEveryMs: 20_000, socketEndCode: code }, { now })
    const closed: number[] = []
    for (const at of [0, 9_000]) {
      now.mockReturnValue(start + at)
      expect(await closeOf(service, token, (code) => closed.push(code))).toBe(0)
    }
    expect(service.openSockets()).toBe(2)
    now.mockReturnValue(start + 20_000)
    await until(() => closed.length === 2)
    expect(closed).toEqual([code, code])
  },
)
