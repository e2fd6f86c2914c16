import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JobRecord } from '../../../../../src-main/storage/journal/job-records.ts'
import { type Journal, openJournal } from '../../../../../src-main/storage/journal/journal.ts'
import { createLeftovers, temporaryProfile } from '../../../../support/fleet.ts'
import { job, record, target } from './records.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

let journal: Journal
beforeEach(() => {
  journal = openJournal(temporaryProfile(leftovers), 0)
  leftovers.push(() => journal.close())
})

const of = (member: string, over: Partial<JobRecord> = {}): Partial<JobRecord> => ({
  owner: { member, operator: `Operator of ${member}` },
  ...over,
})
const place = { tenant: 's/t', kind: 'room', id: null, name: 'Attic' } as const
const room = (id: string, member: string, over: { name?: string } = {}) => ({
  record: record(id, { ...of(member), kind: 'room', place: { ...place, ...over } }),
  targets: [target('s/t')],
})
const busy = (detail: string) =>
  expect.objectContaining({ fault: { kind: 'input', detail: expect.stringContaining(detail) } })

test('a job is rejected where another one has not sent a device yet, or awaits it', () => {
  const { jobs } = journal
  const first = job('first', ['s/t/a', 's/t/b', 's/t/c'], of('ann'))
  jobs.create(first, [])
  jobs.save(first.record, [target('s/t/b', { outcome: 'sent' }), target('s/t/c', { outcome: 'done' })])
  const create = (id: string, keys: string[], absent: string[] = []) => jobs.create(job(id, keys, of('bert')), absent)
  expect(() => create('j1', ['s/t/a', 's/t/b', 's/t/d'])).toThrow(
    busy('of Operator of ann, acts on 2 of these devices'),
  )
  expect(() => create('j2', ['s/t/b'])).toThrow(busy('acts on one of these devices'))
  expect(jobs.stored('j1')).toBeNull()
  create('j3', ['s/t/c', 's/t/d'])
  // What is not to be sent is in nobody's way.
  jobs.create(
    { record: record('j4', of('bert')), targets: [target('s/t/a', { outcome: 'not-sent' }), target('s/t/e')] },
    [],
  )
  jobs.save(record('first', of('ann', { state: 'stopped', endedAt: 5 })), [])
  create('j5', ['s/t/a', 's/t/b'])
})

test('jobs of absent members, without an owner, or of a Muster on its own reject none', () => {
  const { jobs } = journal
  jobs.create(job('gone', ['s/t/a'], of('ann')), [])
  jobs.create(job('older', ['s/t/a']))
  jobs.create(job('mine', ['s/t/a'], of('bert')), ['ann'])
  expect(() => jobs.create(job('next', ['s/t/a'], of('cleo')), ['ann'])).toThrow(busy('Operator of bert'))
  jobs.create(job('again', ['s/t/a'], of('cleo')))
})

test('two jobs of a team write one place one after the other', () => {
  const { jobs } = journal
  jobs.create(room('one', 'ann'), [])
  expect(() => jobs.create(room('two', 'bert'), [])).toThrow(busy('writes this room'))
  jobs.create(room('three', 'bert', { name: 'Cellar' }), [])
  jobs.create(job('devices', ['s/t'], of('bert')), ['ann', 'bert'])
  jobs.create(room('four', 'cleo'), ['ann'])
})

test('the jobs of a member are its own and those without an owner; the others are listed', () => {
  const { jobs } = journal
  jobs.create(job('ann', ['s/t/a', 's/t/b'], of('ann')))
  jobs.save(record('ann', of('ann')), [target('s/t/a', { outcome: 'done' })])
  jobs.create(job('older', ['s/t/c']))
  jobs.create(job('bert', ['s/t/d'], of('bert')))
  jobs.create(job('past', ['s/t/e'], of('ann', { state: 'done', endedAt: 50 })))
  jobs.create(job('recent', ['s/t/f'], of('ann', { state: 'done', endedAt: 90 })))
  const ids = (member?: string) => jobs.open(1000, member).map((one) => one.record.id)
  expect([ids('ann'), ids('bert'), ids()]).toEqual([
    ['ann', 'older'],
    ['older', 'bert'],
    ['ann', 'older', 'bert'],
  ])
  expect(jobs.others('bert', 80)).toMatchObject([
    { job: { id: 'ann', owner: { member: 'ann' }, counts: { done: 1, pending: 1 } }, open: ['s/t/b'] },
    { job: { id: 'recent' }, open: [] },
  ])
  expect(jobs.one('older')).not.toHaveProperty('owner')
})

test('a device that a newer job took while its owner was away is taken, not the other way round', () => {
  const { jobs } = journal
  jobs.create(job('old', ['s/t/a', 's/t/b', 's/t/c'], of('ann')))
  jobs.create(job('new', ['s/t/a', 's/t/b'], of('bert')), ['ann'])
  const keys = ['s/t/a', 's/t/b', 's/t/c']
  const taken = (id: string, member: string, absent: string[] = []) => jobs.taken({ job: id, member, keys, absent })
  expect([taken('old', 'ann'), taken('old', 'ann', ['bert']), taken('new', 'bert')]).toEqual([keys.slice(0, 2), [], []])
  jobs.save(record('old', of('ann')), [target('s/t/c', { outcome: 'sent' })])
  expect(taken('new', 'bert')).toEqual(['s/t/c'])
})

test('an open job is given to another owner, and its former one writes nothing more', () => {
  const { jobs } = journal
  const theirs = job('job', ['s/t/a'], of('ann'))
  jobs.create(theirs, [])
  const bert = { member: 'bert', operator: 'Bert' }
  const input = expect.objectContaining({ fault: expect.objectContaining({ kind: 'input' }) })
  expect(() => jobs.take('job', 'cleo', bert)).toThrow(input)
  expect(() => jobs.take('other', 'ann', bert)).toThrow(input)
  jobs.take('job', 'ann', bert)
  expect(jobs.stored('job')?.record).toEqual({ ...theirs.record, owner: bert })
  expect(() => jobs.save(theirs.record, [])).toThrow(input)
  expect(() => jobs.create(theirs, ['bert'])).toThrow(input)
  jobs.save({ ...theirs.record, owner: bert, state: 'stopped', endedAt: 5 }, [])
  expect(() => jobs.take('job', 'bert', { member: 'ann', operator: 'Ann' })).toThrow(input)
})
