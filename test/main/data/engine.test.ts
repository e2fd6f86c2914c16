import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/data/calls.ts'
import { tenantKey } from '../../../src-main/data/keys.ts'
import { openStore } from '../../../src-main/data/store.ts'
import type { DeviceFact } from '../../../src-main/data/protocol.ts'
import {
  type ColumnId,
  sortColumns,
  type DeviceRow,
  type InventoryQuery,
  type TenantRef,
} from '../../../src-shared/model.ts'
import { writeText, writeValue } from '../../../src-shared/filter-scan.ts'
import { naiveRows, naiveTree, naiveUnread, naiveValues } from './naive.ts'
import { connection, service, tempProfile } from './profile.ts'

/** Few different texts, so that rows share names, sites and rooms; some that fold, sort or encode oddly. */
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'Room 2',
      'room 10',
      'Room 02',
      'ROOM 2',
      'Berlin',
      'berlin',
      'Zürich',
      'Zurich',
      'Straße 5',
      'İstanbul',
      'ΟΔΟΣ',
      '会議室',
      'غرفة',
      '🎥 Studio',
      '<b>x</b>',
      'a/b=c',
      '',
      '~',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
)
const ids = Array.from({ length: 150 }, (_, n) => (n % 9 === 0 ? `ä/${n}` : `dev-${n}`))
const time = fc.option(
  fc.integer({ min: -5, max: 400 }).map((n) => n * 10),
  { nil: null },
)
const place = fc.option(fc.record({ id: fc.constantFrom('1', '2', '=', ' ', 'a/b', '%'), name: text }), { nil: null })
const device = (id: fc.Arbitrary<string>) =>
  fc.record({
    id,
    name: text,
    hardwareModel: text,
    connected: fc.constantFrom(true, true, false, null),
    lastDetected: time,
    lastConfigRequestDate: time,
    site: place,
    room: place,
  })
const tenant = fc.constantFrom('t1', 't/2', 't3')
/** Two connections list every tenant, and each sees a part of it. */
const readers = [connection, 'other']
const by = fc.constantFrom(...readers)

type Step =
  | { kind: 'tenants'; list: { id: string; name: string; region: string | null }[] }
  | { kind: 'page'; by: string; tenant: string; devices: DeviceFact[] }
  | { kind: 'finish'; by: string; tenant: string }
  | {
      kind: 'events'
      tenant: string
      events: { id: string; connected: boolean | null | undefined; name: string | null }[]
    }
  | {
      kind: 'reading'
      tenant: string
      devices: { id: string; connected: boolean | null; lastDetected: number | null }[]
    }
  | { kind: 'sight'; by: string; tenants: string[] | null; seen: boolean }
  | { kind: 'columns'; on: Further[] }
  | { kind: 'extras'; tenant: string; devices: { id: string; values: Record<string, string | null> }[] }
  | { kind: 'spares'; models: string[]; age: number | null }
  | { kind: 'ask'; queries: InventoryQuery[]; expand: number[]; now: number }

const id = fc.constantFrom(...ids)

