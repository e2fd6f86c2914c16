import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { ChannelSecret, MailChannel } from '../../src-shared/model/channels.ts'
import type { Mail } from '../ports.ts'
import type { Content } from './formats/content.ts'
import { letterOf } from './formats/letter.ts'
import { faultReason, replyText, type Outcome } from './outcome.ts'

interface Sending {
  mail: Mail
  channel: MailChannel
  secret: ChannelSecret
  /** Who is on shift; null for nobody. */
  onShift: string | null
  /** Addresses that have it already. */
  have: readonly string[]
  signal: AbortSignal
  /** As `Mail.send` calls it. */
  onHandedOver: () => void
}

/** Returns the addresses of a channel's mail at this time, each once. */
export const recipientsOf = ({ to }: Pick<MailChannel, 'to'>, onShift: string | null): string[] => [
  ...new Set([...to, ...(onShift === null ? [] : [onShift])]),
]

/** SMTP replies from here on are final. 503 says that the session was wrong, and not the message. */
const isFinal = (status: number): boolean => status >= 500 && status !== 503

/** Sends a message by e-mail, once to each address that does not have it. Never rejects. */
export async function sendMail(
  content: Content,
  { mail, channel, secret, onShift, have, signal, onHandedOver }: Sending,
): Promise<Outcome> {
  const { host, port, security, user, from, ca } = channel
  const { password = '' } = secret
  const secrets = secretsOf(user, password)
  const to = recipientsOf(channel, onShift).filter((address) => !have.includes(address))
  if (to.length === 0)
    return have.length === 0
      ? { is: 'never', to: [], reason: 'The channel has no address to send to.' }
      : { is: 'sent', to: [...have], reason: '' }
  try {
    const server = { host, port, security, user, password, ca }
    const { accepted, rejected } = await mail.send(server, letterOf(content, from, to), signal, onHandedOver)
    const all = [...have, ...accepted]
    const reason = rejected.map(({ address, reply }) => `${address}: ${replyText(reply, secrets)}`).join(' ')
    if (rejected.length === 0) return { is: 'sent', to: all, reason }
    return rejected.some(({ status }) => !isFinal(status))
      ? { is: 'later', to: all, reason, waitMs: null }
      : { is: 'never', to: all, reason }
  } catch (thrown) {
    return failed(thrown, [...have], secrets)
  }
}

/** The password, as it is and as it is sent to sign in. */
const secretsOf = (user: string, password: string): string[] =>
  password === ''
    ? []
    : [`\0${user}\0${password}`, password].flatMap((text) => [text, Buffer.from(text).toString('base64')])

function failed(thrown: unknown, to: string[], secrets: readonly string[]): Outcome {
  const fault = toFault(thrown)
  const words = replyText(fault.detail, secrets)
  if (fault.kind === 'credentials') {
    const reason = `The mail server rejected the name and password${words === '' ? '.' : `: ${words}`}`
    const isTemporary = thrown instanceof FaultError && thrown.status !== null && !isFinal(thrown.status)
    return isTemporary ? { is: 'later', to, reason, waitMs: null } : { is: 'never', to, reason }
  }
  if (fault.kind === 'http') {
    const reason = `The mail server answered ${words}`
    return thrown instanceof FaultError && isFinal(thrown.status ?? 0)
      ? { is: 'never', to, reason }
      : { is: 'later', to, reason, waitMs: null }
  }
  const reason = faultReason(fault)
  return fault.kind === 'ca' ? { is: 'never', to, reason } : { is: 'later', to, reason, waitMs: null }
}
