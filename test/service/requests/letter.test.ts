import { connect } from 'node:http2'
import type { ClientHttp2Session } from 'node:http2'
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import type { Service, ServiceOptions } from '../../../src-service/service.ts'
import { dig, open } from '../client.ts'

type Got = { status: number; headers: Record<string, string>; text: string; json: unknown }
type Send = (url: string, method: string, headers: Record<string, string>, body?: string) => Promise<Got>

/** fetch over HTTP/1.1, and Node's own HTTP/2: neither knows anything of GraphQL. */
const wires: Record<'HTTP/1.1' | 'HTTP/2', (service: Service) => Send> = {
  'HTTP/1.1'(service) {
    const dispatcher = new Agent({ connect: { ca: service.ca }, allowH2: false })
    onTestFinished(() => dispatcher.destroy())
    return async (url, method, headers, body) => {
      const answer = await fetch(url, { dispatcher, method, headers, ...(body === undefined ? {} : { body }) })
      return got(answer.status, Object.fromEntries(answer.headers), await answer.text())
    }
  },
  'HTTP/2'(service) {
    const session: ClientHttp2Session = connect(new URL(service.graphqlUrl).origin, { ca: service.ca })
    session.on('error', () => undefined)
    onTestFinished(() => session.destroy())
    return (url, method, headers, body) =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ':method': method, ':path': new URL(url).pathname, ...headers })
        let [text, head]: [string, Record<string, string>] = ['', {}]
        stream
          .setEncoding('utf8')
          .on(
            'response',
            (answer) =>
              (head = Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]))),
          )
        stream
          .on('data', (chunk: string) => (text += chunk))
          .on('end', () => resolve(got(Number(head[':status']), head, text)))
          .on('error', reject)
        stream.end(body)
      })
  },
}

function got(status: number, headers: Record<string, string>, text: string): Got {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status, headers, text, json }
}

const json = { 'content-type': 'application/json' }

async function ready(wire: keyof typeof wires, options: ServiceOptions = {}) {
  const service = await open({ now: () => 1_760_000_000_000, ...options })
  const send = wires[wire](service)
  const pair = { client_id: service.clientId, client_secret: service.clientSecret, grant_type: 'client_credentials' }
  const token = String(dig((await send(service.tokenUrl, 'POST', json, JSON.stringify(pair))).json, 'access_token'))
  const auth = { authorization: `Bearer ${token}` }
  const post = (body: string, headers: Record<string, string> = {}) =>
    send(service.graphqlUrl, 'POST', { ...json, ...auth, ...headers }, body)
  const ask = (query: unknown, more: object = {}, headers: Record<string, string> = {}) =>
    post(JSON.stringify({ query, ...more }), headers)
  return { service, send, pair, auth, post, ask }
}

