import { expect, test } from 'vitest'
import type { Message } from '../../../src-shared/model/messages.ts'
import { pausedText } from '../../../src-renderer/notifications/format.ts'
import { bodyText, historyText, titleText } from '../../../src-renderer/lib/format/messages.ts'

const at = Date.UTC(2026, 2, 4, 1, 10)
const now = Date.UTC(2026, 2, 4, 1, 30)
const message: Message = {
  kind: 'text',
  title: ['Room 01:10 is offline'],
  body: ['Berlin. Since ', at, '. 2 more no data since.'],
}

test("a message's times are in the chosen zone, and other digits are untouched", () => {
  expect(bodyText(message, now, 'utc')).toBe('Berlin. Since 01:10 UTC. 2 more no data since.')
  expect(titleText(message, now, 'utc')).toBe('Room 01:10 is offline')
  expect(bodyText(message, now + 24 * 3_600_000, 'utc')).toBe(
    'Berlin. Since 2026-03-04 01:10 UTC. 2 more no data since.',
  )
  const local = new Date(at).toTimeString().slice(0, 5)
  expect(bodyText(message, new Date(at).getTime() + 1000, 'local')).toBe(
    `Berlin. Since ${local}. 2 more no data since.`,
  )
})

test('an entry of the history has its time in short', () => {
  expect(historyText({ kind: 'until', until: at }, now, 'utc')).toBe('until 01:10')
  expect(historyText({ kind: 'until', until: at }, now + 24 * 3_600_000, 'utc')).toBe('until 4 Mar 01:10')
})

test('a pause that was just begun is shown with its whole length', () => {
  expect([
    pausedText(now + 3_600_000, now + 300),
    pausedText(now + 15 * 60_000, now + 1_500),
    pausedText(now + 40_000, now),
    pausedText(now, now),
  ]).toEqual(['Paused, 1 h left', 'Paused, 15 min left', 'Paused, 40 s left', ''])
})
