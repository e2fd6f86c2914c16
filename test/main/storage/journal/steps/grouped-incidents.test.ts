import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { readIncident } from '../../../../../src-main/incidents/stored/values.ts'
import { openJournal } from '../../../../../src-main/storage/journal/journal.ts'
import { portion } from '../../../../../src-main/storage/journal/steps/convert.ts'
import { createLeftovers, temporaryProfile } from '../../../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A journal of version 9, with incidents in every state: split, suppressed, snoozed, unlisted, found after an absence. */
const fixture = path.resolve('test/main/storage/fixtures/flat-incidents/journal.db.gz')

const same = ['id', 'kind', 'origin', 'splitFrom', 'about', 'openedAt', 'grewAt', 'changedAt', 'closedAt', 'open']
const described = ['severity', 'message']
const scope = ['shape', 'path', 'where', 'context']
const extent = ['named', 'since', 'foundAt', 'total', 'peak', 'peakInPlace']
const inGroup = (group: string, fields: readonly string[]) => fields.map((field) => [field, [group, field]] as const)
/** Where each field of an incident's largest extent went, and of the incident itself. */
const largestFields = [
  ...described.map((field) => [field, [field]] as const),
  ...inGroup('scope', scope),
  ...inGroup('extent', extent),
]
const fields = [
  ...same.map((field) => [field, [field]] as const),
  ...largestFields,
  ...inGroup('extent', ['down', 'unseen', 'othersDown', 'watched']),
  ...inGroup('operator', ['acknowledged', 'snoozed']),
  ...inGroup('delivery', ['notifiedAt', 'recoveryNotifiedAt', 'reason', 'renotify', 'muted']),
  ...inGroup('delivery', ['maintenance', 'suppressedBy', 'overrode']),
  ['lastRecovery', ['recovery', 'last']],
  ['recovered', ['recovery', 'recovered']],
  ['unreportedRecoveries', ['recovery', 'unreported']],
  ['unlisted', ['recovery', 'unlisted']],
] as const

type Json = Record<string, unknown>
const at = (value: unknown, way: readonly string[]) => way.reduce((one, key) => (one as Json)[key], value)
/** The fields of a grouped value by their former names. */
const flattened = (value: unknown, names: typeof fields | typeof largestFields): Json =>
  Object.fromEntries(names.map(([field, way]) => [field, at(value, way)]))

function journalOf(change: (db: DatabaseSync) => void = () => {}) {
  const profile = temporaryProfile(leftovers)
  const file = path.join(profile, 'journal.db')
  writeFileSync(file, gunzipSync(readFileSync(fixture)))
  const db = new DatabaseSync(file)
  change(db)
  const before = rowsOf(db)
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 9 })
  db.close()
  const journal = openJournal(profile, 0)
  expect(journal.opened).toBe('ok')
  journal.close()
  const migrated = new DatabaseSync(file)
  leftovers.push(() => migrated.close())
  return { before, after: rowsOf(migrated) }
}

const rowsOf = (db: DatabaseSync) =>
  db
    .prepare('SELECT * FROM incident ORDER BY rowid')
    .all()
    .map(({ text, ...columns }) => ({ text: String(text), columns }))

describe('a journal with flat incidents', () => {
  test('has each field in its group', () => {
    const { before, after } = journalOf()
    expect(after.map(({ columns }) => columns)).toEqual(before.map(({ columns }) => columns))
    for (const [index, { text }] of before.entries()) {
      const { largest, ...flat } = JSON.parse(text)
      const value = JSON.parse(after[index]?.text ?? '')
      expect(flattened(value, fields)).toEqual(flat)
      expect(value.largest && flattened(value.largest, largestFields)).toEqual(largest)
    }
  })

  test('has incidents that can be read', () => {
    const { after } = journalOf()
    for (const { text } of after) {
      const value = JSON.parse(text)
      // Nobody could be assigned then.
      expect(readIncident(value)).toEqual({ ...value, operator: { ...value.operator, assigned: null } })
    }
  })

  test('has every state of an incident in the fixture', () => {
    const values = journalOf().after.map(({ text }) => readIncident(JSON.parse(text)))
    expect(values).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'flapping' }),
        expect.objectContaining({ origin: 'absence' }),
        expect.objectContaining({ closedAt: expect.any(Number) }),
        expect.objectContaining({ splitFrom: expect.objectContaining({ id: expect.any(String) }) }),
        expect.objectContaining({ operator: expect.objectContaining({ acknowledged: expect.anything() }) }),
        expect.objectContaining({ operator: expect.objectContaining({ snoozed: expect.anything() }) }),
        expect.objectContaining({ delivery: expect.objectContaining({ maintenance: expect.anything() }) }),
        expect.objectContaining({ delivery: expect.objectContaining({ overrode: 'Patching' }) }),
        expect.objectContaining({ delivery: expect.objectContaining({ muted: true }) }),
        expect.objectContaining({ recovery: expect.objectContaining({ last: expect.anything() }) }),
        expect.objectContaining({ recovery: expect.objectContaining({ unreported: [expect.any(String)] }) }),
        expect.objectContaining({
          recovery: expect.objectContaining({ unlisted: expect.objectContaining({ unreported: 4 }) }),
        }),
      ]),
    )
  })
})

test('more incidents than one portion are all grouped', () => {
  const { after } = journalOf((db) => {
    const copy = db.prepare(`INSERT INTO incident (id, subject, kind, opened_at, search_text, about, text)
      SELECT ?, subject, kind, opened_at, search_text, about, text FROM incident ORDER BY rowid LIMIT 1`)
    db.exec('BEGIN')
    for (let n = 0; n <= 2 * portion; n += 1) copy.run(`copy-${n}`)
    db.exec('COMMIT')
  })
  expect(after.length).toBeGreaterThan(2 * portion)
  expect(after.filter(({ text }) => readIncident(JSON.parse(text)) === null)).toEqual([])
})

test('a field that an older journal lacks has its default', () => {
  const { after } = journalOf((db) =>
    db.exec(`DELETE FROM incident WHERE rowid > (SELECT min(rowid) FROM incident);
      UPDATE incident SET text = json_remove(text, '$.foundAt', '$.othersDown', '$.peakInPlace', '$.largest', '$.lastRecovery',
        '$.unreportedRecoveries', '$.unlisted', '$.renotify', '$.suppressedBy', '$.overrode', '$.reason', '$.splitFrom')`),
  )
  expect(after.map(({ text }) => readIncident(JSON.parse(text)))).toMatchObject([
    {
      splitFrom: null,
      largest: null,
      extent: { foundAt: null, othersDown: 0, peakInPlace: 0 },
      recovery: { last: null, unreported: [], unlisted: { count: 0, named: [], unreported: 0 } },
      delivery: { renotify: false, suppressedBy: '', overrode: '', reason: null },
    },
  ])
})

test('a text that is not an incident stays as it is', () => {
  const texts = ['{', '[1]', 'null', '"x"']
  const { after } = journalOf((db) => {
    db.exec('DELETE FROM incident')
    const put = db.prepare(`INSERT INTO incident (id, subject, kind, opened_at, search_text, about, text)
      VALUES (?, '', 'outage', 1, '', '[]', ?)`)
    for (const text of texts) put.run(text, text)
  })
  expect(after.map(({ text }) => text)).toEqual(texts)
})
