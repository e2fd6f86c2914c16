import { afterEach, describe, expect, test } from 'vitest'
import type { Secrets } from '../../src-main/ports.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

type ServiceOptions = NonNullable<Parameters<typeof service>[1]>

type Answers = NonNullable<ServiceOptions['contrary']>

async function open(options: ServiceOptions = {}, secrets: Secrets = openMemory('this session only: a test')) {
  const reference = await service(leftovers, { devices: 40, tenants: 2, ...options })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, { secrets })
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  return { reference, profile, muster, connection }
}

const statesOf = async (muster: Console, connection: string) => {
  const { uses } = await muster.call('offers.read', { connection })
  return Object.fromEntries(uses.map(({ name, state }) => [name, state]))
}

describe('what Muster uses', () => {
  test('of the full service nearly everything, with the reason', async () => {
    const { muster, connection } = await open()
    await until(async () => {
      const states = await statesOf(muster, connection)
      expect(states).toMatchObject({ reboot: 'used', stream: 'used', places: 'used' })
    })
    const { schema, uses, leftOut, limits, regions, baseFields } = await muster.call('offers.read', { connection })
    expect(schema).toBe('yes')
    expect(uses.filter(({ state }) => state !== 'used')).toEqual([])
    expect(leftOut).toEqual([])
    expect(limits).toMatchObject({ operation: 10_000, window: 100_000, basis: 'headers', pageLimit: null })
    expect(regions.reduce((sum, { tenants }) => sum + tenants, 0)).toBe(2)
    expect(baseFields).toContain('hardwareModel')
  })

  test('of the documented minimum nothing is taken for absent that is only unknown', async () => {
    const { muster, connection } = await open({ profile: 'minimal' })
    const { schema, uses } = await muster.call('offers.read', { connection })
    expect(schema).toBe('refused')
    for (const name of ['pageSize', 'sort', 'deviceById', 'credential', 'columns'])
      expect(uses.find((use) => use.name === name)).toMatchObject({ reason: 'no-schema' })
    expect(uses.find(({ name }) => name === 'reboot')?.state).toBe('unknown')
  })

  test('of a contrary service what it rejected, and the page size that it takes', async () => {
    const { muster, connection } = await open({
      profile: 'contrary',
      contrary: { introspection: false, missingFields: ['lastConfigRequestDate'], costHeaders: false },
    })
    const { leftOut, limits } = await muster.call('offers.read', { connection })
    expect(leftOut.map(({ path }) => path)).toContain('device.lastConfigRequestDate')
    expect(limits.basis).toBe('field')
    const { entries } = await muster.call('offers.history', { connection })
    expect(entries.flatMap(({ source, changes }) => changes.map(({ coordinate }) => [source, coordinate]))).toEqual([
      ['rejection', 'Device.lastConfigRequestDate'],
    ])
  })

  test('a connection that is unknown is an error', async () => {
    const { muster } = await open()
    await expect(muster.call('offers.read', { connection: 'nobody' })).rejects.toMatchObject({
      fault: { kind: 'input' },
    })
  })
})

describe('the history of the schema', () => {
  /** Reads the schema of a service, and then that of another one at the same address, by the same profile. */
  async function replaced(before: Answers, after: Answers, then: (muster: Console, connection: string) => unknown) {
    const secrets = openMemory('this session only: a test')
    const { reference, profile, muster, connection } = await open({ profile: 'contrary', contrary: before }, secrets)
    await muster.call('query.schema', { connection, again: false })
    await muster.call('offers.history', { connection })
    await muster.stop()
    const { clientId, clientSecret, certificates } = reference
    await reference.stop()
    const port = Number(new URL(reference.graphqlUrl).port)
    const same = { devices: 40, tenants: 2, port, clientId, clientSecret, certificates }
    await service(leftovers, { ...same, profile: 'contrary', contrary: after })
    const again = await openConsole(leftovers, profile, { secrets })
    await whenRead(again)
    await then(again, connection)
  }

  test('a field that goes is found by the sync, and the rest by the whole schema, each once', async () => {
    await replaced({}, { missingFields: ['lastConfigRequestDate'], insights: 'none' }, async (muster, connection) => {
      const found = await until(async () => {
        const { entries } = await muster.call('offers.history', { connection })
        expect(entries.map(({ source }) => source)).toEqual(['sync'])
        return entries
      })
      const gone = { coordinate: 'Device.lastConfigRequestDate', what: 'removed', severity: 'breaking' }
      expect(found[0]?.changes).toMatchObject([gone])
      await muster.call('query.schema', { connection, again: false })
      const { entries } = await muster.call('offers.history', { connection })
      expect(entries.map(({ source }) => source)).toEqual(['schema', 'sync'])
      const named = entries[0]?.changes.map(({ coordinate }) => coordinate)
      expect(named).toContain('Query.charts')
      expect(named).not.toContain('Device.lastConfigRequestDate')
    })
  })

  test('a schema that is told to nobody any more is no removal', async () => {
    await replaced({}, { introspection: false }, async (muster, connection) => {
      await expect(muster.call('query.schema', { connection, again: false })).rejects.toBeDefined()
      expect((await muster.call('offers.history', { connection })).entries).toEqual([])
    })
  })

  test('begins with the first whole reading, and the same schema adds nothing', async () => {
    const { muster, connection } = await open()
    expect(await muster.call('offers.history', { connection })).toEqual({ since: null, readAt: null, entries: [] })
    await muster.call('query.schema', { connection, again: false })
    const { since, readAt, entries } = await muster.call('offers.history', { connection })
    expect([since === readAt, since === null, entries]).toEqual([true, false, []])
    await muster.call('query.schema', { connection, again: true })
    expect((await muster.call('offers.history', { connection })).entries).toEqual([])
  })

  test('a refusal enters nothing, and the history goes with its connection', async () => {
    const { reference, muster, connection } = await open()
    await muster.call('query.schema', { connection, again: false })
    const before = await muster.call('offers.history', { connection })
    reference.misfortune.always('garbage', { operationName: 'IntrospectionQuery' })
    await expect(muster.call('query.schema', { connection, again: true })).rejects.toBeDefined()
    expect(await muster.call('offers.history', { connection })).toEqual(before)
    await muster.call('connections.remove', { id: connection })
    expect(await muster.call('offers.history', { connection })).toMatchObject({ since: null, entries: [] })
  })
})
