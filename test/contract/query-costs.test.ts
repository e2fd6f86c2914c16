import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { connectionTo, createLeftovers, openConsole, service, temporaryProfile, whenRead } from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function open(options: Parameters<typeof service>[1] = {}) {
  const reference = await service(leftovers, { devices: 40, tenants: 2, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  return { reference, muster, connection }
}

describe.each([
  ['full', {}],
  ['minimal', {}],
  ['contrary', {}],
  ['contrary', { costFactor: 3 }],
  ['contrary', { costHeaders: false }],
] as const)('a service with the %s profile, %j', (profile, contrary) => {
  test('an operation is estimated before it was sent, and learned from its answer', async () => {
    const { reference, muster, connection } = await open({
      profile,
      ...(profile === 'contrary' && { contrary }),
    })
    const document = 'query Mine { deviceSearch { edges { node { id name lastDetected } } pageInfo { nextToken } } }'
    const asked = { connection, document, operation: null, variables: {} }
    const before = await muster.call('cost.estimate', asked)
    expect(before.likely).toBeGreaterThan(0)
    expect(before.lines.reduce((sum, { points }) => sum + points, 0)).toBeGreaterThan(before.likely * 0.8)
    expect(before.fields.map(({ name }) => name)).toContain('deviceSearch.lastDetected')
    const sent = reference.operations().length
    const { cost } = await muster.call('query.run', { run: randomUUID(), ...asked })
    const charged = reference
      .operations()
      .slice(sent)
      .find(({ operationName }) => operationName === 'Mine')?.cost
    const after = await muster.call('cost.estimate', asked)
    if (cost === null) return
    expect(cost).toBe(charged)
    expect(after).toMatchObject({ likely: cost, certainty: 'learned' })
    expect(cost).toBeLessThanOrEqual(before.atMost)
  })
})

test('costs without fields, of a chosen operation, and of what is no document', async () => {
  const { muster, connection, reference } = await open()
  const document = 'query A { tenants { id name } } query B { tenants { id region { id } } }'
  const asked = { connection, document, operation: 'B', variables: {} }
  const sent = reference.operations().length
  const found = await muster.call('cost.without', { ...asked, at: [document.indexOf('region')] })
  expect(found.document).toBe('query A { tenants { id name } } query B { tenants { id } }')
  expect(found.estimate.likely).toBeLessThan((await muster.call('cost.estimate', asked)).likely)
  for (const wrong of [
    { ...asked, operation: 'C' },
    { ...asked, document: '{ tenants ' },
    { ...asked, connection: 'none' },
    { ...asked, document: '{ a '.repeat(3_000) + '}'.repeat(3_000), operation: null },
  ])
    await expect(muster.call('cost.estimate', wrong)).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(muster.call('cost.without', { ...asked, at: [document.lastIndexOf('tenants')] })).rejects.toMatchObject({
    fault: { kind: 'input' },
  })
  expect(reference.operations().length).toBe(sent)
})
