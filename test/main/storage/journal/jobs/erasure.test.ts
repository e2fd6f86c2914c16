import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../../../src-main/storage/journal/journal.ts'
import { createLeftovers, temporaryProfile } from '../../../../support/fleet.ts'
import { job, record, target } from './records.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

let profile: string
let journal: Journal
beforeEach(() => {
  profile = temporaryProfile(leftovers)
  journal = openJournal(profile, 0)
  leftovers.push(() => journal.close())
})

const all = { offset: 0, limit: 500 }
const ids = () => journal.jobs.list(null, null, all).rows.map(({ id }) => id)
const keysOf = (id: string) => journal.jobs.stored(id)?.targets.map(({ key }) => key)
const rowsIn = (table: string) => journal.tables().find(({ name }) => name === table)?.rows
const both = [
  { key: 's/t', name: 'Initech' },
  { key: 's/u', name: 'Umbrella' },
]

test('the devices of an erased tenant go, and a job without devices goes', () => {
  journal.jobs.create(job('both', ['s/t/a', 's/u/a', 's/t/b'], { tenants: both }))
  journal.jobs.create(job('own', ['s/u/a'], { tenants: both.slice(1) }))
  journal.jobs.create(job('other', ['s/t/a']))
  journal.forget(['s/u/'], [])
  expect(ids()).toEqual(['other', 'both'])
  expect(keysOf('both')).toEqual(['s/t/a', 's/t/b'])
  expect(journal.jobs.one('both')?.tenants).toEqual(both.slice(0, 1))
  expect(rowsIn('job_device')).toBe(3)
})

test('a job about a place of an erased tenant goes', () => {
  const place = { tenant: 's/u', kind: 'site' as const, id: null, name: 'Harbour' }
  journal.jobs.create({
    record: record('place', { kind: 'site', tenants: both.slice(1), place, fields: { name: 'Harbour' } }),
    targets: [target('s/u')],
  })
  journal.jobs.create({
    record: record('longer', {
      kind: 'site',
      tenants: [{ key: 's/uu', name: 'X' }],
      place: { ...place, tenant: 's/uu' },
    }),
    targets: [target('s/uu')],
  })
  journal.forget(['s/u/'], [])
  expect(ids()).toEqual(['longer'])
})

test('an erased device goes alone, with the words of the fault of its job', () => {
  journal.jobs.create(job('j', ['s/t/a', 's/t/ab'], { fault: { kind: 'forbidden', detail: 'Name of s/t/a' } }))
  journal.jobs.create(job('k', ['s/t/ab'], { fault: { kind: 'forbidden', detail: 'stays' } }))
  journal.forget([], ['s/t/a'])
  expect(keysOf('j')).toEqual(['s/t/ab'])
  expect(journal.jobs.one('j')).toMatchObject({ tenants: both.slice(0, 1), fault: { kind: 'forbidden', detail: '' } })
  expect(journal.jobs.one('k')?.fault?.detail).toBe('stays')
})

test('lines of a file go with any device of their job: they may name what is erased', () => {
  journal.jobs.create(job('j', ['line:2', 's/u/a', 's/t/a'], { tenants: both }))
  journal.jobs.create(job('gone', ['line:2', 's/u/a', 'line:4'], { tenants: both.slice(1) }))
  journal.jobs.create(job('stays', ['line:2', 's/t/a']))
  journal.forget(['s/u/'], [])
  expect(ids()).toEqual(['stays', 'j'])
  expect([keysOf('j'), keysOf('stays')]).toEqual([['s/t/a'], ['line:2', 's/t/a']])
})

test('saving a running job does not bring back what was erased', () => {
  journal.jobs.create(job('j', ['s/u/a', 's/t/a', 's/t/b'], { tenants: both }))
  journal.jobs.create(job('gone', ['s/u/a'], { tenants: both }))
  journal.forget(['s/u/'], [])
  const sent = ['s/u/a', 's/t/b'].map((key) => target(key, { outcome: 'sent' }))
  journal.jobs.save(record('j', { tenants: both, startedAt: 7 }), sent)
  expect(() => journal.jobs.save(record('gone', { tenants: both }), [target('s/u/a')])).toThrow('erased')
  expect(ids()).toEqual(['j'])
  expect(journal.jobs.stored('j')).toMatchObject({ record: { startedAt: 7, tenants: [{ key: 's/t' }] } })
  expect(journal.jobs.stored('j')?.targets.map(({ key, outcome }) => [key, outcome])).toEqual([
    ['s/t/a', 'pending'],
    ['s/t/b', 'sent'],
  ])
})

test('no byte of an erased tenant’s jobs is left in the files', () => {
  journal.jobs.create(
    job('both', ['s/t/a', 's/umbrella/a'], { tenants: [{ key: 's/umbrella', name: 'Umbrella Ltd' }] }),
  )
  journal.forget(['s/umbrella/'], [])
  journal.scrub()
  const bytes = readdirSync(profile).map((name) => readFileSync(path.join(profile, name), 'latin1'))
  expect(bytes.join('')).not.toMatch(/umbrella/iu)
  expect(bytes.join('')).toContain('s/t/a')
})

const day = 24 * 3600_000
const now = 1000 * day

test('ended jobs are pruned after 400 days, with their devices; one that is not ended stays', () => {
  const [old, young] = [now - 401 * day, now - 399 * day]
  journal.jobs.create(job('old', ['s/t/a', 's/t/b'], { createdAt: old - 1, endedAt: old }))
  journal.jobs.create(job('young', ['s/t/a'], { createdAt: old, endedAt: young }))
  journal.jobs.create(job('open', ['s/t/a'], { createdAt: old }))
  expect([journal.prune(now), journal.prune(now)]).toEqual([3, 0])
  expect(ids()).toEqual(['open', 'young'])
  expect(rowsIn('job_device')).toBe(2)
})

test('a large job is pruned in slices, and after its devices', () => {
  const keys = Array.from({ length: 300 }, (_, n) => `s/t/${n}`)
  journal.jobs.create(job('old', keys, { endedAt: 1 }))
  journal.jobs.create(job('older', ['s/t/1'], { endedAt: 0 }))
  const before = journal.ageing()
  const slices: number[] = []
  for (let removed = 1; removed > 0; slices.push(removed)) {
    removed = journal.prune(now)
    if ((rowsIn('job_device') ?? 0) > 0) expect(rowsIn('job')).toBe(2)
  }
  expect(slices).toEqual([128, 128, 47, 0])
  expect([before, journal.ageing()]).toEqual([303, 0])
})

test('statistics count the jobs of each kind', () => {
  journal.jobs.create(job('a', ['s/t/a', 's/t/b'], { endedAt: 5 }))
  journal.jobs.create(job('b', ['s/t/a']))
  journal.jobs.create(job('c', ['s/t/a'], { kind: 'move' }))
  expect(journal.statistics(now).jobs).toEqual([
    { kind: 'move', open: 1, ended: 0, devices: 1 },
    { kind: 'reboot', open: 1, ended: 1, devices: 3 },
  ])
})
