import { expect, test } from 'vitest'
import { enteredTime, firstQuery, inputTime, upToNow } from '../../../src-renderer/changes/query.ts'

const hour = 3_600_000
const now = Date.parse('2026-03-04T02:10:00Z')

test('a time that ends now is as long as its name says, and begins at the first page', () => {
  const query = { ...firstQuery(now, null), page: 3 }
  expect([query.span, query.from, query.until]).toEqual(['day', now - 24 * hour, now])
  expect(upToNow(query, 'week', now + 1000, null)).toMatchObject({
    span: 'week',
    from: now + 1000 - 7 * 24 * hour,
    until: now + 1000,
    page: 0,
  })
})

test('a custom time begins with the one before it', () => {
  const query = firstQuery(now, null)
  expect(upToNow(query, 'custom', now + hour, null)).toEqual({ ...query, span: 'custom' })
})

test.each(['local', 'utc'] as const)('a time that is entered is the one that is shown: %s', (times) => {
  expect(enteredTime(inputTime(now, times), times)).toBe(now)
  expect(enteredTime('', times)).toBeNull()
  expect(inputTime(now, 'utc')).toBe('2026-03-04T02:10')
})

test('the last visit is the first choice where it is known', () => {
  const query = firstQuery(now, now - 3 * hour)
  expect([query.span, query.from, query.until]).toEqual(['visit', now - 3 * hour, now])
})
