import { expect, test } from 'vitest'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { dig, digAll, open, plainClient, streamClient, until } from '../client.ts'

const stream =
  'subscription Live($ids: [String!]!) { deviceStream(deviceIds: $ids) { id connected name siteId roomId } }'

async function ready(options: ServiceOptions = {}) {
  const clock = { at: Date.parse('2026-04-01T12:00:00Z') }
  const service = await open({ now: () => clock.at, ...options })
  const client = plainClient(service)
  const token = await client.token()
  const ask = (query: string, variables: unknown = {}) => client.ask(token, query, variables)
  const watch = async (ids: readonly string[]) => {
    const seen: unknown[] = []
    streamClient(service, token).subscribe(
      { query: stream, variables: { ids } },
      { next: ({ data }) => void seen.push(data?.['deviceStream']), error: () => undefined, complete: () => undefined },
    )
    await until(() => ids.every((id) => service.subscribedIds().includes(id)))
    return seen
  }
  return { service, clock, ask, watch }
}

/** A video system and the controller of its room, both connected. */
function linkedPair({ world }: Service) {
  const bar = world.find(
    ({ id, connected }) =>
      connected === true && world.linkedTo(id).some((other) => world.device(other)?.connected === true),
  )
  const controller = world.linkedTo(bar.id).find((id) => world.device(id)?.connected === true)
  if (controller === undefined) throw new Error('no controller')
  return { bar, controller }
}

test('a rebooted device goes offline and comes back within 20 to 60 s, in queries and streams', async () => {
  const { service, clock, ask, watch } = await ready()
  const device = service.world.find(({ connected, callStatus }) => connected === true && callStatus === 'IN_CALL')
  const seen = await watch([device.id])
  const state = async () =>
    (await ask('query ($id: String!) { device(id: $id) { connected callStatus lastDetected } }', { id: device.id })).at(
      'data',
      'device',
    )
  const reply = await ask('mutation ($id: String!) { rebootDevice(deviceId: $id) { success error } }', {
    id: device.id,
  })
  expect(reply.json).toEqual({ data: { rebootDevice: { success: true, error: null } } })
  const down = { connected: false, callStatus: 'NOT_IN_CALL', lastDetected: new Date(clock.at).toISOString() }
  expect(await state()).toEqual(down)
  clock.at += 19_999
  service.endReboots()
  expect(await state()).toEqual(down)
  clock.at += 40_001
  service.endReboots()
  expect(await state()).toMatchObject({ connected: true, callStatus: 'NOT_IN_CALL' })
  await until(() => seen.length === 2)
  expect(seen).toEqual([
    expect.objectContaining({ id: device.id, connected: false }),
    expect.objectContaining({ id: device.id, connected: true }),
  ])
})

test('linked devices are those that control the same room, and only on demand', async () => {
  const { service, ask } = await ready({ devices: 400 })
  const { bar, controller } = linkedPair(service)
  const reboot =
    'mutation ($id: String!, $linked: Boolean) { rebootDevice(deviceId: $id, includeLinkedDevices: $linked) { success } }'
  await ask(reboot, { id: controller, linked: true })
  expect([service.world.device(bar.id)?.connected, service.world.device(controller)?.connected]).toEqual([true, false])
  service.world.setConnected(controller, true)
  await ask(reboot, { id: bar.id })
  expect([service.world.device(bar.id)?.connected, service.world.device(controller)?.connected]).toEqual([false, true])
  service.world.setConnected(bar.id, true)
  await ask(reboot, { id: bar.id, linked: true })
  expect([service.world.device(bar.id)?.connected, service.world.device(controller)?.connected]).toEqual([false, false])
})

