import { DatabaseError } from 'pg'
import { own } from '../../../src-shared/lib/own.ts'
import { FaultError, type FaultKind } from '../../../src-shared/model/fault.ts'
import { certificateTexts } from '../../network/tls/network-fault.ts'

/** Faults by the code of the server’s error (PostgreSQL, appendix A). Its text is never repeated: it may hold anything. */
const stateFaults: Record<string, [FaultKind, string]> = {
  '08P01': ['unavailable', 'the server or a pooler before it ended the connection'],
  '28P01': ['credentials', 'the server rejected the user or password'],
  '28000': ['forbidden', 'the server’s rules (pg_hba.conf) do not let this user in from here'],
  '3D000': ['not-found', 'there is no database of this name'],
  '42501': ['forbidden', 'the role lacks a right for this'],
  '25006': ['forbidden', 'the server takes no changes: it is a standby, or set to read-only'],
  '53300': ['unavailable', 'the server has no connection left'],
  '53100': ['unavailable', 'the server’s disk is full'],
  '57014': ['timeout', 'the server took too long'],
  '55P03': ['timeout', 'another member held a lock too long'],
  '25P03': ['timeout', 'the transaction stood still too long'],
  '25P04': ['timeout', 'the transaction took too long'],
  '40001': ['unavailable', 'another member changed the same'],
  '40P01': ['unavailable', 'another member changed the same'],
  '57P01': ['unavailable', 'the server is being stopped'],
  '57P02': ['unavailable', 'the server is being started again'],
  '57P03': ['unavailable', 'the server is not ready yet'],
}

/** Errors of the driver, which have no code. */
const driverFaults: [RegExp, FaultKind, string][] = [
  [/^The server does not support SSL/u, 'protocol', 'the server offers no TLS'],
  [/^There was an error establishing an SSL/u, 'protocol', 'what answers there is no PostgreSQL'],
  [/client password must be a/u, 'no-secret', 'the server asks for a password'],
  [/server signature/u, 'protocol', 'the server could not prove that it knows the password'],
  [/^SASL: /u, 'protocol', 'no way to sign in could be agreed on'],
]

/**
 * Returns the fault for an error of the driver, TLS or a socket. `where`, mostly `host:port`, begins its detail. The
 * detail holds no text of the server, and the error is not kept as a cause, so that a password is in neither.
 */
export function databaseFault(thrown: unknown, where: string): FaultError {
  const chain = partsOf(thrown)
  const known = chain.find((error) => error instanceof FaultError)
  if (known !== undefined) return known
  const answered = chain.find((error) => error instanceof DatabaseError)
  if (answered !== undefined) return answerFault(answered, where)
  for (const { code } of chain) {
    const fault = code === undefined ? null : socketFault(String(code), where)
    if (fault !== null) return fault
  }
  const found = driverFaults.find(([pattern]) => chain.some(({ message }) => pattern.test(message)))
  return found === undefined ? new FaultError('reset', where) : new FaultError(found[1], `${where}: ${found[2]}`)
}

function answerFault(error: DatabaseError, where: string): FaultError {
  const code = error.code ?? ''
  const [kind, text] = own(stateFaults, code) ?? ['query', `the server answered with error ${code}`]
  const constraint = code.startsWith('23') && error.constraint !== undefined ? ` (${error.constraint})` : ''
  return new FaultError(kind, `${where}: ${text}${constraint}`)
}

function socketFault(code: string, where: string): FaultError | null {
  const certificate = own(certificateTexts, code)
  if (certificate !== undefined) return new FaultError('tls', `${where}: ${certificate}`)
  if (/^(?:ENOTFOUND|EAI_\w+|ENODATA)$/u.test(code)) return new FaultError('name', where)
  if (/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/u.test(code))
    return new FaultError('connect', where)
  if (code === 'ETIMEDOUT') return new FaultError('timeout', where)
  if (/^(?:CERT_|CRL_|UNSPECIFIED$)/u.test(code)) return new FaultError('tls', `${where}: it cannot be checked`)
  if (/^(?:EPROTO|ERR_SSL_|ERR_TLS_|ERR_OSSL_)/u.test(code))
    return new FaultError('protocol', `${where}: no secure connection could be agreed on`)
  return null
}

type Part = Error & { code?: unknown }

/** Returns the error, and the parts of an aggregate (a host that was tried by IPv4 and IPv6). */
function partsOf(thrown: unknown): Part[] {
  if (!(thrown instanceof Error)) return []
  const causes: Part[] = thrown.cause instanceof Error ? [thrown.cause] : []
  const parts = thrown instanceof AggregateError ? thrown.errors.filter((part) => part instanceof Error) : []
  return [thrown, ...causes, ...parts]
}
