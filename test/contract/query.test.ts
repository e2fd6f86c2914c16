import { randomUUID } from 'node:crypto'
import { buildClientSchema, type IntrospectionQuery } from 'graphql'
import { afterEach, describe, expect, test } from 'vitest'
import type { CallInput } from '../../src-shared/contract/contract.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

type ServiceOptions = Parameters<typeof service>[1]

async function open(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 40, tenants: 2, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const ask = (document: string, more: Partial<CallInput<'query.run'>> = {}) => {
    const run = randomUUID()
    const answer = muster.call('query.run', { run, connection, document, operation: null, variables: {}, ...more })
    return { run, answer }
  }
  return { reference, muster, connection, ask }
}

const textOf = async (muster: Console, run: string) => {
  let text = ''
  for (let from = 0; ;) {
    const part = await muster.call('query.text', { run, from })
    if (part.text === '') return text
    text += part.text
    from = part.next
  }
}

const tenantsQuery = 'query Mine { tenants { id name } }'

describe.each(['full', 'minimal', 'contrary'] as const)('a service with the %s profile', (profile) => {
  test('a query is answered as the service wrote it, with its points and lines', async () => {
    const { reference, muster, ask } = await open({ profile })
    const { run, answer } = ask(tenantsQuery)
    const found = await answer
    expect(found).toMatchObject({ status: 200, fault: null, isWhole: true, summary: { hasData: true, errors: [] } })
    const text = await textOf(muster, run)
    const names = (JSON.parse(text) as { data: { tenants: { name: string }[] } }).data.tenants.map(({ name }) => name)
    expect(names).toEqual(reference.world.tenants().map(({ name }) => name))
    const { lines } = await muster.call('query.lines', { run, from: 0, count: 500 })
    expect(lines.map(({ text: line, depth }) => `${'  '.repeat(depth)}${line}`).join('\n')).toBe(
      JSON.stringify(JSON.parse(text), null, 2),
    )
    expect(found.summary).toMatchObject({ lines: lines.length, bytes: Buffer.byteLength(text) })
    const { line } = await muster.call('query.find', { run, text: names[1] ?? '', from: 0 })
    expect(lines[line ?? -1]?.text).toContain(names[1])
  })

  test('a rejection is an answer too, and a text that is no query is not sent', async () => {
    const { reference, muster, ask } = await open({ profile })
    const { run, answer } = ask('{ nothingOfThisName }')
    const { fault, summary } = await answer
    expect([fault?.kind, summary.hasData]).toEqual(['query', false])
    expect(await textOf(muster, run)).toContain('nothingOfThisName')
    const before = reference.operations().length
    for (const document of [
      '{ tenants',
      'fragment F on Query { tenants { id } }',
      'mutation { rebootDevice(id: "x") { success } }',
      'subscription { deviceStream(deviceIds: []) { id } }',
      'query A { tenants { id } } query B { tenants { id } }',
      '{ a '.repeat(3_000) + '}'.repeat(3_000),
    ])
      await expect(ask(document).answer).rejects.toMatchObject({ fault: { kind: 'input' } })
    expect(reference.operations().length).toBe(before)
  })
})

test('of several operations the chosen one is run', async () => {
  const { muster, ask } = await open()
  const { run, answer } = ask('query A { tenants { id } } query B { tenants { name } }', { operation: 'B' })
  await answer
  expect(await textOf(muster, run)).toContain('"name"')
})

test('the schema is told by the service, once, and can be read again', async () => {
  const { reference, muster, connection } = await open()
  const asked = () => reference.operations().filter(({ query }) => query.includes('IntrospectionQuery')).length
  const { introspection } = await muster.call('query.schema', { connection, again: false })
  const { data } = JSON.parse(introspection) as { data: IntrospectionQuery }
  expect(Object.keys(buildClientSchema(data).getQueryType()?.getFields() ?? {})).toContain('tenants')
  await muster.call('query.schema', { connection, again: false })
  expect(asked()).toBe(1)
  await muster.call('query.schema', { connection, again: true })
  expect(asked()).toBe(2)
})

test('a service that tells its schema to nobody says so', async () => {
  const { muster, connection } = await open({ profile: 'contrary', contrary: { introspection: false } })
  await expect(muster.call('query.schema', { connection, again: false })).rejects.toBeDefined()
})

test('a run is ended by the operator, and its id is used once', async () => {
  const { reference, muster, ask } = await open()
  reference.misfortune.always('stall', { operationName: 'Mine' })
  const { run, answer } = ask(tenantsQuery)
  const ended = expect(answer).rejects.toMatchObject({ fault: { kind: 'abort' } })
  await muster.call('query.cancel', { run })
  await ended
  await expect(ask(tenantsQuery, { run }).answer).rejects.toMatchObject({ fault: { kind: 'input' } })
})

test('the tenants of a connection are listed by their ids of the service', async () => {
  const { reference, muster, connection } = await open()
  const { tenants } = await muster.call('query.tenants', { connection })
  expect(tenants.map(({ id }) => id).toSorted()).toEqual(
    reference.world
      .tenants()
      .map(({ id }) => id)
      .toSorted(),
  )
  await expect(muster.call('query.schema', { connection: 'none', again: false })).rejects.toMatchObject({
    fault: { kind: 'input' },
  })
})
