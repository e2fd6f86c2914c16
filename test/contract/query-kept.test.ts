import { randomUUID } from 'node:crypto'
import { copyFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { buildSchema, parse, validate } from 'graphql'
import { afterEach, describe, expect, test } from 'vitest'
import type { CallInput } from '../../src-shared/contract/contract.ts'
import { maxTabs, type QueryTab, type SavedOperation } from '../../src-shared/model/kept-queries.ts'
import { printLink } from '../../src-shared/navigation/link.ts'
import { musterOperations } from '../../src-shared/query/muster-operations.ts'
import { documented } from '../../src-renderer/query/documented-schema.ts'
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

type ServiceOptions = Parameters<typeof service>[1]

async function open(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 40, tenants: 2, ...options })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const ask = (document: string, more: Partial<CallInput<'query.run'>> = {}) =>
    muster.call('query.run', { run: randomUUID(), connection, document, operation: null, variables: {}, ...more })
  return { reference, profile, muster, connection, ask }
}

async function openEmpty() {
  const profile = temporaryProfile(leftovers)
  return { profile, muster: await openConsole(leftovers, profile) }
}

const runsOf = async (muster: Console) => (await muster.call('queryHistory.list', {})).runs

describe('the twelve operations that come with Muster', () => {
  /** Runs each with the first tenant, and returns the messages of its errors. */
  async function errorsOf(profile: ServiceOptions) {
    const { reference, ask } = await open(profile)
    const tenantId = reference.world.tenants()[0]?.id ?? ''
    const found: Record<string, string[]> = {}
    for (const { name, document, variables } of musterOperations) {
      const given = JSON.parse(variables) as Record<string, unknown>
      const { fault, summary } = await ask(document, {
        variables: { ...given, ...('tenantId' in given && { tenantId }) },
      })
      found[name] = summary.errors.map(({ message }) => message)
      if (summary.errors.length === 0)
        expect({ name, fault, hasData: summary.hasData }).toEqual({ name, fault: null, hasData: true })
    }
    return found
  }

  test('run on the reference service without an error', async () => {
    const found = await errorsOf({ profile: 'full' })
    expect(Object.keys(found)).toHaveLength(12)
    expect(Object.values(found).flat()).toEqual([])
  })

  test('on a service with the minimum only those that say that they need more are rejected', async () => {
    const found = await errorsOf({ profile: 'minimal' })
    for (const { name, document } of musterOperations) {
      const errors = found[name] ?? []
      if (!document.startsWith('# Not in the specification')) expect({ name, errors }).toEqual({ name, errors: [] })
      else for (const message of errors) expect(message).toMatch(/"\w+"|“\w+”/u)
    }
    expect(Object.values(found).filter((errors) => errors.length === 0).length).toBeGreaterThanOrEqual(4)
  })

  test('are what the specification documents, or say what is not', () => {
    const schema = buildSchema(documented)
    for (const { name, document } of musterOperations) {
      const problems = validate(schema, parse(document))
      const says = document.startsWith('# Not in the specification')
      if (problems.length > 0) expect({ name, says }).toEqual({ name, says: true })
    }
  })
})