/** Further columns, one of each type. */
const types = { serial: 'text', load: 'number', installed: 'time', wired: 'boolean' } as const
type Further = keyof typeof types
const further = fc.constantFrom<Further>('serial', 'load', 'installed', 'wired')
const furtherValue: Record<Further, fc.Arbitrary<string>> = {
  serial: text,
  load: fc.constantFrom('10', '9', '-3', '1e2', 'x', ''),
  wired: fc.constantFrom('true', 'false', 'maybe'),
  installed: fc.constantFrom('1970-01-01T00:00:01Z', '1970-01-01T00:00:02.500Z', '3', '2026-01-01', 'x'),
}
const furtherValues = fc.record(
  Object.fromEntries(Object.entries(furtherValue).map(([name, value]) => [name, fc.option(value, { nil: null })])),
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string | null>>

/** Terms of the whole language, as they are typed. */
const piece = fc.oneof(text, fc.constantFrom('o', 'r', 'ro', 'dev', 'dev-1', 'zur', 'ss', 'eu-1', 'one'))
const pattern = fc.oneof(
  piece.map((one) => [one]),
  fc.array(piece, { minLength: 2, maxLength: 3 }),
)
const value = fc.oneof({ weight: 1, arbitrary: fc.constant('none') }, { weight: 5, arbitrary: pattern.map(writeValue) })
const values = fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => list.join())
const operator = fc.constantFrom(':>', ':<', ':>=', ':<=')
const amount = fc.constantFrom('0s', '1s', '2s', '2.5s', '1970-01-01', '1970-01-01T00:00:02Z', '1h')
const term = fc.oneof(
  { weight: 3, arbitrary: piece.map(writeText) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('name', 'model', 'site', 'room', 'tenant', 'region', 'id'),
        fc.constantFrom(':', '~'),
        values,
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'connected:yes',
      'connected:no',
      'connected:none,no',
      'status:online',
      'status:offline',
      'status:unknown,offline',
      'spare:yes',
      'spare:no',
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('seen', 'lastDetected', 'lastConfigRequestDate'), operator, amount)
      .map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('down', 'up'), operator, fc.constantFrom('0s', '1s', '2s', '1h'))
      .map((parts) => parts.join('')),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'serial:none',
      'serial:"Room 2"',
      'serial~r',
      'serial:R*',
      'serial:>"Room 2"',
      'load:10',
      'load:>9',
      'load:<=-3',
      'load:none,9',
      'load:>x',
      'wired:yes',
      'wired:no,none',
      'wired:false',
      'installed:>1s',
      'installed:<2s',
      'installed:<1970-01-01T00:00:02Z',
      'installed~1970',
      'never:x',
      'never:>2h',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('down:none', 'up:none', 'lastDetected:none') },
)
const filterText = fc
  .array(
    fc.tuple(fc.constantFrom('', '', '-'), term).map((parts) => parts.join('')),
    { maxLength: 3 },
  )
  .map((terms) => terms.join(' '))

