import { describe, expect, test } from 'vitest'
import type { ServiceError } from '../../../src-main/api/classify.ts'
import { createDialect, type StoredDialect } from '../../../src-main/api/dialect.ts'
import { devicesOperation, statesByIdsOperation, tenantsOperation } from '../../../src-main/api/operations.ts'

const { document } = devicesOperation
const says = (message: string, more: Partial<ServiceError> = {}): ServiceError => ({
  message,
  code: null,
  path: null,
  ...more,
})
const plain = (text: string) => text.replace(/\s+/g, ' ')
const learned = (...messages: string[]) => {
  const dialect = createDialect()
  messages.forEach((message) => dialect.learn(dialect.adapted(document), [says(message)]))
  return plain(dialect.adapted(document))
}

test('a complete service gets the documents unchanged', () => {
  expect(createDialect().adapted(document)).toBe(document)
})

test.each([
  'Cannot query field "lastConfigRequestDate" on type "Device". Did you mean "lastDetected"?',
  "Validation error (FieldUndefined@[tenant/inventory/deviceSearch/edges/node/lastConfigRequestDate]) : Field 'lastConfigRequestDate' in type 'Device' is undefined",
  'The field `lastConfigRequestDate` does not exist on the type `Device`.',
  "Field 'lastConfigRequestDate' doesn't exist on type 'Device'",
  'Unknown field "lastConfigRequestDate" on type "Device".',
  "field 'lastConfigRequestDate' not found in type: 'Device'",
])('an unknown field is omitted from then on (%#)', (message) => {
  const text = learned(message)
  expect(text).not.toContain('lastConfigRequestDate')
  expect(text).toContain('id name hardwareModel connected lastDetected site { id name } room { id name }')
})

test('a name that occurs in several places is omitted where the type says', () => {
  expect(learned('Cannot query field "name" on type "Site".')).toContain(
    'id name hardwareModel connected lastDetected lastConfigRequestDate site { id } room { id name }',
  )
  expect(learned('Cannot query field "name" on type "Device".')).toContain('{ id hardwareModel connected')
})

test('a location in the text takes precedence over the names in the message', () => {
  const dialect = createDialect()
  const column = document.split('\n')[1]?.indexOf('room { id') ?? -1
  expect(
    dialect.learn(document, [
      says('Validation failed', { code: 'GRAPHQL_VALIDATION_FAILED', locations: [{ line: 2, column: column + 1 }] }),
    ]),
  ).toBe(true)
  expect(dialect.notOffered()).toEqual(['room'])
})

test('an object without any offered member is omitted as a whole', () => {
  expect(learned('Cannot query field "id" on type "Site".', 'Cannot query field "name" on type "Site".')).not.toContain(
    'site',
  )
  const dialect = createDialect()
  dialect.learn(tenantsOperation.document, [says('Cannot query field "id" on type "Region".')])
  expect(plain(dialect.adapted(tenantsOperation.document))).toBe('query Tenants { tenants { id name } }')
})

test('without totals paging uses the rest of pageInfo', () => {
  expect(
    learned(
      'Cannot query field "totalCount" on type "PageInfo".',
      'Cannot query field "countOnPage" on type "PageInfo".',
    ),
  ).toContain('pageInfo { nextToken hasNextPage }')
})

test("without pageInfo the page token is read from the search's other paging fields", () => {
  const text = learned(
    'Cannot query field "pageInfo" on type "DeviceConnection".',
    'Cannot query field "hasNextPage" on type "DeviceConnection".',
    'Cannot query field "totalCount" on type "DeviceConnection".',
  )
  expect(text).toContain('} } nextToken }')
  expect(text).not.toContain('pageInfo')
})

test('essential fields, resolver errors and other messages teach nothing', () => {
  const dialect = createDialect()
  for (const error of [
    says('Cannot query field "edges" on type "DeviceConnection".'),
    says('Cannot query field "id" on type "Device".'),
    says('internal error'),
    says('Cannot query field "site" on type "Device"', { path: ['tenant', 'inventory'] }),
    says('Cannot query field "novelty" on type "Device".'),
  ])
    expect(dialect.learn(document, [error])).toBe(false)
  expect(dialect.adapted(document)).toBe(document)
})

test('one rejection that names several fields is learned at once, and reported once', () => {
  const news: (readonly string[])[] = []
  const dialect = createDialect({ onChange: (each) => news.push(each) })
  const errors = ['site', 'room', 'name'].map((name) => says(`Cannot query field "${name}" on type "Device".`))
  expect([dialect.learn(document, errors), dialect.learn(document, errors)]).toEqual([true, false])
  expect(news).toEqual([['site', 'room', 'name']])
  expect(dialect.notOffered()).toEqual(['name', 'room', 'site'])
})

test('a query by ids omits it as well', () => {
  const dialect = createDialect()
  dialect.learn(document, [says('Cannot query field "lastDetected" on type "Device".')])
  expect(plain(dialect.adapted(statesByIdsOperation(1, 'ID!').document))).toContain(
    'd0: device(id: $i0) { id connected }',
  )
})

