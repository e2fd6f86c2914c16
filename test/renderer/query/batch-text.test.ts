import { expect, test } from 'vitest'
import type { BatchCost, BatchOutcome } from '../../../src-shared/model/batch.ts'
import {
  costLines,
  outcomeNotes,
  progressParts,
  stoppedText,
  timeLeftText,
} from '../../../src-renderer/query/batch/batch-text.ts'

const progress = {
  rows: 12_300,
  pages: 49,
  points: 2_410,
  total: 100_000,
  tenants: null,
  doneAt: null,
  waitsUntil: null,
  retrying: null,
}
const cost: BatchCost = {
  problem: null,
  field: 'deviceSearch',
  notPaged: '',
  pageSize: 250,
  writtenSize: 250,
  requests: 400,
  rows: 100_000,
  pointsEach: 48,
  points: 19_200,
  certainty: 'learned',
  isRejected: false,
  doneAt: 61_000,
  windows: 0,
  tenants: [],
}
const outcome: BatchOutcome = {
  rows: 20,
  pages: 2,
  points: 9,
  total: 20,
  missing: 0,
  errors: 0,
  isFull: false,
  stopped: null,
  canContinue: false,
  tenants: null,
  hasMore: false,
}

test('the progress names rows, pages, points, tenants and the time that is left', () => {
  expect(progressParts(progress)).toEqual(['12,300 of 100,000 rows', '49 pages', '2,410 points'])
  expect(
    progressParts({ ...progress, rows: 1, pages: 1, points: 1, total: null, tenants: { of: 40, done: 3, failed: 1 } }),
  ).toEqual(['3 of 40 tenants, 1 failed', '1 row', '1 page', '1 point'])
  expect(timeLeftText({ doneAt: 41_000, waitsUntil: null }, 1_000)).toBe('about 40 s left')
  expect(timeLeftText({ doneAt: 500, waitsUntil: 39_000 }, 1_000)).toBe('waits for points: 38 s, about 1 s left')
  expect(timeLeftText({ doneAt: null, waitsUntil: 500 }, 1_000)).toBe('')
})

test('the cost of the whole is told before, or of a page where their number is unknown', () => {
  expect(costLines(cost, 1_000)).toEqual([
    ['Field', 'deviceSearch'],
    ['Requests', '400, pages of 250'],
    ['Rows', 'About 100,000, as the inventory has'],
    ['Points', 'About 19,200, 48 each, learned from earlier answers'],
    ['Time', 'About 1 min'],
  ])
  expect(costLines({ ...cost, requests: null, points: null, rows: null, doneAt: null }, 0)).toEqual([
    ['Field', 'deviceSearch'],
    ['Requests', 'Unknown number of pages'],
    ['Points', 'About 48 for each page, learned from earlier answers'],
  ])
  const lines = new Map(
    costLines(
      {
        ...cost,
        writtenSize: 5_000,
        windows: 2,
        tenants: [
          { connection: 'a', count: 3 },
          { connection: 'b', count: 4 },
        ],
      },
      0,
    ),
  )
  expect([lines.get('Tenants'), lines.get('Requests'), lines.get('Time')]).toEqual([
    '7',
    '400, pages of 250 (5,000 would be rejected as too expensive)',
    'About 1 min, as it waits for points 2 times',
  ])
})

test('the outcome says where it stopped, and what is missing', () => {
  expect([stoppedText(outcome), outcomeNotes(outcome)]).toEqual(['', []])
  const fault = { kind: 'reset', detail: '' } as const
  expect(stoppedText({ ...outcome, stopped: fault })).toBe('Stopped after 20 rows.')
  expect(stoppedText({ ...outcome, stopped: { kind: 'abort', detail: '' } })).toBe('Cancelled after 20 rows.')
  const tenants = { of: 40, done: 12, failed: 2, failures: [] }
  expect(stoppedText({ ...outcome, stopped: { kind: 'abort', detail: '' }, tenants })).toBe(
    'Cancelled after 12 of 40 tenants.',
  )
  expect(stoppedText({ ...outcome, canContinue: true, tenants })).toBe('2 of 40 tenants failed.')
  expect(outcomeNotes({ ...outcome, isFull: true, total: 50 })).toEqual([
    'Cut: the list is longer than Muster keeps. Select fewer fields, or filter.',
  ])
  expect(outcomeNotes({ ...outcome, hasMore: true, missing: 1, total: 25 })).toEqual([
    'Only the first page of each tenant was read.',
    'The service answered 1 row with null.',
    'The service counts 25 rows now.',
  ])
  expect(outcomeNotes({ ...outcome, total: 25, tenants })).toEqual([])
})
