import { expect, test } from 'vitest'
import type { Notification } from '../../../src-shared/model/inventory.ts'
import { pausedText, notificationText } from '../../../src-renderer/notifications/format.ts'

const at = Date.UTC(2026, 2, 4, 1, 10)
const now = Date.UTC(2026, 2, 4, 1, 30)
const told: Notification = {
  id: 'a',
  at: now,
  kind: 'offline',
  title: 'Room 01:10 is offline',
  body: 'Berlin. Since 20 Nov 14:40. 2 more no data since.',
  devices: 1,
  moments: [{ part: 'body', from: 14, to: 26, at }],
  open: { scope: 'all', filter: '', device: null },
}

test("a notification's times are in the chosen zone, and other digits are untouched", () => {
  expect(notificationText(told, 'body', now, 'utc')).toBe('Berlin. Since 01:10 UTC. 2 more no data since.')
  expect(notificationText(told, 'title', now, 'utc')).toBe(told.title)
  expect(notificationText(told, 'body', now + 24 * 3_600_000, 'utc')).toBe(
    'Berlin. Since 2026-03-04 01:10 UTC. 2 more no data since.',
  )
  const local = new Date(at).toTimeString().slice(0, 5)
  expect(notificationText(told, 'body', new Date(at).getTime() + 1000, 'local')).toBe(
    `Berlin. Since ${local}. 2 more no data since.`,
  )
})

test('a notification without instants, or with wrong ones, is shown unchanged', () => {
  const { moments: _, ...old } = told
  expect(notificationText(old, 'body', now, 'utc')).toBe(told.body)
  expect(notificationText({ ...told, moments: [{ part: 'body', from: 14, to: 2600, at }] }, 'body', now, 'utc')).toBe(
    told.body,
  )
})

test('a pause that was just begun is shown with its whole length', () => {
  expect([
    pausedText(now + 3_600_000, now + 300),
    pausedText(now + 15 * 60_000, now + 1_500),
    pausedText(now + 40_000, now),
    pausedText(now, now),
  ]).toEqual(['Paused, 1 h left', 'Paused, 15 min left', 'Paused, 40 s left', ''])
})
