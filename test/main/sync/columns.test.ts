import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDialect } from '../../../src-main/api/dialect.ts'
import type { Api, Reply, Request } from '../../../src-main/api/client.ts'
import { startPacer } from '../../../src-main/pacing/pacer.ts'
import { callsOn } from '../../../src-main/inventory/thread/calls.ts'
import type { InventoryData } from '../../../src-main/inventory/thread/protocol.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import type { Live } from '../../../src-main/live/machine.ts'
import type { Settings } from '../../../src-main/ports.ts'
import { createDeduplicator } from '../../../src-main/sync/events/deduplicator.ts'
import { createEventQueues } from '../../../src-main/sync/events/events.ts'
import { startConnectionSync, type ConnectionSync } from '../../../src-main/sync/connection-sync.ts'
import { openExtraColumns } from '../../../src-main/sync/columns/extra-columns.ts'
import { createAssignments } from '../../../src-main/sync/assignments/assignments.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

type Answer = (request: { name: string; tenant: string }) => Reply | FaultError | null

const minute = 60_000
let profile: string
let stops: (() => unknown)[]
beforeEach(() => {
  profile = mkdtempSync(path.join(tmpdir(), 'muster-columns-'))
  stops = []
})
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  rmSync(profile, { recursive: true, force: true })
})

const tenantsOf = (...ids: string[]): Reply => ({
  errors: [],
  data: { tenants: ids.map((id) => ({ id, name: id, region: null })) },
})

function schemaOf(...fields: string[]): Reply {
  const type = { kind: 'SCALAR', name: 'String', ofType: null }
  return {
    errors: [],
    data: {
      device: { fields: fields.map((name) => ({ name, args: [], type })) },
      params: { inputFields: [{ name: 'filter', type: { kind: 'INPUT_OBJECT', name: 'F' } }] },
    },
  }
}

/** A page of devices; `more` are the values of the extra fields. */
function page(ids: string[], more: (id: string) => object = () => ({}), errors: Reply['errors'] = []): Reply {
  const edges = ids.map((id) => ({ node: { id, name: id, connected: true, ...more(id) } }))
  return {
    errors,
    data: {
      tenant: {
        inventory: {
          deviceSearch: { edges, pageInfo: { totalCount: ids.length, nextToken: null, hasNextPage: false } },
        },
      },
    },
  }
}

/** Tenants a and b with two devices each, and the extra field `serial`. */
function defaultReply(name: string, tenant: string): Reply {
  if (name === 'Tenants') return tenantsOf('a', 'b')
  if (name === 'Schema') return schemaOf('serial')
  return page([`${tenant}1`, `${tenant}2`], (id) => (name === 'Columns_serial' ? { serial: `S${id}` } : {}))
}

/** Connections and their extra columns over the real data calls. */
function world(stored: Record<string, unknown> = {}) {
  const clock = manualClock()
  const calls = callsOn(openStore(profile, 1, clock.now()))
  stops.push(() => calls.close(undefined))
  const data = Object.fromEntries(
    Object.entries(calls).map(([name, run]) => [
      name,
      async (input: never) => (run as (given: never) => unknown)(input),
    ]),
  ) as unknown as InventoryData
  const values = new Map(Object.entries(stored))
  const settings: Settings = {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, structuredClone(value)),
    damaged: null,
  }
  const assignments = createAssignments()
  const connections = new Map<string, ConnectionSync>()
  const extraColumns = openExtraColumns({
    data,
    clock,
    settings,
    log: () => {},
    publish: () => {},
    onState: () => {},
    shared: null,
    sources: () =>
      [...connections].map(([id, { columns, columnCost: cost }]) => ({
        service: 's',
        credentials: id,
        columns,
        cost,
      })),
  })
  stops.push(() => extraColumns.stop())
  let order = 0
  return {
    clock,
    calls,
    settings,
    extraColumns,
    column: (name = 'serial') => extraColumns.state().find((column) => column.name === name),
    /** Connections come in the operator's order; `readAt` is what the settings have of a run before. */
    async open(answer: Answer = () => null, readAt: Record<string, number> = {}) {
      const id = `c${connections.size}`
      const requests: { name: string; tenant: string }[] = []
      const api: Api = {
        async run({ operation: { name }, variables }: Request) {
          const tenant = typeof variables['tenant'] === 'string' ? variables['tenant'] : ''
          requests.push({ name, tenant })
          const reply = answer({ name, tenant }) ?? defaultReply(name, tenant)
          if (reply instanceof FaultError) throw reply
          return reply
        },
      }
      const live: Live = {
        state: () => ({ state: 'live', since: 0 }),
        lateSince: () => null,
        subscriptionLostSince: () => null,
        aliveAt: () => clock.now(),
        covers: () => true,
        provenAt: () => clock.now(),
        setDevices: () => {},
        parked: () => new Map(),
        retry: () => {},
        newToken: () => {},
        restart: () => {},
        stop: () => {},
      }
      const place = connections.size
      const sync = startConnectionSync({
        connection: id,
        service: 's',
        credentials: id,
        place: () => place,
        assignments,
        deduplicator: createDeduplicator(clock),
        queues: createEventQueues(),
        refreshMs: () => 30 * minute,
        columns: {
          readAt: () => readAt,
          onRead: (read) => Object.assign(readAt, read),
          onChange: () => extraColumns.changed(),
        },
        onSchema: () => {},
        access: { clientId: '', onRead: () => {} },
        places: { onChange: () => {} },
        dialect: createDialect(),
        api,
        data,
        clock,
        random: () => 0.5,
        log: () => {},
        order: () => (order += 1),
        isTimeLost: () => false,
        selfChecks: () => ({ token: null, skew: null, hasServiceTime: true }),
        urgentKeys: () => [],
        lastReadingAt: null,
        publish: () => {},
        onState: () => {},
        pacer: startPacer({
          clock,
          random: () => 0,
          policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
          onChange: () => {},
        }),
        openLive: (listeners) => {
          queueMicrotask(() => {
            listeners.onState(live.state(), null)
            listeners.onSubscribed(new Set(['x']))
          })
          return live
        },
      })
      connections.set(id, sync)
      const stop = async () => {
        if (connections.delete(id)) await sync.stop()
      }
      stops.push(stop)
      await clock.advance(0)
      await settle()
      await clock.advance(2_000)
      const reads = (tenant?: string) =>
        requests
          .filter((each) => each.name.startsWith('Columns') && (tenant === undefined || each.tenant === tenant))
          .map(({ name }) => name)
      return { sync, reads, stop }
    },
    async minutes(count: number) {
      for (let passed = 0; passed < count; passed += 1) await clock.advance(minute)
    },
  }
}

