import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { CallInput } from '../../src-shared/contract/contract.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
} from '../support/fleet.ts'
import { auditDocuments, documentedOperations } from '../support/operation-documents.ts'
import { startHostile } from '../support/hostile-service.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function consoleOf(input: CallInput<'connections.save'>) {
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id: connection } = await muster.call('connections.save', input)
  await whenRead(muster)
  const ask = (document: string, more: Partial<CallInput<'query.run'>> = {}) => {
    const run = randomUUID()
    const answer = muster.call('query.run', { run, connection, document, operation: null, variables: {}, ...more })
    return { run, answer }
  }
  const textOf = async (run: string) => {
    let text = ''
    for (let from = 0; ;) {
      const part = await muster.call('query.text', { run, from })
      if (part.text === '') return text
      text += part.text
      from = part.next
    }
  }
  return { muster, connection, ask, textOf }
}

async function open(options: Parameters<typeof service>[1] = {}) {
  const reference = await service(leftovers, { devices: 20, tenants: 2, ...options })
  return { reference, ...(await consoleOf(connectionTo(reference))) }
}

async function openHostile(page: () => string) {
  let isLong = false
  const normal =
    '{"data":{"tenant":{"inventory":{"deviceSearch":{"edges":[{"node":{"id":"d1","name":"Device","connected":true}}],"pageInfo":{"totalCount":1,"countOnPage":1,"nextToken":null,"hasNextPage":false}}}}}}'
  const { input } = await startHostile(leftovers, { page: () => (isLong ? page() : normal) })
  const opened = await consoleOf(input)
  isLong = true
  return opened
}

test('the documents of the audits of GraphQL over HTTP are run, and answered as the service does', async () => {
  const { ask, textOf } = await open()
  const documents = await auditDocuments()
  expect(documents.length).toBeGreaterThan(2)
  for (const { query, operationName, variables } of documents) {
    const { run, answer } = ask(query, { operation: operationName, variables })
    const { status, summary } = await answer
    const body = JSON.parse(await textOf(run)) as { data?: unknown; errors?: unknown[] }
    // A rejection has its words, and everything else has data.
    expect([query, status, summary.hasData, summary.errors.length > 0]).toEqual([
      query,
      status,
      typeof body.data === 'object' && body.data !== null,
      (body.errors ?? []).length > 0,
    ])
    expect(summary.hasData || summary.errors.length > 0).toBe(true)
  }
})

test('the operations of the service’s documentation are run', async () => {
  const { reference, ask, textOf } = await open()
  for (const [document, variables] of documentedOperations(reference.world)) {
    const { run, answer } = ask(document, { variables })
    const { status, fault, summary } = await answer
    expect([document, status, fault, summary.errors, summary.hasData]).toEqual([document, 200, null, [], true])
    expect(JSON.parse(await textOf(run))).toHaveProperty('data')
  }
})

test('a variable of the wrong type, or none, is rejected by the service in its words', async () => {
  const { ask } = await open()
  const document = 'query One($id: ID!) { tenant(id: $id) { name } }'
  for (const variables of [{}, { id: { deep: 1 } }]) {
    const { fault, summary } = await ask(document, { variables }).answer
    expect(fault?.kind).toBe('query')
    expect(summary.errors[0]?.message).toContain('$id')
  }
})

test('a connection that is removed meanwhile ends its run, and answers of before are kept', async () => {
  const { reference, muster, connection, ask, textOf } = await open()
  const finished = ask('{ tenants { id name } }')
  await finished.answer
  reference.misfortune.always('stall', { operationName: 'Stalled' })
  const before = reference.operations().length
  const { answer } = ask('query Stalled { tenants { id } }')
  const ended = expect(answer).rejects.toHaveProperty('fault.kind')
  await until(() => expect(reference.operations().length).toBeGreaterThanOrEqual(before))
  await muster.call('connections.remove', { id: connection })
  await ended
  expect(await textOf(finished.run)).toContain('tenants')
  await expect(ask('{ tenants { id } }').answer).rejects.toMatchObject({ fault: { kind: 'input' } })
})

test('a document of a million characters is run or rejected, a longer one is no input', async () => {
  const { ask } = await open()
  const comment = `# ${'x'.repeat(999_900)}\n{ tenants { id } }`
  const settled = await ask(comment).answer.then(
    ({ status }) => status,
    (error: { fault: { kind: string } }) => error.fault.kind,
  )
  expect([200, 413, 400, 'http', 'input']).toContain(settled)
  await expect(ask(`${comment}${'x'.repeat(200)}`).answer).rejects.toMatchObject({ fault: { kind: 'input' } })
})

test.each([
  ['a page of HTML', '<!doctype html><title>502</title><h1>Bad gateway</h1>'],
  ['nothing', ''],
  ['JSON nested 100,000 deep', `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['JSON that ends too early', '{"data":{"a":[1,2'],
  ['NUL bytes and half characters', '{"data":{"a":"\u0000 \ud83d"}}'],
])('what is no good answer is shown as it came: %s', async (_, page) => {
  const { muster, ask, textOf } = await openHostile(() => page)
  const { run, answer } = ask('query Mine { anything }')
  const { status, summary } = await answer
  expect([status, summary.bytes]).toEqual([200, Buffer.byteLength(page)])
  expect(await textOf(run)).toBe(Buffer.from(page).toString())
  const { lines } = await muster.call('query.lines', { run, from: 0, count: 500 })
  expect(lines.length).toBe(Math.min(500, summary.lines))
})

test('an answer of five million lines has them all', async () => {
  const page = `{"data":[${'1,'.repeat(4_999_990)}2]}`
  const { muster, ask } = await openHostile(() => page)
  const { run, answer } = ask('query Mine { anything }')
  const { summary } = await answer
  expect([summary.lines, summary.isCut]).toEqual([4_999_995, false])
  const { lines } = await muster.call('query.lines', { run, from: summary.lines - 4, count: 10 })
  expect(lines.map(({ text }) => text)).toEqual(['1,', '2', ']', '}'])
})
