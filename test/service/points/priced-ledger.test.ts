import { expect, test } from 'vitest'
import type { Charged } from '../../../src-service/graphql/points/priced-ledger.ts'
import { open, pageQuery, plainClient } from '../client.ts'

test('each operation costs the formula times its own factor, and every charge is reported', async () => {
  const factors = [1.2, 0.8, 25, 1]
  const heard: Charged[] = []
  const service = await open({
    balance: 3000,
    costLimit: 2500,
    priceFactor: () => factors.shift() ?? 1,
    onCharge: (charged) => void heard.push(charged),
  })
  const client = plainClient(service)
  const token = await client.token()
  const [tenant] = service.world.tenants()
  const ask = () => client.ask(token, pageQuery, { id: tenant?.id, params: { pageSize: 50 } })
  const usual = await open()
  const other = plainClient(usual)
  const price = Number(
    (await other.ask(await other.token(), pageQuery, { id: usual.world.tenants()[0]?.id, params: { pageSize: 50 } }))
      .headers['graphql-ratelimit-querycost'],
  )
  const costs = []
  for (let n = 0; n < 4; n += 1) costs.push(Number((await ask()).headers['graphql-ratelimit-querycost']))
  expect(price).toBeGreaterThan(90)
  expect(costs).toEqual([1.2, 0.8, 25, 1].map((factor) => Math.round(price * factor)))
  expect(heard.map(({ outcome }) => outcome)).toEqual(['paid', 'paid', 'too-expensive', 'paid'])
  expect(heard.at(-1)).toMatchObject({
    credentialSet: service.clientId,
    cost: price,
    remaining: 3000 - (costs[0] ?? 0) - (costs[1] ?? 0) - price,
  })
})

test('free operations stay free, and no other becomes free', async () => {
  const service = await open({ priceFactor: () => 0.0001 })
  const client = plainClient(service)
  const token = await client.token()
  expect((await client.ask(token, '{ tenants { id } }')).headers['graphql-ratelimit-querycost']).toBe('1')
  expect((await client.ask(null, '{ __typename }')).headers['graphql-ratelimit-querycost']).toBe('0')
})

test('an operation charged before a reset reports the balance of that rate window', async () => {
  let at = Date.now()
  const service = await open({ now: () => at, onCharge: () => void (at += 20_000) })
  at += 50_000
  const client = plainClient(service)
  const token = await client.token()
  const { headers } = await client.ask(token, '{ tenants { id } }')
  expect(headers).toMatchObject({ 'ratelimit-remaining': '99997', 'ratelimit-reset': '10' })
})
