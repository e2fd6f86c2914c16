import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Outcome } from '../../../../../src-shared/model/jobs.ts'
import type { JobTarget, StoredJob } from '../../../../../src-main/storage/journal/job-records.ts'
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
const keysOf = (id: string, outcomes: Outcome[] | null = null, page = all) =>
  journal.jobs.devices(id, outcomes, page).rows.map(({ key }) => key)

test('a job is on disk as it was created, with every value of its record and its devices', () => {
  const whole: StoredJob = {
    record: record('j', {
      kind: 'room',
      place: { tenant: 's/t', kind: 'room', id: null, name: 'Attic' },
      fields: { name: 'Attic', site: null, capacity: 4, size: 'small', floor: '2' },
      plan: { batch: null, waitMinutes: 3, stopAfter: 2, at: 900, includeInCall: true },
      fault: { kind: 'locked', detail: 'x' },
      startedAt: 150,
      endedAt: 170,
      undoes: 'other',
      state: 'stopped',
      linkedDevices: true,
    }),
    targets: [
      target('s/t', {
        site: null,
        room: null,
        before: { name: 'Old', site: null },
        after: { name: 'New', site: { id: 's2', name: 'Paris' }, room: null },
        outcome: 'refused',
        obstacle: 'role',
        words: 'no',
        sentAt: 1,
        answeredAt: 2,
        provenAt: 3,
        provenBy: 'read',
        backAfter: 4,
        droppedAt: 5,
        backAt: 6,
        checkIn: 7,
      }),
    ],
  }
  journal.jobs.create(whole)
  journal.close()
  journal = openJournal(profile, 0)
  expect(journal.jobs.stored('j')).toEqual(whole)
  expect(journal.jobs.stored('none')).toBeNull()
})

test('a job shows its counts, and nothing that only its runner needs', () => {
  journal.jobs.create({
    record: record('j', { state: 'paused' }),
    targets: [target('s/t/a', { outcome: 'sent' }), target('s/t/b'), target('s/t/c')],
  })
  const { linkedDevices: _linked, fields: _fields, ...shown } = record('j', { state: 'paused' })
  expect(journal.jobs.one('j')).toEqual({
    ...shown,
    devices: 3,
    counts: { pending: 2, sent: 1, done: 0, refused: 0, 'not-sent': 0, unknown: 0, 'not-back': 0 },
    undoable: false,
  })
  expect(journal.jobs.one('none')).toBeNull()
  const [row = {}] = journal.jobs.devices('j', ['sent'], all).rows
  expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['id']))
  expect(row).toMatchObject({ key: 's/t/a', outcome: 'sent' })
})

test('a job that names a device twice is rejected whole', () => {
  expect(() => journal.jobs.create(job('j', ['s/t/a', 's/t/b', 's/t/a']))).toThrow('a device occurs twice')
  expect(journal.jobs.one('j')).toBeNull()
  expect(journal.tables().find(({ name }) => name === 'job_device')?.rows).toBe(0)
})

test('a job whose id is taken is rejected, and the other one stays', () => {
  journal.jobs.create(job('j', ['s/t/a']))
  expect(() => journal.jobs.create(job('j', ['s/t/b']))).toThrow()
  expect(keysOf('j')).toEqual(['s/t/a'])
})

test('saving neither makes a job nor adds a device', () => {
  journal.jobs.create(job('j', ['s/t/a']))
  expect(() => journal.jobs.save(record('other'), [target('s/t/a')])).toThrow('erased')
  journal.jobs.save(record('j'), [target('s/t/b')])
  expect(journal.jobs.list(null, null, all).rows.map(({ id }) => id)).toEqual(['j'])
  expect(keysOf('j')).toEqual(['s/t/a'])
})

test('saving a job leaves the same device of other jobs as it is', () => {
  for (const id of ['before', 'j', 'after']) journal.jobs.create(job(id, ['s/t/a']))
  journal.jobs.save(record('j', { endedAt: 9 }), [target('s/t/a', { outcome: 'done' })])
  expect(['before', 'after'].map((id) => journal.jobs.stored(id))).toEqual([
    job('before', ['s/t/a']),
    job('after', ['s/t/a']),
  ])
})

test('jobs that are not ended are open, the oldest first, whatever the clock does', () => {
  journal.jobs.create(job('first', ['s/t/a'], { createdAt: 300 }))
  journal.jobs.create(job('ended', ['s/t/a'], { endedAt: 200 }))
  journal.jobs.create(job('second', ['s/t/b'], { createdAt: 200, state: 'scheduled' }))
  expect(journal.jobs.open(0).map(({ record: { id } }) => id)).toEqual(['first', 'second'])
  journal.jobs.save(record('first', { state: 'done', endedAt: 400 }), [])
  expect(journal.jobs.open(0)).toEqual([job('second', ['s/t/b'], { createdAt: 200, state: 'scheduled' })])
})

const isAwaited = ({ record: { endedAt }, targets }: StoredJob): boolean =>
  endedAt === null || targets.some(({ outcome }) => outcome === 'unknown')

