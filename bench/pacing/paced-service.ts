import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startService } from '../../src-service/service.ts'
import { startRandom, type Random } from '../../src-service/world/random.ts'
import { clockAt, type Pace } from './accelerated.ts'

/**
 * The reference service in a process of its own, at accelerated time, with the point limit and slightly varying costs.
 */
export interface PacedService {
  at: Addresses
  sets: Record<SetName, Pair>
  /**
   * Resolves with the points charged to each set in each window, from the window of its first charge on, as the service
   * counts them.
   */
  usage(): Promise<Record<SetName, number[]>>
  stop(): Promise<void>
}

export interface Addresses {
  tokenUrl: string
  graphqlUrl: string
  ca: string
}
export interface Pair {
  clientId: string
  clientSecret: string
}
/** One for Muster and one for the plain client, so that neither uses the other's points. */
export const setNames = ['muster', 'naive'] as const
export type SetName = (typeof setNames)[number]

export interface PacedOptions {
  devices: number
  tenants: number
  pace: Pace
  /** Factor of the costs for a set after it was charged `after` points; null: none. */
  change: { factor: number; after: number } | null
}

type Ready = Omit<PacedService, 'usage' | 'stop'>

export async function forkPacedService(options: PacedOptions): Promise<PacedService> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const gone = once(child, 'exit')
  const [ready] = (await once(child, 'message')) as [Ready]
  return {
    ...ready,
    async usage() {
      child.send('usage')
      return ((await once(child, 'message')) as [Record<SetName, number[]>])[0]
    },
    async stop() {
      child.kill()
      await gone
    },
  }
}

const windowMs = 60_000

interface Usage {
  random: Random
  points: number
  windows: number[]
  /** When the window of the first charge ended, ms; null before it. */
  firstEnd: number | null
}

async function serve({ devices, tenants, pace, change }: PacedOptions): Promise<void> {
  const { now } = clockAt(pace)
  const usage = new Map(
    setNames.map((name, n): [string, Usage] => [
      name,
      { random: startRandom(7 + n), points: 0, windows: [], firstEnd: null },
    ]),
  )
  const usageOf = (set: string): Usage => {
    const entry = usage.get(set)
    if (entry === undefined) throw new Error(`unknown credential set ${set}`)
    return entry
  }
  const service = await startService({
    devices,
    tenants,
    now,
    credentials: () => setNames.map((name) => ({ name, clientId: name })),
    priceFactor(set) {
      const { random, points } = usageOf(set)
      return (0.8 + 0.4 * random.next()) * (change !== null && points >= change.after ? change.factor : 1)
    },
    onCharge({ outcome, cost, credentialSet, secondsToReset }) {
      if (outcome === 'paid') write(usageOf(credentialSet), cost, now() + secondsToReset * 1000)
    },
  })
  const pairs = service.credentials.list().map(({ name, clientId, clientSecret }) => [name, { clientId, clientSecret }])
  const { tokenUrl, graphqlUrl, ca } = service
  process.send?.({ at: { tokenUrl, graphqlUrl, ca }, sets: Object.fromEntries(pairs) })
  process.on('message', () =>
    process.send?.(
      Object.fromEntries([...usage].map(([name, { windows }]) => [name, Array.from(windows, (points) => points ?? 0)])),
    ),
  )
  process.on('disconnect', () => process.exit(0))
}

/** Adds a charge. `end`: of its window, to within a second. */
function write(entry: Usage, cost: number, end: number): void {
  entry.firstEnd ??= end
  const window = Math.round((end - entry.firstEnd) / windowMs)
  entry.windows[window] = (entry.windows[window] ?? 0) + cost
  entry.points += cost
}

if (process.argv[2] === '--child') await serve(JSON.parse(process.argv[3] ?? '{}') as PacedOptions)
