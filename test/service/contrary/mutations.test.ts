import { expect, test } from 'vitest'
import type { Role } from '../../../src-service/access/roles.ts'
import type { Answers } from '../../../src-service/faults/contrary/answers.ts'
import { dig, digAll, streamClient, until } from '../client.ts'
import { contrary } from './contrary.ts'

const reboot = 'mutation ($id: String!) { rebootDevice(deviceId: $id) { success error } }'

/** A contrary service, and its first connected device. */
async function ready(answers: Partial<Answers>, role: Role = 'admin') {
  const opened = await contrary(answers, { role })
  const device = opened.service.world.find(({ connected, room }) => connected === true && room !== null)
  const namesOf = async (type: string, members = 'fields') => {
    const reply = await opened.ask(`{ __type(name: "${type}") { ${members} { name } } }`)
    return digAll(reply.json, 'data', '__type', members).map((member) => dig(member, 'name'))
  }
  return { ...opened, device, namesOf }
}

test('a schema without accounts has neither the level nor a word of it', async () => {
  const { ask, namesOf, id } = await ready({ accounts: false })
  expect(await namesOf('Tenant')).not.toContain('accounts')
  expect(await namesOf('Site')).not.toContain('account')
  expect(await namesOf('UpsertSiteRequest', 'inputFields')).toEqual(['tenantId', 'id', 'name'])
  expect((await ask('{ __type(name: "Account") { name } }')).at('data', '__type')).toBeNull()
  const made = await ask('mutation ($id: ID!) { upsertSite(fields: { tenantId: $id, name: "Pier" }) { name } }', { id })
  expect(made.at('data', 'upsertSite')).toEqual({ name: 'Pier' })
})

test('a schema without mutations has no such root', async () => {
  const { ask, device } = await ready({ mutations: 'none' })
  expect((await ask('{ __schema { mutationType { name } } }')).at('data', '__schema', 'mutationType')).toBeNull()
  expect((await ask(reboot, { id: device.id })).at('errors', 0, 'message')).toContain(
    'not configured to execute mutation',
  )
})

test('mutations under other names work, and those that are known do not exist', async () => {
  const { service, ask, device, namesOf } = await ready({ mutations: 'other-names' })
  expect((await namesOf('Mutation')).toSorted()).toEqual([
    'calculateQueryCost',
    'editDevice',
    'restartDevice',
    'restartSite',
    'saveRoom',
    'saveSite',
  ])
  expect((await ask(reboot, { id: device.id })).at('errors', 0, 'extensions', 'code')).toBe('GRAPHQL_VALIDATION_FAILED')
  await ask(reboot.replace('rebootDevice', 'restartDevice'), { id: device.id })
  expect(service.world.device(device.id)?.connected).toBe(false)
})

test('with the input of 2020 a device moves by roomUUID, and has no other place to be named', async () => {
  const { service, ask, device, namesOf } = await ready({ mutations: 'room-uuid' })
  expect(await namesOf('UpdateDeviceRequest', 'inputFields')).toEqual(['name', 'roomUUID'])
  const other = service.world.find(
    ({ room, tenantId }) => tenantId === device.tenantId && room?.id !== device.room?.id && room !== null,
  )
  const update = (fields: object) =>
    ask(
      'mutation ($id: String!, $fields: UpdateDeviceRequest!) { updateDevice(id: $id, fields: $fields) { name room { id } } }',
      {
        id: device.id,
        fields,
      },
    )
  const moved = await update({ name: 'Moved', roomUUID: other.room?.id })
  expect(moved.at('data', 'updateDevice')).toEqual({ name: 'Moved', room: { id: other.room?.id } })
  expect((await update({ name: 'Named' })).at('data', 'updateDevice')).toEqual({
    name: 'Named',
    room: { id: other.room?.id },
  })
})

test.each([
  ['usual', 'it-admin', true],
  ['admin', 'it-admin', false],
  ['admin', 'admin', true],
  ['none', 'admin', false],
] as const)('where the role for mutations is %s, %s may call them: %s', async (mutationRole, role, may) => {
  const { service, ask, device } = await ready({ mutationRole }, role)
  const reply = await ask(reboot, { id: device.id })
  expect(reply.at('errors', 0, 'extensions')).toEqual(
    may
      ? undefined
      : { code: 'FORBIDDEN', permissions: ['device:control'], resource: { id: device.id, type: 'device' } },
  )
  expect(service.world.device(device.id)?.connected).toBe(!may)
  const read = await ask('query ($id: String!) { device(id: $id) { serialNumber } }', { id: device.id })
  expect(read.at('data', 'device')).toEqual({ serialNumber: device.serialNumber })
})

test('what the role forbids can be told with the status 403, beside the rest of the data', async () => {
  const { ask, device } = await ready({ forbiddenStatus: 403 }, 'user')
  const both = reboot.replace('{ rebootDevice', '{ calculateQueryCost { queryCost } rebootDevice')
  const reply = await ask(both, { id: device.id })
  expect([reply.status, reply.json]).toMatchObject([
    403,
    {
      data: { rebootDevice: null, calculateQueryCost: { queryCost: 5 } },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    },
  ])
  expect((await ask('{ tenants { id } }')).status).toBe(200)
})

test('a refused reboot can come without its reason', async () => {
  const { service, ask, device } = await ready({ actionAnswers: 'no-words' })
  service.setRebootOutcome(device.id, 'refused')
  expect((await ask(reboot, { id: device.id })).json).toEqual({
    data: { rebootDevice: { success: false, error: null } },
  })
})

test('a reboot can be answered by null, whatever came of it', async () => {
  const { service, ask, device } = await ready({ actionAnswers: 'null' })
  expect((await ask(reboot, { id: device.id })).json).toEqual({ data: { rebootDevice: null } })
  expect(service.world.device(device.id)?.connected).toBe(false)
})

const stream = 'subscription ($ids: [String!]!) { deviceStream(deviceIds: $ids) { id name siteId roomId tenantId } }'

test('the ids of an event can be null, or of nothing, while its name is new', async () => {
  const { service, ask, device, token } = await ready({ eventPlaces: 'null' })
  const seen: unknown[] = []
  const sink = { error: () => undefined, complete: () => undefined }
  streamClient(service, token).subscribe(
    { query: stream, variables: { ids: [device.id] } },
    { ...sink, next: ({ data }) => void seen.push(data?.['deviceStream']) },
  )
  await until(() => service.subscribedIds().includes(device.id))
  const rename = async (name: string) => {
    await ask('mutation ($id: String!, $name: String) { updateDevice(id: $id, fields: { name: $name }) { id } }', {
      id: device.id,
      name,
    })
    await until(() => dig(seen.at(-1), 'name') === name)
  }
  await rename('First')
  service.contrary.change({ eventPlaces: 'unknown' })
  await rename('Second')
  service.contrary.change({ eventPlaces: 'ids' })
  await rename('Third')
  const nothing = '00000000-0000-4000-a000-000000000000'
  const { id } = device
  expect(seen).toEqual([
    { id, name: 'First', siteId: null, roomId: null, tenantId: null },
    { id, name: 'Second', siteId: nothing, roomId: nothing, tenantId: nothing },
    { id, name: 'Third', siteId: device.site?.id, roomId: device.room?.id, tenantId: device.tenantId },
  ])
})
