import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { maxUpdates, type DeviceUpdate } from '../../src-main/api/mutations/mutations.ts'
import type { Addresses } from '../support/reference.ts'
import { openUpdateClient } from './update-client.ts'

/** A loop that sends the operations of a rename and nothing else, in a process of its own. */
export interface BareUpdates {
  /** Resolves with the milliseconds until the last answer. `once`: a connection of its own for each request. */
  send(updates: readonly DeviceUpdate[], once: boolean): Promise<number>
  stop(): Promise<void>
}

/** Operations on their way at the same time, as a job has them. */
const parallel = 8

export function forkBareUpdates(at: Addresses): BareUpdates {
  const child = fork(fileURLToPath(import.meta.url), ['--child'], { execArgv: [] })
  return {
    async send(updates, isOnce) {
      child.send({ at, updates, isOnce })
      const [took] = await once(child, 'message')
      return Number(took)
    },
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

interface Order {
  at: Addresses
  updates: DeviceUpdate[]
  isOnce: boolean
}

async function sendAll({ at, updates, isOnce }: Order): Promise<number> {
  const client = await openUpdateClient(at)
  const waiting: (() => Promise<void>)[] = []
  for (let from = 0; from < updates.length; from += maxUpdates)
    waiting.push(client.prepare(updates.slice(from, from + maxUpdates), isOnce))
  const began = Date.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let send = waiting.shift(); send !== undefined; send = waiting.shift()) await send()
    }),
  )
  const took = Date.now() - began
  await client.close()
  return took
}

if (process.argv[2] === '--child') {
  process.on('message', (order) => void sendAll(order as Order).then((took) => process.send?.(took)))
  process.on('disconnect', () => process.exit(0))
}
