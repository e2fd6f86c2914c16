import { maxParts } from '../../../src-main/api/bounds.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApi } from '../../../src-main/api/client.ts'
import { withCostField } from '../../../src-main/api/cost-field.ts'
import { devicesOperation, tenantsOperation } from '../../../src-main/api/operations.ts'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { createTurns } from '../../../src-main/api/event-loop-turns.ts'
import { FaultError, type FaultKind } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'

type Answer = () => Response | Promise<Response>

function setup(answers: Answer[], turns = createTurns()) {
  const clock = manualClock()
  const sent: { authorization: string | null; body: string }[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    sent.push({ authorization: new Headers(init?.headers).get('authorization'), body: String(init?.body) })
    const answer = answers[Math.min(sent.length, answers.length) - 1]
    if (answer === undefined) throw new Error('no answer is prepared')
    const aborted = new Promise<never>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
    })
    return Promise.race([answer(), aborted])
  }
  let issued = 1
  const tokens = {
    get: async () => `token-${issued}`,
    renew: async () => {
      issued += 1
      return `token-${issued}`
    },
    drop: (token: string) => {
      if (token === `token-${issued}`) issued += 1
    },
    prove: () => {},
    problem: () => null,
    renewsAt: () => Infinity,
    redact: (text: string) => text.replaceAll(`token-${issued}`, '[hidden]'),
    stop: () => {},
  }
  const pacer = startPacer({
    clock,
    random: () => 0,
    policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  const api = createApi({ fetch, clock, graphqlUrl: 'https://api.test/graphql', tokens, pacer, turns })
  const run = (operation = tenantsOperation, signal = new AbortController().signal) =>
    api.run({ operation, variables: { secretVariable: 's3cret' }, lane: 'person', size: 1, signal })
  return { clock, sent, run, pacer, tokens }
}

const good = () => Response.json({ data: { tenants: [] } })
const rejected =
  (code: string, status = 200) =>
  () =>
    Response.json({ data: null, errors: [{ message: 'no', extensions: { code } }] }, { status })
const text =
  (body: string, status = 200) =>
  () =>
    new Response(body, { status, headers: { 'content-type': 'text/html' } })

async function faultOf(promise: Promise<unknown>): Promise<{ kind: FaultKind; detail: string }> {
  const thrown: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  return (thrown as FaultError).fault
}

test('sends the token, the document and its variables', async () => {
  const { sent, run } = setup([good])
  expect(await run()).toMatchObject({ data: { tenants: [] }, errors: [] })
  expect(sent[0]?.authorization).toBe('Bearer token-1')
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
    query: tenantsOperation.document,
    operationName: 'Tenants',
    variables: { secretVariable: 's3cret' },
  })
})

test.each([
  ['mere words', 'EU-1 is down'],
  ['one alone', { message: 'EU-1 is down' }],
])('errors in another shape are returned to the caller: %s', async (_name, errors) => {
  const whole = setup([() => Response.json({ data: null, errors })])
  expect(await faultOf(whole.run())).toEqual({ kind: 'query', detail: 'HTTP 200: EU-1 is down' })
  const part = setup([() => Response.json({ data: { tenants: [] }, errors })])
  expect((await part.run()).errors).toMatchObject([{ message: 'EU-1 is down' }])
})