const limits = ({ headers }: Got) =>
  ['graphql-ratelimit-querycost', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map(
    (name) => headers[name],
  )
const both = ['HTTP/1.1', 'HTTP/2'] as const
const codes = ({ json }: Got) => dig(json, 'errors', 0, 'extensions', 'code')

test.each(both)('token endpoint: every wrong request has its status and an OAuth error (%s)', async (wire) => {
  const { service, send, pair } = await ready(wire)
  const gone = service.credentials.add({ name: 'gone' })
  service.credentials.setActive(gone.clientId, false)
  const issued = service.tokensIssued()
  const body = (change: object) => JSON.stringify({ ...pair, ...change })
  const table: [string, Record<string, string>, string | undefined, number, string][] = [
    ['GET', {}, undefined, 405, 'invalid_request'],
    ['PUT', json, body({}), 405, 'invalid_request'],
    ['POST', {}, body({}), 400, 'invalid_request'],
    ['POST', { 'content-type': 'application/jsonx' }, body({}), 400, 'invalid_request'],
    [
      'POST',
      { 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams(pair).toString(),
      400,
      'invalid_request',
    ],
    ...['', '{', '[]', 'null', '5', '"x"', `[${body({})}]`, '{}'].map(
      (text): [string, Record<string, string>, string, number, string] => ['POST', json, text, 400, 'invalid_request'],
    ),
    ['POST', json, body({ grant_type: 'password' }), 400, 'unsupported_grant_type'],
    ['POST', json, body({ grant_type: ['client_credentials'] }), 400, 'invalid_request'],
    ['POST', json, body({ client_id: undefined }), 400, 'invalid_request'],
    ['POST', json, body({ client_secret: undefined }), 400, 'invalid_request'],
    ['POST', json, body({ client_secret: { length: 43 } }), 400, 'invalid_request'],
    ['POST', json, body({ client_id: 'nobody' }), 401, 'access_denied'],
    ['POST', json, body({ client_id: '__proto__', client_secret: '' }), 401, 'access_denied'],
    ['POST', json, body({ client_secret: '' }), 401, 'access_denied'],
    ['POST', json, body({ client_secret: `${pair.client_secret}x` }), 401, 'access_denied'],
    ['POST', json, body({ client_id: gone.clientId, client_secret: gone.clientSecret }), 401, 'access_denied'],
    ['POST', json, ' '.repeat(1024 * 1024 + 1), 413, 'invalid_request'],
  ]
  for (const [method, headers, text, status, error] of table) {
    const reply = await send(service.tokenUrl, method, headers, text)
    const label = `${method} ${JSON.stringify(headers)} ${text?.slice(0, 80)}`
    expect([label, reply.status, reply.json]).toEqual([label, status, { error, error_description: expect.any(String) }])
    expect([reply.headers['content-type'], reply.headers['cache-control'], reply.headers['pragma']]).toEqual([
      'application/json; charset=utf-8',
      'no-store',
      'no-cache',
    ])
  }
  expect(service.tokensIssued()).toBe(issued)
  expect(
    (
      await send(
        service.tokenUrl,
        'POST',
        { 'content-type': 'Application/JSON; charset=utf-8' },
        body({ audience: 'x' }),
      )
    ).status,
  ).toBe(200)
})

test.each(both)('unknown, inactive and wrong credentials get the same answer (%s)', async (wire) => {
  const { service, send, pair } = await ready(wire)
  const gone = service.credentials.add({ name: 'gone' })
  service.credentials.setActive(gone.clientId, false)
  const ask = async (change: object) => {
    const {
      status,
      json: body,
      headers,
    } = await send(service.tokenUrl, 'POST', json, JSON.stringify({ ...pair, ...change }))
    return { status, body, names: Object.keys(headers).sort() }
  }
  const wrong = await ask({ client_secret: 'wrong' })
  expect(await ask({ client_id: 'nobody' })).toEqual(wrong)
  expect(await ask({ client_id: gone.clientId, client_secret: gone.clientSecret })).toEqual(wrong)
  expect(await ask({ client_id: gone.clientId, client_secret: 'wrong' })).toEqual(wrong)
})

const two = 'query A { tenants { id } } query B { tenants { name } }'

test.each(both)('every answer of /graphql carries the four headers; rejections cost nothing (%s)', async (wire) => {
  const { service, send, auth, post, ask } = await ready(wire)
  const rejected: [string, Promise<Got>, number, string][] = []
  const reject = async (label: string, reply: Promise<Got>, status: number, cost = '0') =>
    void rejected.push([label, reply, status, cost])
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
    void reject(method, send(service.graphqlUrl, method, auth), 405)
  void reject('413', post(' '.repeat(1024 * 1024 + 1)), 413)
  void reject('broken', post('{"query":'), 400)
  void reject('empty', post(''), 400)
  void reject('null', post('null'), 400)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/graphql',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ]) {
    void reject(type, post('{"query":"{ __typename }"}', { 'content-type': type }), 415)
  }
  void reject('no type', send(service.graphqlUrl, 'POST', auth, '{"query":"{ __typename }"}'), 415)
  void reject('an array of another type', post('[{"query":"{ __typename }"}]', { 'content-type': 'text/plain' }), 415)
  void reject('array of none', post('[]'), 400)
  void reject(
    'array of eleven',
    post(JSON.stringify(Array.from({ length: 11 }, () => ({ query: '{ tenants { id } }' })))),
    400,
  )
  void reject('query 5', ask(5), 400)
  void reject('variables', ask('{ __typename }', { variables: 'x' }), 400)
  void reject('operationName', ask(two, { operationName: 5 }), 400)
  void reject('syntax', ask('{ tenants {'), 200)
  void reject('validation', ask('{ nope }'), 200)
  void reject('no such operation', ask(two, { operationName: 'C' }), 200)
  void reject('which operation', ask(two), 200)
  void reject('coercion', ask('query ($id: ID!) { tenant(id: $id) { id } }'), 200)
  void reject('subscription', ask('subscription { deviceStream(deviceIds: []) { id } }'), 400)
  void reject('cost', ask('{ deviceSearch(params: { pageSize: 5000 }) { edges { node { id } } } }'), 400, '15002')
  void reject('array', post(JSON.stringify([{ query: '{ nope }' }, {}, 5])), 200)
  for (const [label, reply, status, cost] of rejected) {
    const answer = await reply
    expect([label, answer.status, ...limits(answer)]).toEqual([label, status, cost, '100000', '100000', '60'])
    if (label !== 'HEAD' && label !== 'array')
      expect([label, dig(answer.json, 'errors', 0, 'message')]).toEqual([label, expect.any(String)])
  }
  expect(limits(await ask('{ tenants { id } }'))).toEqual(['3', '100000', '99997', '60'])
  expect(limits(await ask('{ tenants { id } }', {}, { authorization: 'Bearer x' }))).toEqual([
    '0',
    '100000',
    '100000',
    '60',
  ])
  for (const kind of ['rate-limited', 'http-500', 'html', 'garbage', 'unauthenticated', 'partial'] as const) {
    service.misfortune.next(kind)
    const answer = await ask('{ tenants { id } }')
    expect([kind, ...limits(answer).slice(0, 2), limits(answer)[3]]).toEqual([
      kind,
      expect.stringMatching(/^[03]$/u),
      '100000',
      '60',
    ])
  }
})

test.each(both)('an empty balance is rejected with the headers and not deducted (%s)', async (wire) => {
  for (const exhausted of [429, 503, 400, 200] as const) {
    const { ask } = await ready(wire, { balance: 10, exhausted })
    await ask('{ tenants { id name } }')
    const refused = await ask('{ deviceSearch { edges { node { id } } } }')
    expect([refused.status, ...limits(refused)]).toEqual([exhausted, '32', '10', '5', '60'])
    expect(limits(await ask('{ tenants { id name } }'))).toEqual(['5', '10', '0', '60'])
  }
})

test.each([
  ['application/json', 200],
  ['application/graphql-response+json', 400],
] as const)('%s: an operation that cannot run gets %i with a message', async (accept, status) => {
  const { ask } = await ready('HTTP/2')
  const outcome = async (query: string, more: object = {}) => {
    const reply = await ask(query, more, { accept })
    expect([dig(reply.json, 'data'), reply.headers['content-type']]).toEqual([undefined, `${accept}; charset=utf-8`])
    return [reply.status, codes(reply)]
  }
  expect(await outcome('{ tenants {')).toEqual([status, 'GRAPHQL_PARSE_FAILED'])
  expect(await outcome('{ nope }')).toEqual([status, 'GRAPHQL_VALIDATION_FAILED'])
  expect(await outcome('query ($id: String!) { tenant(id: $id) { id } }')).toEqual([
    status,
    'GRAPHQL_VALIDATION_FAILED',
  ])
  expect(await outcome('query ($id: ID!) { tenant(id: $id) { id } }')).toEqual([status, 'BAD_USER_INPUT'])
  expect(
    await outcome(
      'query ($id: ID!, $p: DeviceFindArgs) { tenant(id: $id) { id } deviceSearch(params: $p) { edges { node { id } } } }',
      { variables: { id: {}, p: { pageSize: 'x' } } },
    ),
  ).toEqual([status, 'BAD_USER_INPUT'])
  for (const operationName of ['C', '', undefined, null])
    expect(await outcome(two, { operationName })).toEqual([status, 'OPERATION_RESOLUTION_FAILURE'])
  expect(await outcome('fragment F on Tenant { id }')).toEqual([status, 'OPERATION_RESOLUTION_FAILURE'])
})

test.each(both)('of several named operations only the named one runs and is charged (%s)', async (wire) => {
  const { service, ask } = await ready(wire)
  const device = service.world.find(({ connected }) => connected === true)
  const document = `query Read { tenants { id } } mutation Rename { updateDevice(id: "${device.id}", fields: { name: "Renamed" }) { name } calculateQueryCost { queryCost } } query Dear { deviceSearch(params: { pageSize: 5000 }) { edges { node { id name } } } }`
  const read = await ask(document, { operationName: 'Read' })
  expect([read.status, Object.keys(dig(read.json, 'data') ?? {}), limits(read)[0]]).toEqual([200, ['tenants'], '3'])
  expect(service.world.device(device.id)?.name).toBe(device.name)
  const renamed = await ask(document, { operationName: 'Rename' })
  expect(renamed.json).toEqual({ data: { updateDevice: { name: 'Renamed' }, calculateQueryCost: { queryCost: 4 } } })
  expect(limits(renamed)[0]).toBe('4')
  expect((await ask(document, { operationName: 'Dear' })).status).toBe(400)
  expect((await ask('query Only { tenants { id } }', { operationName: '' })).status).toBe(200)
})

test.each(both)('the cost rejection is to the letter of section 7.3, alone and in an array (%s)', async (wire) => {
  const { ask, post } = await ready(wire)
  const query = '{ deviceSearch(params: { pageSize: 5000 }) { edges { node { id name } } } }'
  const message = 'GraphQL query cost of 20002 points exceeds maximum cost limit of 10000 points'
  const body = {
    errors: [{ message }, { message, extensions: { code: 'INTERNAL_SERVICE_ERROR', stacktrace: [message] } }],
  }
  for (const accept of ['application/json', 'application/graphql-response+json', '*/*', 'text/html', '']) {
    const reply = await ask(query, {}, accept === '' ? {} : { accept })
    expect([reply.status, reply.text]).toEqual([400, JSON.stringify(body)])
  }
  const array = await post(JSON.stringify([{ query: '{ tenants { name } }' }, { query }]))
  expect([array.status, dig(array.json, 1)]).toEqual([200, body])
})

test.each(both)('without a token: validation first, then an error at each field, and no charge (%s)', async (wire) => {
  const { ask } = await ready(wire)
  const nobody = { authorization: 'Bearer nobody' }
  expect(codes(await ask('{ tenants { nope } }', {}, nobody))).toBe('GRAPHQL_VALIDATION_FAILED')
  expect(codes(await ask('query ($id: ID!) { tenant(id: $id) { id } }', {}, nobody))).toBe('BAD_USER_INPUT')
  expect(codes(await ask(two, { operationName: 'C' }, nobody))).toBe('OPERATION_RESOLUTION_FAILURE')
  const reply = await ask(
    '{ tenants { id } tenant(id: "x") { id } deviceSearch { edges { node { id } } } device(id: "x") { id } calculateQueryCost { queryCost costRemaining } __typename }',
    {},
    nobody,
  )
  expect(dig(reply.json, 'data')).toEqual({
    tenants: null,
    tenant: null,
    deviceSearch: null,
    device: null,
    calculateQueryCost: { queryCost: 0, costRemaining: 100_000 },
    __typename: 'Query',
  })
  const errors = dig(reply.json, 'errors')
  expect(errors).toEqual(
    ['tenants', 'tenant', 'deviceSearch', 'device'].map((field) =>
      expect.objectContaining({
        message: 'You must be logged in to run this query',
        path: [field],
        extensions: { code: 'UNAUTHENTICATED' },
      }),
    ),
  )
})
