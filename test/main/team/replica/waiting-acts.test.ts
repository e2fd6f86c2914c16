import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  applyLog,
  dropActs,
  keepAct,
  resumeActs,
  snapshotIn,
  snapshotOut,
} from '../../../../src-main/inventory/thread/log-calls.ts'
import { takeBackAll } from '../../../../src-main/inventory/thread/waiting-acts.ts'
import { closeStore } from '../../../../src-main/inventory/store.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'
import { type Copy, device, openCopy } from './copy.ts'

/*
 * What a member did while the database was away is carried out here, and waits. Rows of others are carried out beneath it.
 */

const leftovers = createLeftovers()
let copy: Copy
beforeEach(() => {
  copy = openCopy(temporaryProfile(leftovers))
  row('tenants', { service: 'x', connection: 'c', tenants: [{ id: 't', name: 'T', region: null }], at: 1 })
})
afterEach(() => {
  closeStore(copy.store)
  leftovers.clean()
})

function row(call: string, input: unknown, act?: string) {
  const { journal } = copy.store
  const after = journal.logPosition.read()
  const number = (after?.number ?? 0) + 1
  const calls = [{ call, input, role: 'ben', ...(act !== undefined && { act }) }]
  return applyLog(copy.store, copy.calls, { calls, after, position: { number, id: `row ${number}` } })
}
const wait = (id: string, call: string, input: unknown) => keepAct(copy.store, copy.calls, { id, call, input })

const node = 't:x/t'
const note = (text: string, tags: string[] = []) => ({ node, text, contact: '', tags, at: 5 })
const view = (id: string, isDefault = false) => ({
  id,
  name: id,
  query: { scope: 'all', filter: '', sort: [] },
  columns: null,
  isDefault,
})
const text = () => copy.store.inventory.notes.get(node)?.text
const stored = () => copy.store.journal.notes.of(node)?.text
const views = () =>
  (copy.store.journal.views.all() as { id: string; isDefault: boolean }[]).map(
    ({ id, isDefault }) => `${id}${isDefault ? ' (default)' : ''}`,
  )
const waiting = () => copy.store.journal.pendingActs.all().map(({ id }) => id)

test('what waits stays on top of what others write, until it is written itself', () => {
  wait('1', 'saveNote', note('mine'))
  const { results, again } = row('saveNote', note('theirs'))
  expect(results).toMatchObject([{ ok: true, value: { before: null } }])
  expect(again).toMatchObject([{ call: { call: 'saveNote' }, result: { ok: true } }])
  expect([text(), stored()]).toEqual(['mine', 'mine'])
  const own = row('saveNote', note('mine'), '1')
  expect(own.results).toMatchObject([{ value: { before: { text: 'theirs' } } }])
  expect(own.again).toMatchObject([{ call: { call: 'saveNote' } }])
  expect([text(), stored(), waiting()]).toEqual(['mine', 'mine', []])
})

test('an act that the team refuses is taken back', () => {
  wait('1', 'saveView', view('a', true))
  row('saveView', view('b', true))
  wait('2', 'saveView', view('c', true))
  expect(views()).toEqual(['b', 'a', 'c (default)'])
  const { again } = dropActs(copy.store, copy.calls, { id: '2' })
  expect(again).toMatchObject([{ call: { call: 'saveView' }, result: { ok: true } }])
  expect(views()).toEqual(['b', 'a (default)'])
  dropActs(copy.store, copy.calls, { id: '1' })
  expect(views()).toEqual(['b (default)'])
})

test('all that waits is dropped with what it has changed', () => {
  wait('1', 'saveNote', note('mine'))
  dropActs(copy.store, copy.calls, { id: null })
  row('saveView', view('a'))
  expect([waiting(), text(), views()]).toEqual([[], 'mine', ['a']])
})

test('an act with a fault of its own does not wait', () => {
  expect(() => wait('1', 'saveNote', { ...note('mine'), node: 't:x/unknown' })).toThrow(/not in the fleet/)
  expect(() => wait('2', 'savePolicies', { policies: [] })).toThrow(/no call that may wait/)
  expect(() => wait('3', 'tag', {})).toThrow()
  expect(waiting()).toEqual([])
})

