import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Api, Reply, Request } from '../../../src-main/api/client.ts'
import { startPacer } from '../../../src-main/api/pacer.ts'
import { callsOn, type Calls } from '../../../src-main/data/calls.ts'
import type { Data } from '../../../src-main/data/protocol.ts'
import { openStore } from '../../../src-main/data/store.ts'
import type { Live, LiveOptions } from '../../../src-main/live/socket.ts'
import { createEchoes } from '../../../src-main/sync/echoes.ts'
import { startEstate, type Estate } from '../../../src-main/sync/estate.ts'
import { createReaders } from '../../../src-main/sync/readers.ts'
import { FaultError } from '../../../src-shared/fault.ts'
import type { LinkState } from '../../../src-shared/model.ts'
import { manualClock, settle, type ManualClock } from '../../support/clock.ts'

/** The estate over the real data calls; what the service says and the link does is given as arguments. */
interface Bed {
  clock: ManualClock
  calls: Calls
  estate: Estate
  /** Requests by operation and tenant, in order. */
  asked: { name: string; tenant: string; token: string | null }[]
  link(state: LinkState['state']): void
  statusOf(id: string): string | undefined
  /** Devices that the link was last asked to listen to. */
  wanted(): string[]
}

type Answer = (request: { name: string; tenant: string; token: string | null; size: number }) => Reply | FaultError | null

const minute = 60_000
let profile: string
let stops: (() => Promise<void>)[]
beforeEach(() => {
  profile = mkdtempSync(path.join(tmpdir(), 'muster-estate-'))
  stops = []
})
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  rmSync(profile, { recursive: true, force: true })
})

/** Two tenants, a and b, with two devices each; `answer` may say something else, null leaves it at that. */
function usual(name: string, tenant: string): Reply {
  if (name === 'Tenants') return { errors: [], data: { tenants: [{ id: 'a', name: 'Acme', region: null }, { id: 'b', name: 'Berg', region: null }] } }
  if (name === 'Schema') return { errors: [], data: { params: { inputFields: [{ name: 'filter' }] } } }
  return page([`${tenant}1`, `${tenant}2`], null)
}

function page(ids: string[], nextToken: string | null, errors: Reply['errors'] = []): Reply {
  const edges = ids.map((id) => ({ node: { id, name: id, connected: true } }))
  return { errors, data: { tenant: { inventory: { deviceSearch: { edges, pageInfo: { totalCount: null, nextToken, hasNextPage: nextToken !== null } } } } } }
}

async function open(answer: Answer = () => null, clock = manualClock(), before: (request: { token: string | null }) => Promise<void> = async () => {}): Promise<Bed> {
  const calls = callsOn(openStore(profile, 1, clock.now()))
  const data = Object.fromEntries(Object.entries(calls).map(([name, run]) => [name, async (input: never) => (run as (given: never) => unknown)(input)])) as unknown as Data
  const asked: Bed['asked'] = []
  const api: Api = {
    async run({ operation: { name }, variables, size }: Request) {
      const tenant = typeof variables['tenant'] === 'string' ? variables['tenant'] : ''
      const token = (variables['params'] as { nextToken: string | null } | undefined)?.nextToken ?? null
      asked.push({ name, tenant, token })
      await before({ token })
      const said = answer({ name, tenant, token, size }) ?? usual(name, tenant)
      if (said instanceof FaultError) throw said
      return said
    },
  }
  let ears: Pick<LiveOptions, 'onState' | 'onSubscribed'> | null = null
  let wanted: string[] = []
  let state: LinkState = { state: 'connecting', attempt: 0 }
  const link = (next: LinkState['state']) => {
    if (next === 'live') state = { state: 'live', since: clock.now() }
    else if (next === 'waiting') state = { state: 'waiting', attempt: 1, retryAt: clock.now() + 1_000 }
    else state = { state: 'off' }
    ears?.onState(state, next === 'waiting' ? { kind: 'reset', detail: '' } : null)
    if (next === 'live') ears?.onSubscribed(new Set(['x']))
  }
  const live: Live = { state: () => state, aliveAt: () => clock.now(), want: (devices) => { wanted = [...devices] }, retry: () => {}, stop: () => link('off') }
  const estate = startEstate({
    connection: 'c1', service: 's', credentials: 'set', place: () => 0, readers: createReaders(), echoes: createEchoes(clock),
    refreshMs: () => 30 * minute, columns: { readAt: () => ({}), onRead: () => {}, onChange: () => {} }, onSchema: () => {}, api, data, clock, random: () => 0.5, log: () => {}, order: counter(), lastReadingAt: null,
    pacer: startPacer({ clock, random: () => 0, reservePercent: () => 0, onChange: () => {} }), publish: () => {}, onState: () => {},
    openLive: (given) => {
      ears = given
      queueMicrotask(() => link('live'))
      return live
    },
  })
  let stopped = false
  stops.push(async () => {
    if (!stopped) await estate.stop()
    stopped = true
    calls.close(undefined)
  })
  await clock.advance(0)
  await settle()
  return { clock, calls, estate, asked, link, wanted: () => wanted, statusOf: (id) => calls.device({ key: `s/${id[0]}/${id}` }).device?.row.status }
}

