import { expect, test } from 'vitest'
import { loadRecords, recordOf, serviceOf, storeRecords } from '../../../src-main/connections/record.ts'
import type { ConnectionInput } from '../../../src-shared/model.ts'

const input: ConnectionInput = {
  id: null, name: 'Acme', tokenUrl: 'https://login.test/oauth/token', graphqlUrl: 'https://api.test/graphql',
  subscriptionUrl: 'wss://api.test/graphql', clientId: 'me', clientSecret: 'hunter2', ca: '', subscription: '', portal: '',
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
] as const)('%s %s is refused, and the field is named', (field, value) => {
  const save = () => recordOf({ ...input, [field]: value }, 'c1')
  expect(save).toThrow(`${field}:`)
  expect(save).not.toThrow('hunter2')
})

test('an address may have a query', () => {
  expect(recordOf({ ...input, graphqlUrl: 'https://api.test/graphql?region=eu' }, 'c1').graphqlUrl).toBe('https://api.test/graphql?region=eu')
})

test('stored records are read one by one: a damaged one costs itself alone', () => {
  const { clientSecret: _secret, ...good } = input
  const stored = [{ ...good, id: 'c1' }, { id: 'c2' }, null, 'x']
  const settings = { get: () => stored, set: () => {}, damaged: null }
  const loaded = loadRecords(settings)
  expect(loaded.records.map(({ id }) => id)).toEqual(['c1'])
  let kept: unknown
  storeRecords({ ...settings, set: (_key, value) => { kept = value } }, { ...loaded, records: [] })
  expect(kept).toEqual([{ id: 'c2' }, null, 'x'])
  expect(loadRecords({ ...settings, get: () => ({ not: 'a list' }) })).toEqual({ records: [], unreadable: [] })
})

test('the same service is the same whatever the spelling', () => {
  expect(serviceOf('https://API.test/graphql/')).toBe(serviceOf('https://api.test:443/graphql'))
  expect(serviceOf('https://api.test/graphql')).not.toBe(serviceOf('https://api.test:8443/graphql'))
})