describe('the history of runs', () => {
  const mine = 'query Mine { tenants { id name } }'

  test('has each run with its outcome, cost and time, and what it sent, also after a restart', async () => {
    const { muster, ask, profile, connection } = await open()
    const began = Date.now()
    const answered = await ask(mine, { variables: { a: [1] } })
    await ask('{ nothingOfThisName }')
    await expect(ask('{ not graphql')).rejects.toMatchObject({ fault: { kind: 'input' } })
    await muster.stop()
    const again = await openConsole(leftovers, profile)
    const [rejected, first, ...more] = await runsOf(again)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      connection,
      operation: 'Mine',
      excerpt: mine,
      hasText: true,
      isRunning: false,
      expected: answered.expected,
      outcome: { status: 200, fault: null, cost: answered.cost, ms: answered.ms },
    })
    expect(first?.at).toBeGreaterThanOrEqual(began)
    expect(rejected).toMatchObject({ operation: null, outcome: { fault: 'query' } })
    const { text } = await again.call('queryHistory.text', { id: first?.id ?? '' })
    expect(text?.document).toBe(mine)
    expect(JSON.parse(text?.variables ?? '')).toEqual({ a: [1] })
    await again.call('queryHistory.clear', {})
    expect(await runsOf(again)).toEqual([])
    expect(await again.call('queryHistory.text', { id: first?.id ?? '' })).toEqual({ text: null })
  })

  test('tells a cancelled run from one that is under way', async () => {
    const { reference, muster, ask } = await open()
    reference.misfortune.always('stall', { operationName: 'Mine' })
    const run = randomUUID()
    const ended = expect(ask(mine, { run })).rejects.toMatchObject({ fault: { kind: 'abort' } })
    await until(async () => expect(await runsOf(muster)).toMatchObject([{ id: run, isRunning: true, outcome: null }]))
    await muster.call('query.cancel', { run })
    await ended
    expect(await runsOf(muster)).toMatchObject([
      { id: run, isRunning: false, outcome: { status: null, fault: 'abort' } },
    ])
  })

  test('has a run as interrupted when Muster is killed in the middle of it', async () => {
    const { reference, muster, ask, profile } = await open()
    reference.misfortune.always('stall', { operationName: 'Mine' })
    const run = randomUUID()
    const ended = ask(mine, { run }).catch(() => undefined)
    await until(async () => expect(await runsOf(muster)).toMatchObject([{ id: run, isRunning: true }]))
    // What is on the disk at that moment is what a kill leaves.
    const left = temporaryProfile(leftovers)
    for (const name of readdirSync(profile).filter((each) => each.startsWith('journal.db')))
      copyFileSync(path.join(profile, name), path.join(left, name))
    await muster.call('query.cancel', { run })
    await ended
    const after = await openConsole(leftovers, left)
    expect(await runsOf(after)).toMatchObject([{ id: run, isRunning: false, outcome: null, hasText: true }])
  })

  test('goes with its connection, and stays with the history that is kept', async () => {
    const { muster, ask, connection } = await open()
    await ask(mine)
    await muster.call('connections.remove', { id: connection })
    await until(async () => expect(await runsOf(muster)).toEqual([]))
  })
})

describe('saved operations', () => {
  const operation = (more: Partial<SavedOperation> = {}): SavedOperation => ({
    id: randomUUID(),
    name: 'Mine',
    folder: '',
    document: 'query Mine { tenants { id } }\n',
    variables: '',
    ...more,
  })
  const listed = async (muster: Console) => (await muster.call('operations.list', {})).operations

  test('are exported as a file and imported again, twice the same only once', async () => {
    const { muster } = await openEmpty()
    const all = [
      operation({ folder: 'Fleet', variables: '{\n  "a": 1\n}' }),
      operation({ name: 'Draft', document: '{ half' }),
    ]
    for (const each of all) await muster.call('operations.save', each)
    const { text, count } = await muster.call('operations.export', { ids: null })
    expect(count).toBe(2)
    expect(await muster.call('operations.import', { text, file: 'a.graphql' })).toEqual({ added: 0, same: 2 })
    for (const { id } of all) await muster.call('operations.remove', { id })
    expect(await listed(muster)).toEqual([])
    expect(await muster.call('operations.import', { text, file: 'a.graphql' })).toEqual({ added: 2, same: 0 })
    const without = ({ id: _id, ...rest }: SavedOperation) => rest
    expect(new Set((await listed(muster)).map(without))).toEqual(new Set(all.map(without)))
  })

  test('of a file of which one cannot be read, none is imported, and the line is said', async () => {
    const { muster } = await openEmpty()
    const text = '# muster-operation: Good\nquery A { tenants { id } }\n\n# muster-operation: Bad\nquery B {\n'
    await expect(muster.call('operations.import', { text, file: 'a.graphql' })).rejects.toMatchObject({
      fault: { kind: 'input', detail: expect.stringMatching(/^line [56]: Syntax Error/u) as string },
    })
    expect(await listed(muster)).toEqual([])
  })

  test('are bounded by number and by length', async () => {
    const { muster } = await openEmpty()
    const many = Array.from({ length: 1000 }, (_none, n) => `query Q${n} { tenants { id } }`).join('\n')
    expect(await muster.call('operations.import', { text: many, file: 'a.graphql' })).toMatchObject({ added: 1000 })
    await expect(muster.call('operations.save', operation())).rejects.toMatchObject({ fault: { kind: 'input' } })
    const [first] = await listed(muster)
    if (first !== undefined) await muster.call('operations.save', { ...first, name: 'Renamed' })
    expect((await listed(muster)).filter(({ name }) => name === 'Renamed')).toHaveLength(1)
  })
})

