import { expect, test } from 'vitest'
import { classify, readErrors, redacted, type Rejection } from '../../../src-main/api/classify.ts'
import type { FaultKind } from '../../../src-shared/model/fault.ts'

const rejection = (part: Partial<Rejection> & { error?: { message?: string; code?: string } }): Rejection => ({
  status: 200,
  retryAfter: null,
  hasData: false,
  errors:
    part.error === undefined
      ? []
      : readErrors([{ message: part.error.message ?? 'x', extensions: { code: part.error.code } }], (text) => text),
  ...part,
})

test.each<[string, Rejection, FaultKind | null]>([
  [
    'the documented cost refusal',
    rejection({
      status: 400,
      error: {
        message: 'GraphQL query cost of 13321 points exceeds maximum cost limit of 10000 points',
        code: 'INTERNAL_SERVICE_ERROR',
      },
    }),
    'cost-limit',
  ],
  ['429', rejection({ status: 429 }), 'unavailable'],
  ['429 with words', rejection({ status: 429, error: { message: 'Too many requests' } }), 'exhausted'],
  ['503 with retry-after', rejection({ status: 503, retryAfter: 10 }), 'unavailable'],
  ['502 with retry-after', rejection({ status: 502, retryAfter: 10 }), 'unavailable'],
  ['504 with retry-after', rejection({ status: 504, retryAfter: 10 }), 'unavailable'],
  ['500 with retry-after', rejection({ status: 500, retryAfter: 10 }), 'http'],
  [
    '503 with retry-after that names the points',
    rejection({ status: 503, retryAfter: 10, error: { code: 'RATE_LIMITED' } }),
    'exhausted',
  ],
  ['503 alone', rejection({ status: 503 }), 'http'],
  ['400 with a text', rejection({ status: 400, error: { message: 'Rate limit exceeded' } }), 'exhausted'],
  ['200 with errors', rejection({ error: { message: 'nope', code: 'RATE_LIMITED' } }), 'exhausted'],
  ['401', rejection({ status: 401 }), 'token'],
  ['a code for the token', rejection({ error: { code: 'UNAUTHENTICATED' }, hasData: true }), 'token'],
  ['the text for the token', rejection({ error: { message: 'You must be logged in to run this query' } }), 'token'],
  ['another text for it', rejection({ error: { message: 'Authorization failed' } }), 'token'],
  ['an expired JWT', rejection({ status: 400, error: { message: 'jwt expired' } }), 'token'],
  ['an expired access token', rejection({ error: { message: 'The access token is expired' } }), 'token'],
  ['a token of the paging', rejection({ status: 400, error: { message: 'nextToken is invalid' } }), 'http'],
  ['an old token of the paging', rejection({ error: { message: 'Pagination token expired' } }), 'query'],
  [
    'a page token beside an access token',
    rejection({ error: { message: 'The page token belongs to another access token' } }),
    'query',
  ],
  [
    'a code for the token, whatever the text',
    rejection({ error: { message: 'nextToken is invalid', code: 'UNAUTHENTICATED' } }),
    'token',
  ],
  ['a good answer', rejection({ hasData: true }), null],
  ['an answer that is good in part', rejection({ hasData: true, error: { message: 'one tenant is gone' } }), null],
  ['validation', rejection({ status: 400, error: { code: 'GRAPHQL_VALIDATION_FAILED' } }), 'query'],
  ['forbidden', rejection({ status: 403 }), 'forbidden'],
  ['404', rejection({ status: 404 }), 'not-found'],
  ['500', rejection({ status: 500 }), 'http'],
  ['JSON that is no GraphQL', rejection({}), 'not-graphql'],
])('%s', (_name, input, kind) => {
  expect(classify(input)?.fault.kind ?? null).toBe(kind)
})

test('the time to wait is taken from the answer', () => {
  expect(classify(rejection({ status: 429, retryAfter: 17 }))?.retryAfter).toBe(17_000)
})

test('tokens and secrets that the service repeats are redacted', () => {
  const said = redacted('bad token eyJhbGciOi.eyJzdWIiOi.c2ln for client_secret=hunter2, Authorization: Bearer abc.def')
  expect(said).not.toMatch(/eyJ|hunter2|abc\.def/)
  expect(said).toContain('bad token')
})

test.each([[undefined], [null], [7], [''], [{}], [[null, 1, '']]])(
  'errors of the wrong shape (%j) are no errors',
  (errors) => {
    expect(readErrors(errors, (text) => text)).toEqual([])
  },
)

test.each([
  ['mere words', 'EU-1 is down'],
  ['one alone', { message: 'EU-1 is down' }],
  ['a list of words', ['EU-1 is down']],
])('errors of another shape are errors: %s', (_name, errors) => {
  expect(readErrors(errors, (text) => text)).toMatchObject([{ message: 'EU-1 is down', path: null }])
})

test.each([
  ['Query depth limit of 5 exceeded', 'Muster needs a depth of 6'],
  ['Variables are not allowed', 'Muster needs variables'],
  ['This endpoint rejects variables', 'Muster needs variables'],
])('a limit that Muster cannot meet is reported: %s', (message, need) => {
  for (const status of [200, 400]) {
    const fault = classify(rejection({ status, error: { message } }))?.fault
    expect(fault?.detail).toBe(
      `HTTP ${status}: ${message} (${need}${need.endsWith('6') ? ' to read devices' : ' in its queries'})`,
    )
  }
})

test.each(['The variable "$tenant" is not defined', 'Device of depth 5 m not found', 'nope'])(
  'no other message is taken for such a limit: %s',
  (message) => {
    expect(classify(rejection({ status: 400, error: { message } }))?.fault.detail).toBe(`HTTP 400: ${message}`)
  },
)

test.each<[string, object, string | null]>([
  [
    'permissions that lack',
    {
      code: 'E-4711',
      classification: 'ExecutionAborted',
      permissions: ['inventory:read'],
      resource: { id: 't', type: 'tenant' },
    },
    'FORBIDDEN',
  ],
  ['a code of its own', { code: 'ACCESS_FORBIDDEN_4' }, 'FORBIDDEN'],
  ['a code in another place', { errorType: 'PermissionDenied' }, 'FORBIDDEN'],
  ['a resource that says it', { code: 17, resource: { id: 't', state: 'forbidden' } }, 'FORBIDDEN'],
  [
    'a code that is known, whatever else stands there',
    { code: 'UNAUTHENTICATED', permissions: ['x'] },
    'UNAUTHENTICATED',
  ],
  ['no permission named', { code: 'E-1', permissions: [] }, 'E-1'],
  ['something else', { code: 'E-1', resource: { id: 't' } }, 'E-1'],
])('a missing permission is recognised by %s', (_name, extensions, code) => {
  expect(readErrors([{ message: 'x', extensions }], (text) => text)[0]?.code).toBe(code)
})
