import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fold } from '../../../../../src-main/inventory/engine/filter/fold.ts'
import { type Journal, openJournal } from '../../../../../src-main/storage/journal/journal.ts'
import { createLeftovers, temporaryProfile } from '../../../../support/fleet.ts'
import { incident, member, noDelta } from '../deltas.ts'
import { job, record, renamed, target } from './records.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

let journal: Journal
beforeEach(() => {
  journal = openJournal(temporaryProfile(leftovers), 0)
  leftovers.push(() => journal.close())
})

const all = { offset: 0, limit: 500 }
const found = (text: string, device: string | null = null) =>
  journal.jobs.list({ needle: fold(text), fold }, device, all).rows.map(({ id }) => id)

test('a page has the newest jobs first, and the total of all', () => {
  for (const [id, createdAt] of [
    ['a', 100],
    ['b', 300],
    ['c', 200],
    ['d', 200],
  ] as const)
    journal.jobs.create(job(id, ['s/t/a'], { createdAt }))
  expect(journal.jobs.list(null, null, all).rows.map(({ id }) => id)).toEqual(['b', 'd', 'c', 'a'])
  const page = journal.jobs.list(null, null, { offset: 1, limit: 2 })
  expect([page.total, page.rows.map(({ id }) => id)]).toEqual([4, ['d', 'c']])
})

test('a device has the jobs that acted on it, and no other', () => {
  journal.jobs.create(job('a', ['s/t/a', 's/t/ab']))
  journal.jobs.create(job('b', ['s/t/ab']))
  const of = (key: string) => journal.jobs.list(null, key, all).rows.map(({ id }) => id)
  expect([of('s/t/a'), of('s/t/ab'), of('s/t/x')]).toEqual([['a'], ['b', 'a'], []])
})

test('an incident has the jobs that acted on one of its devices, and no other', () => {
  journal.jobs.create(job('a', ['s/t/a', 's/t/x']))
  journal.jobs.create(job('b', ['s/t/b'], { createdAt: 200 }))
  journal.jobs.create(job('c', ['s/t/x'], { createdAt: 300 }))
  const members = [member('i', 's/t/a'), member('i', 's/t/b'), member('j', 's/t/x')]
  journal.alerts.save({ ...noDelta, incidents: [incident('i'), incident('j')], members })
  const of = (id: string, limit = 9) => {
    const { total, rows } = journal.jobs.list(null, { incident: id }, { offset: 0, limit })
    return [total, ...rows.map((row) => row.id)]
  }
  expect([of('i'), of('i', 1), of('j'), of('none')]).toEqual([[2, 'b', 'a'], [2, 'b'], [2, 'c', 'a'], [0]])
  expect(journal.jobs.list({ needle: 's/t/x', fold }, { incident: 'i' }, all).rows.map(({ id }) => id)).toEqual(['a'])
})

test('a job names its only device, and neither one of several nor a place', () => {
  journal.jobs.create(job('one', ['s/t/a']))
  journal.jobs.create(job('two', ['s/t/a', 's/t/b']))
  journal.jobs.create(job('place', ['s/t'], { place: { tenant: 's/t', kind: 'site', id: 'x', name: 'Harbour' } }))
  expect(['one', 'two', 'place'].map((id) => journal.jobs.one(id)?.device)).toEqual([
    'Name of s/t/a',
    undefined,
    undefined,
  ])
})

