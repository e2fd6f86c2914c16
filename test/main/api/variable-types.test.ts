import { expect, test } from 'vitest'
import { createDialect } from '../../../src-main/api/dialect.ts'
import { devicesOperation, defaultSubscription } from '../../../src-main/api/operations.ts'
import { wantedTypes } from '../../../src-main/api/variable-types.ts'

const says = (message: string) => ({ message, code: null, path: null })

test.each([
  'Variable "$tenant" of type "ID!" used in position expecting type "String!".',
  "Variable '$tenant' of type 'ID!' used in position expecting type 'String!'",
  'Type mismatch on variable $tenant and argument id (ID! / String!)',
  "Validation error (VariableTypeMismatch@[tenant]) : Variable type 'ID!' does not match expected type 'String!'",
])('a rejected variable type is learned from the message (%#)', (words) => {
  const dialect = createDialect()
  expect(dialect.learn(devicesOperation.document, [says(words)])).toBe(true)
  expect(dialect.adapted(devicesOperation.document)).toContain(
    'query Devices($tenant: String!, $params: DeviceFindArgs)',
  )
  expect(createDialect({ stored: dialect.stored() }).adapted(devicesOperation.document)).toContain('$tenant: String!')
})

test('the type of a rejected list is learned, and whether it may be null', () => {
  expect(
    wantedTypes(defaultSubscription, [
      says('Variable "$deviceIds" of type "[String!]!" used in position expecting type "[ID!]!".'),
    ]),
  ).toEqual([['deviceIds', '[ID!]!']])
  expect(
    wantedTypes(devicesOperation.document, [
      says('Variable "$params" of type "DeviceFindArgs" used in position expecting type "DeviceFindArgs!".'),
    ]),
  ).toEqual([['params', 'DeviceFindArgs!']])
})

test.each([
  ['another variable', 'Variable "$other" of type "ID!" used in position expecting type "String!".'],
  ['another type than was sent', 'Variable "$tenant" of type "Int!" used in position expecting type "String!".'],
  ['a list for a single id', 'Variable "$tenant" of type "ID!" used in position expecting type "[ID!]!".'],
  ['a number', 'Variable "$tenant" of type "ID!" used in position expecting type "Int!".'],
  ['what is no type', 'Variable "$tenant" of type "ID!" used in position expecting type "[[!".'],
])('%s teaches nothing', (_name, words) => {
  expect(createDialect().learn(devicesOperation.document, [says(words)])).toBe(false)
})

test('a service that alternates between two types is not queried for ever', () => {
  let now = 0
  const dialect = createDialect({ now: () => now })
  const rejected = (given: string, wanted: string) =>
    dialect.learn(dialect.adapted(devicesOperation.document), [
      says(`Variable "$tenant" of type "${given}" used in position expecting type "${wanted}".`),
    ])
  expect([rejected('ID!', 'String!'), rejected('String!', 'ID!')]).toEqual([true, false])
  now += 61_000
  expect(rejected('String!', 'ID!')).toBe(true)
})
