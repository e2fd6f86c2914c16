import { connect } from 'node:tls'
import { connect as connectHttp2 } from 'node:http2'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { expect, test } from 'vitest'
import { makeCertificates } from '../../../src-service/net/certificates.ts'
import { dig, digAll, open, plainClient } from '../client.ts'

test('the right pair gets a signed JWT for 24 hours that names the credential set', async () => {
  const service = await open()
  const reply = await plainClient(service).askToken()
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({ access_token: expect.any(String), expires_in: 86_400, token_type: 'Bearer' })
  expect(reply.headers['cache-control']).toBe('no-store')
  const claims = decodeJwt(String(reply.at('access_token')))
  expect(claims.sub).toBe(service.clientId)
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(86_400)
  expect(decodeProtectedHeader(String(reply.at('access_token'))).alg).toBe('ES256')
  expect(service.tokensIssued()).toBe(1)
})

test.each([
  ['a wrong secret', { client_secret: 'wrong' }, 401, 'access_denied'],
  ['an unknown id', { client_id: 'nobody' }, 401, 'access_denied'],
  ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ['no grant', { grant_type: undefined }, 400, 'invalid_request'],
  ['no id', { client_id: undefined }, 400, 'invalid_request'],
  ['a secret that is no text', { client_secret: 5 }, 400, 'invalid_request'],
])('%s is rejected', async (_name, change, status, error) => {
  const service = await open()
  const reply = await plainClient(service).askToken(change)
  expect(reply.status).toBe(status)
  expect(reply.json).toEqual({ error, error_description: expect.any(String) })
  expect(service.tokensIssued()).toBe(0)
})

test('a form, a broken body and an oversized one are rejected with an OAuth error', async () => {
  const service = await open()
  const { post } = plainClient(service)
  const form = await post(service.tokenUrl, 'grant_type=client_credentials', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([form.status, form.at('error')]).toEqual([400, 'invalid_request'])
  const broken = await post(service.tokenUrl, '{"client_id":', { 'content-type': 'application/json' })
  expect([broken.status, broken.at('error')]).toEqual([400, 'invalid_request'])
  const large = await post(service.tokenUrl, ' '.repeat(1024 * 1024 + 1), { 'content-type': 'application/json' })
  expect([large.status, large.at('error')]).toEqual([413, 'invalid_request'])
})

test('a foreign, broken or missing token is UNAUTHENTICATED after the query is validated', async () => {
  const [service, other] = [await open(), await open()]
  const { ask } = plainClient(service)
  const foreign = await plainClient(other).token()
  for (const bearer of [foreign, 'not.a.token', '', null]) {
    const reply = await ask(bearer, '{ tenants { id } }')
    expect(reply.at('data')).toEqual({ tenants: null })
    expect(reply.at('errors', 0)).toMatchObject({
      message: 'You must be logged in to run this query',
      path: ['tenants'],
      extensions: { code: 'UNAUTHENTICATED' },
    })
  }
  const wrong = await ask(null, 'query ($id: String!) { tenant(id: $id) { id } }', { id: '1' })
  expect(wrong.at('errors', 0, 'extensions', 'code')).toBe('GRAPHQL_VALIDATION_FAILED')
})

test('a token is valid until the second it expires', async () => {
  const clock = { at: Date.parse('2026-03-01T00:00:00Z') }
  const service = await open({ now: () => clock.at, tokenLifetimeSeconds: 600 })
  const { ask, token } = plainClient(service)
  const bearer = await token()
  clock.at += 599_000
  expect((await ask(bearer, '{ tenants { id } }')).at('errors')).toBeUndefined()
  clock.at += 1000
  expect((await ask(bearer, '{ tenants { id } }')).at('errors', 0, 'extensions', 'code')).toBe('UNAUTHENTICATED')
})

test('anybody can verify a token by the public keys, and no other keys are published', async () => {
  const service = await open()
  const { get, token } = plainClient(service)
  const found = await get(new URL('/.well-known/jwks.json', service.tokenUrl).href)
  expect([found.status, found.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(found.at('keys')).toEqual([
    {
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: expect.any(String),
      alg: 'ES256',
      use: 'sig',
    },
  ])
  const { payload, protectedHeader } = await jwtVerify(await token(), createLocalJWKSet(found.json as JSONWebKeySet))
  expect([payload.sub, protectedHeader.kid]).toEqual([service.clientId, found.at('keys', 0, 'kid')])
})

test('after a key rotation older tokens are valid until they expire', async () => {
  const clock = { at: Date.parse('2026-03-01T00:00:00Z') }
  const service = await open({ now: () => clock.at, tokenLifetimeSeconds: 600 })
  const { ask, get, token } = plainClient(service)
  const kids = async () =>
    digAll((await get(new URL('/.well-known/jwks.json', service.tokenUrl).href)).json, 'keys').map((key) =>
      dig(key, 'kid'),
    )
  const isGood = async (bearer: string) => (await ask(bearer, '{ tenants { id } }')).at('errors') === undefined
  const before = await token()
  await service.rotateKeys()
  const after = await token()
  const [newest, ...older] = await kids()
  expect([newest, ...older]).toEqual([decodeProtectedHeader(after).kid, decodeProtectedHeader(before).kid])
  expect([await isGood(before), await isGood(after)]).toEqual([true, true])
  clock.at += 600_000
  expect([await isGood(before), await kids()]).toEqual([false, [newest]])
  // Nobody said anything, and a week is over.
  clock.at += 7 * 86_400_000
  expect(decodeProtectedHeader(await token()).kid).not.toBe(newest)
})

test('rejected tokens: as if the credential set were deleted, until it is restored', async () => {
  const service = await open()
  const { ask, askToken, token } = plainClient(service)
  const bearer = await token()
  service.misfortune.rejectTokens(true)
  expect((await askToken()).status).toBe(401)
  expect((await ask(bearer, '{ tenants { id } }')).at('data')).toEqual({ tenants: null })
  service.misfortune.rejectTokens(false)
  expect((await ask(bearer, '{ tenants { id } }')).at('errors')).toBeUndefined()
})

test.each([true, false])('both protocols answer alike (HTTP/2: %s)', async (h2) => {
  const service = await open()
  const { ask, token } = plainClient(service, { h2 })
  const reply = await ask(await token(), '{ tenants { name region { id } } }')
  expect(reply.at('data', 'tenants')).toEqual([
    { name: 'Brightwater Insurance', region: { id: 'US-1' } },
    { name: 'Nordlicht Energie AG', region: { id: 'EU-1' } },
  ])
})

test('HTTP/2 is chosen by ALPN when the client offers it', async () => {
  const service = await open()
  const session = connectHttp2(new URL(service.graphqlUrl).origin, { ca: service.ca })
  await new Promise((resolve) => session.once('connect', resolve))
  expect(session.alpnProtocol).toBe('h2')
  session.destroy()
})

test.each([
  ['right', null],
  ['expired', 'CERT_HAS_EXPIRED'],
  ['other-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
] as const)('the certificate is verified by a client: %s', async (kind, code) => {
  const service = await open({ certificates: await makeCertificates(kind) })
  const { port } = new URL(service.graphqlUrl)
  const outcome = await new Promise<string | null>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca: service.ca, servername: '' }, () =>
      resolve(null),
    )
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    socket.once('secureConnect', () => socket.destroy())
  })
  expect(outcome).toBe(code)
})