describe('a search', () => {
  beforeEach(() => {
    journal.jobs.create({
      record: record('plain', { createdAt: 1, tenants: [{ key: 's/t', name: 'Initech' }] }),
      targets: [
        target('s/t/dev-7', {
          name: 'Lobby Bar',
          site: { id: 'x', name: 'Berlin' },
          room: { id: 'y', name: 'Attic' },
          before: { name: 'Former Bar', site: { id: 'p', name: 'Paris' } },
          after: { room: { id: 'q', name: 'Cellar' } },
          words: 'Not Permitted',
        }),
        target('s/t/dev-8', { name: 'Foyer', site: null, room: null }),
      ],
    })
    journal.jobs.create({
      record: record('accents', { createdAt: 2, kind: 'move', tenants: [{ key: 's/u', name: 'Größe' }] }),
      targets: [
        target('s/u/dev-9', { name: 'Café Zürich', tenant: { key: 's/u', name: 'Größe' }, site: null, room: null }),
      ],
    })
    journal.jobs.create({
      record: record('place', {
        createdAt: 3,
        kind: 'site',
        tenants: [{ key: 's/v', name: 'Umbrella' }],
        place: { tenant: 's/v', kind: 'site', id: 'x', name: 'Harbour' },
        fields: { name: 'New Harbour' },
      }),
      targets: [target('s/v', { name: '', tenant: { key: 's/v', name: 'Umbrella' }, site: null, room: null })],
    })
  })

  test.each([
    ['a name', 'lobby', ['plain']],
    ['a part of a key', 's/t/dev', ['plain']],
    ['a site', 'BERLIN', ['plain']],
    ['a room', 'attic', ['plain']],
    ['a former name', 'former', ['plain']],
    ['a former place', 'paris', ['plain']],
    ['a new place', 'cellar', ['plain']],
    ['words of the service', 'not permitted', ['plain']],
    ['a tenant', 'initech', ['plain']],
    ['a kind', 'move', ['accents']],
    ['a name with accents, without them', 'cafe zurich', ['accents']],
    ['a tenant with accents', 'GRÖSSE', ['accents']],
    ['a name without accents, with them', 'lóbby', ['plain']],
    ['a new name of a place', 'new harbour', ['place']],
    ['several jobs, the newest first', 'dev-', ['accents', 'plain']],
    ['nothing', 'lobby foyer', []],
    ['no wildcard', 'lob%', []],
  ])('finds %s', (_what, text, ids) => {
    expect(found(text)).toEqual(ids)
  })

  test('keeps to the device, and its total is of what it found', () => {
    expect(found('bar', 's/t/dev-8')).toEqual(['plain'])
    expect(found('bar', 's/u/dev-9')).toEqual([])
    expect(journal.jobs.list({ needle: 'dev-', fold }, null, { offset: 1, limit: 1 })).toMatchObject({
      total: 2,
      rows: [{ id: 'plain' }],
    })
  })

  test('finds new words of a device, and no longer the former ones', () => {
    journal.jobs.save(record('plain'), [target('s/t/dev-8', { name: 'Foyer', words: 'Überlast' })])
    journal.jobs.save(record('plain'), [target('s/t/dev-7', { name: 'Lobby Bar', words: null })])
    expect([found('uberlast'), found('not permitted')]).toEqual([['plain'], []])
  })
})

describe('undoable', () => {
  const isUndoable = (id: string) => journal.jobs.one(id)?.undoable

  test('is a rename, a move or an update with a device that is done and was otherwise before', () => {
    for (const kind of ['rename', 'move', 'update', 'reboot', 'site', 'room'] as const)
      journal.jobs.create(renamed(kind, ['s/t/a', 's/t/b'], { kind }))
    expect(
      journal.jobs
        .list(null, null, all)
        .rows.filter(({ undoable }) => undoable)
        .map(({ kind }) => kind),
    ).toEqual(['update', 'move', 'rename'])
  })

  test('is no job whose devices are not done, or have no former values', () => {
    const { record, targets } = renamed('a', ['s/t/a', 's/t/b'])
    journal.jobs.create({ record, targets: targets.map((one) => ({ ...one, outcome: 'unknown' })) })
    journal.jobs.create({ record: { ...record, id: 'b' }, targets: targets.map((one) => ({ ...one, before: {} })) })
    expect(['a', 'b'].map(isUndoable)).toEqual([false, false])
  })

  test('is a job until all of its devices are undone, and the undoing can be undone', () => {
    journal.jobs.create(renamed('a', ['s/t/a', 's/t/b']))
    const { record, targets } = renamed('undo', ['s/t/a', 's/t/b'], { undoes: 'a' })
    const [first, second] = targets
    journal.jobs.create({
      record,
      targets: targets.map((one) => (one === second ? { ...one, outcome: 'refused' } : one)),
    })
    expect(first?.outcome).toBe('done')
    expect(isUndoable('a')).toBe(true)
    journal.jobs.save(record, second === undefined ? [] : [second])
    expect([isUndoable('a'), isUndoable('undo')]).toEqual([false, true])
  })

  test('is a job although another job has done the same devices', () => {
    journal.jobs.create(renamed('a', ['s/t/a']))
    journal.jobs.create(renamed('b', ['s/t/a'], { undoes: 'other' }))
    expect(isUndoable('a')).toBe(true)
  })
})
