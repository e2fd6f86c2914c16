import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { makeSchema } from '../../../src-service/graphql/schema/schema.ts'
import { startRandom } from '../../../src-service/world/random.ts'
import { http1Sender, http2Sender, sendRaw, type Got, type Sender, type Sent } from './wire.ts'
import { rawOf, requestOf, ask, type Facts, type Known } from './makers.ts'

/** `FUZZ_SEED=… FUZZ_RUNS=…` repeats or lengthens it: the same seed sends the same requests. */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(process.env['FUZZ_RUNS'] ?? 5000)
const atOnce = 16
const words = `seed ${seed}`

/** Texts that no answer may show: a file, a line of a stack, or internal names. */
const inside =
  /\.(?:ts|js|mjs|cjs|node)\b|node_modules|node:|file:|\bat \S+ \(|\bat \S+:\d+:\d+|\/(?:home|root|usr|tmp|work|var)\/|(?:Range|Type|Syntax|Reference)Error|SQLITE|Maximum call stack|Unexpected error/u
/** Whatever a client sends is its own mistake: never a 5xx. */
const proper = new Set([200, 400, 401, 403, 404, 405, 406, 413, 415, 431])

test(`${runs} random requests: each is answered, and no internals show (${words})`, async () => {
  const { child, facts, memory, said } = await start()
  const origin = new URL(facts.graphqlUrl).origin
  const wires = [http2Sender(origin, facts.ca), http1Sender(origin, facts.ca)]
  onTestFinished(() => wires.forEach((wire) => wire.stop()))
  const known = await learn(facts, wires[0] as Sender)
  const faults: string[] = []
  const heaps: number[] = []
  let longest = { ms: 0, what: '' }
  const one = async (number: number): Promise<void> => {
    const random = startRandom(seed ^ (number * 0x9e3779b1))
    if (random.chance(0.04)) return sendRaw(origin, facts.ca, rawOf(random, known))
    const sent = requestOf(random, known)
    const began = performance.now()
    const got = await random.pick(wires).send(sent)
    const ms = performance.now() - began
    const what = `${number}: ${sent.method} ${sent.path.slice(0, 80)} ${JSON.stringify(sent.headers).slice(0, 300)} ${sent.body.toString().slice(0, 400)}`
    if (ms > longest.ms) longest = { ms, what }
    const fault = faultOf(sent, got)
    if (fault !== null) faults.push(`${fault} for ${what}`)
  }
  for (let from = 0; from < runs; from += runs / 4) {
    let next = Math.round(from)
    const end = Math.round(from + runs / 4)
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < end) await one(next++)
      }),
    )
    heaps.push(await memory())
  }
  const normal = await (wires[0] as Sender).send(ask(known, '{ tenants { id } }'))
  console.log(
    `${words}: the longest answer took ${longest.ms.toFixed(0)} ms: ${longest.what.slice(0, 120)}; used heap ${heaps.map((heap) => heap.toFixed(0)).join(', ')} MiB`,
  )
  expect(faults.slice(0, 5), words).toEqual([])
  expect(JSON.parse(normal?.text ?? ''), words).toEqual({
    data: { tenants: expect.arrayContaining([{ id: facts.ids[0] }]) },
  })
  expect(said(), words).toBe('')
  expect([child.exitCode, child.signalCode], words).toEqual([null, null])
  expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0), words).toBeLessThan(100)
}, 120_000)

async function start() {
  const child = fork(fileURLToPath(new URL('service.ts', import.meta.url)), {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    silent: true,
  })
  onTestFinished(() => void child.kill())
  let said = ''
  child.stderr?.on('data', (text) => (said += String(text)))
  const hear = async (): Promise<unknown> => {
    const [told] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => [new Error(`the service fell: ${said}`)]),
    ])) as [unknown]
    if (told instanceof Error) throw told
    return told
  }
  const facts = (await hear()) as Facts
  return { child, facts, said: () => said, memory: async () => (child.send('memory'), Number(await hear())) }
}

async function learn(facts: Facts, wire: Sender): Promise<Known> {
  const pair = { client_id: facts.clientId, client_secret: facts.clientSecret, grant_type: 'client_credentials' }
  const got = await wire.send({
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(pair),
  })
  const { access_token: token } = JSON.parse(got?.text ?? '') as { access_token: string }
  const known = { facts, token, nextToken: '', schema: makeSchema('full') }
  const page = await wire.send(ask(known, '{ deviceSearch { pageInfo { nextToken } } }'))
  const { data } = JSON.parse(page?.text ?? '') as { data: { deviceSearch: { pageInfo: { nextToken: string } } } }
  return { ...known, nextToken: data.deviceSearch.pageInfo.nextToken }
}

/** Null when all is well with the answer. */
function faultOf(sent: Sent, got: Got): string | null {
  // A head that is too large for the protocol is refused before anybody can answer it.
  if (got === null) return JSON.stringify(sent.headers).length > 14_000 ? null : 'no answer'
  if (inside.test(got.text))
    return `${got.status} shows its inside: ${inside.exec(got.text)?.[0]} in ${got.text.slice(0, 300)}`
  if (
    got.status < 400 &&
    (got.type.startsWith('text/html') || (got.status > 300 && got.text === '')) &&
    sent.method !== 'POST'
  )
    return null
  if (!proper.has(got.status)) return `status ${got.status} ${got.text.slice(0, 300)}`
  if (sent.method === 'HEAD' || (got.status === 431 && got.text === '')) return null
  try {
    JSON.parse(got.text)
  } catch {
    return `${got.status} without JSON: ${got.type} ${got.text.slice(0, 300)}`
  }
  return /json/u.test(got.type) ? null : `JSON as ${got.type}`
}
