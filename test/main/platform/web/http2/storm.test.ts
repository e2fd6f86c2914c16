import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerHttp2Stream } from 'node:http2'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { respond, startHttp2, type Http2Server } from './server.ts'
import type { Cost } from './storm-program.ts'

const program = fileURLToPath(new URL('storm-program.ts', import.meta.url))
/** A stuck process is killed after this time, ms: it takes gigabytes by then. */
const deadlineMs = 60_000

/** Runs the storm in its own process, which a stuck request would block. Resolves when it has exited. */
async function storm({ url, ca }: Http2Server, rounds: number): Promise<Cost> {
  const child = fork(program, [url, ca, String(rounds)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let stuck = ''
  const timer = setTimeout(() => {
    stuck = usedBy(child.pid)
    child.kill('SIGKILL')
  }, deadlineMs)
  onTestFinished(() => clearTimeout(timer))
  let cost: Cost | null = null
  child.once('message', (message) => {
    cost = message as Cost
  })
  const [code, signal] = await once(child, 'exit')
  if (cost === null) throw new Error(`it ended with ${code ?? signal}${stuck}`)
  expect(code).toBe(0)
  return cost
}

/** What a process that does not end has used, as far as the system tells: one that waits has used little. */
function usedBy(pid: number | undefined): string {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return `, after ${(Number(user) + Number(system)) / 100} s of a processor`
  } catch {
    return ''
  }
}

/** One request in four is answered, some only in part; the others wait. */
function answer(stream: ServerHttp2Stream, path: string, number: number): void {
  if (path === '/hello') return respond(stream, 'hello')
  if (number % 4 === 0) return respond(stream, 'x'.repeat(100_000))
  if (number % 8 === 2) stream.resume()
  if (number % 4 !== 1) return
  stream.respond({ ':status': 200 })
  stream.write('half')
}

function expectCalm(cost: Cost): void {
  expect(cost.answer).toBe('hello')
  // A request that is sent without end takes a whole processor.
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
    if (headers[':path'] === '/hello') return respond(stream, 'hello')
    if (at % 7 === 0) return stream.close(at % 13)
    if (at % 97 === 0) return stream.session?.goaway(at % 2)
    if (at % 101 === 0) return stream.session?.close()
    if (at % 211 === 0) return stream.session?.destroy()
    answer(stream, '', at)
  })
  expectCalm(await storm(server, 15))
}, 90_000)
