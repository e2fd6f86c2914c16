import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { devicesOperation, tenantsOperation } from '../../src-main/api/operations.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { ask, tokenOf } from '../support/ask.ts'
import type { Addresses } from '../support/reference.ts'

/** A loop that fetches and parses every page over the console's own network port, in a process of its own. */
export interface Bare {
  /** Resolves with the milliseconds of one pass through all pages. */
  read(): Promise<number>
  stop(): Promise<void>
}

/** `devices`: the expected number; null when it is unknown. */
type Where = Addresses & { devices: number | null; pageSize: number }

export function forkBare(where: Where): Bare {
  const child = fork(fileURLToPath(import.meta.url), ['--child'], { execArgv: [] })
  return {
    async read() {
      child.send(where)
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

async function bareLoop({ pageSize, devices, ...reference }: Where): Promise<number> {
  const link = openNetwork({}).open(reference.ca)
  const token = await tokenOf(link.fetch, reference)
  const began = Date.now()
  const { data } = (await ask(link.fetch, reference.graphqlUrl, { query: tenantsOperation.document }, token)) as {
    data: { tenants: { id: string }[] }
  }
  let read = 0
  for (const tenant of data.tenants) {
    for (let nextToken: string | null = null, more = true; more;) {
      const page = (await ask(
        link.fetch,
        reference.graphqlUrl,
        { query: devicesOperation.document, variables: { tenant: tenant.id, params: { nextToken, pageSize } } },
        token,
      )) as BarePage
      const { edges, pageInfo } = page.data.tenant.inventory.deviceSearch
      read += edges.length
      nextToken = pageInfo.nextToken
      more = pageInfo.hasNextPage
    }
  }
  if (devices !== null && read !== devices) throw new Error(`the bare loop read ${read} devices`)
  const took = Date.now() - began
  await link.close()
  return took
}

interface BarePage {
  data: {
    tenant: {
      inventory: { deviceSearch: { edges: unknown[]; pageInfo: { nextToken: string | null; hasNextPage: boolean } } }
    }
  }
}

if (process.argv[2] === '--child') {
  process.on('message', (where) => void bareLoop(where as Where).then((took) => process.send?.(took)))
  process.on('disconnect', () => process.exit(0))
}
