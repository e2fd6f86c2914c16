import { expect, test } from 'vitest'
import { createRaw, type RawRequest } from '../../../src-main/api/raw.ts'
import { createRedactor } from '../../../src-main/auth/redactor.ts'
import type { StartedTokens } from '../../../src-main/auth/token.ts'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { shapeOf } from '../../../src-main/pacing/cost/shape.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'

const secret = 'S3cret-of-the-connection-0123456789'
const document = 'query Mine { tenants { id } }'

/** A body that arrives in parts of so many bytes. */
function inParts(text: string, size: number, init: ResponseInit = {}): Response {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  return new Response(body, init)
}

function setup(answers: (() => Response | Promise<never>)[], maxBytes?: number) {
  const clock = manualClock()
  const redactor = createRedactor()
  redactor.register(secret)
  const used: string[] = []
  let issued = 1
  const tokens = {
    get: async () => `token-${issued}`,
    drop: () => void (issued += 1),
    prove: () => {},
    redact: redactor.safeText,
    redactIn: redactor.redact,
  } as unknown as StartedTokens
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    used.push(String(new Headers(init?.headers).get('authorization')))
    const answer = answers[Math.min(used.length, answers.length) - 1]
    if (answer === undefined) throw new Error('no answer is prepared')
    return answer()
  }
  const policy = () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false })
  const pacer = startPacer({ clock, random: () => 0, policy, onChange: () => {} })
  const raw = createRaw({
    fetch,
    fetchOnce: fetch,
    clock,
    graphqlUrl: 'https://api.test/graphql',
    tokens,
    pacer,
    ...(maxBytes !== undefined && { maxBytes }),
  })
  let text = ''
  const request: RawRequest = {
    name: 'Mine',
    document,
    operationName: 'Mine',
    variables: {},
    shape: shapeOf(document),
    size: 1,
    signal: new AbortController().signal,
    sink: {
      restart() {
        text = ''
      },
      async write(part) {
        text += part
      },
    },
  }
  return { run: () => raw.run(request), text: () => text, used }
}

test.each([1, 7, 20, 1_000])('a secret that an answer repeats is covered, in parts of %i bytes', async (size) => {
  const filler = 'é'.repeat(30_000)
  const answer = JSON.stringify({ data: { a: `x ${secret} y`, filler, b: secret, c: btoa(`client:${secret}`) } })
  const { run, text } = setup([() => inParts(answer, size, { headers: { 'x-echo': `Bearer ${secret}` } })])
  const { headers } = await run()
  const whole = createRedactor()
  whole.register(secret)
  expect(text()).toBe(whole.redact(answer))
  expect(text().includes(secret)).toBe(false)
  expect(JSON.stringify(headers)).not.toContain(secret)
})

test('an answer over the limit is kept up to it, and says that it is not whole', async () => {
  const { run, text } = setup([() => inParts('x'.repeat(5_000), 700)], 1_000)
  expect([(await run()).isWhole, text()]).toEqual([false, 'x'.repeat(1_000)])
})

test('a rejected token is renewed once, and only the second answer is kept', async () => {
  const rejection = () =>
    inParts('{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}', 10, { status: 401 })
  const { run, text, used } = setup([rejection, () => inParts('{"data":{"tenants":[]}}', 5)])
  expect(await run()).toMatchObject({ status: 200, fault: null })
  expect([text(), used]).toEqual(['{"data":{"tenants":[]}}', ['Bearer token-1', 'Bearer token-2']])
  const always = setup([rejection])
  expect(await always.run()).toMatchObject({ status: 401, fault: { kind: 'token' } })
  expect(always.used).toHaveLength(2)
})

test('a page that is no JSON is an answer too; without one there is the network’s fault', async () => {
  const page = setup([() => inParts('<html>Log in</html>', 100, { status: 200 })])
  expect((await page.run()).status).toBe(200)
  expect(page.text()).toBe('<html>Log in</html>')
  const none = setup([() => Promise.reject(new FaultError('connect', 'down'))])
  await expect(none.run()).rejects.toMatchObject({ fault: { kind: 'connect' } })
})
