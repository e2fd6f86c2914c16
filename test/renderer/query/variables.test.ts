import { expect, test } from 'vitest'
import { operationNames, readVariables, withPageSize, withVariable } from '../../../src-renderer/query/variables.ts'

test('variables are an object of JSON; a blank text has none', () => {
  expect(readVariables('{"a": [1]}')).toEqual({ values: { a: [1] } })
  expect(readVariables(' \n')).toEqual({ values: {} })
  for (const text of ['[]', '1', 'null', '{a: 1}', '{"a": }']) expect(readVariables(text)).toHaveProperty('problem')
})

test('a variable is set beside the others, and not in a text that is no object', () => {
  expect(JSON.parse(withVariable('{"a": 1, "tenantId": "x"}', 'tenantId', 'y') ?? '')).toEqual({ a: 1, tenantId: 'y' })
  expect(withVariable('', 'tenantId', 'y')).toBe('{\n  "tenantId": "y"\n}')
  expect(withVariable('{', 'tenantId', 'y')).toBeNull()
})

test('the operations of a document are found, and nothing within comments, texts and fields', () => {
  const document = `
    # query Commented { a }
    query First($a: String = "query Text { a }") { query: field(mutation: Name) { subscription } }
    """query Described { a }"""
    mutation Second { b }
    { anonymous }
    subscription Third { c }
    fragment query on T { d }`
  expect(operationNames(document)).toEqual(['First', 'Second', 'Third'])
  expect(operationNames('query Unended { a')).toEqual(['Unended'])
})

test('the page size is set in the document, or else in the variables', () => {
  const literal = '{ deviceSearch(params: { pageSize : 2000, nextToken: null }) { id } }'
  expect(withPageSize({ document: literal, variables: '{}' }, 50)).toEqual({
    document: '{ deviceSearch(params: { pageSize : 50, nextToken: null }) { id } }',
    variables: '{}',
  })
  const found = withPageSize({ document: '{ a }', variables: '{"params": {"pageSize": 2000, "other": 1}}' }, 50)
  expect(JSON.parse(found?.variables ?? '')).toEqual({ params: { pageSize: 50, other: 1 } })
  expect(withPageSize({ document: '{ a }', variables: '{"params": {}}' }, 50)).toBeNull()
  expect(withPageSize({ document: '{ a }', variables: '{' }, 50)).toBeNull()
})
