import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
const again = () => {
  journal.close()
  journal = openJournal(profile, 0)
}
const everything = () => {
  const db = new DatabaseSync(join(profile, 'journal.db'))
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
  const rows = Object.fromEntries(tables.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]))
  db.close()
  return rows
}
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
const save = (delta: Partial<typeof noDelta>) => journal.alerts.save({ ...noDelta, ...delta })

describe('incidents', () => {
  test.each([
    ['the incident', 'incident'],
    ['the action', 'action'],
  ])('a change and its action are not written when %s cannot be', (_what, table) => {
    const db = new DatabaseSync(join(profile, 'journal.db'))
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`)
    db.close()
    const before = everything()
    const action = { at: 1, kind: 'incidents', before: [] }
    expect(() => save({ incidents: [incident('i')], action })).toThrow('full')
    expect(everything()).toEqual(before)
  })

  test('a change and the undoing of its action are written together', () => {
    const number = save({ incidents: [incident('i')], action: { at: 1, kind: 'incidents', before: [] } })
    const db = new DatabaseSync(join(profile, 'journal.db'))
    db.exec("CREATE TRIGGER full BEFORE UPDATE ON action BEGIN SELECT RAISE(ABORT, 'full'); END")
    expect(() => save({ incidents: [incident('i', { searchText: 'Undone' })], undone: number })).toThrow('full')
    const found = () => [journal.alerts.incidents.one('i')?.incident.searchText, journal.policies.action(number)?.kind]
    expect(found()).toEqual(['Incident i', 'incidents'])
    db.exec('DROP TRIGGER full')
    db.close()
    save({ incidents: [incident('i', { searchText: 'Undone' })], undone: number })
    expect(found()).toEqual(['Undone', undefined])
  })

  test('are stored whole over a restart, and a delta that is written twice changes nothing', () => {
    const delta = {
      ...noDelta,
      maintenance: { night: ['i'] },
      incidents: [
        incident('i', {
          kind: 'flapping',
          about: ['s/t/', 's/u/'],
          searchText: 'Ä "Berlin"',
          value: { nested: [1, null] },
        }),
      ],
      members: [member('i', 's/t/a', { notBefore: 80, recoveredAt: 120, recoveredNotBefore: 110 })],
      events: [
        { incident: 'i', at: 100, what: 'opened', detail: 'first' },
        { incident: 'i', at: 100, what: 'notified', detail: '' },
        { incident: 'i', at: 90, what: 'grew', detail: '1' },
      ],
      unseen: [{ tenant: 's/t', from: 10, until: null }],
    }
    journal.alerts.save(delta)
    const before = everything()
    journal.alerts.save(delta)
    expect(everything()).toEqual(before)
    again()
    expect(journal.alerts.incidents.one('i')).toEqual({
      incident: delta.incidents[0],
      events: [delta.events[2], delta.events[0], delta.events[1]],
    })
    expect(journal.alerts.incidents.members('i', 0, 10)).toEqual({ total: 1, rows: delta.members })
    expect(journal.alerts.read(Infinity)).toMatchObject({ incidents: delta.incidents, maintenance: delta.maintenance })
    expect(journal.history.unseen('s/t', 500)).toEqual([{ from: 10, until: null }])
    expect(journal.alerts.incidents.one('j')).toBeNull()
  })

  test('a write that fails half-way leaves nothing', () => {
    const broken = { ...noDelta, incidents: [incident('i')], members: [member('i', 's/t/a', { at: Number.NaN })] }
    expect(() => journal.alerts.save(broken)).toThrow()
    expect(journal.alerts.incidents.one('i')).toBeNull()
  })

  test('those read at a start are the open ones, and closed ones that a drop still names', () => {
    const drop = {
      key: 's/t/a',
      at: 10,
      notBefore: null,
      notified: true,
      recoveredAt: 20,
      recoveredNotBefore: 15,
      recoveryConfirmed: true,
      flapping: false,
      expected: null,
      pendingRecovery: null,
    }
    save({
      incidents: [
        incident('new', { openedAt: 9 }),
        incident('old', { openedAt: 1 }),
        incident('over', { closedAt: 5 }),
        incident('named', { openedAt: 3, closedAt: 5 }),
      ],
      drops: {
        put: [
          { ...drop, incident: 'named' },
          { ...drop, key: 's/t/b', incident: 'nobody' },
        ],
        gone: [],
      },
    })
    expect(ids(journal.alerts.read(0).incidents)).toEqual(['old', 'named', 'new'])
  })

  test('transitions from a moment on are read with them, the oldest first', () => {
    const at = (key: string, time: number) =>
      journal.enter([
        {
          key,
          state: { connected: false, at: time, notBefore: null, since: null },
          transition: { at: time, notBefore: null, connected: false },
        },
      ])
    at('s/t/a', 300)
    at('s/t/b', 100)
    at('s/t/a', 200)
    expect(journal.alerts.read(200).recent).toEqual([
      { key: 's/t/a', at: 200 },
      { key: 's/t/a', at: 300 },
    ])
  })

  test('closed ones come page by page, the one that closed last before the others', () => {
    save({
      incidents: [
        incident('open'),
        ...[1, 2, 3, 4].map((n) => incident(`c${n}`, { closedAt: n * 10, searchText: n % 2 ? 'Odd one' : 'Even one' })),
      ],
    })
    const closed = journal.alerts.incidents.closed
    expect(ids(closed(null, 1, 2).rows)).toEqual(['c3', 'c2'])
    expect(closed(null, 0, 0)).toEqual({ rows: [], total: 4, all: 4 })
    const odd = closed((words) => words.startsWith('Odd'), 1, 5)
    expect([ids(odd.rows), odd.total, odd.all]).toEqual([['c1'], 2, 4])
  })

  test('those of a span are the ones that were open at some time in it', () => {
    const spans: [string, number, number | null][] = [
      ['before', 0, 99],
      ['into', 50, 100],
      ['within', 120, 130],
      ['over', 60, 900],
      ['on', 200, null],
      ['after', 201, null],
    ]
    save({ incidents: spans.map(([id, openedAt, closedAt]) => incident(id, { openedAt, closedAt })) })
    expect(ids(journal.alerts.incidents.between(100, 200))).toEqual(['into', 'over', 'within', 'on'])
  })

  test('members are sorted by down first, then by their last drop', () => {
    save({
      members: [
        member('i', 'a', { at: 1 }),
        member('i', 'b', { at: 2, recoveredAt: 9 }),
        member('i', 'c', { at: 3 }),
        member('i', 'd', { at: 4, recoveredAt: 5 }),
        member('j', 'a'),
      ],
    })
    save({ members: [member('i', 'd', { at: 2 })] })
    const { members } = journal.alerts.incidents
    expect(members('i', 0, 10).rows.map(({ key, at }) => [key, at])).toEqual([
      ['c', 3],
      ['d', 2],
      ['a', 1],
      ['b', 2],
    ])
    expect(members('i', 1, 2)).toMatchObject({ total: 4, rows: [{ key: 'd' }, { key: 'a' }] })
  })

  test('a monitoring loss ends when its end is stored, at the latest where the next one begins', () => {
    const unseen = (from: number, until: number | null, tenant = 's/t') => save({ unseen: [{ tenant, from, until }] })
    unseen(10, null)
    unseen(10, 20)
    unseen(30, null)
    unseen(35, null, 's/u')
    // Muster was killed before it wrote the end.
    unseen(50, null)
    unseen(50, null)
    expect(journal.history.unseen('s/t', 20)).toEqual([
      { from: 30, until: 50 },
      { from: 50, until: null },
    ])
    expect(journal.history.unseen('s/t', 0)[0]).toEqual({ from: 10, until: 20 })
    expect(journal.history.unseen('s/u', 0)).toEqual([{ from: 35, until: null }])
  })

  test('recurrence: the incidents of the subject, from the moment on', () => {
    save({
      incidents: [
        incident('a', { openedAt: 10 }),
        incident('b', { openedAt: 20, closedAt: 30 }),
        incident('c', { openedAt: 20, subject: '' }),
      ],
    })
    const { recurrence } = journal.alerts.incidents
    expect([
      recurrence('s:s/t/berlin', 10),
      recurrence('s:s/t/berlin', 11),
      recurrence('', 0),
      recurrence('m:none', 0),
    ]).toEqual([2, 1, 1, 0])
  })
})

describe('policies and actions', () => {
  const act = { at: 5, kind: 'quiet', before: null }

  test('are written together and numbered, and a number is never given twice', () => {
    const first = journal.policies.save(
      [
        { kind: 'maintenance', id: 'q', value: { node: 'all' } },
        { kind: 'zone', id: 'q', value: 'Europe/Berlin' },
      ],
      act,
    )
    const second = journal.policies.save(
      [
        { kind: 'maintenance', id: 'q', value: null },
        { kind: 'thresholds', id: 'all', value: { siteDownDevices: 4 } },
      ],
      { ...act, before: [{ node: 'all' }] },
    )
    expect(second).toBeGreaterThan(first)
    again()
    expect(journal.policies.all()).toEqual([
      { kind: 'thresholds', id: 'all', value: { siteDownDevices: 4 } },
      { kind: 'zone', id: 'q', value: 'Europe/Berlin' },
    ])
    expect(journal.policies.action(second)).toEqual({ at: 5, kind: 'quiet', before: [{ node: 'all' }] })
    while (journal.prune(1e15) > 0);
    expect(journal.policies.action(second)).toBeNull()
    expect(journal.policies.save([], act)).toBeGreaterThan(second)
  })

  test('an undone action is gone', () => {
    const id = journal.policies.save([], act)
    const other = journal.policies.save([], act)
    journal.policies.undone(id)
    expect([journal.policies.action(id), journal.policies.action(other), journal.policies.action(99)]).toEqual([
      null,
      act,
      null,
    ])
  })

  test('when the action cannot be written, neither is the policy', () => {
    expect(() =>
      journal.policies.save([{ kind: 'zone', id: 'all', value: 'UTC' }], { ...act, at: Number.NaN }),
    ).toThrow()
    expect(journal.policies.all()).toEqual([])
  })
})

describe('erasing', () => {
  const everyWord = () => JSON.stringify(everything())

  test('a tenant leaves nothing in incidents, policies, actions and pending; others keep theirs', () => {
    save({
      incidents: [
        incident('i-gone', { about: ['s/gone/'], searchText: 'Gone' }),
        incident('i-both', { about: ['s/stays/', 's/gone/'] }),
        incident('i-subject', { about: [], subject: 'd:s/gone/a' }),
        incident('i-stays', { about: ['s/stays/'], subject: 't:s/stays' }),
      ],
      members: [member('i-gone', 's/gone/a'), member('i-both', 's/stays/a'), member('i-stays', 's/stays/a')],
      events: ['i-gone', 'i-both', 'i-stays'].map((id) => ({
        incident: id,
        at: 1,
        what: 'opened',
        detail: `of ${id}`,
      })),
      unseen: [
        { tenant: 's/gone', from: 1, until: 2 },
        { tenant: 's/stays', from: 1, until: 2 },
        { tenant: 's/goner', from: 1, until: 2 },
      ],
      maintenance: [{ node: 't:s/gone' }, { node: 's:s/gone/berlin' }, { node: 's:s/stays/berlin' }],
    })
    const act = (before: unknown, policies: Parameters<Journal['policies']['save']>[0] = []) =>
      journal.policies.save(policies, { at: 1, kind: 'k', before })
    const gone = [
      act(null, [
        { kind: 'zone', id: 's:s/gone/berlin', value: 'UTC' },
        { kind: 'maintenance', id: 'q1', value: { node: 'm:s/gone/berlin/1' } },
      ]),
      act([{ kind: 'zone', id: 't:s/gone', value: null }]),
      act({ device: 's/gone/a' }),
      act(['i-gone']),
      act({ note: 'd:s/gone/a and others' }),
    ]
    const stays = [
      act(null, [
        { kind: 'zone', id: 't:s/stays', value: 'UTC' },
        { kind: 'maintenance', id: 'q2', value: { node: 'all' } },
        { kind: 'thresholds', id: 'r:EU-1', value: {} },
      ]),
      act({ id: 't:s/goner' }),
      act(['i-stays']),
      act('s/gone-by'),
    ]
    // What was done only names its policies; their words are not in it.
    const named = gone.shift()
    journal.forget(['s/gone/'], [])
    expect(gone.map((id) => journal.policies.action(id))).toEqual(gone.map(() => null))
    expect(stays.filter((id) => journal.policies.action(id) === null)).toEqual([])
    expect(journal.policies.action(named ?? 0)).not.toBeNull()
    expect(journal.policies.all().map(({ id }) => id)).toEqual(['q2', 'r:EU-1', 't:s/stays'])
    expect(ids(journal.alerts.read(0).incidents)).toEqual(['i-stays'])
    expect(journal.alerts.read(0).maintenance).toEqual([{ node: 's:s/stays/berlin' }])
    expect(journal.history.unseen('s/stays', 0)).toHaveLength(1)
    expect(journal.history.unseen('s/goner', 0)).toHaveLength(1)
    expect(everyWord()).not.toMatch(/s\/gone[/"]|i-gone|i-both|i-subject|Gone/)
  })

  test('a device leaves its incident, or the whole of it goes where its name was notified', () => {
    save({
      incidents: [
        incident('silent'),
        incident('titled', { searchText: 'Aula "1" and 2 more offline' }),
        incident('valued', { value: { body: 'Aula "1" since 2:10' } }),
        incident('keyed', { value: { devices: ['s/t/a'] } }),
        incident('history'),
        incident('alone'),
        incident('other', { searchText: 'Aula "1"' }),
        incident('own', { subject: 's/t/a' }),
      ],
      members: ['silent', 'titled', 'valued', 'keyed', 'history', 'alone']
        .flatMap((id) => [member(id, 's/t/a', { name: 'Aula "1"' }), ...(id === 'alone' ? [] : [member(id, 's/t/ab')])])
        .concat(member('other', 's/t/ab')),
      events: [
        { incident: 'history', at: 1, what: 'grew', detail: 'Aula "1" joined' },
        { incident: 'silent', at: 1, what: 'grew', detail: '2 more' },
      ],
    })
    journal.forget([], ['s/t/a'])
    expect(ids(journal.alerts.read(0).incidents)).toEqual(['other', 'silent'])
    expect(journal.alerts.incidents.members('silent', 0, 9).rows.map(({ key }) => key)).toEqual(['s/t/ab'])
    expect(journal.alerts.incidents.one('silent')?.events).toHaveLength(1)
    expect(everyWord()).not.toMatch(/s\/t\/a[^b]/)
  })
})

test('transitions of reboots are not read as flapping, and are forgotten after a day', () => {
  const enter = (key: string, time: number) =>
    journal.enter([
      {
        key,
        state: { connected: false, at: time, notBefore: null, since: null },
        transition: { at: time, notBefore: null, connected: false },
      },
    ])
  const day = 24 * 60 * 60_000
  enter('s/t/a', 100)
  enter('s/t/b', 100)
  enter('s/t/b', 200)
  save({ uncounted: [{ key: 's/t/b', at: 100 }] })
  save({ uncounted: [{ key: 's/t/b', at: 100 }] })
  expect(journal.alerts.read(0).recent).toEqual([
    { key: 's/t/a', at: 100 },
    { key: 's/t/b', at: 200 },
  ])
  save({ uncounted: [{ key: 's/t/a', at: 101 + day }] })
  expect(journal.alerts.read(0).recent).toHaveLength(3)
})
