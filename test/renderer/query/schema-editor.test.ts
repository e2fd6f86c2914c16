import { CompletionContext, type CompletionSource } from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { EditorState, type Extension } from '@codemirror/state'
import { stateExtensions } from 'cm6-graphql'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { describe as described, placeOf } from '../../../src-renderer/query/documentation/description.ts'
import { searchSchema } from '../../../src-renderer/query/documentation/search-schema.ts'
import { schemaCompletion, shortDocument } from '../../../src-renderer/query/editor/completion.ts'
import { fillFields } from '../../../src-renderer/query/editor/fill-fields.ts'
import { graphqlSupport } from '../../../src-renderer/query/editor/grammar.ts'
import { problemsIn } from '../../../src-renderer/query/editor/lint.ts'
import { symbolAt } from '../../../src-renderer/query/editor/symbol-at.ts'
import { variablesOf } from '../../../src-renderer/query/editor/variable-types.ts'
import {
  setVariablesContext,
  variableCompletions,
  variableProblems,
  variablesLanguage,
} from '../../../src-renderer/query/editor/variables-language.ts'

const schema = buildSchema(`
  "Where all begins"
  type Query {
    "All tenants"
    tenants(first: Int = 10, sort: Order): [Tenant!]
    tenant(id: ID!): Tenant
    old: String @deprecated(reason: "use tenants")
    devices(params: Params, list: [Params!]): [Device!]
    node: Node
  }
  interface Node { id: ID! }
  type Tenant implements Node { id: ID! name: String region: Region type: String input: String gone: Int @deprecated device(id: ID!): String }
  type Device implements Node { id: ID! serial: String type: Boolean }
  type Region { id: String }
  input Params { tenantId: ID! "Which" filter: Filter pageSize: Int = 50 order: Order }
  input Filter { field: String! on: Boolean orders: [Order!] inner: Filter }
  enum Order { "Smallest first" UP FIRST DOWN @deprecated(reason: "use UP") }
`)

/** The text without its mark `|`, and where that was. */
function marked(text: string): { doc: string; at: number } {
  const at = text.indexOf('|')
  return { doc: text.replace('|', ''), at }
}

function graphqlAt(text: string) {
  const { doc, at } = marked(text)
  const extensions: Extension = [graphqlSupport(), schemaCompletion, ...stateExtensions(schema)]
  return { state: EditorState.create({ doc, extensions }), at }
}

function hintAt(text: string): string | null {
  const { state, at } = graphqlAt(text)
  const found = symbolAt(state, at, schema)
  return found === null ? null : described(found.symbol).signature
}

test.each([
  ['{ ten|ants { id } }', 'Query.tenants(first: Int = 10, sort: Order): [Tenant!]'],
  ['{ t: tenants { re|gion { id } } }', 'Tenant.region: Region'],
  ['{ tenants { region { id| } } }', 'Region.id: String'],
  ['{ tenants(fi|rst: 1) { id } }', 'first: Int = 10'],
  ['{ tenants(sort: U|P) { id } }', 'Order.UP'],
  ['{ devices(params: { filter: { fie|ld: "x" } }) { id } }', 'Filter.field: String!'],
  ['{ devices(list: [{ order: DO|WN }]) { id } }', 'Order.DOWN'],
  ['query A($id: ID!) { tenant(id: $i|d) { id } }', '$id: ID!'],
  ['query A($p: Par|ams) { devices(params: $p) { id } }', 'input Params'],
  ['query A($p: Params = { order: U|P }) { devices(params: $p) { id } }', 'Order.UP'],
  ['{ node { ... on De|vice { serial } } }', 'type Device'],
  ['{ node { ... on Device { ser|ial } } }', 'Device.serial: String'],
  ['{ node { ... @include(if: true) { i|d } } }', 'Node.id: ID!'],
  ['fragment F on Tenant { na|me }', 'Tenant.name: String'],
  ['{ tenants { __type|name } }', 'Tenant.__typename: String!'],
  ['{ tenants @inc|lude(if: true) { id } }', '@include(if: Boolean!)'],
  ['{ tenants @include(i|f: true) { id } }', 'if: Boolean!'],
  ['{ tenants { re|gion { id', 'Tenant.region: Region'],
  ['{ tenants { type input query id } devices { type on ser|ial } }', 'Device.serial: String'],
  ['{ tenants { ty|pe } }', 'Tenant.type: String'],
  ['query type { tenants { ty|pe } }', 'Tenant.type: String'],
  ['fragment on2 on Tenant { na|me }', 'Tenant.name: String'],
  ['{ nothing { i|d } }', null],
  ['{ const|ructor { id } }', null],
  ['# com|ment', null],
  ['mutation { ten|ants { id } }', null],
])('what the schema says of a name: %s', (text, signature) => {
  expect(hintAt(text)).toBe(signature)
})

test('a deep document is not followed to its end', () => {
  expect(hintAt(`${'{ node '.repeat(20_000)}{ i|d }`)).toBeNull()
})

