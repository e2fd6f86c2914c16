import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { CallInput } from '../../src-shared/contract/contract.ts'
import { connectionTo, createLeftovers, openConsole, service, temporaryProfile, whenRead } from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

type ServiceOptions = Parameters<typeof service>[1]
type Row = Record<string, unknown>
type Batch = CallInput<'query.batchCost'>

async function open(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 230, tenants: 3, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const [tenant] = reference.world.tenants().toSorted((one, other) => count(other.id) - count(one.id))
  function count(id: string) {
    return reference.world.devices().filter(({ tenantId }) => tenantId === id).length
  }
  const batchOf = (document: string, more: Partial<Batch> = {}): Batch => ({
    connections: [connection],
    document,
    operation: null,
    variables: { tenantId: tenant?.id },
    pages: true,
    tenants: false,
    ...more,
  })
  const start = (batch: Batch, again: string | null = null) => {
    const run = randomUUID()
    return { run, result: muster.call('query.runBatch', { run, batch, again }) }
  }
  const rowsOf = async (run: string): Promise<Row[]> => {
    let text = ''
    for (let from = 0; ;) {
      const part = await muster.call('query.text', { run, from })
      if (part.text === '') return JSON.parse(text) as Row[]
      text += part.text
      from = part.next
    }
  }
  const expected = (id = tenant?.id) =>
    reference.world.devices().flatMap((device) => (device.tenantId === id ? [device.id] : []))
  return { reference, muster, connection, tenant, batchOf, start, rowsOf, expected }
}

const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).toSorted()
const search = (params: string, inner = 'id name') =>
  `query All($tenantId: ID!) { tenant(id: $tenantId) { inventory { deviceSearch(params: {${params}}) { edges { node { ${inner} } } } } } }`

describe.each(['full', 'minimal', 'contrary'] as const)('a service with the %s profile', (profile) => {
  test('a paged field is read to its end, as one list', async () => {
    const { batchOf, start, rowsOf, expected, muster } = await open({ profile })
    const batch = batchOf(search('nextToken: null'))
    const cost = await muster.call('query.batchCost', batch)
    const { run, result } = start(batch)
    const { answer, outcome } = await result
    const rows = await rowsOf(run)
    expect(ids(rows)).toEqual(expected().toSorted())
    const pages = Math.ceil(rows.length / 10)
    expect(cost).toMatchObject({ problem: null, field: 'tenant.inventory.deviceSearch', rows: rows.length, requests: pages })
    expect(outcome).toMatchObject({ rows: rows.length, pages, stopped: null, canContinue: false, total: rows.length })
    expect(answer).toMatchObject({ status: 200, isWhole: true, summary: { hasData: true, errors: [] } })
    expect(outcome.points).toBe(answer.cost)
  })
})
