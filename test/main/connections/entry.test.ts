import { expect, test } from 'vitest'
import { setOf, twinsOf, type ManagedConnection } from '../../../src-main/connections/managed.ts'

const tokenUrl = 'https://auth.test/oauth/token'

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
  const entry = (id: string, { service = 's', paused = false, clientId = 'me' } = {}): ManagedConnection => ({
    record: {
      id,
      name: id,
      tokenUrl,
      graphqlUrl: '',
      subscriptionUrl: '',
      clientId,
      ca: '',
      subscription: '',
      portal: '',
      paused,
    },
    service,
    set: setOf({ tokenUrl, clientId }),
    secret: async () => null,
    where: 'session',
    runner: null,
    fault: null,
  })
  const twins = (...all: ManagedConnection[]) => all.map((each) => twinsOf(all).get(each)?.record.id ?? null)
  expect(twins(entry('a'), entry('b'), entry('c'))).toEqual([null, 'a', 'a'])
  expect(twins(entry('a', { paused: true }), entry('b'), entry('c'))).toEqual([null, null, 'b'])
  expect(twins(entry('a'), entry('b', { paused: true }))).toEqual([null, null])
  expect(twins(entry('a'), entry('b', { service: 't' }), entry('c', { clientId: 'you' }))).toEqual([null, null, null])
})
