import { afterEach, expect, test } from 'vitest'
import type { NewCredentialSet } from '../../src-service/access/credentials.ts'
import type { Answers } from '../../src-service/faults/contrary/answers.ts'
import type { ServiceOptions } from '../../src-service/options.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A Device Manager that is held to two accounts of the first tenant. */
const manager: NonNullable<ServiceOptions['credentials']> = (world): NewCredentialSet[] => [
  {
    name: 'Night shift',
    role: 'it-admin',
    accounts: world
      .accounts(world.tenants()[0]?.id ?? '')
      .slice(0, 2)
      .map(({ id }) => id),
  },
]

async function open(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 600, tenants: 1, credentials: manager, ...options })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  const { id } = await muster.call('connections.save', connectionTo(reference))
  const asked = (name: string) => reference.operations().filter(({ operationName }) => operationName === name).length
  return { reference, muster, profile, id, asked }
}

const told = { name: 'Night shift', roles: ['it-admin'], scope: { accounts: 2 } }

test('the role and scope of a credential set are read in the background after the first sync', async () => {
  const { muster } = await open()
  const { access } = await whenConnection(muster, (state) => state.access !== undefined)
  expect(access).toEqual({ ...told, readAt: expect.any(Number) })
  const [gauge] = (await muster.call('app.state', {})).gauges
  expect(gauge?.recent.find(({ name }) => name === 'Credential')).toMatchObject({ lane: 'background' })
})

test('the role is known offline after a restart, with its age', async () => {
  const { reference, muster, profile } = await open()
  const { access } = await whenConnection(muster, (state) => state.access !== undefined)
  await muster.stop()
  await reference.stop()
  const again = await openConsole(leftovers, profile, { secrets: muster.secrets })
  const state = await whenConnection(again, ({ faults }) => faults.length > 0)
  expect(state.access).toEqual(access)
})

test('it is read once for each full sync, and its types once', async () => {
  const { muster, asked } = await open()
  await whenRead(muster)
  await until(() => expect(asked('Credential')).toBe(1))
  const types = asked('Type')
  await muster.call('sync.start', { scope: 'all' })
  await until(() => expect(asked('Credential')).toBe(2))
  expect(asked('Type')).toBe(types)
})

test('another role of the set is shown after the next sync', async () => {
  const { reference, muster } = await open()
  await whenConnection(muster, (state) => state.access !== undefined)
  const [set] = reference.credentials.list()
  reference.credentials.setRole(set?.clientId ?? '', 'user')
  await muster.call('sync.start', { scope: 'all' })
  expect((await whenConnection(muster, ({ access }) => access?.roles[0] === 'user')).access?.scope).toEqual(told.scope)
})

test('another client id of the connection has no role until it is told', async () => {
  const { reference, muster, id } = await open()
  await whenConnection(muster, (state) => state.access !== undefined)
  await muster.call('connections.save', connectionTo(reference, { id, clientId: 'other', clientSecret: 'wrong' }))
  const { access } = await whenConnection(muster, ({ faults }) =>
    faults.some(({ fault }) => fault.kind === 'credentials'),
  )
  expect(access).toBeUndefined()
})

test('a removed connection leaves no role in the settings', async () => {
  const { muster, id } = await open()
  await whenConnection(muster, (state) => state.access !== undefined)
  await muster.call('connections.remove', { id })
  expect(muster.settings.get('access')).toEqual({})
})

test.each<[string, Partial<Answers>]>([
  ['no such field', { schema: 'minimal' }],
  ['no introspection', { introspection: false }],
])('of a service with %s no role is asked, and no fault is shown', async (_name, contrary) => {
  const given = { contrary, credentials: () => [{ role: 'it-admin' as const }] }
  const { muster, asked, reference } = await open({ profile: 'contrary', ...given })
  await whenRead(muster)
  await muster.call('sync.start', { scope: 'all' })
  const { access, faults } = await whenConnection(muster, ({ sync }) => sync.state === 'idle')
  // The type of the subscription's devices is asked for by the same operation.
  const types = reference.operations().filter(({ operationName }) => operationName === 'Type')
  expect([access, faults, asked('Credential')]).toEqual([undefined, [], 0])
  expect(types.filter(({ variables }) => /credential/iu.test(String(variables?.['name'])))).toEqual([])
})

test.each<[string, Partial<Answers>]>([
  ['other types of ids', { idTypes: 'swapped' }],
  ['errors without a code', { errorShape: 'message-only' }],
  ['no costs', { costHeaders: false, costField: false }],
])('a service with %s tells the role', async (_name, contrary) => {
  const { muster } = await open({ profile: 'contrary', contrary })
  const { access } = await whenConnection(muster, (state) => state.access !== undefined)
  expect(access).toMatchObject(told)
})

test('a test of the connection tells role and scope beside the tenants', async () => {
  const { reference, muster } = await open()
  const { legs } = await muster.call('connections.test', connectionTo(reference))
  expect(legs.find(({ leg }) => leg === 'query')?.detail).toBe('1 tenant; role: Device Manager (it-admin), 2 accounts')
})

test('the support bundle has role and scope, and not the name of the set', async () => {
  const { muster } = await open()
  await whenConnection(muster, (state) => state.access !== undefined)
  const { files } = await muster.call('support.preview', { pseudonyms: true, names: false, window: '' })
  const text = files.find(({ name }) => name === 'connections.json')?.text ?? ''
  expect(JSON.parse(text)).toMatchObject([{ role: { roles: ['it-admin'], scope: { accounts: 2 } } }])
  expect(files.map((file) => file.text).join('\n')).not.toContain('Night shift')
})
