import { expect, test } from 'vitest'
import { operationKind } from '../../../../src-renderer/query/streams/operation-kind.ts'
import { rateText } from '../../../../src-renderer/query/streams/stream-status.tsx'

test('the button follows the kind of the chosen operation, and not its name', () => {
  const document = 'query mutation { a } mutation query { b } subscription S { c } fragment F on A { d }'
  expect(operationKind(document, null)).toBe('query')
  expect(operationKind(document, 'query')).toBe('mutation')
  expect(operationKind(document, 'S')).toBe('subscription')
  expect(operationKind('{ a', null)).toBe('query')
})

test('a rate has a decimal below ten', () => {
  expect([0, 0.2, 9.96, 1234].map(rateText)).toEqual(['0/s', '0.2/s', '10.0/s', '1,234/s'])
})
