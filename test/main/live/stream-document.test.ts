import { expect, test } from 'vitest'
import { createStreamDocument, fixedDocument } from '../../../src-main/live/subscriptions/stream-document.ts'

test('the documented text is used until the schema is known', () => {
  let offered: string | null = null
  const document = createStreamDocument('documented', () => offered)
  expect(document.text()).toBe('documented')
  offered = 'full'
  expect(document.text()).toBe('full')
})

test('a rejected text gives way for good where the documented one is confirmed', () => {
  const document = createStreamDocument('documented', () => 'full')
  expect(document.insteadOf('full')).toBe('documented')
  document.confirmed('documented')
  expect(document.text()).toBe('documented')
})

test('a text stays where the service rejects the documented one as well', () => {
  const document = createStreamDocument('documented', () => 'full')
  expect([document.insteadOf('full'), document.insteadOf('documented'), document.text()]).toEqual([
    'documented',
    null,
    'full',
  ])
})

test('a text that was confirmed once is not to blame for a later rejection', () => {
  const document = createStreamDocument('documented', () => 'full')
  document.confirmed('full')
  expect([document.insteadOf('full'), document.text()]).toEqual([null, 'full'])
})

test("a connection's own document is never replaced", () => {
  const document = fixedDocument('own')
  expect([document.text(), document.insteadOf('own')]).toEqual(['own', null])
})
