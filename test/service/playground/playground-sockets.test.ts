import { HOUR, loggedIn, pageSocket } from './playground-browser.ts'
import { expect, test } from 'vitest'

test("subscriptions use the browser's login, from its own pages only, and end with it", async () => {
  const { service, clock, window } = await loggedIn()
  const device = service.world.find(({ connected }) => connected === true)
  const query = `subscription { deviceStream(deviceIds: ["${device.id}"]) { id connected } }`
  const foreign = pageSocket(service, { cookie: window.cookie(), origin: 'https://evil.example' })
  await expect(foreign.client.iterate({ query }).next()).rejects.toMatchObject({ code: 4403 })
  const { client, closed } = pageSocket(service, { cookie: window.cookie(), origin: window.origin })
  const events = client.iterate({ query })
  const first = events.next()
  await expect.poll(() => service.subscribedIds()).toEqual([device.id])
  service.world.setConnected(device.id, false)
  expect((await first).value).toEqual({ data: { deviceStream: { id: device.id, connected: false } } })
  const over = expect(events.next()).rejects.toMatchObject({ code: 4403 })
  clock.turn(HOUR)
  await over
  expect(await closed).toBe(4403)
})

test('a subscription under a chosen set gets what that set reaches, and ends with the set', async () => {
  const {
    service,
    window,
    sets: [set],
  } = await loggedIn()
  const [own, other] = [true, false].map((inside) =>
    service.world.find(
      ({ connected, tenantId }) => connected === true && set?.reach?.tenants?.includes(tenantId) === inside,
    ),
  )
  if (!set || !own || !other) throw new Error('no devices')
  const { client } = pageSocket(
    service,
    { cookie: window.cookie(), origin: window.origin },
    `?credentials=${set.clientId}`,
  )
  const events = client.iterate({
    query: `subscription { deviceStream(deviceIds: ["${own.id}", "${other.id}"]) { id } }`,
  })
  const first = events.next()
  await expect.poll(() => service.subscribedIds()).toContain(own.id)
  service.world.setConnected(other.id, false)
  service.world.setConnected(own.id, false)
  expect((await first).value).toEqual({ data: { deviceStream: { id: own.id } } })
  const over = expect(events.next()).rejects.toMatchObject({ code: 4403 })
  service.credentials.remove(set.clientId)
  await over
})

test('logging out closes the sockets of that login', async () => {
  const { service, window } = await loggedIn()
  const { client } = pageSocket(service, { cookie: window.cookie(), origin: window.origin })
  const over = expect(
    client.iterate({ query: 'subscription { deviceStream(deviceIds: ["x"]) { id } }' }).next(),
  ).rejects.toMatchObject({ code: 4403 })
  await expect.poll(() => service.subscribedIds()).toEqual(['x'])
  await window.form('/graphql/playground/logout', {})
  await over
})
