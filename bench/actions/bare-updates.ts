import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { updateSending, type Sending } from '../../src-main/api/mutations/documents.ts'
import { maxUpdates, type DeviceUpdate } from '../../src-main/api/mutations/mutations.ts'
import { mutationsOperation, readMutationSchema } from '../../src-main/api/mutations/schema.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { ask, tokenOf } from '../support/ask.ts'
import type { Addresses } from '../support/reference.ts'

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
  const link = openNetwork({}).open(at.ca)
  const token = await tokenOf(link.fetch, at)
  const { data } = (await ask(link.fetch, at.graphqlUrl, { query: mutationsOperation.document }, token)) as {
    data: unknown
  }
  const update = readMutationSchema(data)?.update ?? null
  if (update === null) throw new Error('the service offers no updates')
  const waiting: Sending[] = []
  for (let from = 0; from < updates.length; from += maxUpdates)
    waiting.push(updateSending(update, updates.slice(from, from + maxUpdates)))
  const began = Date.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { operation, variables } = next
        const body = { query: operation.document, variables }
        const answer = await ask(isOnce ? link.fetchOnce : link.fetch, at.graphqlUrl, body, token)
        if ((answer as { errors?: unknown }).errors !== undefined) throw new Error(JSON.stringify(answer))
      }
    }),
  )
  const took = Date.now() - began
  await link.close()
  return took
}

if (process.argv[2] === '--child') {
  process.on('message', (order) => void sendAll(order as Order).then((took) => process.send?.(took)))
  process.on('disconnect', () => process.exit(0))
}