test('a snapshot has nothing of what waits, and what waits stays here', () => {
  row('saveNote', note('theirs'))
  wait('1', 'saveNote', note('mine'))
  wait('2', 'saveView', view('a', true))
  const { file, position } = snapshotOut(copy.store, copy.calls, copy.profile)
  expect([text(), stored(), views()]).toEqual(['mine', 'mine', ['a (default)']])
  const other = openCopy(temporaryProfile(leftovers))
  snapshotIn(other.store, { file, position })
  expect(other.store.journal.notes.of(node)?.text).toBe('theirs')
  expect([other.store.journal.views.all(), other.store.journal.pendingActs.all()]).toEqual([[], []])
  closeStore(other.store)
})

test('what waits is carried out on what a snapshot has brought', () => {
  wait('1', 'saveNote', note('mine'))
  const other = openCopy(temporaryProfile(leftovers))
  closeStore(copy.store)
  const { profile } = copy
  copy = other
  row('tenants', { service: 'x', connection: 'c', tenants: [{ id: 't', name: 'T', region: null }], at: 1 })
  row('saveNote', note('theirs'))
  const { file, position } = snapshotOut(copy.store, copy.calls, copy.profile)
  closeStore(copy.store)
  copy = openCopy(profile)
  snapshotIn(copy.store, { file, position })
  closeStore(copy.store)
  copy = openCopy(profile)
  expect(text()).toBe('theirs')
  resumeActs(copy.store, copy.calls)
  expect(text()).toBe('mine')
  dropActs(copy.store, copy.calls, { id: '1' })
  expect([text(), stored()]).toEqual(['theirs', 'theirs'])
})

test('what was found does not count any more once a snapshot was taken in', () => {
  row('saveNote', note('theirs'))
  wait('1', 'saveNote', note('mine'))
  const { journal } = copy.store
  const { file, position } = snapshotOut(copy.store, copy.calls, copy.profile)
  snapshotIn(copy.store, { file, position })
  // Muster ended before the acts were carried out on it.
  journal.notes.save(node, { ...note('newer'), at: 7 })
  closeStore(copy.store)
  copy = openCopy(copy.profile)
  dropActs(copy.store, copy.calls, { id: '1' })
  expect([text(), stored()]).toEqual(['newer', 'newer'])
})

/** A device in each of two tenants, of the connections `c` and `c2`. */
function twoTenants() {
  row('tenants', { service: 'x', connection: 'c2', tenants: [{ id: 'u', name: 'U', region: null }], at: 1 })
  for (const [connection, tenant] of [
    ['c', 't'],
    ['c2', 'u'],
  ]) {
    const of = { service: 'x', tenant, connection }
    row('page', { ...of, generation: 1, requestOrder: 1, at: 2, devices: [device], next: null })
  }
}

test('an erasure leaves of an act what is not about its tenants', () => {
  twoTenants()
  wait('1', 'tag', { keys: ['x/t/d', 'x/u/d'], add: ['Lobby'], remove: [], at: 5 })
  wait('2', 'setTags', { devices: ['x/u/d', 'x/t/d'].map((key) => ({ key, tags: ['spare'] })), at: 6 })
  wait('3', 'setTags', { devices: [{ key: 'x/u/d', tags: [] }], at: 7 })
  wait('4', 'tag', { keys: ['x/u/d'], add: ['Lobby'], remove: [], at: 8 })
  wait('5', 'saveOperations', {
    operations: [{ id: 'o', name: 'O', folder: '', document: '{ u(id: "x/u") }', variables: '' }],
  })
  row('forget', { connection: 'c2' })
  const { journal, inventory } = copy.store
  expect(journal.pendingActs.all()).toMatchObject([
    { id: '1', input: { keys: ['x/t/d'], add: ['Lobby'] } },
    { id: '2', input: { devices: [{ key: 'x/t/d', tags: ['spare'] }] } },
    { id: '5' },
  ])
  expect([...inventory.notes].map(([of, { tags }]) => [of, tags])).toEqual([['d:x/t/d', ['spare']]])
  expect(journal.notes.all()).toHaveLength(1)
})

