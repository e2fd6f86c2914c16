import { Kind, parse } from 'graphql'
import { expect, test } from 'vitest'
import { rootFields } from '../../../../src-main/query/mutations/root-fields.ts'

function fieldsOf(text: string, variables: Record<string, unknown> = {}) {
  const document = parse(text)
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation')
  return rootFields(document, operation, variables).map(({ name, field, arguments: given }) => [name, field, given])
}

test('variables are filled in, also within objects, and one that is not given stays', () => {
  const text = 'mutation M($a: String, $b: Int = 7, $c: In) { do(a: $a, in: { b: $b, c: $c, n: null }, e: ON) }'
  expect(fieldsOf(text, { a: 'x "y"' })).toEqual([['do', 'do', 'a: "x \\"y\\"", in: {b: 7, c: $c, n: null}, e: ON']])
  expect(fieldsOf('mutation M($a: In) { do(a: $a) }', { a: { b: [1, null] } })).toEqual([
    ['do', 'do', 'a: {"b":[1,null]}'],
  ])
})

test('fields of fragments count, each once, also of fragments that name each other', () => {
  const text = `mutation M { one: do ...F ... on Mutation { two: do } ... { do } }
    fragment F on Mutation { three: do one: do ...G } fragment G on Mutation { four ...F ...Missing }`
  expect(fieldsOf(text).map(([name]) => name)).toEqual(['one', 'three', 'four', 'two', 'do'])
})

test('a field that is surely left out is not listed, and one in doubt is', () => {
  const text = `mutation M($yes: Boolean = true, $given: Boolean!, $none: Boolean) {
    a @skip(if: true) b @include(if: false) c @skip(if: $yes) d @include(if: $given) e @skip(if: $none) f @include(if: $none) g @other(if: false)
  }`
  expect(fieldsOf(text, { given: false }).map(([name]) => name)).toEqual(['e', 'f', 'g'])
  expect(fieldsOf(text, { given: 'false' }).map(([name]) => name)).toEqual(['d', 'e', 'f', 'g'])
})

test('long arguments are cut', () => {
  const document = parse('mutation M($a: String) { do(a: $a) }')
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation')
  const [field] = rootFields(document, operation, { a: 'x'.repeat(10_000) })
  expect([field?.arguments.length, field?.isCut]).toEqual([4_000, true])
})