test('a hint has the description, else that of the type, and why something is deprecated', () => {
  const of = (text: string) => {
    const { state, at } = graphqlAt(text)
    const found = symbolAt(state, at, schema)
    if (found === null) throw new Error('no symbol')
    const { text: words, deprecated } = described(found.symbol)
    return [words, deprecated, placeOf(found.symbol)]
  }
  expect(of('{ tena|nts { id } }')).toEqual(['All tenants', null, { type: 'Query', member: 'tenants' }])
  expect(of('{ ol|d }')).toEqual([
    'The `String` scalar type represents textual data, represented as UTF-8 character sequences. The String type is most often used by GraphQL to represent free-form human-readable text.',
    'use tenants',
    { type: 'Query', member: 'old' },
  ])
  expect(of('{ tenants(so|rt: UP) { id } }')).toEqual([null, null, { type: 'Query', member: 'tenants' }])
})

async function completionsAt(text: string): Promise<string[]> {
  const { state, at } = graphqlAt(text)
  const [source] = state.languageDataAt<CompletionSource>('autocomplete', at)
  const result = await source?.(new CompletionContext(state, at, true))
  if (result) expect(state.sliceDoc(result.from, at)).toMatch(/^\w*$/u)
  return result?.options.map(({ label }) => label) ?? []
}

test('fields, arguments, values, types and fragments are completed from the place alone', async () => {
  expect(await completionsAt('{ tenants { name } te| }')).toEqual(expect.arrayContaining(['tenants', 'tenant']))
  expect(await completionsAt('{ tenants { id na|me } }')).toContain('name')
  expect(await completionsAt('query A { node { id } }\nquery B { devices { ser| } }')).toContain('serial')
  expect(await completionsAt('{ a: tenants { region { id } } b: devices(|) { id } }')).toEqual(
    expect.arrayContaining(['params', 'list']),
  )
  expect(await completionsAt('{ tenants(sort: |) { id } }')).toEqual(expect.arrayContaining(['UP', 'FIRST']))
  expect(await completionsAt('query A($id: ID!) { tenant(id: $|) { id } }')).toContain('$id')
  expect(await completionsAt('{ tenants { ...F| } }\nfragment First on Tenant { id name }')).toContain('First')
  expect(await completionsAt('{ tenants { id } }\n|')).toEqual(expect.arrayContaining(['query', 'fragment']))
  expect(await completionsAt('query A($x: |) { node { id } }')).toContain('Params')
})

test('the document that is read for a completion stays short, however long the written one is', () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `  a${at}: tenants { id name region { id } }`)
  const middle = Math.floor(lines.length / 2)
  lines[middle] = '  z: tenants { id na| }'
  const { state, at } = graphqlAt(`query Long($id: ID!) {\n${lines.join('\n')}\n}`)
  const short = shortDocument(state, at)
  // It takes longer to read the whole of it than a key may take; then nothing is completed.
  if (short !== null) expect(short.text).toMatch(/^query Long\(\$id: ID!\) \{ z: tenants \{ na \} \}\s*$/u)
  const near = graphqlAt('query Long($id: ID!) {\n  a: tenants { id }\n  z: tenants { id na| }\n  b: tenants { id }\n}')
  expect(shortDocument(near.state, near.at)?.text.trim()).toBe('query Long($id: ID!) { z: tenants { na } }')
})

test.each([
  ['{ tenants { id| } }', '{ tenants { id\n  name\n  type\n  input\n} }'],
  ['{\n  tenants| { region { id } }\n}', '{\n  tenants { region { id }\n    id\n    name\n    type\n    input\n  }\n}'],
  ['{\n  tenants|\n}', '{\n  tenants {\n    id\n    name\n    type\n    input\n  }\n}'],
  ['{\n  devices { # all of it\n|  }\n}', '{\n  devices { # all of it\n    id\n    serial\n    type\n  }\n}'],
])('missing leaf fields are filled in, none deprecated or with a required argument: %s', (text, expected) => {
  const { state, at } = graphqlAt(text)
  const change = fillFields(state, at, schema)
  expect(change && state.update(change).state.doc.toString()).toBe(expected)
  const [again, where] = [state.update(change ?? {}).state, Math.min(at, state.doc.length)]
  expect(fillFields(again, where, schema)).toBeNull()
})

test('nothing is filled in where the type is not known or has no fields', () => {
  for (const text of ['{ nothing { | } }', '|', '# { | }', 'subscription { | }']) {
    const { state, at } = graphqlAt(text)
    expect(fillFields(state, at, schema)).toBeNull()
  }
})

test('a document is marked where it is wrong: syntax, fields, and what is deprecated', () => {
  const marks = (text: string) =>
    problemsIn(text, schema).map(({ from, to, severity }) => [text.slice(from, to), severity])
  expect(marks('{ tenants { nope } }')).toEqual([['nope', 'error']])
  expect(marks('{ old }')).toEqual([['old', 'warning']])
  expect(marks('{ tenants { id }')).toHaveLength(1)
  expect(marks('{ tenants( { id } }')).toEqual([['{', 'error']])
  expect(marks('# nothing yet\n')).toEqual([])
  expect(marks('{ tenants { id } }')).toEqual([])
  expect(marks('{ tenants(first: "x") { id } }')).toEqual([['"', 'error']])
  expect(marks(`${'{ node '.repeat(50_000)}`)).toEqual([])
  expect(problemsIn(`{${'nope '.repeat(1_000)}}`, schema).length).toBeLessThanOrEqual(52)
})