test('only what meets a row is carried out again, and what was done on top of that', () => {
  twoTenants()
  wait('1', 'tag', { keys: ['x/t/d'], add: ['One'], remove: [], at: 5 })
  wait('2', 'tag', { keys: ['x/t/d', 'x/u/d'], add: ['Two'], remove: [], at: 6 })
  wait('3', 'tag', { keys: ['x/u/d'], add: ['Three'], remove: [], at: 7 })
  wait('4', 'saveView', view('a'))
  const tags = (of: string) => copy.store.inventory.notes.get(`d:x/${of}/d`)?.tags
  const theirs = (of: string) => ({ devices: [{ key: `x/${of}/d`, tags: ['Theirs'] }], at: 8 })
  expect(row('setTags', theirs('t')).again).toMatchObject([{ call: { call: 'tag' } }])
  expect([tags('t'), tags('u')]).toEqual([
    ['Theirs', 'One', 'Two'],
    ['Two', 'Three'],
  ])
  expect(row('saveNote', note('elsewhere')).again).toEqual([])
  row('setTags', theirs('u'))
  expect([tags('t'), tags('u')]).toEqual([
    ['Theirs', 'One', 'Two'],
    ['Theirs', 'Two', 'Three'],
  ])
})

test('after a kill between the halves of a snapshot the next start does what waits', () => {
  row('saveView', view('a', true))
  wait('1', 'saveView', view('b', true))
  wait('2', 'removeView', { id: 'b' })
  wait('3', 'saveNote', note('mine'))
  takeBackAll(copy.store)
  closeStore(copy.store)
  copy = openCopy(copy.profile)
  expect([views(), stored()]).toEqual([['a (default)'], undefined])
  row('saveView', view('c'))
  resumeActs(copy.store, copy.calls)
  expect([views(), text()]).toEqual([['a', 'c'], 'mine'])
  for (const id of ['1', '2', '3']) dropActs(copy.store, copy.calls, { id })
  expect([views(), text()]).toEqual([['a (default)', 'c'], undefined])
})

test('what could not be carried out on a snapshot is carried out before the next act', () => {
  row('saveView', view('a', true))
  wait('1', 'saveView', view('b', true))
  takeBackAll(copy.store)
  wait('2', 'saveView', view('c', true))
  expect(views()).toEqual(['a', 'b', 'c (default)'])
  for (const id of ['2', '1']) dropActs(copy.store, copy.calls, { id })
  expect(views()).toEqual(['a (default)'])
})

test('what a refused act has changed elsewhere is not found any more, also beside rows of others', () => {
  twoTenants()
  const full = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
  const tag = { keys: ['x/t/d', 'x/u/d'], add: ['mine'], remove: [], at: 5 }
  wait('1', 'tag', tag)
  const found = () =>
    copy.calls.rows({ query: { scope: 'all', filter: 'tag:mine', sort: [] }, offset: 0, limit: 9, now: 9 }).total
  expect(found()).toBe(2)
  const { journal } = copy.store
  const after = journal.logPosition.read()
  const number = (after?.number ?? 0) + 2
  const { results } = applyLog(copy.store, copy.calls, {
    calls: [
      { call: 'setTags', input: { devices: [{ key: 'x/t/d', tags: full }], at: 6 } },
      { call: 'tag', input: tag, act: '1' },
    ],
    after,
    position: { number, id: `row ${number}` },
  })
  expect(results.map(({ ok }) => ok)).toEqual([true, false])
  expect([found(), copy.store.inventory.notes.size, waiting()]).toEqual([0, 1, []])
})

test('a note of a place without devices that is refused is shown no longer', () => {
  wait('1', 'saveNote', note('mine'))
  const { again } = dropActs(copy.store, copy.calls, { id: '1' })
  expect(again).toMatchObject([{ result: { value: { change: { structure: true } } } }])
})

test('an act whose rows cannot be read any more lets a snapshot replace the copy', () => {
  wait('1', 'saveNote', note('mine'))
  copy.store.journal.db.exec("UPDATE pending_act SET found = '{'")
  row('saveView', view('a'))
  expect(copy.store.journal.logPosition.read()).toBeNull()
  copy.store.journal.logPosition.write({ number: 9, id: 'row 9' })
  expect(snapshotOut(copy.store, copy.calls, copy.profile).position).toBeNull()
})

test('an erasure takes what waits about its tenants, and nothing comes back', () => {
  row('saveNote', note('theirs'))
  wait('1', 'saveNote', note('mine'))
  wait('2', 'saveView', view('a'))
  row('forget', { connection: 'c' })
  expect([waiting(), text(), stored(), views()]).toEqual([['2'], undefined, undefined, ['a']])
  dropActs(copy.store, copy.calls, { id: '2' })
  expect([stored(), views()]).toEqual([undefined, []])
})
