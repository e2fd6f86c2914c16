import { describe, expect, test } from 'vitest'
import { startTokens, type TokenOptions } from '../../../src-main/auth/token.ts'
import type { FaultKind } from '../../../src-shared/model/fault.ts'
import { manualClock, type ManualClock } from '../../support/clock.ts'

interface Setup {
  clock: ManualClock
  asked: { url: string; body: string }[]
  tokens: ReturnType<typeof startTokens>
  /** The changes that were reported. */
  troubles: (FaultKind | null)[]
}

function setup(answers: (() => Response | Promise<Response>)[], secret: string | null = 's3cret'): Setup {
  const clock = manualClock()
  const asked: Setup['asked'] = []
  const fetch: TokenOptions['fetch'] = async (url, init) => {
    asked.push({ url: String(url), body: String(init?.body) })
    const answer = answers[Math.min(asked.length, answers.length) - 1]
    if (answer === undefined) throw new Error('no answer is prepared')
    return answer()
  }
  const troubles: Setup['troubles'] = []
  const tokens = startTokens({
    fetch,
    clock,
    tokenUrl: 'https://login.test/oauth/token',
    clientId: 'me',
    secret: async () => secret,
    onProblem: () => troubles.push(tokens.problem()?.fault.kind ?? null),
  })
  return { clock, asked, tokens, troubles }
}

let issued = 0
const grant = (seconds: number) => () =>
  Response.json({ access_token: `token-${(issued += 1)}`, token_type: 'Bearer', expires_in: seconds })

async function faultOf(promise: Promise<unknown>): Promise<{ kind: FaultKind; detail: string }> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return (error as { fault: { kind: FaultKind; detail: string } }).fault
}

test('the request follows the specification', async () => {
  const { asked, tokens } = setup([grant(86_400)])
  await tokens.get()
  expect(asked[0]?.url).toBe('https://login.test/oauth/token')
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    client_id: 'me',
    client_secret: 's3cret',
    grant_type: 'client_credentials',
  })
})

test('simultaneous requests ask for one token once', async () => {
  const { asked, tokens } = setup([grant(86_400)])
  const all = await Promise.all([tokens.get(), tokens.get(), tokens.get()])
  expect(new Set(all).size).toBe(1)
  expect(asked).toHaveLength(1)
})

test('a token is renewed five minutes before it ends, and not earlier', async () => {
  const { clock, asked, tokens } = setup([grant(86_400)])
  const first = await tokens.get()
  await clock.advance(86_400_000 - 5 * 60_000 - 1)
  expect(await tokens.get()).toBe(first)
  await clock.advance(1)
  expect(await tokens.get()).not.toBe(first)
  expect(asked).toHaveLength(2)
})

test('a short-lived token is used to four fifths', async () => {
  const { clock, tokens } = setup([grant(60)])
  const first = await tokens.get()
  await clock.advance(47_999)
  expect(await tokens.get()).toBe(first)
  await clock.advance(1)
  expect(await tokens.get()).not.toBe(first)
})

test('a rejected token is dropped, a newer one is not', async () => {
  const { asked, tokens } = setup([grant(86_400)])
  const first = await tokens.get()
  tokens.drop(first)
  const second = await tokens.get()
  tokens.drop(first)
  expect(await tokens.get()).toBe(second)
  expect(asked).toHaveLength(2)
})

test.each<[string, () => Response, FaultKind]>([
  ['a wrong secret (401)', () => Response.json({ error: 'access_denied' }, { status: 401 }), 'credentials'],
  ['a wrong secret told with 200', () => Response.json({ error: 'access_denied' }), 'credentials'],
  ['a wrong secret told with 400', () => Response.json({ error: 'invalid_client' }, { status: 400 }), 'credentials'],
  ['a wrong secret told with 403', () => Response.json({ error: 'access_denied' }, { status: 403 }), 'credentials'],
  ['a page with 401', () => new Response('<html>who are you</html>', { status: 401 }), 'credentials'],
  ['a proxy’s page with 400', () => new Response('<html>bad request</html>', { status: 400 }), 'not-json'],
  ['nothing with 403', () => new Response('', { status: 403 }), 'not-json'],
  ['a wrong path', () => new Response('<h1>Not found</h1>', { status: 404 }), 'not-found'],
  ['a login page', () => new Response('<html>', { status: 200 }), 'not-json'],
  ['an error of the service', () => new Response('oops', { status: 500 }), 'http'],
  ['too many requests', () => new Response('', { status: 429 }), 'unavailable'],
  ['JSON without a token', () => Response.json({ hello: 1 }), 'not-json'],
])('%s is a fault of its own kind', async (_name, answer, kind) => {
  const { tokens } = setup([answer])
  expect((await faultOf(tokens.get())).kind).toBe(kind)
})

test("a proxy's error page is reported as one", async () => {
  const { tokens } = setup([() => new Response(' <!doctype html>blocked', { status: 403 })])
  expect((await faultOf(tokens.get())).detail).toBe('a web page, HTTP 403')
})