test('an ended job is open while one of its devices is unknown and it ended lately', () => {
  const ended = (id: string, outcome: Outcome) => ({
    record: record(id, { state: 'done', endedAt: 200 }),
    targets: [target('s/t/a', { outcome: 'done' }), target('s/t/b', { outcome })],
  })
  journal.jobs.create(ended('proven', 'done'))
  journal.jobs.create(ended('unknown', 'unknown'))
  expect(journal.jobs.open(200).map(({ record: { id } }) => id)).toEqual(['unknown'])
  expect(journal.jobs.open(201)).toEqual([])
  expect(journal.jobs.unreadable()).toBe(0)
})

test('5,000 devices are saved in one step', () => {
  const keys = Array.from({ length: 5000 }, (_, n) => `s/t/${n}`)
  journal.jobs.create(job('j', keys))
  const sent = keys.map((key) => target(key, { outcome: 'sent', sentAt: 5 }))
  journal.jobs.save(record('j', { startedAt: 5 }), sent)
  expect(journal.jobs.stored('j')).toEqual({ record: record('j', { startedAt: 5 }), targets: sent })
  expect(journal.jobs.one('j')?.counts).toMatchObject({ sent: 5000, pending: 0 })
})

test('devices are ordered by outcome and then as in the job, whatever the page', () => {
  const outcomes = ['done', 'not-sent', 'pending', 'sent', 'refused', 'not-back', 'unknown'] as const
  const targets = [...outcomes, ...outcomes].map((outcome, n) => target(`s/t/${n}`, { outcome }))
  journal.jobs.create({ record: record('j'), targets })
  const ordered = [6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0, 7].map((n) => `s/t/${n}`)
  expect(keysOf('j')).toEqual(ordered)
  expect([0, 5, 10].flatMap((offset) => keysOf('j', null, { offset, limit: 5 }))).toEqual(ordered)
  expect(keysOf('j', ['done', 'unknown'])).toEqual(['s/t/6', 's/t/13', 's/t/0', 's/t/7'])
  expect(journal.jobs.devices('j', ['done', 'unknown'], { offset: 3, limit: 1 })).toMatchObject({
    total: 4,
    rows: [{ key: 's/t/7' }],
  })
  expect(journal.jobs.devices('none', null, all)).toEqual({ total: 0, rows: [] })
})

/** A generator of numbers below 1 that only depend on the seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const outcomes: Outcome[] = ['pending', 'sent', 'done', 'refused', 'not-sent', 'unknown', 'not-back']

describe('random steps', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('the journal has what a model in memory has (seed %i)', (seed) => {
    const next = numbers(seed)
    const below = (n: number) => Math.floor(next() * n)
    const model = new Map<string, StoredJob>()
    const changed = (one: JobTarget): JobTarget => ({
      ...one,
      outcome: outcomes[below(outcomes.length)] ?? 'pending',
      words: next() < 0.5 ? null : `words ${below(100)}`,
      sentAt: below(1000),
    })
    for (let n = 0; n < 120; n += 1) {
      const ids = [...model.keys()]
      const id = ids[below(ids.length)]
      const known = id === undefined ? undefined : model.get(id)
      const step = next()
      if (known === undefined || step < 0.1) {
        const made = job(
          `j${n}`,
          Array.from({ length: 1 + below(40) }, (_, at) => `s/t/${n}-${at}`),
          { createdAt: n },
        )
        journal.jobs.create(made)
        model.set(made.record.id, made)
      } else if (step < 0.2) {
        const gone = known.targets[below(known.targets.length)]?.key ?? ''
        journal.forget([], [gone])
        const targets = known.targets.filter(({ key }) => key !== gone)
        if (targets.length === 0) model.delete(known.record.id)
        else model.set(known.record.id, { ...known, targets })
      } else {
        const saved = { ...known.record, state: 'paused' as const, endedAt: next() < 0.2 ? n : null }
        const targets = known.targets.map((one) => (next() < 0.3 ? changed(one) : one))
        // A device that is erased meanwhile is saved once more.
        const late = target('s/t/erased')
        journal.jobs.save(saved, [...targets.filter((one, at) => one !== known.targets[at]), late])
        model.set(known.record.id, { record: saved, targets })
      }
      if (n % 20 !== 19) continue
      journal.close()
      journal = openJournal(profile, 0)
    }
    const jobs = [...model.values()]
    expect(jobs.map(({ record: { id } }) => journal.jobs.stored(id))).toEqual(jobs)
    expect(journal.jobs.open(0)).toEqual(jobs.filter(isAwaited))
    for (const {
      record: { id },
      targets,
    } of jobs)
      for (const outcome of outcomes) {
        const count = targets.filter((one) => one.outcome === outcome).length
        expect(journal.jobs.one(id)?.counts[outcome]).toBe(count)
        expect(journal.jobs.devices(id, [outcome], { offset: 0, limit: 1 }).total).toBe(count)
      }
    expect(journal.jobs.list(null, null, all).rows.map(({ id }) => id)).toEqual([...model.keys()].toReversed())
  })
})
