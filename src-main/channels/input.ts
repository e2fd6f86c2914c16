import {
  channel as channelSchema,
  type Channel,
  type ChannelSecret,
  type MailChannel,
  type WebhookChannel,
} from '../../src-shared/model/channels.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { readCertificates } from '../network/ca.ts'
import { isLoopback } from '../network/loopback.ts'

/** A channel that can be used, with its whole secret. */
export interface CheckedChannel {
  channel: Channel
  secret: ChannelSecret
}

/** Where PagerDuty takes events, unless the operator enters another address (that of its European service). */
export const pagerDutyAddress = 'https://events.pagerduty.com/v2/enqueue'

/** What is stored of a channel before the change. */
export interface KnownChannel {
  channel: Channel | null
  secret: ChannelSecret | null
  /** The secret is used whatever it was stored for: it comes from where the channel does. */
  isTrusted?: boolean
}

/**
 * Checks what the operator entered. Fields of the secret that are left out or empty keep their value, where the channel leads to the same place as
 * before: a stored secret is sent nowhere else. Throws a fault of kind `input` whose detail has a line `field: words` for each field that
 * is wrong.
 */
export function checkChannel(given: unknown, entered: ChannelSecret | null, known: KnownChannel): CheckedChannel {
  const channel = parseChannel(given)
  const wrong = new Map<string, string>()
  try {
    readCertificates(channel.ca)
  } catch (thrown) {
    wrong.set('ca', thrown instanceof FaultError ? sentence(thrown.fault.detail) : 'It cannot be read.')
  }
  const typed = typedOf(entered)
  const checked =
    channel.kind === 'webhook' ? checkWebhook(channel, typed, known, wrong) : checkMail(channel, typed, known, wrong)
  if (wrong.size > 0) throw inputFault(wrong)
  return checked
}

/** Reads a channel without its secret. Throws as `checkChannel` does. */
export function parseChannel(given: unknown): Channel {
  const parsed = channelSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = new Map<string, string>()
  for (const { path, message } of parsed.error.issues) {
    const name = path.map(String).join('.')
    if (!wrong.has(name)) wrong.set(name, message)
  }
  throw inputFault(wrong)
}

const inputFault = (wrong: ReadonlyMap<string, string>): FaultError =>
  new FaultError('input', [...wrong].map(([name, words]) => `${name}: ${words}`).join('\n'))

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

/** Returns the fields that were entered, without spaces around them. */
const typedOf = (entered: ChannelSecret | null): ChannelSecret =>
  Object.fromEntries(
    Object.entries(entered ?? {}).flatMap(([name, value]) => {
      const text = name === 'password' ? (value ?? '') : (value ?? '').trim()
      return text === '' ? [] : [[name, text]]
    }),
  )

function checkWebhook(
  channel: WebhookChannel,
  typed: ChannelSecret,
  known: KnownChannel,
  wrong: Map<string, string>,
): CheckedChannel {
  const { format } = channel
  const isSameFormat = known.channel?.kind === 'webhook' && known.channel.format === format
  const stored: ChannelSecret = (isSameFormat || known.isTrusted ? known.secret : null) ?? {}
  // Whoever has a certificate of the CA could read what is sent: address, key and name.
  const isTrustMoved = known.isTrusted !== true && stored.address !== undefined && known.channel?.ca !== channel.ca
  const isRepeated = isTrustMoved && format !== 'pagerduty' && typed.address === undefined
  const address = typed.address ?? stored.address ?? (format === 'pagerduty' ? pagerDutyAddress : '')
  const url = checkAddress(address, wrong)
  if (isRepeated) wrong.set('address', 'Enter it again, because the CA certificate has changed.')
  const user = typed.user ?? stored.user ?? ''
  const isMoved =
    stored.key !== undefined &&
    known.isTrusted !== true &&
    (isTrustMoved || stored.address !== address || (format === 'servicenow' && stored.user !== user))
  const key = typed.key ?? (isMoved ? '' : (stored.key ?? ''))
  if (isMoved && key === '')
    wrong.set('key', 'Enter it again, because the address, the name or the CA certificate has changed.')
  else if (format === 'pagerduty' && key === '') wrong.set('key', 'Enter the integration key.')
  else if (format === 'servicenow' && key === '') wrong.set('key', 'Enter the password.')
  else if (format === 'plain' && key !== '' && !isSigningKey(key))
    wrong.set('key', 'It is no signing secret: “whsec_” and 24 to 64 bytes in base64.')
  if (format === 'servicenow' && user === '') wrong.set('user', 'Enter the name.')
  return {
    channel: { ...channel, host: url?.host ?? '' },
    secret: { address, ...(key !== '' && { key }), ...(format === 'servicenow' && { user }) },
  }
}

function checkAddress(address: string, wrong: Map<string, string>): URL | null {
  const url = URL.parse(address)
  if (address === '') wrong.set('address', 'Enter the address.')
  else if (url === null || !['https:', 'http:'].includes(url.protocol)) wrong.set('address', 'It is no web address.')
  else if (url.username !== '' || url.password !== '')
    wrong.set('address', 'It must not have a name or password in it.')
  else if (url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/gu, '')))
    wrong.set('address', 'It must begin with https: messages name your customers.')
  return url
}

/** As standardwebhooks.com defines it. */
function isSigningKey(key: string): boolean {
  const bytes = Buffer.from(key.replace(/^whsec_/u, ''), 'base64')
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/u.test(key) && bytes.length >= 24 && bytes.length <= 64
}

function checkMail(
  channel: MailChannel,
  typed: ChannelSecret,
  known: KnownChannel,
  wrong: Map<string, string>,
): CheckedChannel {
  const { host, security, user, to, rota } = channel
  if (to.length === 0 && rota === null) wrong.set('to', 'Enter an address, or a rota.')
  if (security === 'none' && !isLoopback(host)) wrong.set('security', 'Only a server on this computer may do without.')
  if (user === '') return { channel, secret: {} }
  const stored = known.secret?.password ?? ''
  const isSame = known.isTrusted === true || leadsTo(known.channel, channel)
  const password = typed.password ?? (isSame ? stored : '')
  if (password === '')
    wrong.set(
      'password',
      stored === ''
        ? 'Enter the password.'
        : 'Enter it again, because the server, the name or the CA certificate has changed.',
    )
  return { channel, secret: { password } }
}

const leadsTo = (known: Channel | null, { host, port, security, user, ca }: MailChannel): boolean =>
  known?.kind === 'email' &&
  known.host === host &&
  known.port === port &&
  known.security === security &&
  known.user === user &&
  known.ca === ca
