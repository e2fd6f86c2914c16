import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DemoService } from '../../src-main/connections/connections.ts'
import type { Core } from '../../src-main/core.ts'
import { startService, type Service } from '../../src-service/service.ts'
import { clockAt, type Pace } from '../pacing/accelerated.ts'

/** The connection data alone, which can be sent to another process. */
export type Addresses = DemoService

/** The connection data of a reference service in a process of its own, so that it uses none of our time. */
export interface Reference extends DemoService {
  /** Its credential sets: one for all tenants, or one for each. */
  sets: { name: string; clientId: string; clientSecret: string }[]
  /** Sets the factor on the cost of every operation from now on. */
  setPriceFactor(factor: number): void
  /** From now on, so many devices change their status in a second; each goes offline, and a second later it is back. */
  change(perSecond: number): void
  /** Resolves with what the service counted since the last call. */
  counts(): Promise<ChargeCounts>
  stop(): Promise<void>
}

/** Returns the connection data alone. */
export function addressesOf({
  tokenUrl,
  graphqlUrl,
  subscriptionUrl,
  clientId,
  clientSecret,
  ca,
}: Addresses): Addresses {
  return { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca }
}

/** Adds the connection to a core. */
export async function connect({ handlers }: Core, reference: Addresses): Promise<void> {
  const form = { id: null, name: 'bench', subscription: '', portal: '' }
  await handlers['connections.save']({ ...form, ...addressesOf(reference) })
}

/** Points charged, the rate windows in which they were, and the operations rejected for their points. */
export interface ChargeCounts {
  points: number
  windows: number
  rejections: number
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
  /** Its clock; by default the machine's. */
  pace?: Pace
}

/** Starts a seeded service, by default without the point limit. */
export async function forkReference(options: ReferenceOptions): Promise<Reference> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', JSON.stringify(options)], { execArgv: [] })
  const [started] = (await once(child, 'message')) as [Omit<Reference, 'stop' | 'counts' | 'setPriceFactor' | 'change'>]
  return {
    ...started,
    setPriceFactor: (factor) => void child.send(factor),
    change: (perSecond) => void child.send({ perSecond }),
    async counts() {
      child.send('counts')
      return ((await once(child, 'message')) as [ChargeCounts])[0]
    },
    stop: () => stopChild(child),
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

async function serve(options: ReferenceOptions): Promise<void> {
  const { devices, tenants, perTenant = false, points = false, priceFactor = 1, http, pace } = options
  const { now } = pace === undefined ? { now: Date.now } : clockAt(pace)
  const charges = startCounting(now)
  let factor = priceFactor
  const service = await startService({
    devices,
    tenants,
    points,
    priceFactor: () => factor,
    now,
    onCharge: charges.add,
    ...(perTenant ? { credentials: 'per-tenant' } : {}),
    ...(http === undefined ? {} : { profile: 'contrary', contrary: { http } }),
  })
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca } = service
  const sets = service.credentials
    .list()
    .map((set) => ({ name: set.name, clientId: set.clientId, clientSecret: set.clientSecret }))
  process.send?.({ tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca, sets })
  process.on('message', (asked) => {
    if (typeof asked === 'number') factor = asked
    else if (typeof asked === 'object') changeDevices(service.world, asked as { perSecond: number })
    else process.send?.(charges.take())
  })
  process.on('disconnect', () => process.exit(0))
}

/** Ticks of a second in which devices change. */
const ticks = 20

function changeDevices(world: Service['world'], { perSecond }: { perSecond: number }): void {
  const online = world.devices().filter(({ connected }) => connected === true)
  // Half of the changes are disconnects, and the other half recoveries.
  const each = Math.max(1, Math.round(perSecond / 2 / ticks))
  let at = 0
  const gone: string[][] = []
  setInterval(() => {
    const now = Array.from({ length: each }, () => online[at++ % online.length]?.id ?? '')
    for (const id of now) world.setConnected(id, false)
    gone.push(now)
    if (gone.length > ticks) for (const id of gone.shift() ?? []) world.setConnected(id, true)
  }, 1000 / ticks).unref()
}

interface Counting {
  add(charge: { outcome: string; cost: number; secondsToReset: number }): void
  /** Returns the counts since the last call. */
  take(): ChargeCounts
}

const windowMs = 60_000

function startCounting(now: () => number): Counting {
  let counts = { points: 0, rejections: 0 }
  let ends = new Set<number>()
  let first: number | null = null
  return {
    add({ outcome, cost, secondsToReset }) {
      if (outcome !== 'paid') counts.rejections += 1
      if (outcome !== 'paid' || cost === 0) return
      counts.points += cost
      // The end of its window, to within a second.
      const end = now() + secondsToReset * 1000
      first ??= end
      ends.add(Math.round((end - first) / windowMs))
    },
    take() {
      const taken = { ...counts, windows: ends.size }
      counts = { points: 0, rejections: 0 }
      ends = new Set()
      return taken
    },
  }
}

if (process.argv[2] === '--child') await serve(JSON.parse(process.argv[3] ?? '{}') as ReferenceOptions)
