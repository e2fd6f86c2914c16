import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { openNetwork } from '../../../../../src-main/platform/web/network/network.ts'

/** What an abort storm costs its process. */
export interface Cost {
  /** Longest time in which the event loop did not turn, ms. */
  stalled: number
  /** Share of a processor that is used when all requests are over. */
  busy: number
  /** Resident memory, MB. */
  memory: number
  /** What an ordinary request is answered at the end. */
  answer: string
}

const at = 100
const [url = '', ca = '', rounds = ''] = process.argv.slice(2)
const link = openNetwork({}).open(ca)
const delays = monitorEventLoopDelay({ resolution: 10 })

const hello = async () => (await link.fetch(`${url}hello`)).text()

/** Sends a request and gives it up: in the same turn, in the next one, after some ms, or with the first byte of its answer. */
async function giveUp(number: number): Promise<void> {
  const control = new AbortController()
  const body = 'x'.repeat(number % 3 === 0 ? 300_000 : 300)
  const request = link.fetch(url, { method: 'POST', body, signal: control.signal })
  const ways = [
    () => queueMicrotask(() => control.abort()),
    () => setImmediate(() => control.abort()),
    () => setTimeout(() => control.abort(), number % 40),
    () => void request.then(() => control.abort()).catch(() => {}),
  ]
  ways[number % ways.length]?.()
  setTimeout(() => control.abort(), 100)
  await request.then((response) => response.text()).catch(() => '')
}

await hello()
delays.enable()
for (let round = 0; round < Number(rounds); round += 1)
  await Promise.all(Array.from({ length: at }, (_, number) => giveUp(round * at + number)))
delays.disable()
await wait(200)
const before = process.cpuUsage()
await wait(500)
const { user, system } = process.cpuUsage(before)
const cost: Cost = {
  stalled: Math.round(delays.max / 1e6),
  busy: (user + system) / 500_000,
  memory: Math.round(process.memoryUsage.rss() / 1e6),
  // The service may be ending the connection that the first attempt takes.
  answer: await hello().catch(hello),
}
await link.close()
process.send?.(cost)
