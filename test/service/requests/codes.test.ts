import { expect, test } from 'vitest'
import type { ServiceOptions } from '../../../src-service/service.ts'
import { dig, digAll, open, plainClient } from '../client.ts'
import { acceptedSocket, watchQuery } from '../stream/frames.ts'

async function ready(options: ServiceOptions = {}) {
  const service = await open(options)
  const client = plainClient(service)
  const token = await client.token()
  const overHttp = async (query: string, variables: unknown = {}) =>
    codesIn((await client.ask(token, query, variables)).json)
  const overSocket = async (query: string, variables: unknown = {}) => {
    const { send, next } = await acceptedSocket(service, token)
    send({ type: 'subscribe', id: '1', payload: { query, variables } })
    const [, told] = await next(2)
    const payload = dig(told, 'payload')
    return codesIn(Array.isArray(payload) ? { errors: payload } : payload)
  }
  return { overHttp, overSocket }
}

const codesIn = (value: unknown) => digAll(value, 'errors').map((error) => dig(error, 'extensions', 'code'))

test.each<[string, string, unknown, string]>([
  ['a text that is no document', '{', {}, 'GRAPHQL_PARSE_FAILED'],
  ['an unknown field', 'subscription { deviceStream(deviceIds: []) { nothing } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'a document beyond the bounds',
    `subscription { deviceStream(deviceIds: []) { ${Array.from({ length: 101 }, (_, n) => `a${n}: id`).join(' ')} } }`,
    {},
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    'a root that can be skipped, by a variable',
    'subscription ($n: Boolean = true) { deviceStream(deviceIds: ["x"]) @skip(if: $n) { id } }',
    {},
    'GRAPHQL_VALIDATION_FAILED',
  ],
])('%s has the same code at both addresses', async (_name, query, variables, code) => {
  const { overHttp, overSocket } = await ready()
  expect([await overHttp(query, variables), await overSocket(query, variables)]).toEqual([[code], [code]])
})

test('variables that are missing or do not fit have the same code at both addresses', async () => {
  const { overHttp, overSocket } = await ready()
  expect(await overHttp('query ($id: ID!) { tenant(id: $id) { id } }')).toEqual(['BAD_USER_INPUT'])
  expect(await overSocket(watchQuery)).toEqual(['BAD_USER_INPUT'])
  expect(await overSocket(watchQuery, { ids: [{}] })).toEqual(['BAD_USER_INPUT'])
})

test('a mutation is an invalid document where a profile has none', async () => {
  const { overHttp } = await ready({ profile: 'minimal' })
  expect(await overHttp('mutation { rebootDevice(deviceId: "x") { success } }')).toEqual(['GRAPHQL_VALIDATION_FAILED'])
})