test('a site reboots as a whole; a device or a site that is not connected is rejected', async () => {
  const { service, clock, ask } = await ready()
  const [{ siteId } = { siteId: '' }] = service.world.siteSizes()
  const ids = service.world.connectedAt(siteId)
  expect(ids.length).toBeGreaterThan(3)
  const reboot =
    'mutation ($site: String!, $id: String!) { rebootDevicesBySiteId(siteId: $site) { success error } rebootDevice(deviceId: $id) { success error } again: rebootDevicesBySiteId(siteId: $site) { success error } }'
  const reply = await ask(reboot, { site: siteId, id: ids[0] })
  expect(reply.json).toEqual({
    data: {
      rebootDevicesBySiteId: { success: true, error: null },
      rebootDevice: { success: false, error: 'The device is not connected' },
      again: { success: false, error: 'No device of the site is connected' },
    },
  })
  expect(service.world.connectedAt(siteId)).toEqual([])
  clock.at += 60_000
  service.endReboots()
  expect(service.world.connectedAt(siteId)).toEqual(ids)
})

test('a device that is set offline during its reboot stays offline', async () => {
  const { service, clock, ask } = await ready()
  const device = service.world.find(({ connected }) => connected === true)
  await ask('mutation ($id: String!) { rebootDevice(deviceId: $id) { success } }', { id: device.id })
  service.world.setConnected(device.id, false)
  clock.at += 60_000
  service.endReboots()
  expect(service.world.device(device.id)?.connected).toBe(false)
})

test('updateDevice renames and moves in one event, and queries show the same', async () => {
  const { service, ask, watch } = await ready()
  const device = service.world.find(({ room }) => room !== null)
  const site =
    service.world.sites(device.tenantId).find(({ id }) => id !== device.site?.id) ??
    service.world.addSite(device.tenantId, 'Annex')
  const room =
    service.world.rooms(site.id)[0] ??
    service.world.addRoom({ siteId: site.id, name: 'Lobby', floor: null, capacity: null, size: 'NONE' })
  const seen = await watch([device.id])
  const update =
    'mutation ($id: String!, $fields: UpdateDeviceRequest!) { updateDevice(id: $id, fields: $fields) { id name displayName site { id } room { id name } } }'
  const moved = await ask(update, { id: device.id, fields: { name: 'Stage left', roomId: room.id } })
  const now = {
    id: device.id,
    name: 'Stage left',
    displayName: 'Stage left',
    site: { id: site.id },
    room: { id: room.id, name: room.name },
  }
  expect(moved.json).toEqual({ data: { updateDevice: now } })
  expect((await ask(update, { id: device.id, fields: {} })).at('data', 'updateDevice')).toEqual(now)
  expect((await ask(update, { id: device.id, fields: { displayName: 'Stage' } })).at('data', 'updateDevice')).toEqual({
    ...now,
    name: 'Stage',
    displayName: 'Stage',
  })
  expect((await ask(update, { id: device.id, fields: { roomId: null } })).at('data', 'updateDevice')).toMatchObject({
    site: { id: site.id },
    room: null,
  })
  expect((await ask(update, { id: device.id, fields: { siteId: null } })).at('data', 'updateDevice')).toMatchObject({
    site: null,
    room: null,
  })
  await until(() => seen.length === 4)
  expect(seen.map((event) => [dig(event, 'name'), dig(event, 'siteId'), dig(event, 'roomId')])).toEqual([
    ['Stage left', site.id, room.id],
    ['Stage', site.id, room.id],
    ['Stage', site.id, null],
    ['Stage', null, null],
  ])
  const found = await ask(
    '{ deviceSearch(params: { filter: { field: "name", eq: "Stage" } }) { edges { node { id site { id } } } } }',
  )
  expect(digAll(found.json, 'data', 'deviceSearch', 'edges')).toEqual([{ node: { id: device.id, site: null } }])
})

