import { array, assert, boolean, constantFrom, property, string } from 'fast-check'
import { Kind, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { buildSchema, validate } from 'graphql'
import { pagedOperation, readOperation, type PagedOperation } from '../../../src-main/query/batch/paged-operation.ts'
import { knownRows, type KnownTenant } from '../../../src-main/query/batch/known-rows.ts'
import { forTenant, tenantVariable } from '../../../src-main/query/batch/tenant-variable.ts'

const schema = buildSchema(`
  type Query { tenants: [Tenant!] tenant(id: ID!): Tenant deviceSearch(params: Args): Devices sites(first: Int, after: String, tenantId: ID): Devices many(tenantId: [String!]!, params: Args): Devices }
  type Tenant { id: ID! name: String inventory: Inventory rooms(params: Places): Devices }
  type Inventory { deviceSearch(params: Args): Devices }
  input Args { filter: String nextToken: String pageSize: Int }
  input Places { limit: Int cursor: String }
  type Devices { edges: [Edge] nodes: [Device] pageInfo: Info error: String }
  type Edge { cursor: String node: Device }
  type Device { id: ID! name: String rooms(params: Places): Devices }
  type Info { totalCount: Int hasNextPage: Boolean nextToken: String endCursor: String }
`)

const readOf = (document: string, name: string | null = null) =>
  readOperation(parse(document, { noLocation: true }), name)
const find = (document: string, variables: Record<string, unknown> = {}, name: string | null = null) =>
  pagedOperation(readOf(document, name), variables)

function paged(document: string, variables: Record<string, unknown> = {}, name: string | null = null): PagedOperation {
  const found = find(document, variables, name)
  if ('why' in found) throw new Error(found.why)
  return found
}

/** The document of a page on one line; it must be valid for the schema. */
function textOf({ request }: PagedOperation, token: string | null, size: number | null = null, level = 0): string {
  const { document } = request(token, size, level)
  expect(validate(schema, parse(document)).map(({ message }) => message)).toEqual([])
  return document.replaceAll(/\s+/gu, ' ')
}

const edges = 'edges { node { id } }'

describe('the next page', () => {
  test('is asked for in the text, whose other parts stay, and what is read of pageInfo is added', () => {
    const found = paged(
      `{ tenant(id: "a") { inventory { deviceSearch(params: { filter: "x", nextToken: null }) { ${edges} } } } }`,
    )
    expect(found).toMatchObject({
      field: 'tenant.inventory.deviceSearch',
      size: null,
      slice: {
        path: ['tenant', 'inventory', 'deviceSearch'],
        list: 'edges',
        node: 'node',
        info: 'pageInfo',
        token: 'nextToken',
      },
    })
    expect(textOf(found, 'a"b\\')).toContain('deviceSearch(params: {filter: "x", nextToken: "a\\"b\\\\"})')
    expect(textOf(found, null)).toContain('deviceSearch(params: {filter: "x", nextToken: null})')
    expect(
      [0, 1, 2].map((level) => /pageInfo \{([^}]*)\}/u.exec(textOf(found, null, null, level))?.[1]?.trim()),
    ).toEqual(['totalCount hasNextPage nextToken', 'hasNextPage nextToken', 'nextToken'])
  })

  test.each([
    ['query Q($next: String) { deviceSearch(params: { nextToken: $next }) { E } }', {}, { next: 'T' }],
    [
      'query Q($p: Args) { deviceSearch(params: $p) { E } }',
      { p: { filter: 'f', pageSize: 5 } },
      { p: { filter: 'f', pageSize: 5, nextToken: 'T' } },
    ],
    ['query Q($p: Args) { deviceSearch(params: $p) { E } }', {}, { p: { nextToken: 'T' } }],
    ['query Q($p: Args) { deviceSearch(params: $p) { E } }', { p: null }, { p: { nextToken: 'T' } }],
    ['query Q($after: String) { sites(first: 9, after: $after) { E } }', { after: 'from here' }, { after: 'T' }],
    [
      'query Q($p: Places) { tenant(id: "a") { rooms(params: $p) { E } } }',
      { p: { limit: 2 } },
      { p: { limit: 2, cursor: 'T' } },
    ],
  ])('is asked for in a variable: %s', (document, variables, next) => {
    const found = paged(document.replace('E', edges), variables)
    expect(found.request('T', null, 0).variables).toEqual(next)
    expect(found.request(null, null, 0).variables).toEqual(variables)
    expect(textOf(found, 'T')).toBe(textOf(found, null))
  })

  test.each([
    ['{ deviceSearch { E } }', 'deviceSearch(params: {nextToken: "T"})'],
    ['{ deviceSearch(params: { pageSize: 5 }) { E } }', 'deviceSearch(params: {pageSize: 5, nextToken: "T"})'],
    ['{ sites(first: 9) { E } }', 'sites(first: 9, after: "T")'],
    ['{ tenant(id: "a") { rooms(params: { limit: 2 }) { E } } }', 'rooms(params: {limit: 2, cursor: "T"})'],
    ['{ deviceSearch(params: { nextToken: null }) { nodes { id } pageInfo { hasNextPage } } }', '{nextToken: "T"}'],
  ])('is asked for where the first one is: %s', (document, text) => {
    expect(textOf(paged(document.replace('E', edges)), 'T')).toContain(text)
  })

  test('may begin at a token that the operator wrote, and have another size', () => {
    const found = paged(`{ deviceSearch(params: { nextToken: "start", pageSize: 500 }) { ${edges} } }`)
    expect([found.size, textOf(found, null)]).toEqual([
      500,
      expect.stringContaining('nextToken: "start", pageSize: 500'),
    ])
    expect(textOf(found, 'T', 250)).toContain('{nextToken: "T", pageSize: 250}')
    const inVariable = paged(`query Q($n: Int = 80) { deviceSearch(params: { pageSize: $n }) { ${edges} } }`)
    expect([inVariable.size, inVariable.request('T', 40, 0).variables]).toEqual([80, { n: 40 }])
    const inMember = paged(`query Q($p: Args) { deviceSearch(params: $p) { ${edges} } }`, { p: { pageSize: 70 } })
    expect(inMember.request('T', 7, 0).variables).toEqual({ p: { pageSize: 7, nextToken: 'T' } })
  })
})

