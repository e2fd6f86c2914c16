import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DemoService } from '../../src-main/core.ts'
import { startService } from '../../src-service/service.ts'

/** What is needed to connect to a reference service in a process of its own, so that it takes no time of ours. */
export interface Reference extends DemoService {
  stop(): Promise<void>
}

/** A seeded service without the point limit. */
export async function forkReference(devices: number, tenants: number): Promise<Reference> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', String(devices), String(tenants)], { execArgv: [] })
  const [told] = (await once(child, 'message')) as [Omit<Reference, 'stop'>]
  return { ...told, stop: () => stopChild(child) }
}

async function stopChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

if (process.argv[2] === '--child') {
  const service = await startService({ devices: Number(process.argv[3]), tenants: Number(process.argv[4]), points: false })
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca } = service
  process.send?.({ tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca })
  process.on('disconnect', () => process.exit(0))
}
