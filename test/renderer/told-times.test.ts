import { expect, test } from 'vitest'
import type { Told } from '../../src-shared/model.ts'
import { pausedWords, toldWords } from '../../src-renderer/tellings/words.ts'

const at = Date.UTC(2026, 2, 4, 1, 10)
const now = Date.UTC(2026, 2, 4, 1, 30)
const told: Told = {
  id: 'a',
  at: now,
  kind: 'offline',
  title: 'Room 01:10 is offline',
  body: 'Berlin. Since 20 Nov 14:40. 2 more not seen since.',
  devices: 1,
  moments: [{ part: 'body', from: 14, to: 26, at }],
  open: { scope: 'all', filter: '', device: null },
}

test('what was told is written by the clock that is chosen now, and nothing that only looks like a time is touched', () => {
  expect(toldWords(told, 'body', now, 'utc')).toBe('Berlin. Since 01:10 UTC. 2 more not seen since.')
  expect(toldWords(told, 'title', now, 'utc')).toBe(told.title)
  expect(toldWords(told, 'body', now + 24 * 3_600_000, 'utc')).toBe(
    'Berlin. Since 2026-03-04 01:10 UTC. 2 more not seen since.',
  )
  const local = new Date(at).toTimeString().slice(0, 5)
  expect(toldWords(told, 'body', new Date(at).getTime() + 1000, 'local')).toBe(
    `Berlin. Since ${local}. 2 more not seen since.`,
  )
})

test('what was kept without its instants, or with some that do not fit, is said as it is', () => {
  const { moments: _, ...old } = told
  expect(toldWords(old, 'body', now, 'utc')).toBe(told.body)
  expect(toldWords({ ...told, moments: [{ part: 'body', from: 14, to: 2600, at }] }, 'body', now, 'utc')).toBe(
    told.body,
  )
})

test('a pause that was just begun is said whole', () => {
  expect([
    pausedWords(now + 3_600_000, now + 300),
    pausedWords(now + 15 * 60_000, now + 1_500),
    pausedWords(now + 40_000, now),
    pausedWords(now, now),
  ]).toEqual(['Paused, 1 h left', 'Paused, 15 min left', 'Paused, 40 s left', ''])
})
