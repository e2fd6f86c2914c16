import { expect, test } from 'vitest'
import { createRaw } from '../../../src-main/api/raw.ts'
import { shapeOf } from '../../../src-main/pacing/cost/shape.ts'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { UnsentError } from '../../../src-main/ports.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'
import { startTokens } from '../../../src-main/auth/token.ts'

const document = 'mutation Mine { do { id } }'

/** Sends a mutation to a service that answers in this way. */
function open(answer: () => Response | Promise<Response>) {
  const clock = manualClock()
  const grant = async () => Response.json({ access_token: 'token', expires_in: 86_400 })
  const tokens = startTokens({
    fetch: grant as typeof fetch,
    clock,
    tokenUrl: 'https://api.test/oauth/token',
    clientId: 'id',
    secret: async () => 'secret',
  })
  const policy = () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false })
  const pacer = startPacer({ clock, random: () => 0, policy, onChange: () => {} })
  let calls = 0
  const fetchOnce = async () => {
    calls += 1
    return answer()
  }
  const never = async () => {
    throw new Error('this fetch may be repeated')
  }
  const raw = createRaw({
    fetch: never as typeof fetch,
    fetchOnce: fetchOnce as typeof fetch,
    clock,
    graphqlUrl: 'https://api.test/graphql',
    tokens,
    pacer,
  })
  let text = ''
  const sink = {
    restart() {
      text = ''
    },
    async write(part: string) {
      text += part
    },
  }
  const send = async (barred: () => FaultError | null = () => null, withdraw = new AbortController().signal) => {
    const request = {
      name: 'Mutation',
      document,
      operationName: 'Mine',
      variables: {},
      shape: shapeOf(document),
      size: 1,
    }
    const sent = await raw.once({ ...request, signal: new AbortController().signal, sink }, withdraw, barred)
    return { ...sent, calls, text }
  }
  return { send }
}

test('an answer is passed on as it came, and judged', async () => {
  const { send } = open(() => Response.json({ data: { do: { id: '1' } } }))
  const { exchange, reply, text, calls } = await send()
  expect(exchange).toEqual({ is: 'answered', status: 200, data: { do: { id: '1' } }, errors: [] })
  expect([reply?.status, text, calls]).toEqual([200, '{"data":{"do":{"id":"1"}}}', 1])
})

test.each([
  [
    'a rejected token',
    () => new Response('{"errors":[{"message":"x","extensions":{"code":"UNAUTHENTICATED"}}]}', { status: 401 }),
    'answered',
  ],
  [
    'a lack of points',
    () => Response.json({ errors: [{ message: 'slow', extensions: { code: 'RATE_LIMITED' } }] }, { status: 429 }),
    'answered',
  ],
  ['a cut', () => Promise.reject(new FaultError('reset')), 'lost'],
  ['a page of a proxy', () => new Response('<html>', { status: 502 }), 'lost'],
  ['an answer that is too long to be judged', () => Response.json({ data: { do: 'x'.repeat(300_000) } }), 'lost'],
  ['no connection at all', () => Promise.reject(new UnsentError('connect')), 'not-sent'],
] as const)('after %s it is not sent again', async (_name, answer, is) => {
  const { send } = open(answer)
  const { exchange, calls } = await send()
  expect([exchange.is, calls]).toEqual([is, 1])
})

test('what is barred, or withdrawn before it leaves, is not sent', async () => {
  const { send } = open(() => Response.json({ data: { do: 1 } }))
  expect(await send(() => new FaultError('locked'))).toMatchObject({
    exchange: { is: 'not-sent', fault: { kind: 'locked' } },
    calls: 0,
  })
  expect(await send(undefined, AbortSignal.abort(new FaultError('abort')))).toMatchObject({
    exchange: { is: 'not-sent', fault: { kind: 'abort' } },
    calls: 0,
  })
})