test('a rejected token is dropped, and the request is repeated once with a new one', async () => {
  const { sent, run } = setup([rejected('UNAUTHENTICATED'), good])
  expect(await run()).toMatchObject({ data: { tenants: [] } })
  expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('a second rejection is a fault and is not retried for ever', async () => {
  const { sent, run } = setup([rejected('UNAUTHENTICATED')])
  expect((await faultOf(run())).kind).toBe('token')
  expect(sent).toHaveLength(2)
})

test('a token rejected like a role is renewed once; the second time it is the role', async () => {
  const takes = { token: 'Bearer token-2' }
  const { sent, run } = setup([
    () => (sent.at(-1)?.authorization === takes.token ? good() : rejected('FORBIDDEN', 403)()),
  ])
  const asked = () => [...new Set(sent.splice(0).map(({ authorization }) => authorization))]
  expect(await run()).toMatchObject({ data: { tenants: [] } })
  expect(asked()).toEqual(['Bearer token-1', 'Bearer token-2'])
  takes.token = 'none'
  for (const _each of [1, 2]) {
    expect((await faultOf(run())).kind).toBe('forbidden')
    expect(asked()).toEqual(['Bearer token-2'])
  }
})

test.each([
  ['a number', '300', 300_000],
  ['a date, which counts from the answer’s own', 'Mon, 23 Nov 2026 10:05:00 GMT', 300_000],
  ['a date in years, which is believed for ten minutes', 'Mon, 23 Nov 2036 10:05:00 GMT', 600_000],
] as const)('a busy service says until when by %s', async (_form, said, ms) => {
  const { clock, run, pacer } = setup([
    () =>
      new Response('busy', { status: 429, headers: { date: 'Mon, 23 Nov 2026 10:00:00 GMT', 'retry-after': said } }),
    good,
  ])
  const began = clock.now()
  const done = run()
  await expect.poll(() => pacer.holdsUntil()).toBeGreaterThanOrEqual(began + ms)
  expect(pacer.holdsUntil()).toBeLessThan(began + ms + 60_000)
  await clock.advance(ms + 60_000)
  expect(await done).toMatchObject({ data: { tenants: [] } })
})

test('a token that the service repeats is redacted, in whatever text', async () => {
  const said = {
    errors: [{ message: 'The access token token-2 has expired', extensions: { code: 'UNAUTHENTICATED' } }],
  }
  const { run } = setup([rejected('UNAUTHENTICATED'), () => Response.json({ data: null, ...said }, { status: 401 })])
  expect(await faultOf(run())).toEqual({ kind: 'token', detail: 'HTTP 401: The access token [hidden] has expired' })
  const inPart = setup([
    () => Response.json({ data: { tenants: [] }, errors: [{ message: 'token-1 may not see all' }] }),
  ])
  expect(await inPart.run()).toMatchObject({ errors: [{ message: '[hidden] may not see all' }] })
})

test('the valid part of an answer is kept beside its errors', async () => {
  const { run } = setup([
    () =>
      Response.json({ data: { tenants: [{ id: 't' }] }, errors: [{ message: 'one is gone', path: ['tenants', 1] }] }),
  ])
  expect(await run()).toMatchObject({
    data: { tenants: [{ id: 't' }] },
    errors: [{ message: 'one is gone', path: ['tenants', 1] }],
  })
})

test.each<[string, Answer, FaultKind]>([
  ['a web page', text('<html>login</html>'), 'not-json'],
  ['a web page with 403', text('<html>blocked</html>', 403), 'not-json'],
  ['a gateway’s page', text('<html>bad gateway</html>', 502), 'http'],
  ['a page with 401', text('<html>who are you</html>', 401), 'token'],
  ['truncated JSON', text('{"data":{"tenants":['), 'not-json'],
  ['JSON that is broken inside', text('{"data": oops}'), 'not-graphql'],
  ['an empty answer', text(''), 'not-json'],
  ['JSON that is no GraphQL', () => Response.json({ hello: 'world' }), 'not-graphql'],
  ['a query that is not accepted', rejected('GRAPHQL_VALIDATION_FAILED', 400), 'query'],
  ['an error of the service', rejected('INTERNAL_SERVER_ERROR', 500), 'http'],
])('%s is a fault of its own kind, and never repeats the request', async (_name, answer, kind) => {
  const fault = await faultOf(setup([answer]).run())
  expect(fault.kind).toBe(kind)
  expect(JSON.stringify(fault)).not.toMatch(/s3cret|token-1|query Tenants/)
})

test('an answer with a content length over the limit is not read', async () => {
  const { run } = setup([() => new Response('{}', { headers: { 'content-length': String(2 ** 40) } })])
  expect((await faultOf(run(devicesOperation))).kind).toBe('http')
})

test.each([
  ['the list of tenants', tenantsOperation, 18],
  ['a page of one device', devicesOperation, 4],
])('an answer without a content length is read up to its limit: %s', async (_name, operation, most) => {
  const piece = new Uint8Array(1024 * 1024).fill(32)
  let pulled = 0
  let cancelled = false
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        // An end, so that a reader without a bound fails here and does not read for ever.
        if (pulled > 80) controller.close()
        else controller.enqueue(piece)
      },
      cancel: () => {
        cancelled = true
      },
    })
  const { run } = setup([() => new Response(body())])
  expect(await faultOf(run(operation))).toEqual({ kind: 'http', detail: 'the answer is too large' })
  expect(cancelled).toBe(true)
  expect(pulled).toBeLessThanOrEqual(most)
})

