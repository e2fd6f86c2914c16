import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../../src-main/storage/journal/journal.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'
import { incident, member, noDelta } from './deltas.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

let profile: string
let journal: Journal
beforeEach(() => {
  profile = temporaryProfile(leftovers)
  journal = openJournal(profile, 0)
  leftovers.push(() => journal.close())
})

const day = 24 * 3600_000
const now = 1000 * day
const old = now - 401 * day
const young = now - 399 * day

const turned = (key: string, at: number, connected: boolean) =>
  journal.enter([
    {
      key,
      state: { connected, at, notBefore: null, since: { at, kind: 'seen' } },
      transition: { at, notBefore: null, connected },
    },
  ])

function prunedAll(): number[] {
  const slices: number[] = []
  for (let removed = 1; removed > 0;) {
    removed = journal.prune(now)
    slices.push(removed)
  }
  return slices
}

const countIn = (table: string) => {
  const db = new DatabaseSync(join(profile, 'journal.db'))
  const count = Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
  db.close()
  return count
}

test('entries older than 400 days are pruned, and the last state of each device stays', () => {
  turned('s/t/a', old, false)
  turned('s/t/a', old + 1, true)
  turned('s/t/b', old, false)
  turned('s/t/b', young, true)
  journal.alerts.save({
    ...noDelta,
    incidents: [
      incident('old', { openedAt: old - 5, closedAt: old }),
      incident('young', { openedAt: old, closedAt: young }),
    ],
    members: [member('old', 's/t/a'), member('old', 's/t/b'), member('young', 's/t/b')],
    events: ['old', 'young'].map((id) => ({ incident: id, at: old, what: 'opened', detail: '' })),
    unseen: [
      { tenant: 's/t', from: old - 5, until: old },
      { tenant: 's/t', from: old - 1, until: young },
    ],
    notifications: {
      put: [
        { id: 'x', at: old, about: [], value: {} },
        { id: 'y', at: young, about: [], value: {} },
      ],
      gone: [],
    },
  })
  const acts = [old, young].map((at) =>
    journal.policies.save([{ kind: 'zone', id: 'all', value: 'UTC' }], { at, kind: 'zone', before: null }),
  )
  const { outbox } = journal.alerts.read(0)
  expect(prunedAll()).toEqual([3 + 1 + 2 + 1 + 1 + 1 + 1, 0])
  expect(journal.transitions('s/t/a', 9)).toEqual([])
  expect(journal.state('s/t/a')).toMatchObject({ connected: true, at: old + 1 })
  expect(journal.history.states(['s/t/a'])).toEqual([{ connected: true, knownSince: old }])
  expect(journal.transitions('s/t/b', 9)).toEqual([{ at: young, notBefore: null, connected: true }])
  expect(journal.alerts.incidents.one('old')).toBeNull()
  expect(journal.alerts.incidents.members('old', 0, 9).total).toBe(0)
  expect(journal.alerts.incidents.one('young')?.events).toHaveLength(1)
  expect(journal.alerts.incidents.members('young', 0, 9).total).toBe(1)
  expect(journal.history.unseen('s/t', 0)).toEqual([{ from: old - 1, until: young }])
  expect(journal.alerts.read(0).notifications.map(({ id }) => id)).toEqual(['y'])
  expect(acts.map((id) => journal.policies.action(id)?.at)).toEqual([undefined, young])
  expect(journal.policies.all()).toHaveLength(1)
  expect(journal.alerts.read(0).outbox).toEqual(outbox)
})

test('nothing that is open is pruned, however old', () => {
  const drop = {
    key: 's/t/a',
    at: old,
    notBefore: null,
    incident: 'named',
    notified: true,
    recoveredAt: old,
    recoveredNotBefore: null,
    recoveryConfirmed: true,
    flapping: false,
    expected: null,
    pendingRecovery: null,
  }
  journal.alerts.save({
    ...noDelta,
    incidents: [incident('open', { openedAt: old }), incident('named', { openedAt: old, closedAt: old })],
    members: [member('open', 's/t/a', { at: old, recoveredAt: old }), member('named', 's/t/a')],
    events: [
      { incident: 'open', at: old, what: 'opened', detail: '' },
      { incident: 'named', at: old, what: 'opened', detail: '' },
    ],
    drops: { put: [drop], gone: [] },
    unseen: [{ tenant: 's/t', from: old, until: null }],
    notifications: { put: [{ id: 'x', at: old, about: [], value: {} }], gone: [] },
    monitoringLosses: { put: [{ tenant: 's/t', since: old, notificationId: 'x' }], gone: [] },
  })
  const before = journal.alerts.read(0)
  expect(prunedAll()).toEqual([0])
  expect(journal.alerts.read(0)).toEqual(before)
  expect(before).toMatchObject({
    incidents: [{ id: 'named' }, { id: 'open' }],
    notifications: [{ id: 'x' }],
    monitoringLosses: [{ notificationId: 'x' }],
  })
  expect(journal.alerts.incidents.members('named', 0, 9).total).toBe(1)
  expect(journal.history.unseen('s/t', now)).toHaveLength(1)
})

test('pruning runs in many small slices, and an incident goes after its entries', () => {
  const count = 1000
  for (let n = 0; n < count; n += 1) turned(`s/t/${n % 7}`, old - n, n % 2 === 0)
  journal.alerts.save({
    ...noDelta,
    incidents: Array.from({ length: 40 }, (_, n) => incident(`i${n}`, { openedAt: old - 9, closedAt: old })),
    members: Array.from({ length: count }, (_, n) => member(`i${n % 40}`, `s/t/${n}`)),
    events: Array.from({ length: 200 }, (_, n) => ({ incident: `i${n % 40}`, at: n, what: 'grew', detail: '' })),
  })
  const slices: number[] = []
  for (let removed = 1; removed > 0;) {
    removed = journal.prune(now)
    slices.push(removed)
    const orphans =
      countIn('member WHERE incident NOT IN (SELECT id FROM incident)') +
      countIn('event WHERE incident NOT IN (SELECT id FROM incident)')
    expect(orphans).toBe(0)
  }
  expect(Math.max(...slices)).toBeLessThan(200)
  expect(slices.length).toBeGreaterThan(10)
  expect(slices.reduce((sum, removed) => sum + removed)).toBe(count + count + 200 + 40)
  expect(['transition', 'member', 'event', 'incident'].map(countIn)).toEqual([0, 0, 0, 0])
  expect(countIn('state')).toBe(7)
})
