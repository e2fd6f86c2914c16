import { afterEach, expect, test } from 'vitest'
import type { Api } from '../../../../src-main/api/client.ts'
import { createTurns } from '../../../../src-main/api/event-loop-turns.ts'
import { startMutations } from '../../../../src-main/api/mutations/start.ts'
import type { StartedTokens } from '../../../../src-main/auth/token.ts'
import { shapeOf } from '../../../../src-main/pacing/cost/shape.ts'
import { startPacer } from '../../../../src-main/pacing/pacer.ts'
import { manualClock } from '../../../support/clock.ts'
import { createLeftovers } from '../../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const { signal } = new AbortController()
const signals = { signal, withdraw: signal }
const scalar = (name: string) => ({ kind: 'SCALAR', name, ofType: null })
const members = (...names: string[]) =>
  ['tenantId', 'id', 'name', ...names].map((name) => ({
    name,
    defaultValue: null,
    type: name === 'capacity' ? scalar('Int') : scalar(name.endsWith('Id') || name === 'id' ? 'ID' : 'String'),
  }))
const written = (name: string, input: ReturnType<typeof members>) => ({
  name,
  args: [{ name: 'fields', defaultValue: null, type: { kind: 'INPUT_OBJECT', name: 'Fields', inputFields: input } }],
  type: { kind: 'OBJECT', name: 'Place', fields: [{ name: 'id', type: scalar('ID') }] },
})

/** The answer of a service whose reboot has no argument for linked devices, and whose places have a few members. */
const schemaOf = (site: string[], room: string[]) => ({
  schema: {
    queryType: { fields: [] },
    mutationType: {
      fields: [
        {
          name: 'rebootDevice',
          args: [{ name: 'deviceId', defaultValue: null, type: scalar('ID') }],
          type: scalar('Boolean'),
        },
        written('upsertSite', members(...site)),
        written('upsertRoom', members(...room)),
      ],
    },
  },
  device: null,
})

/** Mutations of a service of this schema. `sent`: the variables of each operation that was sent; its answer is empty. */
function open(site: string[] = [], room: string[] = []) {
  const sent: unknown[] = []
  const clock = manualClock()
  const policy = () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false })
  const pacer = startPacer({ clock, random: () => 0, policy, onChange: () => {} })
  const mutations = startMutations({
    clock,
    pacer,
    graphqlUrl: 'https://service.test/graphql',
    turns: createTurns(),
    api: { run: async () => ({ data: schemaOf(site, room), errors: [] }) } as unknown as Api,
    tokens: { get: async () => 'token', redact: (text: string) => text, prove: () => {} } as unknown as StartedTokens,
    fetchOnce: async (_url, init) => {
      const { variables } = JSON.parse(String(init?.body)) as { variables: { fields?: unknown } }
      sent.push(variables.fields ?? variables)
      return Response.json({ data: { m0: { id: 'p1' } } })
    },
  })
  leftovers.push(async () => {
    mutations.stop()
    pacer.stop()
  })
  return { mutations, pacer, sent }
}

const notSent = {
  outcome: 'not-sent',
  fault: { kind: 'input', detail: expect.stringMatching(/^The service does not/u) },
}
const confirmed = { outcome: 'confirmed', id: 'p1' }
const [tenant, name] = ['t', 'Name']

test('linked devices that the service cannot include are never left out: nothing is sent', async () => {
  const { mutations, sent } = open()
  expect(await mutations.reboot('d', true, signals)).toEqual(notSent)
  expect(sent).toEqual([])
  await mutations.reboot('d', false, signals)
  expect(sent).toEqual([{ id: 'd' }])
})

test('a member that is null is cleared, and one that is left out stays', async () => {
  const { mutations, sent } = open(['accountId'], ['siteId', 'capacity', 'size', 'floor'])
  expect(await mutations.saveSite({ tenant, id: 's', account: null, name }, signals)).toEqual(confirmed)
  await mutations.saveSite({ tenant, id: 's', name }, signals)
  await mutations.saveRoom({ tenant, id: 'r', name, site: null, capacity: null, size: null, floor: null }, signals)
  await mutations.saveRoom({ tenant, id: null, name, site: null, size: 'SMALL' }, signals)
  expect(sent).toEqual([
    { tenantId: tenant, id: 's', name, accountId: null },
    { tenantId: tenant, id: 's', name },
    { tenantId: tenant, id: 'r', name, siteId: null, capacity: null, size: null, floor: null },
    { tenantId: tenant, name, siteId: null, size: 'SMALL' },
  ])
})

test('a place is not written without a member that was given', async () => {
  const { mutations, sent } = open([], ['siteId'])
  for (const given of [{ capacity: 4 }, { size: null }, { floor: '2' }])
    expect(await mutations.saveRoom({ tenant, id: 'r', name, ...given }, signals)).toEqual(notSent)
  expect(await mutations.saveSite({ tenant, id: 's', account: 'a', name }, signals)).toEqual(notSent)
  expect(await mutations.saveSite({ tenant, id: null, account: 'a', name }, signals)).toEqual(notSent)
  expect(sent).toEqual([])
})

test('a new place has nothing to clear: a null that the input lacks is left out', async () => {
  const { mutations, sent } = open([], ['siteId'])
  expect(await mutations.saveRoom({ tenant, id: null, name, site: 's', floor: null }, signals)).toEqual(confirmed)
  expect(sent).toEqual([{ tenantId: tenant, name, siteId: 's' }])
})

test('what was never sent costs at most what other operations make likely', async () => {
  const { mutations, pacer } = open()
  // The first call reads the schema.
  await mutations.saveSite({ tenant, id: 's', account: 'a', name }, signals)
  const costs = () => (['reboot', 'site', 'room'] as const).map((kind) => mutations.cost(kind, 3))
  expect(costs()).toEqual([null, null, null])
  const query = shapeOf('query { tenants { id name } }')
  pacer.costs.learn(query, 1, query.once * 2, 10)
  const { atMost } = pacer.costs.quote(shapeOf('mutation($id: ID) { m0: rebootDevice(deviceId: $id) }'), 1)
  expect(atMost).toBeGreaterThan(2)
  expect(costs()).toEqual([3 * atMost, expect.any(Number), expect.any(Number)])
  expect(mutations.cost('update', 3)).toBeNull()
})
