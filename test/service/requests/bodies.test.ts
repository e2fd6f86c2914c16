import { request as ask11 } from 'node:https'
import { connect, constants } from 'node:http2'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Service } from '../../../src-service/service.ts'
import { open, plainClient, until } from '../client.ts'

function session(service: Service): ClientHttp2Session {
  const made = connect(service.graphqlUrl, { ca: service.ca })
  onTestFinished(() => made.destroy())
  return made.on('error', () => undefined)
}

type Upload = { stream: ClientHttp2Stream; status: () => unknown; text: () => string; closed: () => boolean }

/** A body that begins and does not end. */
function upload(line: ClientHttp2Session, path: string, body: string | Buffer): Upload {
  const stream = line.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' })
  let [status, text, closed]: [unknown, string, boolean] = [null, '', false]
  stream.on('response', (headers) => (status = headers[constants.HTTP2_HEADER_STATUS]))
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  stream.on('close', () => (closed = true)).on('error', () => undefined)
  stream.write(body)
  return { stream, status: () => status, text: () => text, closed: () => closed }
}

test.each(['/graphql', '/oauth/token', '/graphql/playground/login'])(
  'HTTP/2: a body that does not end closes its stream alone (%s)',
  async (path) => {
    const service = await open({ bodies: { ms: 50 } })
    const line = session(service)
    const unfinished = upload(line, path, '{"query"')
    await until(unfinished.closed)
    expect([unfinished.status(), JSON.parse(unfinished.text())]).toEqual([
      408,
      { errors: [{ message: 'The body took too long' }] },
    ])
    const whole = upload(line, '/graphql', '{"query":"{ __typename }"}')
    whole.stream.end()
    await until(whole.closed)
    expect([whole.status(), JSON.parse(whole.text())]).toEqual([200, { data: { __typename: 'Query' } }])
  },
)

test('HTTP/1.1: a body that does not end is rejected, and the connection closes', async () => {
  const service = await open({ bodies: { ms: 50 } })
  const request = ask11(service.graphqlUrl, {
    method: 'POST',
    ca: service.ca,
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  })
  onTestFinished(() => void request.destroy())
  request.on('error', () => undefined)
  request.write('{"query"')
  const [response] = await once(request, 'response')
  expect([response.statusCode, response.headers.connection]).toEqual([408, 'close'])
  response.resume()
  await until(() => request.socket?.destroyed === true)
})

test('unfinished bodies share one limit, and a body that is cancelled frees its part', async () => {
  const service = await open({ bodies: { bytes: 100_000 } })
  const half = Buffer.alloc(60_000, 0x20)
  const first = upload(session(service), '/graphql', half)
  const second = upload(session(service), '/graphql', half)
  await until(() => first.closed() || second.closed())
  const [refused, kept] = first.closed() ? [first, second] : [second, first]
  expect([refused.status(), JSON.parse(refused.text())]).toEqual([
    503,
    { errors: [{ message: 'Too many bodies are on their way' }] },
  ])
  kept.stream.close(constants.NGHTTP2_CANCEL)
  const { post } = plainClient(service)
  const body = `{"query":"{ __typename }"}${' '.repeat(90_000)}`
  const send = async (): Promise<number> =>
    (await post(service.graphqlUrl, body, { 'content-type': 'application/json' })).status
  // The service hears of the one that broke off in its own time.
  const statuses = [await send()]
  while (statuses.at(-1) !== 200) statuses.push(await send())
  expect([statuses.filter((status) => status !== 503), await send()]).toEqual([[200], 200])
})

test('one HTTP/2 connection has at most 100 open requests', async () => {
  const line = session(await open())
  await once(line, 'remoteSettings')
  expect(line.remoteSettings.maxConcurrentStreams).toBe(100)
})

test('an upload that breaks off logs nothing, and other requests are answered', async () => {
  const service = await open()
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => spy.mockRestore())
  const [line, dying] = [session(service), session(service)]
  const requests = (): number => service.requests()
  for (let n = 0; n < 3; n += 1) upload(dying, '/graphql', '{"query"')
  const reset = upload(line, '/graphql', '{"query"')
  await until(() => requests() === 4)
  dying.destroy()
  reset.stream.close(constants.NGHTTP2_CANCEL)
  await until(reset.closed)
  const whole = upload(line, '/graphql', '{"query":"{ __typename }"}')
  whole.stream.end()
  await until(whole.closed)
  expect(whole.status()).toBe(200)
  expect(spy.mock.calls).toEqual([])
})
