import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApi, type Api, type ApiOptions } from '../../src-main/api/client.ts'
import { createDialect } from '../../src-main/api/dialect.ts'
import { fingerprintOperation } from '../../src-main/api/operations.ts'
import { createTurns } from '../../src-main/api/event-loop-turns.ts'
import { startTokens } from '../../src-main/auth/token.ts'
import { startData } from '../../src-main/inventory/thread/client.ts'
import { startPacer } from '../../src-main/pacing/pacer.ts'
import { createDoubts } from '../../src-main/sync/health/doubts.ts'
import { countTenants, syncTenants, readTenantList } from '../../src-main/sync/tenants/tenant-list.ts'
import type { SyncTools, TenantSync } from '../../src-main/sync/tenants/tenant-sync.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { startRandom } from '../../src-service/world/random.ts'
import { defaultSettings } from '../../src-shared/model/settings.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { clockAt, lateFetch, watchedFetch, type Pace, type Rejected } from './accelerated.ts'
import type { Addresses, Pair } from './paced-service.ts'

/**
 * A full sync as the core runs it, in a process of its own at accelerated time: the core's network, tokens, client,
 * pacer, sync and data thread with its cache. Without the live link, whose deadlines would pass as fast.
 */
export interface PacedSync {
  /** Resolves when the last device is in the cache. */
  read(): Promise<PacedRead>
  stop(): Promise<void>
}

export interface PacedRead {
  devices: number
  /** By the accelerated clock, ms. */
  took: number
  rejected: Rejected[]
  /** Ms of accelerated time from a person's action until its request was sent. */
  waits: number[]
}

export interface PacedSyncOptions {
  at: Addresses
  set: Pair
  pace: Pace
  /** True: a person sends a request twice a second. */
  person: boolean
  /** True: answers are late and out of order. */
  late: boolean
}

/** Resolves when it is ready, with its token. */
export async function forkPacedSync(options: PacedSyncOptions): Promise<PacedSync> {
  const child = fork(fileURLToPath(import.meta.url), ['--child', JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const gone = once(child, 'exit')
  const message = () =>
    Promise.race([
      once(child, 'message'),
      gone.then(() => Promise.reject(new Error('the sync ended without a message'))),
    ])
  await message()
  return {
    async read() {
      child.send('read')
      return ((await message()) as [PacedRead])[0]
    },
    async stop() {
      child.kill()
      await gone
    },
  }
}

const seed = 11
/** Attempts for a tenant whose pages failed, as in the core. */
const rounds = 3

async function prepare({ at, set, pace, person, late }: PacedSyncOptions): Promise<() => Promise<PacedRead>> {
  const clock = clockAt(pace)
  const link = openNetwork({}).open(at.ca)
  const rejected: Rejected[] = []
  const watched = watchedFetch(link.fetch, clock, (one) => void rejected.push(one))
  const fetch = late ? lateFetch(watched, clock, seed) : watched
  const tokens = startTokens({
    fetch: link.fetch,
    clock,
    tokenUrl: at.tokenUrl,
    clientId: set.clientId,
    secret: async () => set.clientSecret,
  })
  const random = startRandom(seed).next
  const { reservePercent, backgroundLimitPercent, backgroundPaused } = defaultSettings(false)
  const pacer = startPacer({
    clock,
    random,
    policy: () => ({ reservePercent, backgroundLimitPercent, backgroundPaused }),
    onChange: () => {},
  })
  const options: ApiOptions = { fetch, clock, graphqlUrl: at.graphqlUrl, tokens, pacer, turns: createTurns() }
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const { data, stop } = await startData({ profile, thread: path.resolve('src-main/inventory/thread/thread.ts') })
  let order = 0
  const dialect = createDialect()
  const over = new AbortController()
  const base = {
    api: createApi({ ...options, dialect }),
    dialect,
    pacer,
    data,
    clock,
    random,
    service: 'bench',
    connection: 'bench',
    order: () => (order += 1),
    signal: over.signal,
    publish: () => {},
    lane: 'background' as const,
    queues: { writtenBefore: async () => {} },
    onIds: () => {},
    doubts: createDoubts(clock),
  }
  await tokens.get()
  return async () => {
    const began = clock.monotonic()
    const client = person ? startPerson(options, over.signal) : null
    const read = await readInFull(base, (tenant) => void client?.begin(tenant))
    const took = clock.monotonic() - began
    over.abort()
    pacer.stop()
    await stop()
    await link.close()
    rmSync(profile, { recursive: true, force: true })
    return { devices: read, took, rejected, waits: client?.waits ?? [] }
  }
}

/** Reads the list of tenants, their counts and their pages in the background, as the core does. */
async function readInFull(base: Omit<SyncTools, 'capabilities'>, onTenant: (tenant: string) => void): Promise<number> {
  const { list, capabilities } = await readTenantList(base, base.connection, null)
  const tools = { ...base, capabilities }
  onTenant(list[0]?.id ?? '')
  await countTenants(tools, list)
  let devices = 0
  let rest: TenantSync[] = list
  for (let round = 0; rest.length > 0 && round < rounds; round += 1) {
    const line = [...rest]
    const { failed } = await syncTenants(
      tools,
      () => {
        const tenant = line.shift()
        return tenant === undefined ? null : { tenant, lane: 'background' }
      },
      'inventory',
      { onBegin: () => {}, onRead: (many) => void (devices += many), onTenant: async () => {} },
    )
    for (const [tenant, { kind, detail }] of failed) console.error(`a tenant failed (${kind} ${detail}), ${tenant}`)
    rest = rest.filter(({ id }) => failed.has(id))
  }
  return devices
}

interface Person {
  begin(tenant: string): void
  waits: number[]
}

/** Sends a small request twice a second on the lane of a person: the first devices of a tenant, at most 80 points. */
function startPerson(options: ApiOptions, signal: AbortSignal): Person {
  const { clock } = options
  const random = startRandom(seed + 1)
  const waits: number[] = []
  const ask = async (tenant: string): Promise<void> => {
    const began = clock.monotonic()
    let sentAt: number | null = null
    const size = random.int(2, 12)
    const api = timed(options, clock, (at) => {
      sentAt = at
    })
    await api
      .run({
        operation: fingerprintOperation,
        variables: { tenant, params: { pageSize: size } },
        lane: 'person',
        size,
        signal,
      })
      .catch((error: unknown) => {
        if (!signal.aborted) console.error('a person was not answered:', error instanceof Error ? error.message : error)
      })
    if (sentAt !== null) waits.push(sentAt - began)
  }
  return {
    waits,
    begin(tenant) {
      const again = () => {
        if (signal.aborted) return
        clock.after(500, again)
        void ask(tenant)
      }
      again()
    },
  }
}

/** Returns the same client on the same queue, which reports when its request is sent. */
function timed(options: ApiOptions, clock: Clock, onSent: (at: number) => void): Api {
  return createApi({
    ...options,
    fetch: (input, init) => {
      onSent(clock.monotonic())
      return options.fetch(input, init)
    },
  })
}

if (process.argv[2] === '--child') {
  process.on('disconnect', () => process.exit(0))
  const read = await prepare(JSON.parse(process.argv[3] ?? '{}') as PacedSyncOptions)
  process.once('message', () => void read().then((result) => process.send?.(result)))
  process.send?.('ready')
}