test('an endless answer is not read to its end', async () => {
  const endless = () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(256 * 1024)) }))
  expect(await faultOf(setup([endless]).tokens.get())).toEqual({ kind: 'http', detail: 'the answer is too large' })
})

test('a failure is not kept: the next request asks again', async () => {
  const { tokens } = setup([() => new Response('', { status: 500 }), grant(86_400)])
  await faultOf(tokens.get())
  await expect(tokens.get()).resolves.toMatch(/^token-/)
})

test('an answer that never comes is a timeout', async () => {
  const clock = manualClock()
  const fetch: TokenOptions['fetch'] = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
    })
  const tokens = startTokens({ fetch, clock, tokenUrl: 'https://login.test/', clientId: 'me', secret: async () => 's' })
  const fault = faultOf(tokens.get())
  await clock.advance(20_000)
  expect((await fault).kind).toBe('timeout')
})

test('without a secret nothing is sent', async () => {
  const { asked, tokens } = setup([grant(1)], null)
  expect((await faultOf(tokens.get())).kind).toBe('no-secret')
  expect(asked).toHaveLength(0)
})

test("the service's message is redacted of the secret, the token, and the one before", async () => {
  const { clock, tokens } = setup([grant(3600)])
  const first = await tokens.get()
  await clock.advance(3_600_000)
  const second = await tokens.get()
  expect(second).not.toBe(first)
  expect(tokens.redact(`${first} or ${second} with s3cret, and the tokens`)).toBe(
    '[hidden] or [hidden] with [hidden], and the tokens',
  )
})

test('no fault contains the secret or the answer', async () => {
  const { tokens } = setup([() => new Response('s3cret is wrong', { status: 200 })])
  expect(JSON.stringify(await faultOf(tokens.get()))).not.toContain('s3cret')
})

const down = () => new Response('', { status: 503 })

describe('when the next token cannot be fetched', () => {
  test('the current one is used to its end, and the next one requested every half minute', async () => {
    const { clock, asked, tokens, troubles } = setup([grant(86_400), down])
    const first = await tokens.get()
    await clock.advance(86_400_000 - 5 * 60_000)
    expect(await tokens.get()).toBe(first)
    expect(await tokens.get()).toBe(first)
    expect(asked).toHaveLength(2)
    await clock.advance(30_000)
    expect(await tokens.get()).toBe(first)
    expect(asked).toHaveLength(3)
    expect(troubles).toEqual([])
    await clock.advance(260_000)
    expect((await faultOf(tokens.get())).kind).toBe('http')
    expect(tokens.problem()).toEqual({
      since: clock.now(),
      fault: { kind: 'http', detail: 'token endpoint, HTTP 503' },
    })
  })

  test('and it comes after all, it is used at once', async () => {
    const { clock, tokens, troubles } = setup([grant(86_400), down, grant(86_400)])
    const first = await tokens.get()
    await clock.advance(86_400_000 - 5 * 60_000)
    await tokens.get()
    expect(tokens.renewsAt(first)).toBe(clock.now() + 30_000)
    await clock.advance(30_000)
    expect(await tokens.get()).not.toBe(first)
    expect(troubles).toEqual([])
  })

  test('because the secret is rejected, that is reported at once', async () => {
    const { clock, tokens, troubles } = setup([grant(86_400), () => Response.json({}, { status: 401 })])
    await tokens.get()
    await clock.advance(86_400_000)
    expect((await faultOf(tokens.get())).kind).toBe('credentials')
    expect(troubles).toEqual(['credentials'])
  })

  test('a current token that was rejected meanwhile is not used again', async () => {
    let answer = (_response: Response) => {}
    const { clock, tokens } = setup([
      grant(86_400),
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    ])
    const first = await tokens.get()
    await clock.advance(86_400_000 - 5 * 60_000)
    const next = faultOf(tokens.get())
    await clock.advance(0)
    tokens.drop(first)
    answer(down())
    expect((await next).kind).toBe('http')
  })
})

test('a rejected token is a doubt until the service has accepted the next one', async () => {
  const { clock, tokens, troubles } = setup([grant(86_400)])
  const first = await tokens.get()
  tokens.prove(first)
  expect(tokens.problem()).toBeNull()
  const refusedAt = clock.now()
  tokens.drop(first)
  await clock.advance(1_000)
  const second = await tokens.get()
  expect(tokens.problem()).toMatchObject({ since: refusedAt, fault: { kind: 'token' } })
  tokens.prove(first)
  expect(tokens.problem()).not.toBeNull()
  tokens.prove(second)
  expect(tokens.problem()).toBeNull()
  expect(troubles).toEqual(['token', null])
})

test('a token that could not be fetched is no doubt any more when there is one', async () => {
  const { tokens, troubles } = setup([down, grant(86_400)])
  await faultOf(tokens.get())
  expect(tokens.problem()?.fault.kind).toBe('http')
  await tokens.get()
  expect(troubles).toEqual(['http', null])
})

test.each([-86_400_000, -3_600_000])('a clock that is set back by %i ms makes no token live longer', async (ms) => {
  const { clock, tokens } = setup([grant(3_600)])
  const first = await tokens.get()
  clock.jump(ms)
  expect(tokens.renewsAt(first)).toBe(clock.now() + 3_300_000)
  await clock.advance(3_300_000)
  expect(await tokens.get()).not.toBe(first)
})

