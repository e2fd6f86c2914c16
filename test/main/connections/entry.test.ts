import { expect, test } from 'vitest'
import { FaultError } from '../../../src-shared/model/fault.ts'
import {
  managedConnection,
  setOf,
  stateOf,
  duplicatesOf,
  type ManagedConnection,
} from '../../../src-main/connections/managed.ts'
import type { LastSeen } from '../../../src-main/connections/stored/last-seen.ts'
import type { ConnectionRecord } from '../../../src-main/connections/stored/record.ts'
import { keychainOf } from '../../support/keychain.ts'

const record: ConnectionRecord = {
  id: 'a',
  name: 'a',
  tokenUrl: 'https://auth.test/oauth/token',
  graphqlUrl: 'https://s.test/graphql',
  subscriptionUrl: '',
  clientId: 'me',
  ca: '',
  subscription: '',
  portal: '',
  paused: false,
}
const { tokenUrl } = record
const seen: LastSeen = { lastReadingAt: null, lastEventAt: null, heardAt: null, columns: {} }

test.each([
  'https://AUTH.test/oauth/token',
  'https://auth.test:443/oauth/token',
  'https://auth.test/oauth/token/',
  tokenUrl,
])('a credential set is one however its URL is written: %s', (written) => {
  expect(setOf({ tokenUrl: written, clientId: 'me ' })).toBe(`${tokenUrl} me`)
})

test.each([
  ['https://auth.test:8443/oauth/token', 'me'],
  ['https://auth.test/oauth/token?tenant=a', 'me'],
  ['https://auth.test/oauth', 'me'],
  [tokenUrl, 'Me'],
])('another credential set is recognised: %s %s', (written, clientId) => {
  expect(setOf({ tokenUrl: written, clientId })).not.toBe(`${tokenUrl} me`)
})

test('the later of two connections with one credential set names the earlier, unless paused', () => {
  const entry = (id: string, { service = 's', paused = false, clientId = 'me' } = {}): ManagedConnection =>
    managedConnection(keychainOf(new Map()), {
      ...record,
      id,
      graphqlUrl: `https://${service}.test/graphql`,
      clientId,
      paused,
    })
  const duplicates = (...all: ManagedConnection[]) => all.map((each) => duplicatesOf(all).get(each)?.record.id ?? null)
  expect(duplicates(entry('a'), entry('b'), entry('c'))).toEqual([null, 'a', 'a'])
  expect(duplicates(entry('a', { paused: true }), entry('b'), entry('c'))).toEqual([null, null, 'b'])
  expect(duplicates(entry('a'), entry('b', { paused: true }))).toEqual([null, null])
  expect(duplicates(entry('a'), entry('b', { service: 't' }), entry('c', { clientId: 'you' }))).toEqual([
    null,
    null,
    null,
  ])
})

test('a connection that was paused knows where its secret is after each read', async () => {
  let isLocked = true
  const secrets = {
    ...keychainOf(new Map()),
    async get() {
      if (isLocked) throw new FaultError('keychain-locked')
      return 'secret'
    },
  }
  const before = managedConnection(secrets, record)
  const after = before.withRecord({ ...record, paused: false, name: 'b' })
  await after.secret().catch(() => null)
  expect([before.where, after.where]).toEqual(['missing', 'missing'])
  isLocked = false
  expect(await after.secret()).toBe('secret')
  expect([before.where, after.where]).toEqual(['keychain', 'keychain'])
  expect(after.record.name).toBe('b')
})

test('a connection that could not run is stopped when it begins again', async () => {
  const entry = managedConnection(keychainOf(new Map()), record)
  entry.failed({ kind: 'ca', detail: '' })
  expect(stateOf(entry, seen, false).faults.map(({ fault }) => fault.kind)).toEqual(['ca'])
  expect(entry.withRecord(record).state).toEqual({ is: 'stopped' })
  entry.begin()
  expect(entry.state).toEqual({ is: 'stopped' })
  expect(stateOf(entry, seen, false).faults).toEqual([])
})