describe('aliases and fragments', () => {
  test('keep the keys under which the answer is read', () => {
    const found = paged(
      `query A { t: tenant(id: "a") { ...T } } query B { tenants { id } }
       fragment T on Tenant { i: inventory { d: deviceSearch(params: { nextToken: null }) { __typename ...D } } }
       fragment D on Devices { e: edges { cursor n: node { id } } pageInfo { hasNextPage } }
       fragment Unused on Device { id }`,
      {},
      'A',
    )
    expect(found.slice).toEqual({ path: ['t', 'i', 'd'], list: 'e', node: 'n', info: 'pageInfo', token: 'nextToken' })
    const text = textOf(found, 'T')
    expect(text).toContain('d: deviceSearch(params: {nextToken: "T"})')
    expect(text).not.toMatch(/query B|Unused/u)
  })

  test('with keys of pageInfo of the operator’s own make Muster read one beside it', () => {
    const own = `pageInfo { hasNextPage: totalCount more: hasNextPage }`
    const found = paged(`{ deviceSearch(params: { nextToken: null }) { ${edges} ${own} } }`)
    expect(found.slice.info).toBe('musterPageInfo')
    expect(textOf(found, null)).toContain('musterPageInfo: pageInfo { totalCount hasNextPage nextToken }')
  })

  test('a field that is selected twice, or conditionally, is one field', () => {
    const found = paged(
      `query Q($if: Boolean = false) { deviceSearch(params: { nextToken: null }) { ${edges} }
       deviceSearch(params: { nextToken: null }) { pageInfo { hasNextPage @include(if: $if) nextToken totalCount } } }`,
    )
    expect(textOf(found, 'T').match(/nextToken: "T"/gu)).toHaveLength(2)
    expect(textOf(found, null).match(/hasNextPage/gu)).toHaveLength(2)
  })

  test('what is selected already is not asked for again', () => {
    const document = `{ deviceSearch(params: {nextToken: null}) { ${edges} pageInfo { totalCount hasNextPage nextToken } } }`
    expect(textOf(paged(document), null)).toBe(document)
  })
})

test.each([
  ['{ tenants { id } }', /no paged field/u],
  [
    `{ tenants { inventory { deviceSearch { ${edges} } } } }`,
    /tenants\.inventory\.deviceSearch is within a list \(tenants\)/u,
  ],
  [`{ a: deviceSearch { ${edges} } b: deviceSearch { ${edges} } }`, /several paged fields: a, b\./u],
  [`{ sites { ${edges} } }`, /sites does not say how its next page is asked for/u],
  [`query Q($p: Args) { deviceSearch(params: $p) { ${edges} } }`, /does not say/u],
])('an operation without one field to page says why: %s', (document, why) => {
  const found = find(document, { p: 'no object' })
  expect('why' in found ? found.why : '').toMatch(why)
})

test('a connection within the rows is no second one', () => {
  const found = paged(`{ deviceSearch(params: { nextToken: null }) { edges { node { rooms { ${edges} } } } } }`)
  expect(found.field).toBe('deviceSearch')
})

test('fragments that would be exponentially many are rejected', () => {
  const more = Array.from(
    { length: 30 },
    (_none, at) => `fragment F${at} on Query { a: tenant { ...F${at + 1} } b: tenant { ...F${at + 1} } }`,
  )
  expect(() => find(`{ ...F0 } ${more.join(' ')} fragment F30 on Query { a: tenant { id } }`)).toThrow(
    /nested too deeply/u,
  )
})

