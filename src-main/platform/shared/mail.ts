import { isIP } from 'node:net'
import { getSystemErrorName } from 'node:util'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Mail, MailServer } from '../../ports.ts'
import { certificateCheck } from '../../network/tls/certificate-check.ts'
import { networkFault } from '../../network/tls/network-fault.ts'
import { trust } from '../../network/tls/trust.ts'

/** Longest waits for a server, ms: until it is reached, until it greets, and between two of its answers. The caller's signal may end them before. */
const [connectMs, greetingMs, answerMs] = [15_000, 60_000, 11 * 60_000]

/** What nodemailer adds to its errors. */
interface SmtpError extends Error {
  code?: string | undefined
  errno?: number | undefined
  responseCode?: number | undefined
  response?: string | undefined
  recipient?: string | undefined
}

/** Sends e-mail by nodemailer, over a connection of its own for each. */
export const smtpMail: Mail = {
  async send(server, letter, signal, onHandedOver) {
    const transport = createTransport({ ...optionsOf(server), logger: watching(onHandedOver) })
    try {
      const { messageId, references, ...message } = letter
      const { accepted, rejectedErrors = [] } = await transport.sendMail({
        ...message,
        to: [...message.to],
        messageId,
        references,
        // No reader answers it by itself (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      })
      const isAccepted = new Set(accepted)
      return {
        accepted: letter.to.filter((address) => isAccepted.has(asSent(address))),
        rejected: rejectedErrors.map((error) => rejection(error)),
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw smtpFault(error as SmtpError, `${server.host}:${server.port}`)
    } finally {
      transport.close()
    }
  },
}

/** Returns an address as nodemailer sends it: the domain in small letters and in ASCII. */
const asSent = (address: string): string => new MailComposer({ to: address }).compile().getEnvelope().to[0] ?? address

/** Returns a log that keeps nothing: nodemailer tells nowhere else that all of a letter was sent. Other levels come here too. */
const watching = (onHandedOver: () => void) => ({
  info(entry: { tnx?: string }) {
    if (entry.tnx === 'message') onHandedOver()
  },
})

function optionsOf({ host, port, security, user, password, ca }: MailServer) {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== '' && { auth: { user, pass: password } }),
    ...(isIP(host) === 0 && { servername: host }),
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    allowInternalNetworkInterfaces: true,
    tls: { ...certificateCheck, ...(security !== 'none' && { secureContext: trust(ca) }) },
  }
}

const rejection = ({ recipient = '', responseCode = 0, response = '' }: SmtpError) => ({
  address: recipient,
  status: responseCode,
  reply: response,
})

function smtpFault(error: SmtpError, host: string): FaultError {
  const { code, responseCode: status, response = '' } = error
  const reply = { ...(status !== undefined && { status }), answerText: response }
  if (code === 'EAUTH' || code === 'ENOAUTH') return new FaultError('credentials', response, reply)
  if (status !== undefined) return new FaultError('http', response, reply)
  if (code === 'ETIMEDOUT') return new FaultError('timeout', host)
  if (code === 'EDNS') return new FaultError('name', host)
  if (code === 'EPROTOCOL') return new FaultError('protocol', `${host}: what answers there is no mail server`)
  // nodemailer replaces the system's code with its own, and keeps the number.
  if (error.errno !== undefined) return networkFault({ code: getSystemErrorName(error.errno) }, host)
  if (code === 'ETLS' || code === 'ESOCKET') return tlsFault(error, host)
  return networkFault(error, host)
}

/** Beginnings of OpenSSL's words, of which nodemailer drops the code. */
const certificateCodes: readonly [RegExp, string][] = [
  [/^self-signed certificate in certificate chain/u, 'SELF_SIGNED_CERT_IN_CHAIN'],
  [/^self-signed certificate/u, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [/^unable to verify the first certificate/u, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  [/^unable to get local issuer certificate/u, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  [/^unable to get issuer certificate/u, 'UNABLE_TO_GET_ISSUER_CERT'],
  [/^certificate has expired/u, 'CERT_HAS_EXPIRED'],
  [/^certificate is not yet valid/u, 'CERT_NOT_YET_VALID'],
  [/^Hostname\/IP does not match/u, 'ERR_TLS_CERT_ALTNAME_INVALID'],
]

function tlsFault({ message }: Error, host: string): FaultError {
  const code = certificateCodes.find(([words]) => words.test(message))?.[1]
  if (code !== undefined) return networkFault({ code }, host)
  // OpenSSL names its source file after the reason.
  const [first = ''] = message.split('\n')
  const reason = first.includes('wrong version number') ? 'it does not begin with TLS on this port' : first
  return new FaultError('tls', `${host}: ${reason}`)
}