const failing = (message: string): Reply => ({
  data: { tenant: null },
  errors: [{ message, code: null, path: ['tenant'] }],
})
const serialOn = { columnsOn: [{ name: 'serial', type: 'text', services: ['s'] }] }

test('a column that fails in one tenant stays on and is retried there in the next period', async () => {
  const { open, clock, extraColumns, column, minutes, settings } = world()
  let broken = true
  const { reads } = await open(({ name, tenant }) =>
    broken && tenant === 'a' && name === 'Columns_serial' ? failing('EU-1 is down for a moment') : null,
  )
  await extraColumns.switch('serial', true)
  await clock.advance(5_000)
  expect(column()).toMatchObject({
    on: true,
    read: 2,
    of: 4,
    fault: { kind: 'partial', detail: 'EU-1 is down for a moment' },
  })
  expect(settings.get('columnsOn')).toEqual(serialOn.columnsOn)
  await minutes(20)
  expect(reads('a')).toHaveLength(1)
  broken = false
  await minutes(15)
  expect(column()).toMatchObject({ on: true, read: 4, of: 4, fault: null })
})

test("a device whose field alone fails costs its tenant's column read, and no other one's", async () => {
  const { open, clock, extraColumns, column } = world()
  const path = ['tenant', 'inventory', 'deviceSearch', 'edges', 0, 'node', 'serial']
  await open(({ name, tenant }) =>
    tenant === 'a' && name === 'Columns_serial'
      ? page(['a1'], () => ({ serial: null }), [{ message: 'not now', code: null, path }])
      : null,
  )
  await extraColumns.switch('serial', true)
  await clock.advance(5_000)
  expect(column()).toMatchObject({ on: true, read: 2, of: 4, fault: { kind: 'partial', detail: 'not now' } })
})

test('a query that is rejected twice switches the column off; a passing failure does not', async () => {
  const { open, clock, extraColumns, column, minutes } = world()
  const rejected = new FaultError('query', 'no such field')
  let answer: Answer = ({ name }) => (name === 'Columns_serial' ? rejected : null)
  await open((request) => answer(request))
  await extraColumns.switch('serial', true)
  await clock.advance(500)
  expect(column()).toMatchObject({ on: true, fault: rejected.fault })
  answer = () => null
  await minutes(1)
  expect(column()).toMatchObject({ on: true, read: 4, of: 4, fault: null })
  answer = ({ name }) => (name === 'Columns_serial' ? rejected : null)
  await minutes(32)
  expect(column()).toMatchObject({ on: false, fault: rejected.fault })
})

test('of several columns the rejected one is found, and then requested by itself', async () => {
  const { open, clock, extraColumns, column } = world()
  const { reads } = await open(({ name, tenant }) => {
    if (name === 'Schema') return schemaOf('bad', 'one', 'two')
    if (!name.startsWith('Columns')) return null
    return name.includes('bad')
      ? new FaultError('forbidden')
      : page([`${tenant}1`, `${tenant}2`], () => ({ one: '1', two: '2' }))
  })
  await Promise.all(['bad', 'one', 'two'].map((name) => extraColumns.switch(name, true)))
  // Of switches at the same time each counts.
  expect(extraColumns.state().map(({ name, on }) => [name, on])).toEqual([
    ['bad', true],
    ['one', true],
    ['two', true],
  ])
  await clock.advance(5_000)
  expect(reads('a')).toEqual(['Columns_bad_one_two', 'Columns_bad', 'Columns_one', 'Columns_two'])
  expect(reads('b')).toEqual(['Columns_one_two', 'Columns_bad'])
  expect(column('one')).toMatchObject({ read: 4, of: 4, fault: null })
  expect(column('bad')).toMatchObject({ on: true, read: 0, of: 4, fault: { kind: 'forbidden' } })
})