test('a character split between two chunks is read whole', async () => {
  const bytes = new TextEncoder().encode('{"data":{"tenants":[{"name":"Zürich"}]}}')
  const cut = bytes.indexOf(0xc3) + 1
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes.subarray(0, cut))
      controller.enqueue(bytes.subarray(cut))
      controller.close()
    },
  })
  expect(await setup([() => new Response(body)]).run()).toMatchObject({ data: { tenants: [{ name: 'Zürich' }] } })
})

test('an answer that never comes is a timeout', async () => {
  const { clock, run } = setup([() => new Promise<Response>(() => {})])
  const fault = faultOf(run())
  await clock.advance(30_000)
  expect((await fault).kind).toBe('timeout')
})

describe('a service without cost headers', () => {
  const cost = { queryCost: 12, costUsed: 12, costRemaining: 99_988, secondsToReset: 40 }
  const asksIn = (sent: { body: string }[]) => sent.map(({ body }) => body.includes('calculateQueryCost'))

  test('is asked for the cost with the next query, and the answer does not contain it', async () => {
    const { sent, run, pacer } = setup([good, () => Response.json({ data: { tenants: [], musterQueryCost: cost } })])
    await run()
    await run()
    expect(asksIn(sent)).toEqual([false, true])
    expect(pacer.gauge()).toMatchObject({ basis: 'field', known: true, limit: 100_000, remaining: 99_988 })
  })

  test.each<[string, Answer]>([
    ['a validation error', rejected('GRAPHQL_VALIDATION_FAILED', 400)],
    ['a bare 400', () => Response.json({ errors: [{ message: 'Cannot query field' }] }, { status: 400 })],
    ['an error of its own', rejected('INTERNAL_SERVER_ERROR', 500)],
  ])('that rejects the cost field with %s is queried without it', async (_name, rejection) => {
    const answers: Answer[] = [good, rejection, good, rejection, good, good]
    const { sent, run, pacer } = setup(answers)
    for (let query = 0; query < 4; query += 1) expect(await run()).toMatchObject({ data: { tenants: [] } })
    expect(asksIn(sent)).toEqual([false, true, false, true, false, false])
    expect(pacer.gauge()).toMatchObject({ basis: 'guess', known: false })
  })

  test('whose cost field alone fails gives the rest of the answer whole', async () => {
    const { run } = setup([
      good,
      () =>
        Response.json({
          data: { tenants: [], musterQueryCost: null },
          errors: [{ message: 'no', path: ['musterQueryCost'] }],
        }),
    ])
    await run()
    expect(await run()).toMatchObject({ data: { tenants: [] }, errors: [] })
  })

  test('a mutation has no cost field: nothing may run twice', () => {
    expect(withCostField('mutation M { a { b } }')).toBeNull()
    expect(withCostField('query Q { a { ...f } } fragment f on A { b }')).toContain(
      'musterQueryCost: calculateQueryCost',
    )
  })
})