test('of any selection beside the list, each page differs from the first in its token alone', () => {
  const part = constantFrom(
    '__typename',
    'error',
    'pageInfo { hasNextPage }',
    'pageInfo { x: nextToken }',
    '... { error }',
    edges,
  )
  assert(
    property(array(part, { maxLength: 5 }), string({ minLength: 1 }), boolean(), (parts, token, inText) => {
      const params = inText ? '{ nextToken: null }' : '{ nextToken: $next }'
      const head = inText ? 'query Q' : 'query Q($next: String)'
      const found = paged(`${head} { deviceSearch(params: ${params}) { ${[...parts, edges].join(' ')} } }`)
      const [first, next] = [found.request(null, null, 0), found.request(token, null, 0)]
      expect(validate(schema, parse(next.document))).toEqual([])
      expect(tokensIn(next, token)).toEqual([token])
      const same = inText ? parse(next.document.replace(JSON.stringify(token), 'null')) : parse(next.document)
      if (inText && !next.document.includes(JSON.stringify(token))) return
      expect(same.definitions.length).toBe(parse(first.document).definitions.length)
      expect(found.slice.info === 'pageInfo').toBe(!parts.includes('pageInfo { x: nextToken }'))
    }),
  )
})

/** The tokens that a request names, in its text or its variables. */
function tokensIn(
  { document, variables }: { document: string; variables: Record<string, unknown> },
  token: string,
): unknown[] {
  const [operation] = parse(document).definitions
  const field = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections[0] : undefined
  const value = field?.kind === Kind.FIELD ? field.arguments?.[0]?.value : undefined
  const member = value?.kind === Kind.OBJECT ? value.fields[0]?.value : undefined
  return member?.kind === Kind.STRING ? [member.value] : Object.values(variables).filter((each) => each === token)
}

describe('the tenant', () => {
  test.each([
    ['query Q($a: ID!) { tenant(id: $a) { id } }', { name: 'a', isList: false }],
    ['query Q($tenantId: ID!, $a: ID!) { sites(tenantId: $a) { error } }', { name: 'a', isList: false }],
    ['query Q($ids: [String!]!) { many(tenantId: $ids) { error } }', { name: 'ids', isList: true }],
    ['query Q($tenantId: ID!) { tenants { id } }', { name: 'tenantId', isList: false }],
    ['query Q($t: ID!) { ...F } fragment F on Query { tenant(id: $t) { id } }', { name: 't', isList: false }],
  ])('is filled in the variable that names it: %s', (document, variable) => {
    expect(tenantVariable(readOf(document))).toEqual(variable)
    expect(forTenant({ other: 1 }, variable, 'x')).toEqual({ other: 1, [variable.name]: variable.isList ? ['x'] : 'x' })
  })

  test.each([
    ['{ tenant(id: "fixed") { id } }', /takes no tenant/u],
    ['query Q($a: ID!, $b: ID!) { a: tenant(id: $a) { id } b: tenant(id: $b) { id } }', /several variables: \$a, \$b/u],
  ])('is not filled where that is unclear: %s', (document, why) => {
    const found = tenantVariable(readOf(document))
    expect('why' in found ? found.why : '').toMatch(why)
  })
})

test('the inventory knows the rows of a search without a filter, and of no other field', () => {
  const tenants: KnownTenant[] = ['a', 'b'].map((id, at) => ({
    key: `s/${id}`,
    id,
    name: id,
    region: null,
    devices: 5 + at,
    read: true,
    connections: ['c'],
  }))
  const rows = (document: string, variables: Record<string, unknown> = {}, known = tenants) =>
    knownRows(paged(document, variables).connection, variables, known)
  const inTenant = (params: string) =>
    `query Q($t: ID!, $p: Args) { tenant(id: $t) { inventory { deviceSearch(params: ${params}) { ${edges} } } } }`
  expect(rows(inTenant('{ nextToken: null }'), { t: 'b' })).toBe(6)
  expect(rows(inTenant('$p'), { t: 'a', p: { pageSize: 3 } })).toBe(5)
  expect(rows(`{ deviceSearch { ${edges} } }`)).toBe(11)
  expect(rows(inTenant('{ filter: "x" }'), { t: 'a' })).toBe(null)
  expect(rows(inTenant('$p'), { t: 'a', p: { filter: 'x' } })).toBe(null)
  expect(rows(inTenant('{ nextToken: null }'), { t: 'none' })).toBe(null)
  expect(rows(`{ tenant(id: "a") { rooms(params: { limit: 1 }) { ${edges} } } }`)).toBe(null)
  expect(
    rows(
      `{ deviceSearch { ${edges} } }`,
      {},
      tenants.map((tenant) => ({ ...tenant, read: false })),
    ),
  ).toBe(null)
})