test('a tenant whose extra columns fail does not delay the tenants behind it', async () => {
  const { open, extraColumns, column, minutes } = world()
  const { reads } = await open(({ name, tenant }) => {
    if (name === 'Tenants') return tenantsOf('a', 'b', 'c', 'd')
    return name === 'Columns_serial' && 'ab'.includes(tenant) ? new FaultError('http', 'HTTP 502') : null
  })
  await extraColumns.switch('serial', true)
  await minutes(3)
  expect(column()).toMatchObject({ on: true, read: 4, of: 8, fault: { kind: 'http' } })
  const before = reads('a').length
  await minutes(180)
  // They are tried again about every five minutes, and the others are read when their time comes.
  expect(reads('a').length - before).toBeGreaterThan(100)
  expect([reads('c').length, reads('d').length]).toEqual([7, 7])
})

test('a column read according to the settings is read again when the cache does not have it', async () => {
  const { open, clock, extraColumns, column } = world(serialOn)
  extraColumns.changed()
  const { reads } = await open(() => null, { serial: clock.now() - minute })
  await clock.advance(5_000)
  expect(reads()).toHaveLength(2)
  expect(column()).toMatchObject({ read: 4, of: 4 })
})

test('a column read according to the settings and in the cache is not read again', async () => {
  const { open, clock, extraColumns, column, minutes } = world(serialOn)
  extraColumns.changed()
  const readAt: Record<string, number> = {}
  const first = await open(() => null, readAt)
  await clock.advance(5_000)
  expect(readAt).toEqual({ serial: expect.any(Number) })
  await first.stop()
  const second = await open(() => null, readAt)
  await minutes(20)
  expect(second.reads()).toEqual([])
  expect(column()).toMatchObject({ read: 4, of: 4 })
  await minutes(15)
  expect(second.reads()).toHaveLength(2)
})

test('a new tenant is counted after its sync, and its columns are read at once', async () => {
  const { open, clock, extraColumns, column } = world()
  let all = ['a']
  const { sync, reads } = await open(({ name }) => (name === 'Tenants' ? tenantsOf(...all) : null))
  await extraColumns.switch('serial', true)
  await clock.advance(5_000)
  expect(column()).toMatchObject({ read: 2, of: 2 })
  all = ['a', 'b']
  sync.refresh(null)
  await clock.advance(5_000)
  expect(column()).toMatchObject({ read: 4, of: 4 })
  expect(reads('a')).toHaveLength(1)
})

test('new devices of a sync are counted as not loaded', async () => {
  const { open, clock, extraColumns, column } = world()
  let ids = ['a1']
  const { sync } = await open(({ name }) => {
    if (name === 'Tenants') return tenantsOf('a')
    return name === 'Devices' || name === 'Fingerprint'
      ? page(ids)
      : name === 'Columns_serial'
        ? page(ids, () => ({ serial: 'S' }))
        : null
  })
  await extraColumns.switch('serial', true)
  await clock.advance(5_000)
  ids = ['a1', 'a2']
  sync.refresh(null)
  await clock.advance(5_000)
  expect(column()).toMatchObject({ read: 1, of: 2 })
})

test('a connection that takes over a tenant reads the columns that the one before could not', async () => {
  const { open, clock, extraColumns, column, minutes } = world(serialOn)
  extraColumns.changed()
  const first = await open(({ name }) => (name === 'Columns_serial' ? new FaultError('http', 'HTTP 500') : null))
  const second = await open()
  await clock.advance(20_000)
  expect([column()?.read, second.reads()]).toEqual([0, []])
  await first.stop()
  await minutes(2)
  expect(column()).toMatchObject({ read: 4, of: 4, fault: null })
  expect(second.reads()).toHaveLength(2)
})

test('a restarted data thread gets the switched-on columns, and reads those its cache lost', async () => {
  const { open, clock, calls, extraColumns, column } = world()
  const { sync, reads } = await open()
  await extraColumns.switch('serial', true)
  await clock.advance(5_000)
  const shown = () =>
    calls.rows({
      query: { scope: 'all', filter: '', sort: [{ column: 'extra:serial', direction: 'asc' }] },
      offset: 0,
      limit: 1,
      now: clock.now(),
    })
  calls.extraColumns({ columns: [] })
  extraColumns.recovered()
  await clock.advance(1_000)
  expect([shown().unread, shown().rows[0]?.extra]).toEqual([[], { serial: 'Sa1' }])
  expect(reads()).toHaveLength(2)
  calls.extraColumns({ columns: [] })
  calls.forget({ connection: 'c0' })
  sync.refresh(null)
  extraColumns.recovered()
  await clock.advance(5_000)
  expect(reads()).toHaveLength(4)
  expect(column()).toMatchObject({ read: 4, of: 4 })
})