test('upsertSite and upsertRoom create and change; a room takes its devices to another site', async () => {
  const { service, ask, watch } = await ready()
  const [tenant] = service.world.tenants()
  const site = (
    await ask('mutation ($t: ID!) { upsertSite(fields: { tenantId: $t, name: "Pier 4" }) { id name } }', {
      t: tenant?.id,
    })
  ).at('data', 'upsertSite')
  expect(site).toEqual({ id: expect.any(String), name: 'Pier 4' })
  const upsert =
    'mutation ($fields: UpsertRoomRequest!) { upsertRoom(fields: $fields) { id name floor capacity size site { id name } } }'
  const made = (
    await ask(upsert, {
      fields: {
        tenantId: tenant?.id,
        siteId: dig(site, 'id'),
        name: 'Anchor',
        floor: '2',
        capacity: 8,
        size: 'MEDIUM',
      },
    })
  ).at('data', 'upsertRoom')
  expect(made).toEqual({ id: expect.any(String), name: 'Anchor', floor: '2', capacity: 8, size: 'MEDIUM', site })
  const device = service.world.find(({ room, tenantId }) => room !== null && tenantId === tenant?.id)
  const inside = service.world
    .devices()
    .filter(({ room }) => room?.id === device.room?.id)
    .map(({ id }) => id)
  const seen = await watch(inside)
  const moved = (
    await ask(upsert, { fields: { tenantId: tenant?.id, id: device.room?.id, siteId: dig(site, 'id'), name: 'Quay' } })
  ).at('data', 'upsertRoom')
  expect(moved).toEqual({
    id: device.room?.id,
    name: 'Quay',
    floor: device.room?.floor,
    capacity: device.room?.capacity,
    size: device.room?.size,
    site,
  })
  await until(() => seen.length === inside.length)
  expect(seen.map((event) => [dig(event, 'id'), dig(event, 'siteId')])).toEqual(
    inside.map((id) => [id, dig(site, 'id')]),
  )
  await ask('mutation ($t: ID!, $id: ID) { upsertSite(fields: { tenantId: $t, id: $id, name: "Pier 5" }) { id } }', {
    t: tenant?.id,
    id: dig(site, 'id'),
  })
  const read = await ask('query ($id: String!) { device(id: $id) { site { name } room { name } } }', { id: device.id })
  expect(read.at('data', 'device')).toEqual({ site: { name: 'Pier 5' }, room: { name: 'Quay' } })
})

test('an invalid mutation is rejected at its field and changes nothing', async () => {
  const { service, ask } = await ready()
  const [own, foreign] = service.world.tenants()
  const device = service.world.find(({ room, tenantId }) => room !== null && tenantId === own?.id)
  const [siteOfOther] = service.world.sites(foreign?.id ?? '')
  const [roomOfOther] = service.world.rooms(siteOfOther?.id ?? '')
  const update = (fields: unknown) =>
    ask('mutation ($id: String!, $fields: UpdateDeviceRequest!) { updateDevice(id: $id, fields: $fields) { id } }', {
      id: device.id,
      fields,
    })
  const room = (fields: object) =>
    ask('mutation ($fields: UpsertRoomRequest!) { upsertRoom(fields: $fields) { id } }', {
      fields: { tenantId: own?.id, ...fields },
    })
  const site = (fields: object) =>
    ask('mutation ($fields: UpsertSiteRequest!) { upsertSite(fields: $fields) { id } }', {
      fields: { tenantId: own?.id, ...fields },
    })
  const before = service.world.devices()
  const sites = service.world.sites(own?.id ?? '')
  const twin = service.world.rooms(device.site?.id ?? '')[0]
  const answers = await Promise.all([
    update({ name: ' ' }),
    update({ name: null }),
    update({ name: 'a'.repeat(256) }),
    update({ name: 'a', displayName: 'b' }),
    update({ name: 'A\u0000hidden' }),
    update({ displayName: 'two\nlines' }),
    room({ siteId: device.site?.id, name: 'tab\t' }),
    room({ siteId: device.site?.id, name: 'x', floor: '\u007f' }),
    site({ name: '\u0085' }),
    update({ siteId: null, roomId: device.room?.id }),
    room({ name: 'No site' }),
    room({ siteId: device.site?.id }),
    room({ siteId: device.site?.id, name: 'x', capacity: -1 }),
    room({ siteId: device.site?.id, name: twin?.name }),
    site({}),
    site({ name: sites[0]?.name }),
  ])
  expect(answers.map((answer) => answer.at('errors', 0, 'extensions', 'code'))).toEqual(
    answers.map(() => 'BAD_USER_INPUT'),
  )
  const unknown = await Promise.all([
    update({ siteId: 'no' }),
    update({ roomId: 'no' }),
    update({ siteId: siteOfOther?.id }),
    update({ siteId: device.site?.id, roomId: roomOfOther?.id }),
    room({ id: roomOfOther?.id, name: 'x' }),
    room({ siteId: siteOfOther?.id, name: 'x' }),
    site({ id: siteOfOther?.id, name: 'x' }),
    site({ tenantId: 'no', name: 'x' }),
  ])
  expect(unknown.map((answer) => answer.at('errors', 0, 'extensions', 'code'))).toEqual(unknown.map(() => 'NOT_FOUND'))
  expect(service.world.devices()).toEqual(before)
  expect(service.world.sites(own?.id ?? '')).toEqual(sites)
})

