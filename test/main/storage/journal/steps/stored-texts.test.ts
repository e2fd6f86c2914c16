import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { fromJson } from '../../../../../src-main/storage/journal/json.ts'
import { steps } from '../../../../../src-main/storage/journal/steps/steps.ts'
import { portion } from '../../../../../src-main/storage/journal/steps/convert.ts'
import { convertTexts } from '../../../../../src-main/storage/journal/steps/stored-texts.ts'

/** A journal as it was before its texts became facts, with these rows. */
function converted(insert: (db: DatabaseSync) => void): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const step of steps) if (typeof step === 'string') db.exec(step)
  insert(db)
  convertTexts(db)
  return db
}

const texts = (db: DatabaseSync, sql: string): unknown[] =>
  db
    .prepare(sql)
    .all()
    .map(({ text }) => fromJson(text))

function details(...entries: [what: string, detail: string][]): unknown[] {
  const db = converted((of) => {
    const put = of.prepare("INSERT INTO event (incident, at, what, detail) VALUES ('i', ?, ?, ?)")
    entries.forEach(([what, detail], at) => put.run(at, what, detail))
  })
  return texts(db, 'SELECT detail AS text FROM event ORDER BY at')
}

test('an entry of the history becomes a count, an end, a reason, or keeps its words', () => {
  expect(
    details(
      ['opened', '1,204 devices'],
      ['grew', '+1 device'],
      ['closed', '2 devices no longer listed'],
      ['closed', ''],
      ['acknowledged', '3 devices'],
      ['snoozed', 'until it recovers'],
      ['snoozed', 'until \uE0001795230000000\uE001'],
      ['snoozed', 'until 2026-11-21T03:00:00.000Z'],
      ['snoozed', 'until then'],
      ['moved', '2 devices of it stand in another place'],
    ),
  ).toEqual([
    { kind: 'devices', count: 1204 },
    { kind: 'added', count: 1 },
    { kind: 'unlisted', count: 2 },
    { kind: 'none' },
    { kind: 'reason', reason: '3 devices' },
    { kind: 'until', until: null },
    { kind: 'until', until: 1_795_230_000_000 },
    { kind: 'until', until: Date.parse('2026-11-21T03:00:00Z') },
    { kind: 'text', text: ['until then'] },
    { kind: 'text', text: ['2 devices of it stand in another place'] },
  ])
})

test('a table of more rows than one portion is converted as a whole, by either kind of key', () => {
  const count = 2 * portion + 1
  const db = converted((of) => {
    const event = of.prepare("INSERT INTO event (incident, at, what, detail) VALUES ('i', ?, 'grew', '+1 device')")
    const notification = of.prepare("INSERT INTO notification VALUES (?, 0, '[]', ?)")
    for (let at = 0; at < count; at += 1) {
      event.run(at)
      notification.run(`n${at}`, '{"content":{"title":"Berlin","body":""}}')
    }
  })
  const [{ events } = {}] = db.prepare(`SELECT count(*) AS events FROM event WHERE json_valid(detail)`).all()
  const [{ notifications } = {}] = db
    .prepare(`SELECT count(*) AS notifications FROM notification WHERE text LIKE '%"kind":"text"%'`)
    .all()
  expect([events, notifications]).toEqual([count, count])
})

describe('an incident', () => {
  const path = [
    { id: 's', kind: 'site', name: 'Berlin', placeless: false },
    { id: 't', kind: 'tenant', name: 'Acme, Inc.', placeless: false },
    { id: 'r', kind: 'region', name: 'EU', placeless: false },
  ]
  const message = { title: 'A is offline', body: 'Since 03:12.', moments: [{ part: 'body', from: 6, to: 11, at: 5 }] }
  const incidents = (...values: object[]) =>
    texts(
      converted((db) => {
        const put = db.prepare(`INSERT INTO incident (id, subject, kind, opened_at, search_text, about, text)
          VALUES (?, '', 'outage', 1, '', '[]', ?)`)
        values.forEach((value, at) => put.run(`i${at}`, JSON.stringify(value)))
        put.run('x', '{')
      }),
      'SELECT text FROM incident ORDER BY id',
    )

  test('keeps the words of its message, with their instants', () => {
    const [one, other] = incidents(
      { where: '', context: '', path: [], message, largest: null, splitFrom: null },
      {
        where: '',
        context: '',
        path: [],
        message: { ...message, moments: [{ part: 'body', from: 6, to: 1100, at: 5 }] },
      },
    )
    expect(one).toEqual({
      where: { kind: 'none' },
      context: [],
      path: [],
      message: { kind: 'text', title: ['A is offline'], body: ['Since ', 5, '.'] },
      largest: null,
      splitFrom: null,
    })
    expect(other).toMatchObject({ message: { kind: 'text', body: ['Since 03:12.'] } })
  })

  test('has its places as facts, at its largest and before a split, too', () => {
    const largest = { where: 'in Berlin', context: 'Acme, Inc.', path, message }
    expect(
      incidents(
        { ...largest, largest, splitFrom: { id: 'a', where: 'in 3 sites' } },
        { where: 'in tenants without a region', context: '', path: [], message },
        { where: 'in Acme, without a site', context: 'Berlin, Acme, Inc.', path, message },
        { where: 'in a tenant, without a room', context: 'Elsewhere', path, message },
      ),
    ).toMatchObject([
      {
        where: { kind: 'place', name: 'Berlin' },
        context: ['Acme, Inc.'],
        largest: { where: { kind: 'place', name: 'Berlin' }, context: ['Acme, Inc.'], message: { kind: 'text' } },
        splitFrom: { id: 'a', where: { kind: 'sites', count: 3 } },
      },
      { where: { kind: 'placeless', lacks: 'region', name: null }, context: [] },
      { where: { kind: 'placeless', lacks: 'site', name: 'Acme' }, context: ['Berlin', 'Acme, Inc.'] },
      { where: { kind: 'placeless', lacks: 'room', name: null }, context: ['Elsewhere'] },
      null,
    ])
  })
})

test('notifications and maintenance reports keep their words', () => {
  const words = { title: 'Lost since 03:12', body: '', moments: [{ part: 'title', from: 11, to: 16, at: 7 }] }
  const message = { kind: 'text', title: ['Lost since ', 7], body: [] }
  const db = converted((of) => {
    const content = { id: 'n', ...words }
    const value = {
      content,
      earlier: [
        { at: 1, ...words },
        { at: 0, title: 'Old', body: 'Older' },
      ],
      times: 3,
    }
    of.prepare("INSERT INTO notification VALUES ('n', 1, '[]', ?)").run(JSON.stringify(value))
    const kept = [{ id: 'run' }, { report: { id: 'r', message: words } }]
    of.prepare('INSERT INTO maintenance VALUES (1, ?)').run(JSON.stringify(kept))
  })
  expect(texts(db, 'SELECT text FROM notification')).toEqual([
    {
      content: { id: 'n', message },
      earlier: [
        { at: 1, message },
        { at: 0, message: { kind: 'text', title: ['Old'], body: ['Older'] } },
      ],
      times: 3,
    },
  ])
  expect(texts(db, 'SELECT text FROM maintenance')).toEqual([[{ id: 'run' }, { report: { id: 'r', message } }]])
})
