import { makeSchema } from '../../../src-service/graphql/schema/schema.ts'
import type { Random } from '../../../src-service/world/random.ts'
import { randomOperation } from './queries.ts'
import type { Sent } from './wire.ts'

export type Facts = {
  graphqlUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  ca: string
  ids: string[]
}
/** The known ids and tokens, to make requests that are nearly right. */
export type Known = { facts: Facts; token: string; nextToken: string; schema: ReturnType<typeof makeSchema> }

const jsonHead = { 'content-type': 'application/json' }

export function ask({ token }: Pick<Known, 'token'>, query: string, more: object = {}): Sent {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { ...jsonHead, authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, ...more }),
  }
}

type Maker = (random: Random, known: Known) => Sent

export function requestOf(random: Random, known: Known): Sent {
  const made = random.pick(makers)(random, known)
  return random.chance(0.15) ? { ...made, headers: { ...made.headers, ...oddHeaders(random, known) } } : made
}

const usual = (random: Random, known: Known): Sent => {
  const { query, variables } = randomOperation(random, known.schema, known.facts.ids)
  return ask(known, query, { variables })
}

const makers: readonly Maker[] = [
  usual,
  usual,
  usual,
  usual,
  // Nearly right: a few signs are lost, doubled or others.
  (random, known) => damage(random, usual(random, known)),
  (random, known) => damage(random, usual(random, known)),
  (random, known) => ({ ...usual(random, known), body: bytes(random, random.int(0, 300)) }),
  (random, known) => ({ ...usual(random, known), body: JSON.stringify(oddMembers(random)) }),
  (random, known) => ({
    ...usual(random, known),
    body: `[${Array.from({ length: random.int(0, 12) }, () => (random.chance(0.8) ? usual(random, known).body.toString() : random.pick(odd))).join(',')}]`,
  }),
  (random, known) => ask(known, deepDocument(random)),
  (random, known) => ({
    ...usual(random, known),
    body: random.pick(['[', '{"a":', '{"query":["'] as const).repeat(random.int(1, 3000)),
  }),
  (random, known) =>
    ask(known, 'query ($p: DeviceFindArgs) { deviceSearch(params: $p) { pageInfo { totalCount } } }', {
      variables: { p: { nextToken: brokenToken(random, known) } },
    }),
  (random, known) =>
    ask(known, 'query ($p: DeviceFindArgs) { deviceSearch(params: $p) { pageInfo { totalCount } } }', {
      variables: hugeVariables(random),
    }),
  (random, known) => ({
    ...usual(random, known),
    method: random.pick(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND']),
    path: random.pick(['/graphql', '/oauth/token', '/.well-known/jwks.json', '/']),
    body: '',
  }),
  (random, known) => ({
    ...usual(random, known),
    path: random.pick([
      '/',
      '//',
      '/graphql/',
      '/graphql?query={a}',
      '/%00',
      '/%ff',
      '/../etc/passwd',
      '/graphql%2f..',
      `/${'a'.repeat(2000)}`,
      '/__proto__',
      '/oauth',
      '/graphql;x',
    ]),
  }),
  (random, known) => ({
    method: 'POST',
    path: '/oauth/token',
    headers: jsonHead,
    body: random.chance(0.5)
      ? JSON.stringify({
          client_id: random.pick([known.facts.clientId, 5, null, [], '__proto__']),
          client_secret: random.pick(['x', {}, 'é'.repeat(50_000), null]),
          grant_type: random.pick(['client_credentials', 'password', 5, null]),
        })
      : bytes(random, 60),
  }),
]

const odd = [
  'null',
  '5',
  '"x"',
  '[]',
  '{}',
  'true',
  '{"query":5}',
  '[[]]',
  '{"query":null}',
  '{"query":""}',
  '{"__proto__":{"query":"{ tenants { id } }"}}',
] as const

function oddMembers(random: Random): unknown {
  const value = (): unknown =>
    random.pick<unknown>([
      null,
      5,
      true,
      'x',
      '',
      [],
      {},
      { a: 1 },
      ['{ tenants { id } }'],
      '{ tenants { id } }',
      '\u0000',
      -1e300,
    ])
  return {
    query: value(),
    variables: value(),
    operationName: value(),
    extensions: value(),
    ...(random.chance(0.3) ? { query: '{ tenants { id } }' } : {}),
    ...(random.chance(0.2)
      ? { [random.pick(['id', 'documentId', 'queryId', 'toString', 'hasOwnProperty'])]: value() }
      : {}),
  }
}

function oddHeaders(random: Random, { token }: Known): Record<string, string> {
  const authorization = random.pick([
    '',
    'Bearer',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -2)}`,
    `bearer ${token}`,
    'Basic x',
    `Bearer ${'a'.repeat(random.pick([100, 5000, 30_000]))}`,
    `Bearer ${token.split('.')[0]}..`,
    'Bearer e30.e30.e30',
    'Bearer a.b.c.d.e',
    'Bearer \u00ff',
  ])
  const type = random.pick([
    '',
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'application/json; charset=',
    'APPLICATION/JSON',
    'application/jsonx',
    ';;;',
    'application/graphql-response+json',
  ])
  const accept = random.pick([
    '',
    '*/*',
    'text/html',
    'text/event-stream',
    'multipart/mixed',
    'application/graphql-response+json',
    'application/json;q=0',
    ';q=',
    'application/json, text/html;q=x',
    'image/png',
  ])
  return random.pick<Record<string, string>>([
    { authorization },
    { 'content-type': type },
    { accept },
    { accept, 'content-type': type },
    { cookie: `a=b; ${'c'.repeat(300)}` },
    { 'accept-encoding': 'br;q=2, nope' },
    { 'x-http-method-override': 'DELETE' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ])
}

function damage(random: Random, sent: Sent): Sent {
  const body = Buffer.from(sent.body)
  for (let n = random.int(1, 4); n > 0 && body.length > 0; n -= 1)
    body[random.int(0, body.length - 1)] = random.int(0, 255)
  const cut = random.chance(0.4) ? body.subarray(0, random.int(0, body.length)) : body
  return { ...sent, body: cut }
}

function bytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.int(0, 255)))
}

function deepDocument(random: Random): string {
  const n = random.int(1, 1200)
  return random.pick([
    `{ ${'tenants { '.repeat(n)} id ${' }'.repeat(n)} }`,
    `{ tenant(id: ${'['.repeat(n)}${']'.repeat(n)}) { id } }`,
    `{ ${Array.from({ length: Math.min(n, 300) }, (_, at) => `a${at}: tenants { id }`).join(' ')} }`,
    'fragment A on Tenant { ...B } fragment B on Tenant { ...A } { tenants { ...A } }',
    `{ tenants { ...F0 } } ${Array.from({ length: Math.min(n, 200) }, (_, at) => `fragment F${at} on Tenant { id ...F${at + 1} ...F${at + 1} }`).join(' ')}`,
    `{ ${'id '.repeat(n)} }`,
    `query A { tenants { id } } `.repeat(Math.min(n, 50)),
    `{ tenants { id } } ${'#'.repeat(n)}`,
    `${'{'.repeat(n)}`,
    '"""'.repeat(n),
    `{ a(b: "${'\\u00'.repeat(n)}") }`,
    `{ __schema { types { fields { type { fields { type { ofType { ofType { ofType { name } } } } } } } } } }`,
    'subscription { deviceStream(deviceIds: ["x"]) { id } }',
    `query ($a: ${'['.repeat(n)}Int${']'.repeat(n)}) { tenants { id } }`,
  ])
}

function brokenToken(random: Random, { nextToken }: Known): unknown {
  const at = random.int(0, nextToken.length - 1)
  return random.pick<unknown>([
    nextToken,
    `${nextToken.slice(0, at)}${random.pick(['', 'A', '.', '=', '\u0000'])}${nextToken.slice(at + 1)}`,
    nextToken.slice(at),
    '.',
    '',
    'a.b',
    nextToken.repeat(50),
    5,
    'é'.repeat(1000),
  ])
}

function hugeVariables(random: Random): unknown {
  const count = random.chance(0.05) ? 20_000 : random.pick([10, 101, 1000])
  const node = random.pick<object>([
    { field: 'name' },
    { field: 'nope' },
    {},
    { field: 'name', contains: 'x'.repeat(40) },
  ])
  return random.pick<unknown>([
    { p: { filter: { OR: Array.from({ length: count }, () => node) } } },
    {
      p: {
        sort: { fields: Array.from({ length: count }, () => ({ name: random.pick(['name', 'site', 'id', 'nope']) })) },
      },
    },
    { p: { filter: { field: 'name', contains: 'x'.repeat(count * 10) } } },
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, at])),
    { p: { filter: Array.from({ length: random.int(1, 150) }).reduce((inner) => ({ NOT: [inner] }), node) } },
  ])
}

export function rawOf(
  random: Random,
  { token }: Known,
): { bytes: Buffer; protocol: 'h2' | 'http/1.1'; hangUp: boolean } {
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  const text = random.pick([
    head,
    head.slice(0, random.int(1, head.length)),
    `${head}content-length: 100\r\n\r\n{"query":`,
    `${head}content-length: -1\r\n\r\n`,
    `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`,
    `${head}expect: 100-continue\r\ncontent-length: 20\r\n\r\n`,
    `${head}upgrade: websocket\r\nconnection: upgrade\r\n\r\n`,
    'GET / HTTP/9.9\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0000'.repeat(100),
    `GET /graphql HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: x\r\nsec-websocket-version: 99\r\n\r\n`,
  ])
  return {
    bytes: random.chance(0.5)
      ? Buffer.from(text)
      : Buffer.concat([
          Buffer.from(random.chance(0.5) ? 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' : ''),
          bytes(random, random.int(1, 200)),
        ]),
    protocol: random.pick(['h2', 'http/1.1']),
    hangUp: random.chance(0.5),
  }
}
