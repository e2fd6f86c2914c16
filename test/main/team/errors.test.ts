import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { databaseFault } from '../../../src-main/team/database/errors.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'

const where = 'db.test:5432'
const answered = (code: string, more: Partial<DatabaseError> = {}) =>
  Object.assign(new DatabaseError('a row with the password "hunter2"', 0, 'error'), { code, ...more })
const coded = (code: string) => Object.assign(new Error('connect 10.0.0.1'), { code })

test.each([
  ['28P01', 'credentials'],
  ['28000', 'forbidden'],
  ['3D000', 'not-found'],
  ['42501', 'forbidden'],
  ['25006', 'forbidden'],
  ['53300', 'unavailable'],
  ['57P03', 'unavailable'],
  ['08P01', 'unavailable'],
  ['57014', 'timeout'],
  ['55P03', 'timeout'],
  ['40P01', 'unavailable'],
  ['42P01', 'query'],
  ['constructor', 'query'],
])('the server’s error %s is a fault of kind %s, without the server’s text', (code, kind) => {
  const { fault } = databaseFault(answered(code, { detail: 'hunter2', hint: 'hunter2', table: 'hunter2' }), where)
  expect(fault.kind).toBe(kind)
  expect(fault.detail.startsWith(`${where}: `)).toBe(true)
  expect(fault.detail).not.toContain('hunter2')
})

test.each([
  ['ENOTFOUND', 'name'],
  ['EAI_AGAIN', 'name'],
  ['ECONNREFUSED', 'connect'],
  ['ENETUNREACH', 'connect'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNRESET', 'reset'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'protocol'],
])('the error %s of a socket is a fault of kind %s', (code, kind) => {
  expect(databaseFault(coded(code), where).fault.kind).toBe(kind)
})

test('a host that was tried by two addresses has the fault of the first', () => {
  const both = new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')])
  expect(databaseFault(both, where).fault).toEqual({ kind: 'connect', detail: where })
})

test('a constraint is named, as it tells what was wrong', () => {
  expect(databaseFault(answered('23505', { constraint: 'member_pkey' }), where).fault.detail).toBe(
    `${where}: the server answered with error 23505 (member_pkey)`,
  )
})

test('a fault stays what it is, and anything unknown is a reset', () => {
  const fault = new FaultError('keychain-locked')
  expect(databaseFault(new Error('failed', { cause: fault }), where)).toBe(fault)
  expect(databaseFault('anything', where).fault).toEqual({ kind: 'reset', detail: where })
})