test('a sleep in which the monotonic clock stops ends a token all the same', async () => {
  const { clock, tokens } = setup([grant(3_600)])
  const first = await tokens.get()
  clock.jump(3_600_000)
  expect(await tokens.get()).not.toBe(first)
})

test.each([1e-9, 0.5, 30])('a token with a lifetime of %d s is kept for a minute all the same', async (seconds) => {
  const { clock, asked, tokens } = setup([grant(seconds)])
  for (let request = 0; request < 1000; request += 1) await tokens.get()
  expect(asked).toHaveLength(1)
  await clock.advance(60_000)
  await tokens.get()
  expect(asked).toHaveLength(2)
})

test('a service that rejects each new token is asked for ten in a minute', async () => {
  const { clock, asked, tokens } = setup([grant(86_400)])
  const use = async () => {
    for (let request = 0; request < 1000; request += 1) tokens.drop(await tokens.get())
  }
  const ended = use().catch(() => 'stopped')
  await clock.advance(59_000)
  expect(asked).toHaveLength(10)
  await clock.advance(60_000)
  expect(asked).toHaveLength(20)
  tokens.stop()
  await clock.advance(60_000)
  expect(await ended).toBe('stopped')
})

test('a token of a megabyte, which no header can carry, is rejected', async () => {
  const { tokens } = setup([
    () => Response.json({ access_token: 'x'.repeat(500_000), token_type: 'Bearer', expires_in: 60 }),
  ])
  expect((await faultOf(tokens.get())).kind).toBe('not-json')
})

test.each<[string, Record<string, unknown>, number]>([
  ['as text', { expires_in: '7200' }, 7_200],
  ['not at all', {}, 3_600],
  ['as null', { expires_in: null }, 3_600],
  ['with its unit', { expires_in: '7200s' }, 7_200],
  ['as nothing that is a number', { expires_in: 'long' }, 3_600],
  ['as none', { expires_in: 0 }, 60],
  ['as less than none', { expires_in: -5 }, 60],
])('a lifetime given %s', async (_form, more, seconds) => {
  const { clock, asked, tokens } = setup([
    () => Response.json({ access_token: 'a-token', token_type: 'Bearer', ...more }),
    grant(86_400),
  ])
  expect(await tokens.get()).toBe('a-token')
  await clock.advance((seconds / 2) * 1000)
  await tokens.get()
  expect(asked).toHaveLength(1)
  await clock.advance((seconds / 2) * 1000)
  await tokens.get()
  expect(asked).toHaveLength(2)
})

const busy = (status: number, after?: string) => () =>
  new Response('busy', { status, headers: after === undefined ? {} : { 'retry-after': after } })

describe('an endpoint that asks to wait', () => {
  test.each([
    [503, '120', 120_000],
    [429, '45', 45_000],
    [429, undefined, 10_000],
    [502, '86400', 300_000],
  ])('with %i and %s is not asked again for %i ms', async (status, after, ms) => {
    const { clock, asked, tokens } = setup([busy(status, after), grant(3_600)])
    expect((await faultOf(tokens.get())).kind).toBe('unavailable')
    await clock.advance(ms - 1)
    const rejected = await tokens.get().catch((error: unknown) => error)
    expect([rejected, asked.length]).toMatchObject([{ fault: { kind: 'unavailable' }, retryAfter: 1 }, 1])
    await clock.advance(1)
    await tokens.get()
    expect(asked).toHaveLength(2)
  })

  test('is asked at once by a manual retry', async () => {
    const { asked, tokens } = setup([busy(503, '120'), grant(3_600)])
    await faultOf(tokens.get())
    tokens.tryNow()
    await tokens.get()
    expect(asked).toHaveLength(2)
  })

  test('leaves the current token in use while it is valid, and is not asked meanwhile', async () => {
    const { clock, asked, tokens } = setup([grant(86_400), busy(503, '240'), grant(3_600)])
    const first = await tokens.get()
    await clock.advance(86_400_000 - 5 * 60_000)
    expect(await tokens.get()).toBe(first)
    await clock.advance(200_000)
    expect([await tokens.get(), asked.length]).toEqual([first, 2])
    await clock.advance(60_000)
    expect([(await tokens.get()) === first, asked.length]).toEqual([false, 3])
  })

  test('without a time is asked as before', async () => {
    const { asked, tokens } = setup([busy(503), grant(3_600)])
    expect((await faultOf(tokens.get())).kind).toBe('http')
    await tokens.get()
    expect(asked).toHaveLength(2)
  })
})

test('a token that only one endpoint rejects stays in use where no other is available', async () => {
  const { asked, tokens } = setup([grant(3_600), () => new Response('oops', { status: 500 }), grant(3_600)])
  const first = await tokens.get()
  expect(await tokens.renew(first)).toBe(first)
  expect([await tokens.get(), tokens.problem()]).toEqual([first, null])
  expect(await tokens.renew(first)).not.toBe(first)
  expect(asked).toHaveLength(3)
})
