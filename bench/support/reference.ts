import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DemoService } from '../../src-main/core.ts'
import { startService } from '../../src-service/service.ts'

/** The connection data of a reference service in a process of its own, so that it uses none of our time. */
export interface Reference extends DemoService {
  /** Its credential sets: one for all tenants, or one for each. */
  sets: { name: string; clientId: string; clientSecret: string }[]
  stop(): Promise<void>
}

export interface ReferenceOptions {
  devices: number
  tenants: number
  /** True: a credential set for each tenant. */
  perTenant?: boolean
  /** True: with the point limit of the specification. */
  points?: boolean
  /** Factor on the cost of every operation. Default: 1. */
  priceFactor?: number
  /** The service speaks HTTP/2 alone. */
  http?: 'h2'
}

/** Starts a seeded service, by default without the point limit. */
export async function forkReference(options: ReferenceOptions): Promise<Reference> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', JSON.stringify(options)], { execArgv: [] })
  const [started] = (await once(child, 'message')) as [Omit<Reference, 'stop'>]
  return { ...started, stop: () => stopChild(child) }
}

async function stopChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

async function serve(options: ReferenceOptions): Promise<void> {
  const { devices, tenants, perTenant = false, points = false, priceFactor = 1, http } = options
  const service = await startService({
    devices,
    tenants,
    points,
    priceFactor: () => priceFactor,
    ...(perTenant ? { credentials: 'per-tenant' } : {}),
    ...(http === undefined ? {} : { profile: 'contrary', contrary: { http } }),
  })
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca } = service
  const sets = service.credentials
    .list()
    .map((set) => ({ name: set.name, clientId: set.clientId, clientSecret: set.clientSecret }))
  process.send?.({ tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca, sets })
  process.on('disconnect', () => process.exit(0))
}

if (process.argv[2] === '--child') await serve(JSON.parse(process.argv[3] ?? '{}') as ReferenceOptions)
