import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../../../src-main/storage/journal/journal.ts'
import { createLeftovers, openConsole, temporaryProfile } from '../../../../support/fleet.ts'
import { job, record, target } from './records.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const all = { offset: 0, limit: 500 }

/** Makes a profile whose journal has two jobs of two devices, and changes its file. */
function damagedProfile(sql: string): string {
  const profile = temporaryProfile(leftovers)
  const journal = openJournal(profile, 0)
  journal.jobs.create(job('a', ['s/t/a', 's/t/b']))
  journal.jobs.create(job('b', ['s/t/a', 's/u/b'], { createdAt: 200 }))
  journal.close()
  const db = new DatabaseSync(path.join(profile, 'journal.db'))
  db.exec(sql)
  db.close()
  return profile
}

function damaged(sql: string): Journal {
  const profile = damagedProfile(sql)
  const again = openJournal(profile, 0)
  leftovers.push(() => again.close())
  expect(again.opened).toBe('ok')
  return again
}

const openIds = ({ jobs }: Journal) => jobs.open(0).map(({ record: { id } }) => id)

test.each([
  ["UPDATE job SET text = '{' WHERE id = 'a'"],
  ["UPDATE job SET text = '[]' WHERE id = 'a'"],
  ["UPDATE job SET tenants = '{}' WHERE id = 'a'"],
  ["UPDATE job SET kind = 'melt' WHERE id = 'a'"],
  ["UPDATE job SET created_at = 'soon' WHERE id = 'a'"],
  ["UPDATE job SET text = json_set(text, '$.plan.batch', 0) WHERE id = 'a'"],
  ["UPDATE job SET text = json_set(text, '$.state', 'melting') WHERE id = 'a'"],
  ["UPDATE job SET text = json_set(text, '$.fault', 'none') WHERE id = 'a'"],
  ["UPDATE job_device SET text = '' WHERE job = 1"],
])('a job that cannot be read is left out and counted: %s', (sql) => {
  const journal = damaged(sql)
  expect(openIds(journal)).toEqual(['b'])
  expect(journal.jobs.unreadable()).toBe(1)
})

test('a damaged job is in no list, and its row stays', () => {
  const journal = damaged("UPDATE job SET text = '{' WHERE id = 'a'")
  expect([journal.jobs.one('a'), journal.jobs.stored('a')]).toEqual([null, null])
  expect(journal.jobs.list(null, null, all)).toMatchObject({ total: 2, rows: [{ id: 'b' }] })
  expect(journal.jobs.lines({ from: 0, until: 999 }, null, 9).lines.map(({ record: { id } }) => id)).toEqual(['b', 'b'])
  expect(journal.tables().find(({ name }) => name === 'job')?.rows).toBe(2)
})

test.each([
  ["UPDATE job_device SET text = 'x' WHERE position = 0 AND job = 1"],
  ['UPDATE job_device SET outcome = 99 WHERE position = 0 AND job = 1'],
  ["UPDATE job_device SET text = json_set(text, '$.sentAt', 'now') WHERE position = 0 AND job = 1"],
  ["UPDATE job_device SET text = json_remove(text, '$.sentAt') WHERE position = 0 AND job = 1"],
  ["UPDATE job_device SET text = json_set(text, '$.obstacle', 'wall') WHERE position = 0 AND job = 1"],
])('a device that cannot be read is left out, and the fault of its job says so: %s', (sql) => {
  const journal = damaged(sql)
  const [first] = journal.jobs.open(0)
  expect(first?.targets.map(({ key }) => key)).toEqual(['s/t/b'])
  expect(first?.record.fault).toEqual({ kind: 'storage', detail: '1 of its devices cannot be read from the journal' })
  expect(journal.jobs.unreadable()).toBe(0)
})

test('the other devices of a job with a damaged one are saved as themselves', () => {
  const journal = damaged("UPDATE job_device SET text = 'x' WHERE position = 0 AND job = 1")
  journal.jobs.save(record('a'), [target('s/t/b', { outcome: 'sent' })])
  expect(journal.jobs.stored('a')?.targets).toEqual([target('s/t/b', { outcome: 'sent' })])
  expect(journal.jobs.one('a')?.counts).toMatchObject({ pending: 1, sent: 1 })
})

test('a damaged job does not stop the start; the log and a banner have it', async () => {
  const console = await openConsole(leftovers, damagedProfile("UPDATE job SET text = '{' WHERE id = 'a'"))
  const banner = async () => (await console.call('app.state', {})).banners.find(({ id }) => id === 'jobs-unread')
  await expect.poll(banner).toMatchObject({
    level: 'warning',
    fault: { kind: 'jobs-unread', detail: '1 is kept in journal.db as it is' },
  })
  expect(console.log.join('\n')).toContain('found at the start: jobs-unread')
})

test('a damaged job goes with a tenant that it may name', () => {
  const journal = damaged("UPDATE job SET text = '{' WHERE id = 'b'")
  journal.forget(['s/u/'], [])
  expect(journal.tables().find(({ name }) => name === 'job')?.rows).toBe(1)
  expect(journal.tables().find(({ name }) => name === 'job_device')?.rows).toBe(2)
})

test('a journal of version 11 opens, keeps what it has, and takes jobs', () => {
  const profile = temporaryProfile(leftovers)
  const file = path.resolve('test/main/storage/fixtures/version-11/journal.db.gz')
  writeFileSync(path.join(profile, 'journal.db'), gunzipSync(readFileSync(file)))
  const journal = openJournal(profile, 0)
  leftovers.push(() => journal.close())
  expect(journal.opened).toBe('ok')
  expect(journal.sequence()).toBe(2)
  expect(journal.state('s/t/a')).toMatchObject({ connected: false, at: 2000 })
  expect(journal.transitions('s/t/a', 9)).toHaveLength(2)
  expect(journal.withdrawn.of('c1')).toEqual([{ key: 's/u', name: 'Umbrella', devices: 3 }])
  expect(journal.history.placesOf('s/t/a', 0, Infinity).map(({ name }) => name)).toEqual(['Bar', 'Bar 2'])
  expect(journal.jobs.open(0)).toEqual([])
  journal.jobs.create(job('a', ['s/t/a']))
  expect(journal.jobs.open(0)).toEqual([job('a', ['s/t/a'])])
})