function counter(): () => number {
  let count = 0
  return () => (count += 1)
}

const count = (bed: Bed, name: string, tenant?: string) => bed.asked.filter((each) => each.name === name && (tenant === undefined || each.tenant === tenant)).length
const faultsOf = (bed: Bed) => bed.estate.state().faults.map(({ where, fault }) => [where, fault.kind])
const forbidden = new FaultError('forbidden')

test('reads everything once, and again after half an hour', async () => {
  const bed = await open()
  await bed.clock.advance(1_000)
  expect(bed.estate.state()).toMatchObject({ sync: { state: 'idle' }, lastReadingAt: expect.any(Number), faults: [] })
  expect(['a1', 'b2'].map(bed.statusOf)).toEqual(['connected', 'connected'])
  const before = count(bed, 'Devices')
  await bed.clock.advance(30 * minute)
  expect(count(bed, 'Devices')).toBe(before * 2)
})

test('a connection that has stopped vouches for nothing', async () => {
  const bed = await open()
  await bed.clock.advance(1_000)
  await bed.estate.stop()
  expect(bed.statusOf('a1')).toBe('unknown')
})

test('a tenant that is forbidden for good is told alone, costs little, and keeps nobody else from being read', async () => {
  const bed = await open(({ name, tenant }) => (name === 'Devices' && tenant === 'b' ? forbidden : null))
  await bed.clock.advance(120 * minute)
  expect(faultsOf(bed)).toEqual([['Berg', 'forbidden']])
  expect(count(bed, 'Devices', 'a')).toBe(5)
  expect(count(bed, 'Devices', 'b')).toBeLessThan(40)
  expect(bed.statusOf('a1')).toBe('connected')
})

test('paging that never ends is a fault and not a storm', async () => {
  const bed = await open(({ name, tenant, token }) => (name === 'Devices' && tenant === 'b' ? page([`b${token === null ? 1 : 2}`], 'same') : null))
  await bed.clock.advance(60 * minute)
  expect(faultsOf(bed)).toEqual([['Berg', 'paging']])
  expect(count(bed, 'Devices', 'b')).toBeLessThan(60)
})

test('a tenant that failed is read again alone, and soon where the reason may pass', async () => {
  let down = true
  const bed = await open(({ name, tenant }) => (down && name === 'Devices' && tenant === 'b' ? new FaultError('http', 'HTTP 500') : null))
  await bed.clock.advance(2 * minute)
  expect(faultsOf(bed)).toEqual([['Berg', 'http']])
  expect(bed.estate.state().lastReadingAt).toBeNull()
  const before = count(bed, 'Devices', 'a')
  down = false
  await bed.clock.advance(5 * minute)
  expect(faultsOf(bed)).toEqual([])
  expect(bed.estate.state().lastReadingAt).not.toBeNull()
  expect(count(bed, 'Devices', 'a')).toBe(before)
  expect(bed.statusOf('b1')).toBe('connected')
})

test('a list of tenants that failed in part takes no tenant away, and says so', async () => {
  let partly = false
  const bed = await open(({ name }) => (partly && name === 'Tenants'
    ? { data: { tenants: [{ id: 'a', name: 'Acme', region: null }, null] }, errors: [{ message: 'EU-1 is down', code: null, path: null }] }
    : null))
  await bed.clock.advance(1_000)
  partly = true
  bed.estate.read(null)
  await bed.clock.advance(1_000)
  expect(bed.calls.counts({ scope: 'all' }).counts).toMatchObject({ connected: expect.any(Number) })
  expect(['b1', 'b2'].map((id) => bed.calls.device({ key: `s/b/${id}` }).device?.row.id)).toEqual(['b1', 'b2'])
  expect(faultsOf(bed)).toEqual([['the list of tenants', 'partial']])
})

