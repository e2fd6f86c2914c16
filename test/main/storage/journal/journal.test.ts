import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { openJournal, type Journal } from '../../../../src-main/storage/journal/journal.ts'
import type { StoredAlerts, StoredDrop } from '../../../../src-main/storage/journal/alerts.ts'
import type { SavedView } from '../../../../src-shared/model/inventory.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'
import { noDelta } from './deltas.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

function opened(profile = temporaryProfile(leftovers)): { profile: string; journal: Journal; again: () => Journal } {
  let journal = openJournal(profile, 0)
  leftovers.push(() => journal.close())
  return {
    profile,
    get journal() {
      return journal
    },
    again() {
      journal.close()
      journal = openJournal(profile, 0)
      return journal
    },
  }
}

const view = (id: string, over: Partial<SavedView> = {}): SavedView => ({
  id,
  name: `View ${id}`,
  query: { scope: 'all', filter: 'connected:no', sort: [] } as unknown as SavedView['query'],
  columns: null,
  isDefault: false,
  ...over,
})

test('views are stored in their order and whole, over a restart', () => {
  const { journal, again } = opened()
  journal.views.save(view('b'))
  journal.views.save(view('a', { columns: ['name', 'extra:serial'], isDefault: true }))
  journal.views.save(view('b', { name: 'Renamed' }))
  const kept = [view('b', { name: 'Renamed' }), view('a', { columns: ['name', 'extra:serial'], isDefault: true })]
  expect(journal.views.all()).toEqual(kept)
  expect(again().views.all()).toEqual(kept)
})

test('at most one view is the default, and there may be none', () => {
  const { journal } = opened()
  const defaults = () => (journal.views.all() as SavedView[]).filter(({ isDefault }) => isDefault).map(({ id }) => id)
  for (const id of ['a', 'b', 'c']) journal.views.save(view(id, { isDefault: true }))
  expect(defaults()).toEqual(['c'])
  journal.views.save(view('a', { isDefault: true }))
  expect(defaults()).toEqual(['a'])
  journal.views.remove('a')
  expect(defaults()).toEqual([])
  journal.views.save(view('b', { isDefault: false }))
  expect(defaults()).toEqual([])
})

test('a transition waits in the outbox from its own transaction until it is taken', () => {
  const { journal, again } = opened()
  const state = { connected: false, at: 10, notBefore: null, since: null }
  journal.enter([
    { key: 's/t/a', state, transition: { at: 10, notBefore: null, connected: false } },
    { key: 's/t/b', state, transition: null },
  ])
  journal.enter([
    {
      key: 's/t/a',
      state: { ...state, connected: true, at: 20 },
      transition: { at: 20, notBefore: 5, connected: true },
    },
  ])
  const fresh = [{ key: 's/t/a', at: 20, notBefore: 5, connected: true }]
  expect(again().alerts.read(Infinity).outbox).toEqual(fresh)
  // A later one than was taken stays.
  again().alerts.save({ ...noDelta, taken: [{ key: 's/t/a', at: 10 }] })
  expect(again().alerts.read(Infinity).outbox).toEqual(fresh)
  again().alerts.save({ ...noDelta, taken: [{ key: 's/t/a', at: 20 }] })
  expect(again().alerts.read(Infinity).outbox).toEqual([])
})

const drop = (key: string): StoredDrop => ({
  key,
  at: 10,
  notBefore: null,
  incident: 'x',
  notified: true,
  recoveredAt: null,
  recoveredNotBefore: null,
  recoveryConfirmed: false,
  flapping: false,
  expected: null,
  pendingRecovery: null,
})
const nothing: StoredAlerts = {
  outbox: [],
  drops: [],
  incidents: [],
  recent: [],
  maintenance: null,
  notifications: [],
  monitoringLosses: [],
  unseen: [],
  pause: null,
}