test('the token is taken when the request is sent, not when it is queued', async () => {
  const { clock, sent, run, tokens } = setup([
    () =>
      Response.json(
        { data: { tenants: [] } },
        {
          headers: {
            'graphql-ratelimit-querycost': '10',
            'ratelimit-limit': '12',
            'ratelimit-remaining': '2',
            'ratelimit-reset': '30',
          },
        },
      ),
    good,
  ])
  await run()
  const waiting = run()
  await clock.advance(10_000)
  tokens.drop('token-1')
  await clock.advance(30_000)
  await waiting
  expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('a field that the service does not know is omitted, and the rest is requested at once', async () => {
  const unknown = () =>
    Response.json(
      {
        errors: [
          {
            message: 'Cannot query field "region" on type "Tenant".',
            locations: [{ line: 1, column: 35 }],
            extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
          },
        ],
      },
      { status: 400 },
    )
  const { sent, run } = setup([unknown, good])
  expect(await run()).toMatchObject({ data: { tenants: [] }, errors: [] })
  await run()
  expect(sent.map(({ body }) => (JSON.parse(body) as { query: string }).query.includes('region'))).toEqual([
    true,
    false,
    false,
  ])
})

test('a service that knows neither a field nor the cost field is queried without both', async () => {
  const { sent, run } = setup([
    () => Response.json({ data: { tenants: [] } }),
    () =>
      Response.json({
        errors: [
          { message: 'Unknown field "calculateQueryCost" on type "Query"' },
          { message: 'Unknown field "region" on type "Tenant"' },
        ],
      }),
    () => Response.json({ errors: [{ message: 'Unknown field "region" on type "Tenant"' }] }),
    good,
  ])
  await run()
  expect(await run()).toMatchObject({ data: { tenants: [] }, errors: [] })
  expect(sent).toHaveLength(4)
})

test('other work runs before a long answer is scanned, and before it is parsed', async () => {
  const order: string[] = []
  const parse = JSON.parse
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((given: string) => {
    order.push('parsed')
    return parse(given)
  })
  onTestFinished(() => spy.mockRestore())
  const { run } = setup([good], async () => void order.push('turn'))
  await run()
  expect(order).toEqual(['turn', 'turn', 'parsed'])
})

describe('an answer with more members than are parsed at once', () => {
  const tenant = (n: number) => ({ id: `t${n}`, name: 'Acme', [`own${n}`]: 1 })
  const tenants = `[${Array.from({ length: 60_000 }, (_, n) => JSON.stringify(tenant(n))).join(',')}]`

  test('is read as far as its tenants are complete, where it lists them', async () => {
    const { data, isCut } = await setup([() => new Response(`{"data":{"tenants":${tenants}}}`)]).run()
    const read = (data as { tenants: unknown[] }).tenants
    expect(isCut).toBe(true)
    expect(read).toEqual(Array.from({ length: read.length }, (_, n) => tenant(n)))
    expect(Math.abs(maxParts / 4 - read.length)).toBeLessThan(3)
  })

  test('is a fault elsewhere, as one that is too long', async () => {
    expect(await faultOf(setup([() => new Response(`{"data":{"x":1},"errors":${tenants}}`)]).run())).toEqual({
      kind: 'http',
      detail: 'the answer is too large',
    })
  })
})

describe('a list of tenants of more than 16 MB', () => {
  const tenant = (n: number) => ({ id: `t${n}`, name: `[{"${'x'.repeat(1000)}`, region: { id: 'EU-1' } })
  const body = (head: string) =>
    `${head}${Array.from({ length: 17_000 }, (_, n) => JSON.stringify(tenant(n))).join(',')}]}}`

  test('is read as far as its tenants are complete', async () => {
    const { data, isCut } = await setup([() => new Response(body('{"extensions":{"a":[1]},"data":{"tenants":['))]).run()
    const { tenants } = data as { tenants: unknown[] }
    expect(isCut).toBe(true)
    expect(tenants).toEqual(Array.from({ length: tenants.length }, (_, n) => tenant(n)))
    expect(16 * 1024 * 1024 - JSON.stringify({ extensions: { a: [1] }, data }).length).toBeLessThan(1100)
  })

  test('is a fault where it is cut off elsewhere', async () => {
    expect(
      await faultOf(setup([() => new Response(body('{"data":{"x":[1]},"extensions":{"x":{"tenants":['))]).run()),
    ).toEqual({ kind: 'http', detail: 'the answer is too large' })
  })
})

test('a request that is given up does not wait for a token that is on its way', async () => {
  const { run, sent, tokens } = setup([good])
  tokens.get = () => new Promise(() => {})
  const given = new AbortController()
  const rejected = expect(run(tenantsOperation, given.signal)).rejects.toMatchObject({ fault: { kind: 'stopped' } })
  given.abort(new FaultError('stopped'))
  await rejected
  expect(sent).toEqual([])
})