test('types and members are found by name: the same first, then those that begin so', () => {
  const { found, total } = searchSchema(schema, 'tenant', 4)
  expect(found.map(({ name }) => name)).toEqual(['Tenant', 'Query.tenant', 'Params.tenantId', 'Query.tenants'])
  expect(total).toBe(4)
  expect(searchSchema(schema, 'DOW', 1).found).toEqual([
    { place: { type: 'Order', member: 'DOWN' }, name: 'Order.DOWN', deprecated: true },
  ])
  expect(searchSchema(schema, '__', 5).total).toBe(0)
})

const tenants = [{ id: 't"1', name: 'Acme' }]

function variablesAt(document: string, text: string, isChecked = true) {
  const { doc, at } = marked(text)
  const made = EditorState.create({ doc, extensions: [json(), variablesLanguage] })
  const declared = variablesOf(document, null, schema)
  const { state } = made.update({ effects: setVariablesContext.of({ declared, isChecked, tenants }) })
  const result = variableCompletions(new CompletionContext(state, at === -1 ? 0 : at, true))
  const options = result?.options.map(({ label }) => label) ?? []
  const problems = variableProblems(state).map(({ from, to, message }) => `${doc.slice(from, to)}: ${message}`)
  return { options, problems, result }
}

const operation =
  'query A($tenantId: ID!, $params: Params, $list: [Params!], $on: Boolean!, $orders: [Order!] = [UP]) { node { id } }'

test.each([
  ['{|}', ['"tenantId"', '"params"', '"list"', '"on"', '"orders"']],
  ['{"on": true, "pa|"}', ['"tenantId"', '"params"', '"list"', '"orders"']],
  ['{"on": |}', ['true', 'false']],
  ['{"on": t|}', ['true', 'false']],
  ['{"params": {|}}', ['"tenantId"', '"filter"', '"pageSize"', '"order"']],
  ['{"params": {"filter": {"inner": {"on": |}}}}', ['true', 'false', 'null']],
  ['{"params": {"order": "|"}}', ['"UP"', '"FIRST"', '"DOWN"', 'null']],
  ['{"list": [{"order": "U|"}]}', ['"UP"', '"FIRST"', '"DOWN"', 'null']],
  ['{"list": [{"filter": {"orders": [|]}}]}', ['"UP"', '"FIRST"', '"DOWN"']],
  ['{"orders": ["UP", |]}', ['"UP"', '"FIRST"', '"DOWN"']],
  ['{"tenantId": "|"}', ['"t\\"1"']],
  ['{"params": {"tenantId": |}}', ['"t\\"1"']],
  ['{"other": {|}}', []],
  ['{"on": true, "tenantId": "x"|}', []],
  ['{"params": {"order": "UP" |}}', []],
  ['[|]', []],
])('variables are completed by their types: %s', (text, options) => {
  expect(variablesAt(operation, text).options).toEqual(options)
})

test('a completion takes the place of the quotation marks that are there', () => {
  const { result } = variablesAt(operation, '{"params": {"order": "U|"}}')
  expect([result?.from, result?.to]).toEqual([21, 24])
})

test('variables are marked where they are unknown, missing or of the wrong type', () => {
  expect(variablesAt(operation, '{"tenantId": "x", "on": true}').problems).toEqual([])
  expect(variablesAt(operation, '{"nope": 1, "on": "yes"}').problems).toEqual([
    '"nope": The operation has no variable $nope.',
    '{: $tenantId is missing: ID!.',
    '"yes": Boolean cannot represent a non boolean value: "yes"',
  ])
  const { problems } = variablesAt(
    operation,
    '{"tenantId": "x", "on": false, "list": [{"tenantId": 1, "filter": {"field": "f", "orders": ["SIDEWAYS"]}}, {}], "params": {"tenantId": "x", "nope": 1}}',
  )
  expect(problems).toEqual([
    expect.stringMatching(/^\{"tenantId": "x", "nope": 1\}: Field "nope" is not defined by type "Params"/u),
    expect.stringMatching(/^"SIDEWAYS": Value "SIDEWAYS" does not exist in "Order" enum/u),
    expect.stringMatching(/^\{\}: Field "tenantId" of required type "ID!" was not provided/u),
  ])
})

test('without the schema of the service, with a broken text or document, nothing is marked', () => {
  expect(variablesAt(operation, '{"nope": 1}', false).problems).toEqual([])
  expect(variablesAt(operation, '{"nope": 1, "constructor": ').problems).toEqual([])
  expect(variablesAt('query A($x: ', '{"nope": 1}').problems).toEqual([])
  expect(variablesAt('query A($toString: Int) { node { id } }', '{}').problems).toEqual([])
})