test('notifications are stored over a restart, and changed in one transaction', () => {
  const { journal, again } = opened()
  const kept = {
    ...noDelta,
    pause: { since: 1, until: 2 },
    maintenance: [{ id: 'night' }],
    drops: {
      put: [
        drop('s/t/a'),
        {
          ...drop('s/t/b'),
          incident: null,
          notified: false,
          notBefore: 4,
          recoveredAt: 12,
          recoveredNotBefore: 11,
          recoveryConfirmed: true,
          flapping: true,
        },
      ],
      gone: [],
    },
    notifications: { put: [{ id: 'x', at: 30, about: ['s/t/', 's/t/a'], value: { title: 'Ä' } }], gone: [] },
    monitoringLosses: { put: [{ tenant: 's/t', since: 8, notificationId: 'y' }], gone: [] },
  }
  journal.alerts.save(kept)
  expect(again().alerts.read(Infinity)).toEqual({
    ...nothing,
    drops: kept.drops.put,
    notifications: kept.notifications.put,
    monitoringLosses: kept.monitoringLosses.put,
    pause: kept.pause,
    maintenance: kept.maintenance,
  })
  again().alerts.save({
    ...noDelta,
    pause: null,
    maintenance: null,
    drops: { put: [], gone: ['s/t/a', 's/t/b'] },
    notifications: { put: [], gone: ['x'] },
    monitoringLosses: { put: [], gone: ['s/t'] },
  })
  expect(again().alerts.read(Infinity)).toEqual(nothing)
})

test('an erased tenant leaves nothing in notifications; views and others stay', () => {
  const { profile, journal } = opened()
  journal.views.save(view('a'))
  const state = { connected: false, at: 10, notBefore: null, since: null }
  for (const key of ['s/gone/a', 's/stays/a'])
    journal.enter([{ key, state, transition: { at: 10, notBefore: null, connected: false } }])
  journal.alerts.save({
    ...noDelta,
    pause: null,
    drops: { put: [drop('s/gone/b'), drop('s/stays/b')], gone: [] },
    notifications: {
      put: [
        { id: '1', at: 1, about: ['s/gone/'], value: { title: 'gone' } },
        { id: '2', at: 1, about: ['s/stays/', 's/gone/'], value: { title: 'gone' } },
        { id: '3', at: 1, about: ['s/stays/'], value: { title: 'stays' } },
      ],
      gone: [],
    },
    monitoringLosses: {
      put: [
        { tenant: 's/gone', since: 1, notificationId: 'z' },
        { tenant: 's/stays', since: 1, notificationId: 'z' },
      ],
      gone: [],
    },
  })
  journal.forget(['s/gone/'], [])
  const left = journal.alerts.read(Infinity)
  expect(left.outbox.map(({ key }) => key)).toEqual(['s/stays/a'])
  expect(left.drops.map(({ key }) => key)).toEqual(['s/stays/b'])
  expect(left.notifications.map(({ id }) => id)).toEqual(['3'])
  expect(left.monitoringLosses.map(({ tenant }) => tenant)).toEqual(['s/stays'])
  expect(journal.views.all()).toHaveLength(1)
  const db = new DatabaseSync(join(profile, 'journal.db'))
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name))
  const words = tables.map((name) => JSON.stringify(db.prepare(`SELECT * FROM ${name}`).all())).join('\n')
  db.close()
  expect(words).not.toContain('gone')
})

test('an erased device takes the notification that names it', () => {
  const { journal } = opened()
  journal.alerts.save({
    ...noDelta,
    drops: { put: [drop('s/t/a'), drop('s/t/ab')], gone: [] },
    monitoringLosses: { put: [], gone: [] },
    notifications: {
      put: [
        { id: '1', at: 1, about: ['s/t/', 's/t/a'], value: {} },
        { id: '2', at: 1, about: ['s/t/', 's/t/ab'], value: {} },
      ],
      gone: [],
    },
  })
  journal.forget([], ['s/t/a'])
  expect(journal.alerts.read(Infinity).drops.map(({ key }) => key)).toEqual(['s/t/ab'])
  expect(journal.alerts.read(Infinity).notifications.map(({ id }) => id)).toEqual(['2'])
})

test('a change that waits is erased with its device, and the others wait on in their order', () => {
  const { journal, again } = opened()
  const act = (id: string, node: string) => ({ id, call: 'saveNote', input: { node, text: 'A note' } })
  journal.pendingActs.add(act('1', 'd:s/gone/a'))
  journal.pendingActs.add(act('3', 'd:s/stays/a'))
  journal.pendingActs.add(act('2', 'd:s/stays/b'))
  journal.forget(['s/gone/'], [])
  expect(again().pendingActs.all()).toEqual([act('3', 'd:s/stays/a'), act('2', 'd:s/stays/b')])
})
