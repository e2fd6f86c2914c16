import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { applyLog, keepAct, snapshotIn, snapshotOut } from '../../../../src-main/inventory/thread/log-calls.ts'
import { closeStore } from '../../../../src-main/inventory/store.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'
import { type Copy, device, openCopy } from './copy.ts'

/*
 * A member that was away when a connection was erased takes in a snapshot without it: what it alone has about that goes too, and
 * nothing else.
 */

const leftovers = createLeftovers()
let [away, other]: Copy[] = []
afterEach(() => {
  for (const copy of [away, other]) if (copy !== undefined) closeStore(copy.store)
  leftovers.clean()
})

const opened = (copy: Copy | undefined): Copy => {
  if (copy === undefined) throw new Error('not opened')
  return copy
}

function row(copy: Copy | undefined, call: string, input: unknown) {
  const { store, calls } = opened(copy)
  const after = store.journal.logPosition.read()
  const number = (after?.number ?? 0) + 1
  const { results } = applyLog(store, calls, {
    calls: [{ call, input }],
    after,
    position: { number, id: `row ${number}` },
  })
  expect(results).toMatchObject([{ ok: true }])
}

const record = (id: string) => ({ id, name: id })

/** Two connections, each with a tenant of its own. */
function twoConnections(copy: Copy) {
  for (const [connection, tenant] of [
    ['c1', 'gone'],
    ['c2', 'stays'],
  ]) {
    const of = { service: 'x', tenant, connection }
    row(copy, 'shareConnection', record(String(connection)))
    row(copy, 'tenants', { service: 'x', connection, tenants: [{ id: tenant, name: 'T', region: null }], at: 1 })
    row(copy, 'page', {
      ...of,
      generation: 1,
      requestOrder: 1,
      at: 2,
      devices: [{ ...device, name: `Device ${tenant}` }],
      next: null,
    })
  }
}

/** A note about a tenant waits. */
const noteWaits = ({ store, calls }: Copy, tenant: string) =>
  keepAct(store, calls, {
    id: tenant,
    call: 'saveNote',
    input: { node: `t:x/${tenant}`, text: `About ${tenant}`, contact: '', tags: [], at: 6 },
  })

/** What a member alone has about both. */
function ownOf(copy: Copy) {
  const { calls, store } = copy
  for (const id of ['c1', 'c2'])
    calls.beginQueryRun({
      id: `run ${id}`,
      connection: id,
      at: 5,
      operation: null,
      expected: 1,
      excerpt: '',
      text: null,
    })
  for (const tenant of ['gone', 'stays']) {
    store.journal.comparisons.save(
      { id: tenant, name: tenant, first: { scope: `t:x/${tenant}` }, second: { scope: `t:x/${tenant}` } } as never,
      null,
    )
    noteWaits(copy, tenant)
  }
}

const left = ({ store: { journal } }: Copy) => ({
  runs: (journal.keptQueries.runs() as { connection: string }[]).map(({ connection }) => connection),
  comparisons: (journal.comparisons.all() as { id: string }[]).map(({ id }) => id),
  acts: journal.pendingActs.all().map(({ id }) => id),
})
const all = { runs: ['c2', 'c1'], comparisons: ['gone', 'stays'], acts: ['gone', 'stays'] }

function takeIn(): void {
  const { store, calls, profile } = opened(other)
  snapshotIn(opened(away).store, snapshotOut(store, calls, profile))
}
const removed = () => opened(away).calls.removedConnections(undefined)

beforeEach(() => {
  ;[away, other] = [openCopy(temporaryProfile(leftovers)), openCopy(temporaryProfile(leftovers))]
  for (const copy of [away, other]) twoConnections(copy)
  ownOf(away)
})

test('what was erased meanwhile is erased of what the member alone has', () => {
  row(other, 'forget', { connection: 'c1' })
  row(other, 'unshareConnection', { id: 'c1' })
  takeIn()
  expect(removed()).toEqual(['c1'])
  expect(left(opened(away))).toEqual({ runs: ['c2'], comparisons: ['stays'], acts: ['stays'] })
})

test('no byte of what was erased is left in the files', () => {
  const { profile, store } = opened(away)
  closeStore(store)
  away = openCopy(profile)
  const isIn = (name: string) =>
    readdirSync(profile).some((file) => readFileSync(path.join(profile, file)).includes(name))
  expect([isIn('Device gone'), isIn('Device stays'), isIn('About gone')]).toEqual([true, true, true])
  row(other, 'unshareConnection', { id: 'c1' })
  row(other, 'forget', { connection: 'c1' })
  takeIn()
  expect([isIn('Device gone'), isIn('Device stays'), isIn('About gone')]).toEqual([false, true, false])
})

