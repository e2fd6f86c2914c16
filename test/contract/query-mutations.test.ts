import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { CallInput } from '../../src-shared/contract/contract.ts'
import type { Service } from '../../src-service/service.ts'
import { forkConsole } from '../support/console-process.ts'
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

const rename = `mutation Rename($id: String!, $name: String!) {
  renamed: updateDevice(id: $id, fields: { name: $name }) { id name }
}`

/** Counts the operations that arrive at the service, before they are executed, by a text in them. */
function arrivals({ misfortune }: Service, text: string): { count: number } {
  const arrived = { count: 0 }
  misfortune.always('latency', {
    ms: 0,
    match({ query }) {
      if (query.includes(text)) arrived.count += 1
      return false
    },
  })
  return arrived
}

type Prepare = CallInput<'mutation.prepare'>

function operator({ call }: Pick<Console, 'call'>, connection: string) {
  const tenants = async () => {
    await until(async () => expect((await call('actions.state', {})).tenants.length).toBeGreaterThan(0))
    return (await call('actions.state', {})).tenants
  }
  const prepare = (document: string, more: Partial<Prepare> = {}) =>
    call('mutation.prepare', { connection, document, operation: null, variables: {}, ...more })
  const send = (sheet: string, run: string = randomUUID()) => call('mutation.send', { sheet, run })
  return {
    tenants,
    prepare,
    send,
    arm: async (count = Infinity) => {
      for (const { tenant } of (await tenants()).slice(0, count)) await call('actions.arm', { tenant })
    },
    run: async (document: string, more: Partial<Prepare> = {}, run?: string) =>
      send((await prepare(document, more)).id, run),
    history: async () => {
      const { rows } = await call('jobs.list', { text: '', device: null, offset: 0, limit: 50 })
      return Promise.all(
        rows.map(async (job) => ({
          ...job,
          rows: (await call('jobs.devices', { job: job.id, outcomes: null, offset: 0, limit: 50 })).rows,
        })),
      )
    },
  }
}

async function open(options: Parameters<typeof service>[1] = {}) {
  const reference = await service(leftovers, { devices: 40, tenants: 2, ...options })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const [device] = reference.world.devices()
  if (device === undefined) throw new Error('no device')
  const nameOf = () => reference.world.device(device.id)?.name
  const variables = { id: device.id, name: 'Aurora 7' }
  return { reference, profile, muster, connection, nameOf, variables, ...operator(muster, connection) }
}

describe.each(['full', 'contrary'] as const)('a service with the %s profile', (profile) => {
  test('a mutation is sent once all tenants are armed, and is in the history', async () => {
    const { reference, muster, prepare, send, arm, history, nameOf, variables } = await open({ profile })
    const arrived = arrivals(reference, 'updateDevice')
    const sheet = await prepare(rename, { variables })
    expect(sheet).toMatchObject({ name: 'Rename', tenants: [{ armed: false }, { armed: false }] })
    expect(sheet.fields).toEqual([
      {
        name: 'renamed',
        field: 'updateDevice',
        arguments: `id: ${JSON.stringify(variables.id)}, fields: {name: "Aurora 7"}`,
        isCut: false,
      },
    ])
    await expect(send(sheet.id)).rejects.toMatchObject({ fault: { kind: 'locked' } })
    await arm(1)
    const refused = await send(sheet.id).catch((error: unknown) => error)
    expect(refused).toMatchObject({ fault: { kind: 'locked', detail: expect.stringContaining('Arm ') } })
    expect([arrived.count, await history()]).toEqual([0, []])
    await arm()
    // Two presses are one.
    const run = randomUUID()
    const [one, other] = await Promise.allSettled([send(sheet.id, run), send(sheet.id)])
    expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(send(sheet.id)).rejects.toMatchObject({ fault: { kind: 'input' } })
    expect([arrived.count, nameOf()]).toEqual([1, 'Aurora 7'])
    const [job] = await history()
    expect(job).toMatchObject({ kind: 'mutation', name: 'Rename', state: 'done', undoable: false })
    expect(job?.rows).toMatchObject([{ name: 'renamed: updateDevice', outcome: 'done', provenBy: 'answer' }])
    expect(job?.tenants).toHaveLength(2)
    const { lines } = await muster.call('query.lines', { run, from: 0, count: 100 })
    if (one.status === 'fulfilled') expect(lines.map(({ text }) => text).join(' ')).toContain('"name": "Aurora 7"')
    expect(muster.log.join('\n')).not.toMatch(/Aurora|Rename/u)
    await expect(muster.call('jobs.again', { job: job?.id ?? '', outcomes: ['done'] })).rejects.toMatchObject({
      fault: { kind: 'input' },
    })
  })
})

test('the operation is judged as parsed, and only the chosen one counts', async () => {
  const { reference, prepare, run, arm, muster, connection, nameOf, variables } = await open()
  await arm()
  const ask = (document: string, operation: string | null) =>
    muster.call('query.run', { run: randomUUID(), connection, document, operation, variables })
  const both = `query Rename { tenants { id } } ${rename.replace('mutation Rename', 'mutation query')} fragment F on Mutation { updateDevice(id: $id, fields: { name: $name }) { id } }`
  // Neither by a name nor by another operation is a mutation sent as a query, or a query as a mutation.
  await expect(ask(both, 'query')).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(ask(both, null)).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(prepare(both, { operation: 'Rename', variables })).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(prepare(both, { operation: 'other', variables })).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(prepare('subscription { a }')).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(prepare(`${rename} ${rename}`, { operation: 'Rename' })).rejects.toMatchObject({
    fault: { kind: 'input' },
  })
  expect(reference.operations().some(({ query }) => query.includes('updateDevice'))).toBe(false)
  const inFragment = `mutation M($id: String!, $name: String!, $no: Boolean = false) { ...F rebootDevice(deviceId: $id) @include(if: $no) { success } }
    fragment F on Mutation { ... on Mutation { updateDevice(id: $id, fields: { name: $name }) { id } } }`
  const sheet = await prepare(inFragment, { variables })
  expect(sheet.fields.map(({ name }) => name)).toEqual(['updateDevice'])
  expect((await run(inFragment, { variables })).outcomes).toEqual([
    { name: 'updateDevice', outcome: 'done', words: '' },
  ])
  expect(nameOf()).toBe('Aurora 7')
})