test('the schema shows missing fields, and those that are offered again', () => {
  const dialect = createDialect()
  dialect.describe(['id', 'name', 'hardwareModel', 'connected', 'lastDetected', 'site', 'room'], true)
  expect(dialect.notOffered()).toEqual(['lastConfigRequestDate'])
  expect(plain(dialect.adapted(document))).toContain('hasNextPage } error }')
  dialect.describe(
    ['id', 'name', 'hardwareModel', 'connected', 'lastDetected', 'lastConfigRequestDate', 'site', 'room'],
    false,
  )
  expect(dialect.adapted(document)).toBe(document)
})

test("the search's own error is requested only in doubt, and not again where it is unknown", () => {
  const dialect = createDialect()
  expect(dialect.adapted(document)).not.toContain('error')
  const doubting = dialect.adapted(document, true)
  expect(plain(doubting)).toContain('hasNextPage } error }')
  dialect.learn(doubting, [says('Cannot query field "error" on type "DeviceConnection".')])
  expect(plain(dialect.adapted(document, true))).not.toContain('error')
})

describe('a search whose own error is an object', () => {
  const parts = 'Field "error" of type "SearchError" must have a selection of subfields. Did you mean "error { ... }"?'
  const refusing = (dialect: ReturnType<typeof createDialect>, ...messages: string[]) => {
    for (const message of messages)
      expect(dialect.learn(dialect.adapted(document, true), [says(message)]), message).toBe(true)
    return plain(dialect.adapted(document, true))
  }

  test.each([
    [[parts], 'error { message code }'],
    [["Subselection required for type 'SearchError' of field 'error'"], 'error { message code }'],
    [[parts, 'Cannot query field "code" on type "SearchError".'], 'error { message }'],
    [
      [
        parts,
        'Cannot query field "message" on type "SearchError".',
        'Cannot query field "code" on type "SearchError".',
      ],
      'error { __typename }',
    ],
  ])('is requested by its members, as far as it has them (%#)', (messages, field) => {
    expect(refusing(createDialect(), ...messages)).toContain(`hasNextPage } ${field} }`)
  })

  test('is no missing field, and its members are remembered', () => {
    const news: (readonly string[])[] = []
    const dialect = createDialect({ onChange: (each) => news.push(each) })
    dialect.learn(dialect.adapted(document, true), [says(parts)])
    dialect.learn(dialect.adapted(document, true), [says('Cannot query field "code" on type "SearchError".')])
    dialect.accepted(dialect.adapted(document, true))
    expect(news.flat()).toEqual([])
    expect(dialect.knowsError()).toBe(true)
    expect(plain(createDialect({ stored: dialect.stored() }).adapted(document))).toContain('error { message }')
  })

  test('an unknown error form is requested again once its type is known, and not where absent', () => {
    const stored: StoredDialect = { lacks: [['search.error', Date.now()]], error: false, pageLimit: null }
    expect(plain(createDialect({ stored }).adapted(document, true))).toContain('hasNextPage } error }')
    expect(createDialect({ stored: { ...stored, errorParts: false } }).adapted(document, true)).not.toContain('error')
  })

  test('a search error that is rejected with its members as well is not requested', () => {
    const text = refusing(createDialect(), parts, 'Cannot query field "error" on type "DeviceConnection".')
    expect(text).not.toContain('error')
  })
})

describe('a service that rejects the depth of a document', () => {
  const words = "'Devices' exceeds maximum operation depth of 6"
  const validation = { code: 'GRAPHQL_VALIDATION_FAILED', locations: [{ line: 2, column: 17 }] }

  test.each([
    words,
    'Query is nested too deeply',
    'Query depth limit exceeded: 7 > 6',
    'Query has depth of 7, allowed depth 6',
  ])('is queried without sites and rooms: %s', (message) => {
    const dialect = createDialect()
    expect(dialect.learn(document, [says(message)])).toBe(true)
    expect(plain(dialect.adapted(document))).toContain('lastConfigRequestDate } } pageInfo')
    expect(dialect.notOffered()).toEqual(['room', 'site'])
    expect(dialect.learn(dialect.adapted(document), [says(message)])).toBe(false)
  })

  test.each([
    'Query cost 900 exceeds 500',
    'Too many aliases',
    'Introspection is disabled',
    'The query complexity is too high',
  ])('a message about the whole document omits no field: %s', (message) => {
    expect(createDialect().learn(document, [says(message, validation)])).toBe(false)
  })

  test('a field of that name is no depth limit', () => {
    const dialect = createDialect()
    expect(dialect.learn(document, [says('Cannot query field "name" on type "Site".')])).toBe(true)
    expect(dialect.notOffered()).toEqual(['site.name'])
  })
})

test('an answer with the error field makes each later request ask for it', () => {
  const dialect = createDialect()
  dialect.accepted(dialect.adapted(document))
  expect(dialect.knowsError()).toBe(false)
  dialect.accepted(dialect.adapted(document, true))
  expect(dialect.knowsError()).toBe(true)
  expect(plain(dialect.adapted(document))).toContain('hasNextPage } error }')
})

test('after a day and a half an omitted field is tried again, and restored when answered', () => {
  let now = 0
  const stored: StoredDialect = { lacks: [['device.site', 0]], error: null, pageLimit: null }
  const dialect = createDialect({ now: () => now, stored })
  expect(dialect.adapted(document)).not.toContain('site')
  now = 37 * 60 * 60_000
  expect(dialect.adapted(document)).toBe(document)
  expect(dialect.notOffered()).toEqual(['site'])
  dialect.accepted(document)
  expect(dialect.notOffered()).toEqual([])
})