const ask = fc.record({
  kind: fc.constant('ask' as const),
  queries: fc.array(
    fc.record({
      scope: fc.oneof(
        { weight: 3, arbitrary: fc.constant('all') },
        fc.nat().map((n) => `#${n}`),
        fc.string(),
      ),
      filter: filterText,
      sort: fc.array(
        fc.record({
          column: fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom<ColumnId>(...sortColumns) },
            { weight: 1, arbitrary: further.map((name): ColumnId => `extra:${name}`) },
          ),
          direction: fc.constantFrom('asc' as const, 'desc' as const),
        }),
        { maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  expand: fc.array(fc.nat(), { maxLength: 30 }),
  now: fc.integer({ min: 0, max: 9000 }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tenants' as const),
      list: fc.uniqueArray(fc.record({ id: tenant, name: text, region: fc.constantFrom('EU-1', 'US-1', null) }), {
        selector: (t) => t.id,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('page' as const),
      by,
      tenant,
      devices: fc.array(device(id), { maxLength: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('page' as const),
      by,
      tenant,
      devices: fc.uniqueArray(device(id), { minLength: 90, maxLength: 130, selector: (d) => d.id }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('finish' as const), by, tenant }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('events' as const),
      tenant,
      events: fc.array(
        fc.record({
          id,
          connected: fc.constantFrom(true, false, null, undefined),
          name: fc.option(text, { nil: null }),
        }),
        { maxLength: 5 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reading' as const),
      tenant,
      devices: fc.array(fc.record({ id, connected: fc.constantFrom(true, false, null), lastDetected: time }), {
        maxLength: 20,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('sight' as const),
      by,
      tenants: fc.option(fc.array(tenant), { nil: null }),
      seen: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('spares' as const),
      models: fc.array(text, { maxLength: 2 }),
      age: fc.constantFrom(null, 1000, 2500),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('columns' as const), on: fc.uniqueArray(further) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('extras' as const),
      tenant,
      devices: fc.array(fc.record({ id, values: furtherValues }), { maxLength: 40 }),
    }),
  },
  { weight: 5, arbitrary: ask },
)

/** What the rows must be, kept beside the engine as plain objects. `since` is the transition tests' matter. */
interface Model {
  /** `seen`: by whom. */
  tenants: Map<string, { id: string; name: string; region: string | null; seen: string[] }>
  /** `claims`: generations by reader. */
  rows: Map<
    string,
    {
      tenant: string
      fact: DeviceFact
      claims: Map<string, number>
      seenAt: number
      extra: Record<string, string | null>
    }
  >
  /** Further columns that are on. */
  on: Further[]
  spares: { models: string[]; age: number | null }
  /** Names of sites and rooms by tenant and ids: the latest word. */
  names: Map<string, string>
}

const all: InventoryQuery = { scope: 'all', filter: '', sort: [] }

function everyRow(calls: Calls): DeviceRow[] {
  return calls.rows({ query: all, offset: 0, limit: 500, now: 0 }).rows
}

function expectModel(calls: Calls, model: Model): void {
  const expected = [...model.rows.values()].map(({ tenant, fact, claims, seenAt, extra }) => {
    const { name, region, seen } = model.tenants.get(tenant) ?? { name: '', region: null, seen: [] }
    const status =
      !seen.some((one) => claims.has(one)) || fact.connected === null
        ? 'unknown'
        : fact.connected
          ? 'connected'
          : 'disconnected'
    const site = fact.site && { id: fact.site.id, name: model.names.get(JSON.stringify([tenant, fact.site.id])) }
    const room = fact.room && {
      id: fact.room.id,
      name: model.names.get(JSON.stringify([tenant, fact.site?.id ?? null, fact.room.id])),
    }
    return {
      id: fact.id,
      name: fact.name,
      hardwareModel: fact.hardwareModel,
      status,
      connected: fact.connected,
      lastDetected: fact.lastDetected,
      lastConfigRequestDate: fact.lastConfigRequestDate,
      site,
      room,
      seenAt,
      extra: shown(model, extra),
      tenant: [tenant, name, region],
    }
  })
  const actual = everyRow(calls).map(({ key: _key, since: _since, tenant: { id, name, region }, ...row }) => ({
    ...row,
    tenant: [id, name, region],
  }))
  const byId = (a: { id: string; tenant: unknown }, b: { id: string; tenant: unknown }) =>
    JSON.stringify([a.tenant, a.id]) < JSON.stringify([b.tenant, b.id]) ? -1 : 1
  expect(actual.toSorted(byId)).toEqual(expected.toSorted(byId))
}

const shown = ({ on }: Model, extra: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(extra).filter(([name]) => on.some((one) => one === name)))

const held = (on: Further[]) => on.map((name) => ({ name, type: types[name], services: [service] }))

function carryOut(calls: Calls, model: Model, what: Exclude<Step, { kind: 'ask' }>, n: number): void {
  const at = n * 10
  const mine = (name: string, of: string) => model.rows.get(JSON.stringify([name, of]))
  switch (what.kind) {
    case 'tenants':
      for (const one of readers) calls.tenants({ service, connection: one, tenants: what.list, at })
      for (const known of model.tenants.keys()) if (!what.list.some((t) => t.id === known)) model.tenants.delete(known)
      for (const one of what.list) model.tenants.set(one.id, { seen: [], ...model.tenants.get(one.id), ...one })
      for (const [of, row] of model.rows) if (!model.tenants.has(row.tenant)) model.rows.delete(of)
      forgetNames(model)
      return
    case 'page':
      calls.page({
        service,
        tenant: what.tenant,
        connection: what.by,
        generation: n,
        asked: n,
        at,
        devices: what.devices,
        next: null,
      })
      if (!model.tenants.has(what.tenant)) return
      // A device that the page names twice counts in its first place, as it was named last.
      for (const fact of new Map(what.devices.map((one) => [one.id, one])).values()) {
        const claims = new Map(mine(what.tenant, fact.id)?.claims).set(what.by, n)
        model.rows.set(JSON.stringify([what.tenant, fact.id]), {
          tenant: what.tenant,
          fact,
          claims,
          seenAt: at,
          extra: mine(what.tenant, fact.id)?.extra ?? {},
        })
        if (fact.site) model.names.set(JSON.stringify([what.tenant, fact.site.id]), fact.site.name)
        if (fact.room)
          model.names.set(JSON.stringify([what.tenant, fact.site?.id ?? null, fact.room.id]), fact.room.name)
      }
      forgetNames(model)
      return
    case 'finish':
      calls.finish({ service, tenant: what.tenant, connection: what.by, generation: n - 2, at })
      for (const [of, row] of model.rows) {
        if (row.tenant === what.tenant && (row.claims.get(what.by) ?? n) < n - 2) row.claims.delete(what.by)
        if (row.claims.size === 0) model.rows.delete(of)
      }
      forgetNames(model)
      return
    case 'events':
      calls.events({ service, events: what.events.map((one) => ({ ...one, tenant: what.tenant, order: n, at })) })
      for (const { id, connected, name } of what.events) {
        const row = mine(what.tenant, id)
        // What is not said of the state leaves it, and its age; null says that it is not known.
        if (row)
          Object.assign(row, {
            seenAt: connected === undefined ? row.seenAt : at,
            fact: {
              ...row.fact,
              connected: connected === undefined ? row.fact.connected : connected,
              name: name ?? row.fact.name,
            },
          })
      }
      return
    case 'reading':
      calls.reading({ service, tenant: what.tenant, asked: n, at, devices: what.devices })
      for (const { id, connected, lastDetected } of what.devices) {
        const row = mine(what.tenant, id)
        if (row)
          Object.assign(row, {
            seenAt: at,
            fact: { ...row.fact, connected, lastDetected: lastDetected ?? row.fact.lastDetected },
          })
      }
      return
    case 'spares':
      calls.spares(what)
      model.spares = what
      return
    case 'columns':
      calls.columnsOn({ columns: held(what.on) })
      model.on = what.on
      return
    case 'extras':
      calls.extras({ service, tenant: what.tenant, devices: what.devices })
      for (const { id: of, values } of what.devices) Object.assign(mine(what.tenant, of)?.extra ?? {}, values)
      return
    case 'sight':
      calls.sight({ service, connection: what.by, tenants: what.tenants, seen: what.seen, confirmedAt: at })
      for (const one of model.tenants.values()) {
        const isNamed = !what.tenants || what.tenants.includes(one.id)
        const others = one.seen.filter((name) => name !== what.by)
        if (what.seen || isNamed) one.seen = what.seen && isNamed ? [...others, what.by] : others
      }
  }
}

/** A site or room is known as long as a device is in it. */
function forgetNames(model: Model): void {
  const used = new Set(
    [...model.rows.values()].flatMap(({ tenant, fact }) => [
      JSON.stringify([tenant, fact.site?.id ?? null]),
      JSON.stringify([tenant, fact.site?.id ?? null, fact.room?.id ?? null]),
    ]),
  )
  for (const name of model.names.keys()) if (!used.has(name)) model.names.delete(name)
}

const valueFields = [
  'hardwareModel',
  'site',
  'room',
  'tenant',
  'region',
  'connected',
  'status',
  'extra:serial',
  'extra:wired',
] as const

function expectCoverage(calls: Calls, { rows }: Model): void {
  const columns = Object.keys(types).map((name) => ({ name, services: [service] }))
  const read = (name: string) => [...rows.values()].filter(({ extra }) => extra[name] !== undefined).length
  expect(calls.coverage({ columns }).columns).toEqual(
    columns.map(({ name }) => ({ name, read: read(name), of: rows.size })),
  )
}

function expectAnswers(calls: Calls, model: Model, what: Extract<Step, { kind: 'ask' }>): void {
  const rows = everyRow(calls)
  const tenants = [...model.tenants.values()].map(({ id, name, region }) => ({
    key: tenantKey(service, id),
    id,
    name,
    region,
  }))
  const open = everyNode(tenants, rows)
  const nodeAt = (n: number) => open[n % Math.max(1, open.length)] ?? 'gone'
  for (const told of what.queries) {
    const query = { ...told, scope: told.scope.startsWith('#') ? nodeAt(Number(told.scope.slice(1)) || 0) : told.scope }
    const asked = {
      query,
      now: what.now,
      spares: model.spares,
      types: Object.fromEntries(model.on.map((name) => [name, types[name]])),
    }
    const expected = naiveRows(rows, asked)
    const from = expected.length === 0 ? 0 : (what.expand[0] ?? 0) % expected.length
    const whole = calls.rows({ query, offset: 0, limit: 500, now: what.now })
    expect({ total: whole.total, rows: whole.rows }).toEqual({ total: expected.length, rows: expected })
    expect(calls.rows({ query, offset: from, limit: 7, now: what.now }).rows).toEqual(expected.slice(from, from + 7))
    const wanted = expected[from]
    expect(whole.unread).toEqual(naiveUnread(rows, asked))
    expect(calls.totals({ queries: [query, query], now: what.now }).totals).toEqual([expected.length, expected.length])
    expect(calls.keys({ query, offset: from, limit: 9, now: what.now }).keys).toEqual(
      expected.slice(from, from + 9).map(({ key }) => key),
    )
    // The same question a little later: ages have grown, and nothing else.
    const later = { query, now: what.now + 1700 }
    const grown = calls.rows({ ...later, offset: 0, limit: 500 })
    expect([grown.total, grown.rows]).toEqual([grown.rows.length, naiveRows(rows, { ...asked, ...later })])
    for (const field of valueFields)
      expect(calls.values({ scope: query.scope, field, text: 'r', limit: 50 }).values).toEqual(
        naiveValues(rows, query.scope, field, 'r').slice(0, 50),
      )
    if (wanted) expect(calls.locate({ query, key: wanted.key, now: what.now }).index).toBe(from)
  }
  expectTree(calls, tenants, rows, what.expand.map(nodeAt))
  // Fully open, line windows end and begin among the devices of a room.
  const lines = naiveTree(tenants, rows, open).map((line) => line.id)
  for (const from of what.expand.slice(0, 5).map((n) => n % Math.max(1, lines.length))) {
    const window = calls.tree({ expanded: open, offset: from, limit: 3, reveal: null })
    expect([window.total, window.rows.map((line) => line.id)]).toEqual([lines.length, lines.slice(from, from + 3)])
  }
}

/** Ids of all nodes: the tree opened level by level. */
function everyNode(tenants: TenantRef[], rows: DeviceRow[]): string[] {
  let known: string[] = []
  for (;;) {
    const next = naiveTree(tenants, rows, known).map((line) => line.id)
    if (next.length === known.length) return known
    known = next
  }
}

function expectTree(calls: Calls, tenants: TenantRef[], rows: DeviceRow[], expanded: string[]): void {
  const expected = naiveTree(tenants, rows, expanded)
  const answer = calls.tree({ expanded, offset: 0, limit: 500, reveal: null })
  expect(answer.rows.map(({ readAt: _readAt, connections: _connections, ...line }) => line)).toEqual(
    expected.slice(0, 500),
  )
  expect(answer.total).toBe(expected.length)
  const from = Math.floor(expected.length / 3)
  const ids = calls.tree({ expanded, offset: from, limit: 5, reveal: null }).rows.map((line) => line.id)
  expect(ids).toEqual(expected.slice(from, from + 5).map((line) => line.id))
  for (const line of expected.slice(0, 20)) expect(calls.counts({ scope: line.id }).counts).toEqual(line.counts)
  const device = rows[from % Math.max(1, rows.length)]
  if (!device) return
  const revealed = calls.tree({ expanded, offset: 0, limit: 500, reveal: `d:${device.key}` })
  const opened = naiveTree(tenants, rows, revealed.expanded)
  expect(revealed.index).toBe(opened.findIndex((line) => line.id === `d:${device.key}`))
}

describe('the engine', () => {
  let temp: ReturnType<typeof tempProfile>
  beforeEach(() => {
    temp = tempProfile()
  })
  afterEach(() => temp.remove())

  test(
    'answers as plain filter, sort and slice do, whatever happened before, and after a restart',
    { timeout: 120_000 },
    () => {
      const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
      console.log(`seed ${seed}`)
      let run = 0
      fc.assert(
        fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
          run += 1
          const inner = tempProfile()
          let calls = callsOn(openStore(inner.profile, 1, 0))
          try {
            const model: Model = {
              tenants: new Map(),
              rows: new Map(),
              names: new Map(),
              on: [],
              spares: { models: [], age: null },
            }
            carryOut(
              calls,
              model,
              {
                kind: 'tenants',
                list: [
                  { id: 't1', name: 'One', region: 'EU-1' },
                  { id: 't/2', name: 'Two', region: null },
                ],
              },
              0,
            )
            steps.forEach((what, index) => {
              if (what.kind === 'ask') return expectAnswers(calls, model, what)
              carryOut(calls, model, what, index + 1)
              expectModel(calls, model)
              expectCoverage(calls, model)
            })
            const before = everyRow(calls).map((row) => ({ ...row, status: 'unknown' }))
            calls.close(undefined)
            calls = callsOn(openStore(inner.profile, 1, 0))
            calls.columnsOn({ columns: held(model.on) })
            expect(everyRow(calls)).toEqual(before)
          } finally {
            calls.close(undefined)
            inner.remove()
          }
        }),
        { seed, numRuns: 100 },
      )
      expect(run).toBeGreaterThanOrEqual(100)
    },
  )
})
