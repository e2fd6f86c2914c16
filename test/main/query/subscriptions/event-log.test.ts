import { expect, test } from 'vitest'
import { createAnswers } from '../../../../src-main/query/answers/answers.ts'
import { createEventLogs, type NewRow } from '../../../../src-main/query/subscriptions/event-log.ts'

const event = (text: string, at = 1_000): NewRow => ({ at, gapSince: null, text, hasErrors: false })
const gap = (gapSince: number, at: number): NewRow => ({ at, gapSince, text: '', hasErrors: false })
const all = { before: null, filter: '' }
const page = { from: 0, count: 100 }

function open(limits?: { keptRows: number; keptBytes: number }) {
  const answers = createAnswers()
  return { answers, logs: createEventLogs(answers, limits) }
}

test('of too many rows the last ones stay, and gaps are not counted as dropped events', () => {
  const { logs } = open({ keptRows: 3, keptBytes: 1_000 })
  expect(logs.addEvents('a', [event('1'), gap(1, 2), event('3')])).toEqual({ last: 3, dropped: 0 })
  expect(logs.addEvents('a', [event('4'), event('5')])).toEqual({ last: 5, dropped: 1 })
  const { total, rows } = logs.eventRows('a', all, page)
  expect([total, rows.map(({ number }) => number)]).toEqual([3, [5, 4, 3]])
})

test('of too many bytes the last ones stay, and one that is larger alone', () => {
  const { logs } = open({ keptRows: 100, keptBytes: 10 })
  expect(logs.addEvents('a', [event('12345'), event('67890')])).toEqual({ last: 2, dropped: 0 })
  expect(logs.addEvents('a', [event('1')])).toEqual({ last: 3, dropped: 1 })
  expect(logs.addEvents('a', [event('x'.repeat(50))])).toEqual({ last: 4, dropped: 2 })
  expect(logs.eventRows('a', all, page).rows).toHaveLength(1)
})

test('a filter finds texts in any case, with all gaps, also among rows that come later', () => {
  const { logs } = open({ keptRows: 4, keptBytes: 1_000 })
  const found = () => logs.eventRows('a', { before: null, filter: 'Boardroom' }, page)
  logs.addEvents('a', [event('{"name":"BOARDROOM"}'), event('{}'), gap(1, 2)])
  expect(found().rows.map(({ number }) => number)).toEqual([3, 1])
  logs.addEvents('a', [event('boardroom'), event('{}'), event('a boardroom')])
  expect([found().total, found().rows.map(({ number }) => number)]).toEqual([3, [6, 4, 3]])
  expect(logs.eventRows('a', { before: 6, filter: 'boardroom' }, { from: 0, count: 1 })).toMatchObject({
    total: 2,
    rows: [{ number: 4 }],
  })
})

test('a long row is shown in part, in whole characters, and opens as a whole', () => {
  const { answers, logs } = open()
  const text = JSON.stringify({ data: 'é'.repeat(2_000) })
  logs.addEvents('a', [event(text)])
  const [row] = logs.eventRows('a', all, page).rows
  expect(row).toMatchObject({ isCut: true, bytes: Buffer.byteLength(text) })
  expect(text.startsWith(row?.text ?? '-')).toBe(true)
  expect(logs.openEvent('a', 1, 'run')).toMatchObject({ bytes: Buffer.byteLength(text) })
  expect(answers.text('run', 0).text).toBe(text)
  expect(logs.openEvent('a', 2, 'other')).toBeNull()
})

test('events are written as lines of JSON with their time, and a gap says since when', () => {
  const { logs } = open()
  logs.addEvents('a', [event('{"data":1}', 0), gap(0, 2_000)])
  const { text, next } = logs.eventsText('a', '', 0)
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { receivedAt: '1970-01-01T00:00:00.000Z', payload: { data: 1 } },
    { receivedAt: '1970-01-01T00:00:02.000Z', mayMissSince: '1970-01-01T00:00:00.000Z' },
  ])
  expect(logs.eventsText('a', '', next)).toEqual({ text: '', next })
})

test('a cleared log goes on with its numbers, and a forgotten one has no rows', () => {
  const { logs } = open()
  logs.addEvents('a', [event('1')])
  logs.clearEvents('a')
  expect(logs.addEvents('a', [event('2')])).toEqual({ last: 2, dropped: 0 })
  logs.forgetEvents('a')
  expect(logs.eventRows('a', all, page)).toEqual({ total: 0, rows: [] })
})