test('25 aliases of updateDevice in one operation each have their own outcome', async () => {
  const { service, ask } = await ready()
  const devices = service.world.devices().slice(0, 25)
  const names = devices.map((_, n) => (n === 7 ? ' ' : n === 9 ? 'x'.repeat(10_000) : `Renamed ${n}`))
  const ids = devices.map(({ id }, n) => (n === 3 ? 'gone' : id))
  const fields = names.map((_, n) => `d${n}: updateDevice(id: $i${n}, fields: { name: $n${n} }) { id name }`)
  const reply = await ask(
    `mutation (${names.map((_, n) => `$i${n}: String!, $n${n}: String`).join(', ')}) { ${fields.join(' ')} }`,
    Object.fromEntries(
      names.flatMap((name, n) => [
        [`i${n}`, ids[n]],
        [`n${n}`, name],
      ]),
    ),
  )
  expect(
    digAll(reply.json, 'errors').map((error) => [dig(error, 'path', 0), dig(error, 'extensions', 'code')]),
  ).toEqual([
    ['d3', 'NOT_FOUND'],
    ['d7', 'BAD_USER_INPUT'],
    ['d9', 'BAD_USER_INPUT'],
  ])
  for (const [n, device] of devices.entries()) {
    const failed = [3, 7, 9].includes(n)
    expect(reply.at('data', `d${n}`)).toEqual(failed ? null : { id: device.id, name: names[n] })
    expect(service.world.device(device.id)?.name).toBe(failed ? device.name : names[n])
  }
  expect(reply.headers['graphql-ratelimit-querycost']).toBe('75')
})

test('writes cost by the formula, in the headers and in the body', async () => {
  const { service, ask } = await ready({ balance: 100 })
  const device = service.world.find(({ connected }) => connected === true)
  const query =
    'mutation ($id: String!) { one: updateDevice(id: $id, fields: {}) { id site { id } } rebootDevice(deviceId: $id) { success error } calculateQueryCost { queryCost costRemaining } }'
  const reply = await ask(query, { id: device.id })
  // updateDevice 1 + id 1 + site 1 + its id 1, rebootDevice 1 + 2, calculateQueryCost 1 + 2.
  expect(reply.at('data', 'calculateQueryCost')).toEqual({ queryCost: 10, costRemaining: 90 })
  expect([reply.headers['graphql-ratelimit-querycost'], reply.headers['ratelimit-remaining']]).toEqual(['10', '90'])
  const many = Array.from(
    { length: 20 },
    (_, n) => `r${n}: updateDevice(id: $id, fields: { name: "n${n}" }) { id name displayName connected }`,
  ).join(' ')
  expect((await ask(`mutation ($id: String!) { ${many} }`, { id: device.id })).status).toBe(429)
  expect(service.world.device(device.id)?.name).toBe(device.name)
})

test('the minimal profile has no mutation', async () => {
  const { ask } = await ready({ profile: 'minimal' })
  expect((await ask('mutation { rebootDevice(deviceId: "x") { success } }')).at('errors', 0, 'message')).toContain(
    'Schema is not configured to execute mutation',
  )
})