describe('tabs', () => {
  const tab = (more: Partial<QueryTab> = {}): QueryTab => ({
    id: randomUUID(),
    document: '{ a }',
    variables: '{}',
    connection: null,
    operation: null,
    saved: null,
    ...more,
  })

  test('are there after a restart in their order, and those of another window stay', async () => {
    const { muster, profile } = await openEmpty()
    const [one, two, theirs] = [tab(), tab({ document: '{ b }', saved: 'x', connection: 'c' }), tab()]
    for (const each of [one, two, theirs]) await muster.call('queryTabs.save', each)
    await muster.call('queryTabs.arrange', { order: [two.id, one.id], active: one.id })
    await muster.call('queryTabs.save', { ...one, document: '{ c }' })
    await muster.stop()
    const again = await openConsole(leftovers, profile)
    const { tabs, active } = await again.call('queryTabs.list', {})
    expect(active).toBe(one.id)
    expect(tabs.filter(({ id }) => id !== theirs.id)).toEqual([two, { ...one, document: '{ c }' }])
    expect(tabs).toHaveLength(3)
    await again.call('queryTabs.close', { id: two.id })
    expect((await again.call('queryTabs.list', {})).tabs).toHaveLength(2)
  })

  test('are fifty at most', async () => {
    const { muster } = await openEmpty()
    for (let n = 0; n < maxTabs; n += 1) await muster.call('queryTabs.save', tab())
    await expect(muster.call('queryTabs.save', tab())).rejects.toMatchObject({ fault: { kind: 'input' } })
    const [first] = (await muster.call('queryTabs.list', {})).tabs
    if (first !== undefined) await muster.call('queryTabs.save', { ...first, document: '{ changed }' })
  })
})

test('no registered secret is kept: not in a tab, an operation or the history', async () => {
  const { reference, muster, ask } = await open()
  const document = `# ${reference.clientSecret}\nquery Mine { tenants { id } }`
  const variables = JSON.stringify({ secret: reference.clientSecret })
  await ask(document, { variables: { secret: reference.clientSecret } })
  const id = randomUUID()
  await muster.call('queryTabs.save', { id, document, variables, connection: null, operation: null, saved: null })
  await muster.call('operations.save', { id, name: 'Mine', folder: '', document, variables })
  const [run] = await runsOf(muster)
  const kept = [
    await muster.call('queryTabs.list', {}),
    await muster.call('operations.list', {}),
    run,
    await muster.call('queryHistory.text', { id: run?.id ?? '' }),
  ]
  for (const each of kept) expect(JSON.stringify(each)).not.toContain(reference.clientSecret)
  expect(JSON.stringify(kept)).toContain('[hidden]')
})

test('a link to an operation sends nothing', async () => {
  const { reference, muster } = await open()
  const before = reference.operations().filter(({ query }) => query.includes('Linked')).length
  const link = printLink({ to: 'query', document: 'query Linked { tenants { id } }', variables: '{"a":1}' })
  expect((await muster.call('links.read', { link: link ?? '' })).open).toMatchObject({
    screen: 'query',
    query: { document: 'query Linked { tenants { id } }', variables: '{"a":1}' },
  })
  expect((await muster.call('links.read', { link: 'muster://operation/muster-points' })).open).toMatchObject({
    operation: 'muster-points',
  })
  expect(await muster.call('links.read', { link: 'muster://operation/none' })).toEqual({ open: null })
  expect(reference.operations().filter(({ query }) => query.includes('Linked')).length).toBe(before)
  expect(await runsOf(muster)).toEqual([])
})
