import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readMisfortune, startMisfortunesOf } from '../../../src-service/command/misfortune-option.ts'
import { misfortuneKinds } from '../../../src-service/faults/misfortune/misfortune.ts'
import { open, pageQuery, plainClient, socketClass, until } from '../client.ts'

async function ready(...texts: string[]) {
  const service = await open({ now: () => Date.parse('2026-05-04T08:00:00Z') })
  const lift = startMisfortunesOf(service, texts.map(readMisfortune))
  const client = plainClient(service)
  const bearer = await client.token()
  const id = service.world.tenants()[0]?.id ?? ''
  const page = (nextToken: unknown = null) => client.ask(bearer, pageQuery, { id, params: { pageSize: 5, nextToken } })
  return { ...client, service, lift, bearer, page }
}

test.each([
  ['rate-limited', (reply: Reply) => reply.status === 429],
  ['http-500', (reply: Reply) => reply.status === 500],
  ['html', (reply: Reply) => reply.text.startsWith('<!doctype')],
  ['garbage', (reply: Reply) => reply.status === 200 && reply.json === undefined],
  [
    'wrong-totals',
    (reply: Reply) => reply.at('data', 'tenant', 'inventory', 'deviceSearch', 'pageInfo', 'countOnPage') === 6,
  ],
  ['unauthenticated', (reply: Reply) => reply.at('errors', 0, 'extensions', 'code') === 'UNAUTHENTICATED'],
  ['unknown-fields', (reply: Reply) => reply.at('unknownField') !== undefined],
  ['partial', (reply: Reply) => reply.at('data', 'tenant', 'inventory', 'deviceSearch', 'edges', 2) === null],
  ['latency=5', (reply: Reply) => reply.status === 200],
] as const)('--misfortune %s affects every request until it is lifted', async (text, isHit) => {
  const { page, lift } = await ready(text)
  for (let n = 0; n < 3; n += 1) expect(isHit(await page())).toBe(true)
  lift()
  expect((await page()).at('data', 'tenant', 'inventory', 'deviceSearch', 'pageInfo', 'countOnPage')).toBe(5)
})

type Reply = Awaited<ReturnType<Awaited<ReturnType<typeof ready>>['page']>>

test.each(['reset', 'cut-short'])('--misfortune %s breaks the connection', async (text) => {
  const { page, lift } = await ready(text)
  await expect(page()).rejects.toThrow()
  lift()
  expect((await page()).status).toBe(200)
})

test('--misfortune stall answers no request', async () => {
  const { page, service } = await ready('stall')
  const outcome = page().then(
    () => 'answered',
    () => 'cut',
  )
  await until(() => service.requests() === 1)
  await service.stop()
  expect(await outcome).toBe('cut')
})

test('--misfortune affects a share of the requests, and combines several kinds', async () => {
  const { page } = await ready('http-500:0.4', 'html:.4', 'latency=1:1')
  const seen = []
  for (let n = 0; n < 60; n += 1) {
    const reply = await page()
    seen.push(reply.status === 500 ? 'http-500' : reply.json === undefined ? 'html' : 'right')
  }
  for (const kind of ['http-500', 'html', 'right']) expect(seen.filter((one) => one === kind).length).toBeGreaterThan(6)
})

test('repeat-token serves the second page again and again', async () => {
  const { page, lift } = await ready('repeat-token')
  const at = ['data', 'tenant', 'inventory', 'deviceSearch', 'pageInfo', 'nextToken'] as const
  const token = (await page()).at(...at)
  expect([(await page(token)).at(...at), (await page(token)).at(...at)]).toEqual([token, token])
  lift()
  expect((await page(token)).at(...at)).not.toBe(token)
})

test('clock is wrong by the given time, and right when it is lifted', async () => {
  const { page, lift } = await ready('clock=-60000')
  expect((await page()).headers['date']).toBe('Mon, 04 May 2026 07:59:00 GMT')
  lift()
  expect((await page()).headers['date']).toBe('Mon, 04 May 2026 08:00:00 GMT')
})

test('sockets are closed, or go silent, again and again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { service, lift } = await ready('drop-sockets=2000')
  const socket = async () => {
    const made = new (socketClass(service))(service.subscriptionUrl, 'graphql-transport-ws')
    onTestFinished(() => made.terminate())
    await once(made, 'open')
    return made
  }
  for (let n = 0; n < 2; n += 1) {
    const closed = once(await socket(), 'close')
    vi.advanceTimersByTime(2000)
    expect((await closed)[0]).toBe(1006)
  }
  lift()
  const liftSilence = startMisfortunesOf(service, [readMisfortune('half-open-sockets=2000')])
  const silent = await socket()
  const answers: string[] = []
  silent.on('message', (data: Buffer) => answers.push(data.toString()))
  vi.advanceTimersByTime(2000)
  liftSilence()
  silent.send('{"type":"ping"}')
  const other = await socket()
  const pong = once(other, 'message')
  other.send('{"type":"ping"}')
  await pong
  expect([answers, silent.readyState]).toEqual([[], silent.OPEN])
})

test.each([
  ['nonsense', /KIND is one of/],
  ['', /KIND is one of/],
  ['html:2', /from 0 to 1/],
  ['html=5', /no milliseconds/],
  ['clock', /how far/],
  ['clock=5:0.5', /no share/],
  ['drop-sockets=0', /milliseconds up to/],
  ['latency=-5', /milliseconds up to/],
  ['latency=99999999999', /milliseconds up to/],
  ['html:x', /KIND is one of/],
])('--misfortune %s is rejected with a message', (text, words) => {
  expect(() => readMisfortune(text)).toThrow(words)
})

test('every kind can be named', () => {
  expect(misfortuneKinds.map((kind) => readMisfortune(kind).kind)).toEqual(misfortuneKinds)
})