test('what the service rejects is rejected, field by field, in its words', async () => {
  const { arm, run, history, variables } = await open()
  await arm()
  const { outcomes, answer } = await run(
    `mutation Two($id: String!, $name: String!) {
      good: updateDevice(id: $id, fields: { name: $name }) { id }
      bad: rebootDevice(deviceId: "no-such-device") { success error }
    }`,
    { variables },
  )
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'refused'])
  expect(answer?.status).toBe(200)
  const unknownField = await run('mutation { noSuchMutation(id: "x") { id } }')
  expect(unknownField.outcomes).toMatchObject([
    { outcome: 'refused', words: expect.stringContaining('noSuchMutation') },
  ])
  expect((await history()).map(({ rows }) => rows.map(({ outcome }) => outcome))).toEqual([
    ['refused'],
    ['refused', 'done'],
  ])
})

test('a service without mutations refuses one, and it is not sent again', async () => {
  const { reference, arm, run, variables } = await open({ profile: 'minimal' })
  const arrived = arrivals(reference, 'updateDevice')
  await arm()
  expect((await run(rename, { variables })).outcomes).toMatchObject([{ outcome: 'refused' }])
  expect(arrived.count).toBe(1)
})

test.each(['reset', 'cut-short', 'http-500', 'rate-limited', 'unauthenticated'] as const)(
  'after a send with the misfortune %s nothing is sent again',
  async (kind) => {
    const { reference, arm, run, history, variables } = await open()
    const arrived = arrivals(reference, 'updateDevice')
    await arm()
    reference.misfortune.next(kind, { match: ({ query }) => query.includes('updateDevice') })
    const { outcomes } = await run(rename, { variables })
    const outcome = { reset: 'unknown', 'cut-short': 'unknown', 'http-500': 'unknown' }[kind as string]
    expect(outcomes[0]?.outcome).toBe(outcome ?? (kind === 'rate-limited' ? 'not-sent' : 'refused'))
    expect((await history())[0]?.rows[0]?.outcome).toBe(outcomes[0]?.outcome)
    // Other requests go on (after a lack of points only a minute later); this one does not.
    if (kind === 'rate-limited') return expect(arrived.count).toBe(1)
    await expect(
      (async () => (await run('mutation Other { calculateQueryCost { queryCost } }')).outcomes)(),
    ).resolves.toHaveLength(1)
    expect(arrived.count).toBe(1)
  },
)

test('a mutation whose answer is not waited for is unknown', async () => {
  const { reference, muster, arm, run, history, variables } = await open()
  await arm()
  const arrived = arrivals(reference, 'updateDevice')
  reference.misfortune.next('stall', { match: ({ query }) => query.includes('updateDevice') })
  const id = randomUUID()
  const sent = run(rename, { variables }, id)
  await until(() => expect(arrived.count).toBe(1))
  expect((await history())[0]).toMatchObject({ state: 'running', rows: [{ outcome: 'sent' }] })
  await muster.call('query.cancel', { run: id })
  expect(await sent).toMatchObject({ outcomes: [{ outcome: 'unknown' }], answer: null })
  expect((await history())[0]).toMatchObject({ state: 'done', rows: [{ outcome: 'unknown' }] })
})

test('actions that are off switch mutations off', async () => {
  const { reference, muster, arm, prepare, send, variables } = await open()
  const arrived = arrivals(reference, 'updateDevice')
  await arm()
  const { id } = await prepare(rename, { variables })
  await muster.call('settings.change', { actions: false })
  await expect(send(id)).rejects.toMatchObject({ fault: { kind: 'actions-off' } })
  expect(arrived.count).toBe(0)
})

test('a mutation that was sent when Muster was killed is unknown after the restart', async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  const killed = await forkConsole(leftovers, profile)
  const { id: connection } = await killed.call('connections.save', connectionTo(reference))
  await whenRead(killed)
  const { arm, run } = operator(killed, connection)
  await arm()
  const arrived = arrivals(reference, 'updateDevice')
  reference.misfortune.next('stall', { match: ({ query }) => query.includes('updateDevice') })
  const [device] = reference.world.devices()
  void run(rename, { variables: { id: device?.id, name: 'Aurora 7' } })
  await until(() => expect(arrived.count).toBe(1))
  await killed.kill()
  const muster = await openConsole(leftovers, profile)
  const [job] = await operator(muster, connection).history()
  expect(job).toMatchObject({ kind: 'mutation', name: 'Rename', state: 'done', rows: [{ outcome: 'unknown' }] })
  const { jobs } = await muster.call('actions.state', {})
  expect(jobs.map(({ id, state }) => [id, state])).toEqual([[job?.id, 'done']])
  expect(arrived.count).toBe(1)
})