test('a page without devices but with errors takes no device away', async () => {
  let broken = false
  const bed = await open(({ name, tenant }) => (broken && name === 'Devices' && tenant === 'b' ? page([], null, [{ message: 'EU-1 is down', code: null, path: null }]) : null))
  await bed.clock.advance(1_000)
  broken = true
  bed.estate.read(null)
  await bed.clock.advance(1_000)
  expect(bed.calls.ids({ service: 's', tenant: 'b' })).toHaveLength(2)
  expect(faultsOf(bed)).toEqual([['Berg', 'partial']])
})

test('after a reconnection the states are compared; a tenant whose comparison fails is read again', async () => {
  let down = false
  const bed = await open(({ name, tenant }) => (down && name === 'States' && tenant === 'b' ? new FaultError('http') : null))
  await bed.clock.advance(1_000)
  bed.link('waiting')
  await bed.clock.advance(1_000)
  expect(['a1', 'b1'].map(bed.statusOf)).toEqual(['unknown', 'unknown'])
  down = true
  bed.link('live')
  await bed.clock.advance(10 * minute)
  expect(['a1', 'b1'].map(bed.statusOf)).toEqual(['connected', 'connected'])
  expect(faultsOf(bed)).toEqual([])
})

test('a comparison that names a device the inventory does not know is followed by a full reading', async () => {
  let more = false
  const bed = await open(({ name, tenant }) => (more && name !== 'Tenants' && name !== 'Schema' && tenant === 'a' ? page(['a1', 'a2', 'a3'], null) : null))
  await bed.clock.advance(1_000)
  more = true
  bed.link('waiting')
  bed.link('live')
  await bed.clock.advance(1_000)
  expect(bed.statusOf('a3')).toBe('connected')
})

test('a full reading that came due while another failed is not forgotten', async () => {
  let refused = false
  const bed = await open(() => (refused ? new FaultError('credentials') : null))
  await bed.clock.advance(29 * minute)
  refused = true
  bed.link('live')
  await bed.clock.advance(5 * minute)
  expect(faultsOf(bed)).toEqual([['the service', 'credentials']])
  const before = count(bed, 'Devices', 'a')
  refused = false
  await bed.clock.advance(10 * minute)
  expect(count(bed, 'Devices', 'a')).toBe(before + 1)
  expect(faultsOf(bed)).toEqual([])
})

test('a pull that goes on from where it was cut off is followed by a comparison of all', async () => {
  const clock = manualClock()
  const twoPages: Answer = ({ name, tenant, token }) => (name === 'Devices' && tenant === 'a' ? page([token === null ? 'a1' : 'a2'], token === null ? 'next' : null) : null)
  const cut = await open((request) => (request.token === 'next' ? new FaultError('stopped') : twoPages(request)), clock)
  await clock.advance(100)
  await stops.pop()?.()
  expect(cut.statusOf).toBeDefined()
  const bed = await open(twoPages, clock)
  await clock.advance(1_000)
  expect(bed.asked.filter(({ name, tenant }) => name === 'Devices' && tenant === 'a').map(({ token }) => token)).toEqual(['next'])
  expect(count(bed, 'States', 'a')).toBe(1)
  expect(['a1', 'a2'].map(bed.statusOf)).toEqual(['connected', 'connected'])
})

test('refused credentials are tried ever more slowly', async () => {
  const bed = await open(() => new FaultError('credentials'))
  await bed.clock.advance(60 * minute)
  expect(count(bed, 'Tenants')).toBeLessThan(40)
  expect(faultsOf(bed)).toEqual([['the service', 'credentials']])
})

test('what a page brought is listened to before the last page has come', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => { release = resolve })
  const bed = await open(({ name, tenant, token }) => (name === 'Devices' && tenant === 'a' ? page([token === null ? 'a1' : 'a2'], token === null ? 'next' : null) : null), manualClock(), async ({ token }) => {
    if (token === 'next') await held
  })
  await bed.clock.advance(5_000)
  expect(bed.estate.state().sync.state).toBe('reading')
  expect(bed.wanted()).toContain('a1')
  release()
  await bed.clock.advance(5_000)
  expect(bed.wanted()).toContain('a2')
})
