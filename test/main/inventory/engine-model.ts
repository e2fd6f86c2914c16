import type { Calls } from '../../../src-main/inventory/thread/calls.ts'
import { tenantKey } from '../../../src-main/inventory/keys.ts'
import type { DeviceFact } from '../../../src-main/inventory/thread/protocol.ts'
import type { DeviceRow, InventoryQuery, TenantRef } from '../../../src-shared/model/inventory.ts'
import { type Further, readers, type Step, types } from './engine-steps.ts'
import { naiveRows, naiveTree, naiveUnread, naiveValues, nodesOf, notesOf, shownNotes } from './naive.ts'
import { isEmptyNote, type NoteContent } from '../../../src-shared/model/notes.ts'
import { service } from './profile.ts'
import { expect } from 'vitest'

/** A model of the rows as plain objects. The transition tests check `since`. */
export interface Model {
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
      placedAt: number
      extra: Record<string, string | null>
    }
  >
  /** Further columns that are on. */
  on: Further[]
  spares: { models: string[]; age: number | null }
  /** By node; they stay when their device or place is gone. */
  notes: Map<string, NoteContent>
  /** Names of sites and rooms by tenant and ids: the latest word. */
  names: Map<string, string>
}

const all: InventoryQuery = { scope: 'all', filter: '', sort: [] }

export function everyRow(calls: Calls): DeviceRow[] {
  return calls.rows({ query: all, offset: 0, limit: 500, now: 0 }).rows
}

export function expectModel(calls: Calls, model: Model): void {
  const expected = [...model.rows.values()].map(({ tenant, fact, claims, seenAt, placedAt, extra }) => {
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
      account: null,
      lastDetected: fact.lastDetected,
      lastConfigRequestDate: fact.lastConfigRequestDate,
      site,
      room,
      seenAt,
      placedAt,
      extra: shown(model, extra),
      tenant: [tenant, name, region],
    }
  })
  const rows = everyRow(calls)
  for (const row of rows) {
    const { tags, note } = row
    expect({ tags, note }).toEqual(shownNotes(notesOf(row, model.notes)))
  }
  const actual = rows.map(
    ({ key: _key, since: _since, tags: _tags, note: _note, tenant: { id, name, region }, ...row }) => ({
      ...row,
      tenant: [id, name, region],
    }),
  )
  const byId = (a: { id: string; tenant: unknown }, b: { id: string; tenant: unknown }) =>
    JSON.stringify([a.tenant, a.id]) < JSON.stringify([b.tenant, b.id]) ? -1 : 1
  expect(actual.toSorted(byId)).toEqual(expected.toSorted(byId))
}

const shown = ({ on }: Model, extra: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(extra).filter(([name]) => on.some((one) => one === name)))

export const held = (on: Further[]) => on.map((name) => ({ name, type: types[name], services: [service] }))

export function carryOut(calls: Calls, model: Model, what: Exclude<Step, { kind: 'ask' }>, n: number): void {
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
        requestOrder: n,
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
          placedAt: at,
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
      calls.reconciliation({ service, tenant: what.tenant, requestOrder: n, at, devices: what.devices })
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
    case 'note': {
      const nodes = [...new Set(everyRow(calls).flatMap(nodesOf))].filter(
        (node) => !node.startsWith('r:') && !node.endsWith('/='),
      )
      const places = nodes.filter((node) => !node.startsWith('d:'))
      const among = what.node % 2 === 0 && places.length > 0 ? places : nodes
      const node = among[what.node % Math.max(1, among.length)]
      if (node === undefined) return
      calls.saveNote({ node, at, ...what.content })
      if (isEmptyNote(what.content)) model.notes.delete(node)
      else model.notes.set(node, what.content)
      return
    }
    case 'columns':
      calls.extraColumns({ columns: held(what.on) })
      model.on = what.on
      return
    case 'extras':
      calls.extraValues({ service, tenant: what.tenant, devices: what.devices })
      for (const { id: of, values } of what.devices) Object.assign(mine(what.tenant, of)?.extra ?? {}, values)
      return
    case 'sight':
      calls.visibility({ service, connection: what.by, tenants: what.tenants, visible: what.seen, confirmedAt: at })
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
  'tag',
] as const

export function expectCoverage(calls: Calls, { rows }: Model): void {
  const columns = Object.keys(types).map((name) => ({ name, services: [service] }))
  const read = (name: string) => [...rows.values()].filter(({ extra }) => extra[name] !== undefined).length
  expect(calls.coverage({ columns }).columns).toEqual(
    columns.map(({ name }) => ({ name, read: read(name), of: rows.size })),
  )
}

export function expectAnswers(calls: Calls, model: Model, what: Extract<Step, { kind: 'ask' }>): void {
  const rows = everyRow(calls)
  const tenants = [...model.tenants.values()].map(({ id, name, region }) => ({
    key: tenantKey(service, id),
    id,
    name,
    region,
  }))
  const open = everyNode(tenants, rows)
  const nodeAt = (n: number) => open[n % Math.max(1, open.length)] ?? 'gone'
  for (const reported of what.queries) {
    const query = {
      ...reported,
      scope: reported.scope.startsWith('#') ? nodeAt(Number(reported.scope.slice(1)) || 0) : reported.scope,
    }
    const asked = {
      query,
      now: what.now,
      spares: model.spares,
      notes: model.notes,
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
