import { expect, test } from 'vitest'
import {
  checkKnownSecret,
  loadRecords,
  recordOf,
  serviceOf,
  storeRecords,
} from '../../../src-main/connections/stored/record.ts'
import type { ConnectionInput } from '../../../src-shared/model/connection.ts'

const input: ConnectionInput = {
  id: null,
  name: 'Acme',
  tokenUrl: 'https://login.test/oauth/token',
  graphqlUrl: 'https://api.test/graphql',
  subscriptionUrl: 'wss://api.test/graphql',
  clientId: 'me',
  clientSecret: 'hunter2',
  ca: '',
  subscription: '',
  portal: '',
}

test('a record never holds the secret', () => {
  expect(JSON.stringify(recordOf(input, 'c1'))).not.toContain('hunter2')
})

test.each([
  ['tokenUrl', 'http://login.test/oauth/token'],
  ['tokenUrl', 'login.test'],
  ['graphqlUrl', 'wss://api.test/graphql'],
  ['subscriptionUrl', 'ws://api.test/graphql'],
  ['subscriptionUrl', 'https://api.test/graphql'],
  ['subscriptionUrl', 'wss://api.test/graphql#x'],
  ['graphqlUrl', 'https://api.test/graphql#'],
  ['graphqlUrl', 'https://me:hunter2@api.test/graphql'],
] as const)('%s %s is rejected, and the field is named', (field, value) => {
  const save = () => recordOf({ ...input, [field]: value }, 'c1')
  expect(save).toThrow(`${field}:`)
  expect(save).not.toThrow('hunter2')
})

test('a URL may have a query', () => {
  expect(recordOf({ ...input, graphqlUrl: 'https://api.test/graphql?region=eu' }, 'c1').graphqlUrl).toBe(
    'https://api.test/graphql?region=eu',
  )
})

test('stored records are read one by one: a damaged one affects itself alone', () => {
  const { clientSecret: _secret, ...good } = input
  const stored = [{ ...good, id: 'c1', paused: true }, { id: 'c2' }, null, 'x']
  const settings = { get: () => stored, set: () => {}, damaged: null }
  const loaded = loadRecords(settings)
  expect(loaded.records.map(({ id }) => id)).toEqual(['c1'])
  let kept: unknown
  storeRecords(
    {
      ...settings,
      set: (_key, value) => {
        kept = value
      },
    },
    { ...loaded, records: [] },
  )
  expect(kept).toEqual([{ id: 'c2' }, null, 'x'])
  expect(loadRecords({ ...settings, get: () => ({ not: 'a list' }) })).toEqual({
    records: [],
    unreadable: [{ not: 'a list' }],
  })
})

test('of two records with one id the second is kept in the file, and not lost at the next save', () => {
  const twin = { ...recordOf(input, 'c1'), name: 'Twin' }
  const settings = { get: () => [recordOf(input, 'c1'), twin], set: () => {}, damaged: null }
  expect(loadRecords(settings)).toEqual({ records: [recordOf(input, 'c1')], unreadable: [twin] })
  expect(loadRecords({ ...settings, get: () => undefined })).toEqual({ records: [], unreadable: [] })
})

test('the same service is recognised whatever the spelling', () => {
  expect(serviceOf('https://API.test/graphql/')).toBe(serviceOf('https://api.test:443/graphql'))
  expect(serviceOf('https://api.test/graphql')).not.toBe(serviceOf('https://api.test:8443/graphql'))
})

test.each<[string, Partial<ConnectionInput>, string]>([
  [
    'token host',
    { tokenUrl: 'https://evil.test/oauth/token' },
    'the token URL leads to evil.test now and not to login.test',
  ],
  [
    'GraphQL host',
    { graphqlUrl: 'https://evil.test/graphql' },
    'the GraphQL URL leads to evil.test now and not to api.test',
  ],
  [
    'GraphQL port',
    { graphqlUrl: 'https://api.test:8443/graphql' },
    'the GraphQL URL leads to api.test:8443 now and not to api.test',
  ],
  [
    'subscription host',
    { subscriptionUrl: 'wss://evil.test/graphql' },
    'the subscription URL leads to evil.test now and not to api.test',
  ],
  [
    'token host, though it is known for tokens',
    { tokenUrl: 'https://api.test/oauth/token' },
    'the token URL leads to api.test now and not to login.test',
  ],
  ['CA', { ca: 'another' }, 'another CA certificate is to be trusted'],
  [
    'GraphQL host and CA',
    { graphqlUrl: 'https://evil.test/graphql', ca: 'another' },
    'the GraphQL URL leads to evil.test now and not to api.test, and another CA certificate is to be trusted',
  ],
])('a known secret does not follow another %s', (_what, more, why) => {
  const before = recordOf({ ...input, ca: 'one' }, 'c1')
  const after = recordOf({ ...input, ca: 'one', ...more }, 'c1')
  expect(() => checkKnownSecret(before, after, '')).toThrow(`clientSecret: Enter it again, because ${why}.`)
  checkKnownSecret(before, after, 'typed')
})

test.each<[string, Partial<ConnectionInput>]>([
  ['another path', { graphqlUrl: 'https://API.test/v2/graphql', tokenUrl: 'https://login.test/token' }],
  ['a live stream at the host of the queries', { subscriptionUrl: 'wss://login.test/graphql' }],
  ['less trust', { ca: '' }],
  ['the same CA with another end', { ca: 'one\n' }],
  [
    'another name, portal and document',
    { name: 'B', portal: 'https://p.test/{id}', subscription: 'subscription D { d }' },
  ],
])('a known secret stays with %s', (_what, more) => {
  checkKnownSecret(recordOf({ ...input, ca: 'one' }, 'c1'), recordOf({ ...input, ca: 'one', ...more }, 'c1'), '')
})
