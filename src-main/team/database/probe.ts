import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { hostAndPort } from './address.ts'
import { trust } from '../../network/tls/trust.ts'
import type { TeamTarget } from './connect.ts'
import { databaseFault } from './errors.ts'

/** Longest time of each of these steps, ms. */
const stepMs = 10_000

/** The packet that asks for TLS (PostgreSQL, 55.7 "Message Formats", SSLRequest), and the answer that grants it. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
const sslGranted = 'S'
const sslRejected = 'N'

/** Resolves with the addresses of the host, itself where it is one. Rejects with a `FaultError`. */
export function resolveHost({ address, clock, lookup }: TeamTarget): Promise<string[]> {
  const { host } = address
  if (isIP(host) !== 0) return Promise.resolve([host])
  const look = lookup ?? (systemLookup as LookupFunction)
  return new Promise((resolve, reject) => {
    const cancel = clock.after(stepMs, () => reject(new FaultError('timeout', host)))
    look(host, { all: true }, (error, found) => {
      cancel()
      if (error === null) resolve(addressesOf(found))
      else reject(databaseFault(error, host))
    })
  })
}

function addressesOf(found: string | LookupAddress[]): string[] {
  return typeof found === 'string' ? [found] : found.map(({ address }) => address)
}

/** Resolves with a connection to the server, on which nothing was sent. Rejects with a `FaultError`. */
export function connectPlain({ address, clock, lookup }: TeamTarget, signal: AbortSignal): Promise<Socket> {
  const where = hostAndPort(address)
  const { host, port } = address
  const socket = connect({ host, port, signal, ...(lookup === undefined ? {} : { lookup }) })
  return new Promise((resolve, reject) => {
    const cancel = clock.after(stepMs, () => socket.destroy(new FaultError('timeout', where)))
    socket.once('connect', () => {
      cancel()
      resolve(socket)
    })
    socket.on('error', (error) => {
      cancel()
      reject(databaseFault(error, where))
    })
  })
}

/**
 * Asks the server for TLS on a fresh connection, and checks its certificate against the host. Resolves with the
 * protocol and the certificate's end, as text. Rejects with a `FaultError`.
 */
export async function secure(socket: Socket, { address, ca, clock }: TeamTarget): Promise<string> {
  const where = hostAndPort(address)
  const secureContext = trust(ca)
  const cancel = clock.after(stepMs, () => socket.destroy(new FaultError('timeout', where)))
  try {
    await requestTls(socket, where)
    return await shakeHands(socket, { host: address.host, secureContext, rejectUnauthorized: true })
  } catch (error) {
    throw databaseFault(error, where)
  } finally {
    cancel()
  }
}

function requestTls(socket: Socket, where: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new FaultError('reset', where)))
    socket.once('data', (answer) => {
      const text = answer.toString('latin1')
      if (text === sslGranted) return resolve()
      const why = text === sslRejected ? 'the server offers no TLS' : 'what answers there is no PostgreSQL'
      reject(new FaultError('protocol', `${where}: ${why}`))
    })
    socket.write(sslRequest)
  })
}

function shakeHands(socket: Socket, options: tls.ConnectionOptions & { host: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const servername = isIP(options.host) === 0 ? { servername: options.host } : {}
    const secured = tls.connect({ ...options, ...servername, socket })
    socket.once('error', reject)
    secured.on('error', reject)
    secured.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
    secured.once('secureConnect', () => {
      const until = new Date(secured.getPeerCertificate().valid_to).toISOString().slice(0, 'yyyy-mm-dd'.length)
      resolve(`${secured.getProtocol() ?? 'TLS'}, certificate valid until ${until}`)
      secured.destroy()
    })
  })
}
