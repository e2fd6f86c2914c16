import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { MisfortuneKind } from '../../src-service/faults/misfortune/misfortune.ts'
import type { Service } from '../../src-service/service.ts'
import type { FaultKind } from '../../src-shared/model/fault.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  acceleratedClock,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const countOf = async (muster: Console) =>
  (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total

test.each<[MisfortuneKind]>([
  ['http-500'],
  ['html'],
  ['garbage'],
  ['reset'],
  ['stall'],
  ['rate-limited'],
  ['unauthenticated'],
  ['unknown-fields'],
])('%s during a sync costs nothing but time', async (kind) => {
  const clock = acceleratedClock(20)
  const reference = await service(leftovers, { profile: 'minimal', devices: 120, tenants: 1, now: clock.now })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  reference.misfortune.next(kind, { operationName: 'Devices', skip: 4 })
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  expect(reference.misfortune.waiting()).toEqual([])
  expect(await countOf(muster)).toBe(120)
})

test('a repeated nextToken is a fault and removes no device', async () => {
  const reference = await service(leftovers, { profile: 'minimal', devices: 60, tenants: 1 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  reference.misfortune.next('repeat-token', { operationName: 'Devices', skip: 2 })
  await muster.call('sync.start', { scope: 'all' })
  const state = await whenConnection(muster, ({ faults }) => faults.some(({ fault }) => fault.kind === 'paging'))
  expect(state.faults.map(({ where }) => where)).toContain(reference.world.tenants()[0]?.name)
  expect(await countOf(muster)).toBe(60)
})

test('a part that failed is shown as such, and the rest is kept', async () => {
  const reference = await service(leftovers, { profile: 'minimal', devices: 60, tenants: 1 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  reference.misfortune.next('partial', { operationName: 'Devices', skip: 1 })
  await muster.call('sync.start', { scope: 'all' })
  await whenConnection(muster, ({ faults }) => faults.some(({ fault }) => fault.kind === 'partial'))
  expect(await countOf(muster)).toBe(60)
})

test.each<[string, (reference: Service) => object, FaultKind]>([
  ['a wrong secret', () => ({ clientSecret: 'wrong' }), 'credentials'],
  ['an unknown host', () => ({ tokenUrl: 'https://nosuch.invalid/oauth/token' }), 'name'],
  ['a port that nobody listens on', () => ({ tokenUrl: 'https://127.0.0.1:1/oauth/token' }), 'connect'],
  ['an untrusted certificate', () => ({ ca: '' }), 'tls'],
  ['a wrong path', ({ graphqlUrl }) => ({ tokenUrl: graphqlUrl.replace('/graphql', '/nothing') }), 'not-found'],
])('%s is reported as what it is', async (_name, wrong, kind) => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference, wrong(reference)))
  const state = await whenConnection(muster, ({ faults }) => faults.length > 0)
  expect(state.faults[0]?.fault.kind).toBe(kind)
})

test('a web page instead of data is reported as such', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  reference.misfortune.next('html', { operationName: 'Tenants' })
  await muster.call('connections.save', connectionTo(reference))
  await whenConnection(muster, ({ faults }) =>
    faults.some(({ fault }) => fault.kind === 'not-json' && fault.detail.includes('web page')),
  )
})

test('a CA that cannot be read is rejected in the form, and nothing is stored', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const bad = connectionTo(reference, { ca: '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----' })
  await expect(muster.call('connections.save', bad)).rejects.toThrow(/^ca/)
  expect((await muster.call('app.state', {})).connections).toEqual([])
})

test('no file that a run leaves behind holds a secret or a token', async () => {
  const profile = temporaryProfile(leftovers)
  const reference = await service(leftovers, { devices: 50, tenants: 1 })
  const muster = await openConsole(leftovers, profile)
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  reference.misfortune.dropSockets(4403)
  await until(() => expect(reference.tokensIssued()).toBeGreaterThan(1))
  await whenRead(muster)
  const shown = JSON.stringify([await muster.call('app.state', {}), muster.patches, muster.log])
  await muster.stop()
  const files = readdirSync(profile, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(1)
  for (const text of [
    shown,
    ...files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1')),
  ]) {
    expect(text).not.toContain(reference.clientSecret)
    expect(text).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}/)
  }
})
