import { setTimeout as wait } from 'node:timers/promises'
import { openNetwork } from '../../../../../src-main/platform/web/network/network.ts'

/** What an abort storm costs its process. */
export interface Cost {
  /** Share of a processor that is used when all requests are over. */
  busy: number
  /** Resident memory, MB. */
  memory: number
  /** What an ordinary request is answered at the end. */
  answer: string
}

const requestsInRound = 100
const [url = '', ca = '', rounds = ''] = process.argv.slice(2)
const link = openNetwork({}).open(ca)

const hello = async () => (await link.fetch(`${url}hello`)).text()

/** Sends a request and gives it up: in the same turn, in the next one, after some ms, or with the first byte of its answer. */
async function giveUp(number: number): Promise<void> {
  const control = new AbortController()
  const body = 'x'.repeat(number % 3 === 0 ? 300_000 : 300)
  const request = link.fetch(url, { method: 'POST', body, signal: control.signal })
  const moments = [
    () => queueMicrotask(() => control.abort()),
    () => setImmediate(() => control.abort()),
    () => setTimeout(() => control.abort(), number % 40),
    () => void request.then(() => control.abort()).catch(() => {}),
  ]
  moments[number % moments.length]?.()
  setTimeout(() => control.abort(), 100)
  await request.then((response) => response.text()).catch(() => '')
}

await hello()
for (let round = 0; round < Number(rounds); round += 1)
  await Promise.all(Array.from({ length: requestsInRound }, (_, number) => giveUp(round * requestsInRound + number)))
await wait(200)
const before = process.cpuUsage()
await wait(500)
const { user, system } = process.cpuUsage(before)
const cost: Cost = {
  busy: (user + system) / 500_000,
  memory: Math.round(process.memoryUsage.rss() / 1e6),
  // The service may be ending the connection that the first attempt takes.
  answer: await hello().catch(hello),
}
await link.close()
process.send?.(cost)
