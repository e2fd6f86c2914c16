import { isLoopback } from '../../../src-main/network/loopback.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  hostAndPort,
  parseTeamAddress,
  teamAddressText,
  type TeamAddress,
} from '../../../src-main/team/database/address.ts'
import { FaultError, toFault } from '../../../src-shared/model/fault.ts'

const address = (change: Partial<TeamAddress> = {}): TeamAddress => ({
  user: 'anna',
  host: 'db.test',
  port: 5432,
  database: 'muster',
  ...change,
})

function problemOf(text: string): string | null {
  try {
    parseTeamAddress(text)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(FaultError)
    const { kind, detail } = toFault(error)
    expect(kind).toBe('input')
    return detail
  }
}

test.each<[string, Partial<TeamAddress>]>([
  ['postgresql://anna@db.test/muster', {}],
  ['postgres://anna@db.test/muster', {}],
  ['  PostgreSQL://anna@db.test:5432/muster\n', {}],
  ['postgresql://anna@db.test:6432/muster', { port: 6432 }],
  ['postgresql://anna:@db.test/muster', {}],
  ['postgresql://anna@10.1.2.3/muster', { host: '10.1.2.3' }],
  ['postgresql://anna@[2001:DB8::0:1]:6432/muster', { host: '2001:db8::1', port: 6432 }],
  ['postgresql://anna@[0:0:0:0:0:0:0:1]/muster', { host: '::1' }],
  ['postgresql://anna@DB.Test/muster', {}],
  ['postgresql://anna@db_1.test/muster', { host: 'db_1.test' }],
  ['postgresql://anna@münchen.test/muster', { host: 'xn--mnchen-3ya.test' }],
  ['postgresql://anna%40firma.test@db.test/muster', { user: 'anna@firma.test' }],
  ['postgresql://anna@firma.test@db.test/muster', { user: 'anna@firma.test' }],
  ['postgresql://J%C3%BCrgen%20B.@db.test/a%2Fb%3Fc%23', { user: 'Jürgen B.', database: 'a/b?c#' }],
  ['postgresql://anna@db.test/Leitstelle Süd', { database: 'Leitstelle Süd' }],
  ['postgresql://anna@db.test/..', { database: '..' }],
  ['postgresql://anna@db.test/%2E', { database: '.' }],
  [`postgresql://anna@db.test/${'x'.repeat(63)}`, { database: 'x'.repeat(63) }],
])('the address %# is read', (text, change) => {
  expect(parseTeamAddress(text)).toEqual(address(change))
})

const notAnAddress = 'This is not an address. It looks like postgresql://user@host/database.'
const missing = (part: string) => `The ${part} is missing. The address looks like postgresql://user@host/database.`
const notAHost = 'The host is not a name or an address of a computer.'

test.each([
  ['The address is missing.', ''],
  ['The address is missing.', '  '],
  ['The address is longer than 2000 characters.', `postgresql://anna@db.test/${'x'.repeat(2000)}`],
  ['The address must begin with postgresql://.', 'db.test/muster'],
  ['The address must begin with postgresql://.', 'https://anna@db.test/muster'],
  ['The address must begin with postgresql://.', 'postgresql:anna@db.test/muster'],
  ['Leave out the password; it has its own field.', 'postgresql://anna:secret@db.test/muster'],
  ['Leave out the password; it has its own field.', 'postgresql://anna:@b@db.test/muster'],
  ['Leave out the part from the ? on.', 'postgresql://anna@db.test/muster?sslmode=disable'],
  ['Leave out the part from the ? on.', 'postgresql://anna@db.test/muster?'],
  ['Leave out the part from the # on.', 'postgresql://anna@db.test/muster#'],
  [missing('user'), 'postgresql://db.test/muster'],
  [missing('user'), 'postgresql://@db.test/muster'],
  [notAnAddress, 'postgresql://anna@/muster'],
  [missing('host'), 'postgresql:///muster'],
  [missing('database'), 'postgresql://anna@db.test'],
  [missing('database'), 'postgresql://anna@db.test/'],
  ['The database’s name has a / in it. Write it as %2F.', 'postgresql://anna@db.test/muster/'],
  ['The port must be between 1 and 65535.', 'postgresql://anna@db.test:0/muster'],
  [notAnAddress, 'postgresql://anna@db.test:65536/muster'],
  [notAnAddress, 'postgresql://anna@db.test:x/muster'],
  [notAnAddress, 'postgresql://anna@[::1/muster'],
  [notAHost, 'postgresql://anna@one.test,two.test/muster'],
  [notAHost, 'postgresql://anna@%2Fvar%2Frun/muster'],
  ['A % in the database is followed by no code. Write a % as %25.', 'postgresql://anna@db.test/a%zz'],
  ['A % in the user is followed by no code. Write a % as %25.', 'postgresql://an%na@db.test/muster'],
  ['The address has a character that cannot be seen. Type it again.', 'postgresql://an\u0000na@db.test/muster'],
  ['The address has a character that cannot be seen. Type it again.', 'postgresql://anna@db.test/mus\tter'],
  ['The address has a character that cannot be seen. Type it again.', 'postgresql://anna@db.test/mus\u202Eter'],
  ['The user’s name has a character that cannot be seen.', 'postgresql://an%0Ana@db.test/muster'],
  ['The database’s name has a character that cannot be seen.', 'postgresql://anna@db.test/mus%00ter'],
  ['The database’s name is longer than 63 bytes.', `postgresql://anna@db.test/${'x'.repeat(64)}`],
  ['The user’s name is longer than 63 bytes.', `postgresql://${'ü'.repeat(32)}@db.test/muster`],
])('case %# is rejected: %s', (sentence, text) => {
  expect(problemOf(text)).toBe(sentence)
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['db.test', false],
  ['localhost.test', false],
  ['127.0.0.1.test', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['::2', false],
])('%s is this computer: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test('host and port are one text, an IPv6 host in brackets', () => {
  expect(hostAndPort(address())).toBe('db.test:5432')
  expect(hostAndPort(address({ host: '::1' }))).toBe('[::1]:5432')
})

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 63 })
  .filter((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text) && Buffer.byteLength(text) <= 63)
const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((text) => new URL(`http://[${text}]`).hostname.slice(1, -1)),
)

test('what is written is read as the same, for every name, host and port', () => {
  fc.assert(
    fc.property(name, host, fc.integer({ min: 1, max: 65_535 }), name, (user, host, port, database) => {
      const written = { user, host, port, database }
      expect(parseTeamAddress(teamAddressText(written))).toEqual(written)
    }),
  )
})

test('no text makes another error than a sentence that repeats nothing of its password', () => {
  const password = fc.stringMatching(/^[A-Z]{8}[/?#@:% ]?$/u)
  const text = fc.oneof(
    fc
      .tuple(password, fc.string(), fc.string())
      .map(([secret, before, after]): [string, string] => [secret, `postgresql://${before}:${secret}@${after}`]),
    fc
      .tuple(password, fc.string({ unit: 'binary' }))
      .map(([secret, rest]): [string, string] => [secret, secret + rest]),
  )
  fc.assert(
    fc.property(text, ([secret, address]) => {
      expect(problemOf(address) ?? '').not.toContain(secret.slice(0, 8))
    }),
  )
})
