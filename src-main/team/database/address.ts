import { domainToASCII } from 'node:url'
import { FaultError } from '../../../src-shared/model/fault.ts'

/** Where a team's database is, and as whom to sign in there. Everything is decoded, and an IPv6 host has no brackets. */
export interface TeamAddress {
  user: string
  host: string
  port: number
  database: string
}

const defaultPort = 5432
/** Longest address, in characters. */
const maxLength = 2000
/** Longest name of a role or a database, in bytes: the server cuts longer ones (NAMEDATALEN). */
const maxNameBytes = 63

const example = 'postgresql://user@host/database'

/** Characters that nobody sees: controls, directions, line ends, halves of a pair. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/**
 * Reads `postgresql://user@host[:port]/database` (`postgres://` as well). Throws a `FaultError` of kind `input` with one
 * sentence for its field, which repeats nothing of the text, as that may hold a password.
 */
export function parseTeamAddress(text: string): TeamAddress {
  const trimmed = text.trim()
  if (trimmed === '') throw problem('The address is missing.')
  if (trimmed.length > maxLength) throw problem(`The address is longer than ${maxLength} characters.`)
  if (unseen.test(trimmed)) throw problem('The address has a character that cannot be seen. Type it again.')
  const url = urlOf(trimmed)
  if (url.password !== '') throw problem('Leave out the password; it has its own field.')
  if (trimmed.includes('#')) throw problem('Leave out the part from the # on.')
  if (trimmed.includes('?')) throw problem('Leave out the part from the ? on.')
  return {
    host: hostOf(url.hostname),
    user: nameOf('user', url.username),
    port: portOf(url.port),
    database: nameOf('database', pathOf(trimmed)),
  }
}

/** Returns the address as text, which `parseTeamAddress` reads as the same. */
export function teamAddressText({ user, host, port, database }: TeamAddress): string {
  return `postgresql://${encodeURIComponent(user)}@${hostAndPort({ host, port })}/${encodeURIComponent(database)}`
}

/** Returns `host:port`, an IPv6 host in brackets. */
export function hostAndPort({ host, port }: Pick<TeamAddress, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function problem(sentence: string): FaultError {
  return new FaultError('input', sentence)
}

function urlOf(text: string): URL {
  const scheme = text.slice(0, text.indexOf('://')).toLowerCase()
  if (scheme !== 'postgresql' && scheme !== 'postgres') throw problem('The address must begin with postgresql://.')
  const url = URL.parse(text)
  if (url === null) throw problem(`This is not an address. It looks like ${example}.`)
  return url
}

/** Returns the text after the host. `URL` would take `.` and `..` in it for folders. */
function pathOf(text: string): string {
  const begin = text.indexOf('/', text.indexOf('://') + '://'.length)
  return begin < 0 ? '' : text.slice(begin + 1)
}

/** Returns the host as it is looked up: of a name with other letters its ASCII form (IDNA). */
function hostOf(hostname: string): string {
  if (hostname === '') throw problem(`The host is missing. The address looks like ${example}.`)
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  const host = domainToASCII(decoded('host', hostname))
  if (!/^[\w.-]+$/u.test(host)) throw problem('The host is not a name or an address of a computer.')
  return host
}

function portOf(text: string): number {
  if (text === '') return defaultPort
  const port = Number(text)
  if (port === 0) throw problem('The port must be between 1 and 65535.')
  return port
}

function nameOf(what: 'user' | 'database', text: string): string {
  if (text === '') throw problem(`The ${what} is missing. The address looks like ${example}.`)
  if (what === 'database' && text.includes('/')) throw problem('The database’s name has a / in it. Write it as %2F.')
  const name = decoded(what, text)
  if (unseen.test(name)) throw problem(`The ${what}’s name has a character that cannot be seen.`)
  if (Buffer.byteLength(name) > maxNameBytes) throw problem(`The ${what}’s name is longer than ${maxNameBytes} bytes.`)
  return name
}

function decoded(what: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw problem(`A % in the ${what} is followed by no code. Write a % as %25.`)
  }
}
