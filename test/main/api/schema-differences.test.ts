import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  introspectionFromSchema,
  type GraphQLSchema,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { differencesBetween } from '../../../src-main/api/schema/differences.ts'
import { fingerprintForm, formOf, printForm, readForm, type SchemaForm } from '../../../src-main/api/schema/form.ts'

const base = `
  type Query { tenants(first: Int = 10): [Tenant!] device(id: String!): Device kind: Kind any: Any }
  interface Named { name: String }
  type Tenant implements Named { id: ID! name: String devices: [Device] }
  type Device implements Named { id: String! name: String connected: Boolean tags: [String] }
  enum Kind { BAR PHONE }
  union Any = Tenant | Device
  input Params { filter: String size: Int = 10 order: [String!] }
`

const introspected = (schema: GraphQLSchema): string => JSON.stringify({ data: introspectionFromSchema(schema) })

function formIn(schema: GraphQLSchema): SchemaForm {
  const form = formOf(introspected(schema))
  if ('notWhole' in form) throw new Error(form.notWhole)
  return form
}

function changed(from: string, to: string) {
  const before = buildSchema(base)
  const after = buildSchema(base.replace(from, to))
  return {
    found: differencesBetween(formIn(before), formIn(after)),
    breaking: findBreakingChanges(before, after).length,
    dangerous: findDangerousChanges(before, after).length,
  }
}

/** Changes of the schema above: text, its replacement, and the coordinate that is reported first. */
const changes: [what: string, from: string, to: string, coordinate: string][] = [
  ['a removed field', 'connected: Boolean ', '', 'Device.connected'],
  ['an added field', 'connected: Boolean', 'connected: Boolean serial: String', 'Device.serial'],
  ['a field that may be null now', 'id: ID!', 'id: ID', 'Tenant.id'],
  ['a field that is never null now', 'connected: Boolean', 'connected: Boolean!', 'Device.connected'],
  ['a list of what is never null', 'tags: [String]', 'tags: [String!]!', 'Device.tags'],
  ['a list of another type', 'tags: [String]', 'tags: [Int]', 'Device.tags'],
  ['a list that is none any more', 'tags: [String]', 'tags: String', 'Device.tags'],
  ['an argument that is required now', 'first: Int = 10', 'first: Int!', 'Query.tenants(first:)'],
  ['an argument that is optional now', 'id: String!', 'id: String', 'Query.device(id:)'],
  ['a default value', 'first: Int = 10', 'first: Int = 20', 'Query.tenants(first:)'],
  ['an added argument', 'first: Int = 10', 'first: Int = 10, after: String', 'Query.tenants(after:)'],
  ['an added required argument', 'first: Int = 10', 'first: Int = 10, region: ID!', 'Query.tenants(region:)'],
  ['a removed argument', '(first: Int = 10)', '', 'Query.tenants(first:)'],
  ['an added member of an input', 'order: [String!]', 'order: [String!] token: String', 'Params.token'],
  ['an added required member of an input', 'order: [String!]', 'order: [String!] token: String!', 'Params.token'],
  ['a removed member of an input', ' order: [String!]', '', 'Params.order'],
  ['an input that takes fewer values', 'order: [String!]', 'order: [String!]!', 'Params.order'],
  ['a removed value', 'BAR PHONE', 'BAR', 'Kind.PHONE'],
  ['an added value', 'BAR PHONE', 'BAR PHONE HUB', 'Kind.HUB'],
  ['a removed member of a union', 'Tenant | Device', 'Tenant', 'Any | Device'],
  ['an interface that is not implemented any more', 'Tenant implements Named', 'Tenant', 'Tenant & Named'],
]

describe('differences of schemas', () => {
  test.each(changes)('%s is as severe as in graphql-js', (_what, from, to, coordinate) => {
    const { found, breaking, dangerous } = changed(from, to)
    expect(found.map((each) => each.coordinate)).toEqual([coordinate])
    const expected = breaking > 0 ? 'breaking' : dangerous > 0 ? 'dangerous' : 'safe'
    expect(found[0]?.severity).toBe(expected)
  })

  test('what is within a removed or added type is not listed beside it', () => {
    const before = buildSchema(`${base} type Extra { a: Int b(c: Int): Int }`)
    expect(differencesBetween(formIn(before), formIn(buildSchema(base)))).toEqual([
      { coordinate: 'Extra', what: 'removed', severity: 'breaking', from: 'object', to: '' },
    ])
    expect(differencesBetween(formIn(buildSchema(base)), formIn(before)).map(({ coordinate }) => coordinate)).toEqual([
      'Extra',
    ])
  })

  test('a deprecation and its end are told with the reason', () => {
    const text = 'connected: Boolean @deprecated(reason: "Use\\nstate")'
    const { found } = changed('connected: Boolean', text)
    expect(found).toEqual([
      { coordinate: 'Device.connected', what: 'deprecated', severity: 'safe', from: '', to: 'Use state' },
    ])
    const back = differencesBetween(
      formIn(buildSchema(base.replace('connected: Boolean', text))),
      formIn(buildSchema(base)),
    )
    expect(back.map(({ what }) => what)).toEqual(['undeprecated'])
  })

  test('a form is stored as text and read again', () => {
    const form = formIn(buildSchema(base))
    expect(differencesBetween(readForm(printForm(form)), form)).toEqual([])
    expect(readForm(printForm(form)).size).toBe(form.size)
  })

  test('what a sync reads is compared under the same coordinates', () => {
    const before = fingerprintForm(['name:String', 'user:DeviceUser', 'user.email:String', 'search.filter'])
    const after = fingerprintForm(['name:String!', 'user:DeviceUser', 'search.filter', 'search.sort'])
    expect(differencesBetween(before, after).map(({ coordinate, what }) => [coordinate, what])).toEqual([
      ['DeviceUser.email', 'removed'],
      ['DeviceFindArgs.sort', 'added'],
      ['Device.name', 'changed'],
    ])
  })
})

describe('an answer that is no whole schema', () => {
  const whole = introspectionFromSchema(buildSchema(base))
  const types = whole.__schema.types
  test.each([
    ['is cut', introspected(buildSchema(base)).slice(0, -40)],
    ['has errors beside its data', JSON.stringify({ data: whole, errors: [{ message: 'a part failed' }] })],
    ['has no data', JSON.stringify({ data: null })],
    ['has no types', JSON.stringify({ data: { __schema: { ...whole.__schema, types: [] } } })],
    ['lacks a type', JSON.stringify({ data: { __schema: { ...whole.__schema, types: types.slice(1) } } })],
    [
      'lacks the fields of a type',
      JSON.stringify({
        data: {
          __schema: {
            ...whole.__schema,
            types: types.map((type) => (type.name === 'Device' ? { ...type, fields: null } : type)),
          },
        },
      }),
    ],
    [
      'has a name that no type can have',
      JSON.stringify({
        data: { __schema: { ...whole.__schema, types: [...types, { kind: 'SCALAR', name: 'a\tb' }] } },
      }),
    ],
  ])('one that %s is not compared', (_what, text) => {
    expect(formOf(text)).toHaveProperty('notWhole')
  })
})