test('an erasure that the member has carried out itself takes nothing more', () => {
  for (const copy of [away, other]) row(copy, 'forget', { connection: 'c1' })
  const before = left(opened(away))
  row(other, 'unshareConnection', { id: 'c1' })
  takeIn()
  expect(left(opened(away))).toEqual(before)
})

test('what a failover has lost was not erased', () => {
  const empty = openCopy(temporaryProfile(leftovers))
  closeStore(opened(other).store)
  other = empty
  row(other, 'shareConnection', record('c2'))
  takeIn()
  expect(left(opened(away))).toEqual(all)
})

test('what is about a device that only the removed connection saw goes too', () => {
  for (const copy of [away, other]) {
    const of = { service: 'x', tenant: 'gone', connection: 'c2' }
    row(copy, 'tenants', {
      service: 'x',
      connection: 'c2',
      tenants: ['stays', 'gone'].map((id) => ({ id, name: 'T', region: null })),
      at: 3,
    })
    row(copy, 'page', { ...of, generation: 1, requestOrder: 2, at: 3, devices: [{ ...device, id: 'e' }], next: null })
  }
  const { store, calls } = opened(away)
  keepAct(store, calls, {
    id: 'both',
    call: 'tag',
    input: { keys: ['x/gone/d', 'x/gone/e'], add: ['Lobby'], remove: [], at: 6 },
  })
  row(other, 'unshareConnection', { id: 'c1' })
  row(other, 'forget', { connection: 'c1' })
  takeIn()
  expect(left(opened(away))).toEqual({ ...all, runs: ['c2'], acts: [...all.acts, 'both'] })
  expect(store.journal.pendingActs.all().at(-1)?.input).toMatchObject({ keys: ['x/gone/e'] })
})

test('a tenant without devices that another connection lists is not gone', () => {
  for (const copy of [away, other])
    for (const connection of ['c1', 'c2'])
      row(copy, 'tenants', {
        service: 'x',
        connection,
        tenants: [connection === 'c1' ? 'gone' : 'stays', 'empty'].map((id) => ({ id, name: 'T', region: null })),
        at: 3,
      })
  noteWaits(opened(away), 'empty')
  row(other, 'unshareConnection', { id: 'c1' })
  row(other, 'forget', { connection: 'c1' })
  takeIn()
  expect(left(opened(away)).acts).toEqual(['stays', 'empty'])
})

test('a connection that a failover has lost is not removed with another one', () => {
  const { calls } = opened(away)
  row(away, 'shareConnection', record('c9'))
  row(away, 'tenants', { service: 'x', connection: 'c9', tenants: [{ id: 'lost', name: 'T', region: null }], at: 1 })
  calls.beginQueryRun({ id: 'r', connection: 'c9', at: 6, operation: null, expected: 1, excerpt: '', text: null })
  noteWaits(opened(away), 'lost')
  row(other, 'unshareConnection', { id: 'c1' })
  row(other, 'forget', { connection: 'c1' })
  takeIn()
  expect(removed()).toEqual(['c1'])
  expect(left(opened(away))).toEqual({ runs: ['c9', 'c2'], comparisons: ['stays'], acts: ['stays', 'lost'] })
})

test('a connection is removed before its data is erased, and what is about its tenants waits', () => {
  row(other, 'unshareConnection', { id: 'c1' })
  takeIn()
  expect([removed(), left(opened(away))]).toEqual([['c1'], { ...all, runs: ['c2'] }])
})

test('a connection that is added again is not removed', () => {
  row(other, 'unshareConnection', { id: 'c1' })
  row(other, 'shareConnection', record('c1'))
  takeIn()
  expect([removed(), left(opened(away))]).toEqual([[], all])
})

test('what is about tenants whose history was kept stays', () => {
  row(other, 'forget', { connection: 'c1', keepHistory: { at: 9 } })
  row(other, 'unshareConnection', { id: 'c1' })
  takeIn()
  expect(left(opened(away))).toEqual({ ...all, runs: ['c2'] })
})

test('a copy that is replaced by nothing keeps what the member alone has', () => {
  snapshotIn(opened(away).store, { file: null, position: null })
  expect(left(opened(away))).toEqual(all)
})
