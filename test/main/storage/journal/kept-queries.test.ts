import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { openJournal } from '../../../../src-main/storage/journal/journal.ts'
import { retentionMs } from '../../../../src-main/storage/journal/pruning.ts'
import { maxRuns } from '../../../../src-shared/model/kept-queries.ts'
import { createLeftovers, temporaryProfile } from '../../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

function open(profile = temporaryProfile(leftovers)) {
  const journal = openJournal(profile, 0)
  let isOpen = true
  const close = () => {
    if (isOpen) journal.close()
    isOpen = false
  }
  leftovers.push(close)
  return { journal, kept: journal.keptQueries, profile, close }
}

const run = (n: number, more: { at?: number; connection?: string } = {}) => ({
  id: `r${n}`,
  connection: 'c',
  at: n,
  operation: null,
  expected: 1,
  excerpt: '{ a }',
  text: { document: '{ a }', variables: '{}' },
  ...more,
})
const outcome = { status: 200, fault: null, cost: 3, ms: 5 }
const idsOf = (runs: unknown[]) => runs.map((each) => (each as { id: string }).id)

test('of the runs exactly the last 500 stay, the newest first', () => {
  const { kept } = open()
  for (let n = 0; n < maxRuns + 7; n += 1) kept.beginRun(run(n))
  const ids = idsOf(kept.runs())
  expect(ids).toHaveLength(maxRuns)
  expect([ids[0], ids.at(-1)]).toEqual([`r${maxRuns + 6}`, 'r7'])
  expect(kept.runText('r6')).toBeNull()
  expect(kept.runText('r7')).toEqual({ document: '{ a }', variables: '{}' })
})

test('a run that did not end has no outcome, also when the file is opened again', () => {
  const { kept, profile, close } = open()
  kept.beginRun(run(1))
  kept.beginRun(run(2))
  kept.endRun('r2', outcome)
  close()
  expect(open(profile).kept.runs()).toMatchObject([
    { id: 'r2', outcome },
    { id: 'r1', outcome: null, hasText: true },
  ])
})

test('runs are pruned after 400 days, and forgotten with their connection', () => {
  const { kept, journal } = open()
  kept.beginRun(run(1, { at: 1000 }))
  kept.beginRun(run(2, { at: 2000 }))
  kept.beginRun(run(3, { at: 2000, connection: 'other' }))
  expect(journal.prune(retentionMs + 1500)).toBe(1)
  expect(idsOf(kept.runs())).toEqual(['r3', 'r2'])
  expect(kept.forgetRuns('c')).toBe(1)
  expect(idsOf(kept.runs())).toEqual(['r3'])
})

test('what cannot be read stays in the file', () => {
  const { kept, profile, close } = open()
  kept.saveOperations([{ id: 'o', name: 'Mine', folder: '', document: '{ a }', variables: '' }])
  const db = new DatabaseSync(join(profile, 'journal.db'))
  db.exec("INSERT INTO saved_operation VALUES ('x', 'no json'); INSERT INTO query_tab VALUES ('y', 1, 0, '[]')")
  db.close()
  expect(kept.operations()).toMatchObject([{ id: 'o' }, { id: 'x' }])
  expect(kept.tabs()).toEqual([{ id: 'y', active: false }])
  close()
  expect(
    open(profile)
      .journal.tables()
      .map(({ name }) => name),
  ).toEqual(expect.arrayContaining(['query_tab', 'saved_operation', 'query_run']))
})

test('all or none of several operations are saved', () => {
  const { kept } = open()
  const good = { id: 'a', name: 'A', folder: '', document: '', variables: '' }
  const bad = { ...good, id: null as unknown as string }
  expect(() => kept.saveOperations([good, bad])).toThrow(/NOT NULL|NULL/u)
  expect(kept.operations()).toEqual([])
})
