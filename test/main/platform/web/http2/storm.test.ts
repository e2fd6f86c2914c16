import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerHttp2Stream } from 'node:http2'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { say, startHttp2, type Http2Server } from './server.ts'
import type { Cost } from './storm-program.ts'

const program = fileURLToPath(new URL('storm-program.ts', import.meta.url))
/** A process that is stuck gets gigabytes within this time, ms. */
const longest = 60_000

/** Runs the storm in a process of its own, since a request that never ends would take this one along. Resolves once it has ended by itself. */
async function storm({ url, ca }: Http2Server, rounds: number): Promise<Cost> {
  const child = fork(program, [url, ca, String(rounds)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const late = setTimeout(() => child.kill('SIGKILL'), longest)
  onTestFinished(() => clearTimeout(late))
  let cost: Cost | null = null
  child.once('message', (told) => {
    cost = told as Cost
  })
  const [code, signal] = await once(child, 'exit')
  if (cost === null) throw new Error(`it ended with ${code ?? signal}`)
  expect(code).toBe(0)
  return cost
}

/** One request in four is answered, some only in part; the others wait. */
function answer(stream: ServerHttp2Stream, path: string, number: number): void {
  if (path === '/hello') return say(stream, 'hello')
  if (number % 4 === 0) return say(stream, 'x'.repeat(100_000))
  if (number % 8 === 2) stream.resume()
  if (number % 4 !== 1) return
  stream.respond({ ':status': 200 })
  stream.write('half')
}

function expectCalm(cost: Cost): void {
  expect(cost.answer).toBe('hello')
  // A busy machine stalls it for two seconds; the loop that this is about never ends.
  expect(cost.stalled).toBeLessThan(5_000)
  expect(cost.busy).toBeLessThan(0.5)
  expect(cost.memory).toBeLessThan(500)
}

it('three thousand requests that are given up leave the process calm, over a few connections', async () => {
  const server = await startHttp2((stream, headers, at) => answer(stream, String(headers[':path']), at))
  expectCalm(await storm(server, 30))
  // A connection ends when too many bodies were given up unsent.
  expect(server.sessions.length).toBeLessThan(20)
}, 90_000)

it('so do those whose bodies the service never takes', async () => {
  const server = await startHttp2((stream, headers, at) => answer(stream, String(headers[':path']), at), {
    settings: { initialWindowSize: 0 },
  })
  expectCalm(await storm(server, 10))
  expect(server.sessions.length).toBeLessThan(20)
}, 90_000)

it('so do those among which the service resets streams and ends connections', async () => {
  const server = await startHttp2((stream, headers, at) => {
    if (headers[':path'] === '/hello') return say(stream, 'hello')
    if (at % 7 === 0) return stream.close(at % 13)
    if (at % 97 === 0) return stream.session?.goaway(at % 2)
    if (at % 101 === 0) return stream.session?.close()
    if (at % 211 === 0) return stream.session?.destroy()
    answer(stream, '', at)
  })
  expectCalm(await storm(server, 15))
}, 90_000)
