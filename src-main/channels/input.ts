import {
  channel as channelSchema,
  type Channel,
  type ChannelSecret,
  type WebhookChannel,
} from '../../src-shared/model/channels.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { readCertificates } from '../network/ca.ts'

/** A channel that can be used, with its whole secret. */
export interface CheckedChannel {
  channel: Channel
  secret: ChannelSecret
}

/** Where PagerDuty takes events, unless the operator enters another address (that of its European service). */
export const pagerDutyAddress = 'https://events.pagerduty.com/v2/enqueue'

/**
 * Checks what the operator entered. `known`: the channel and its secret before. Fields of the secret that are left out or empty keep their value. Throws a
 * fault of kind `input` whose detail has a line `field: words` for each field that is wrong.
 */
export function checkChannel(
  given: unknown,
  entered: ChannelSecret | null,
  known: { channel: Channel | null; secret: ChannelSecret | null },
): CheckedChannel {
  const parsed = channelSchema.safeParse(given)
  const wrong = new Map<string, string>()
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const name = path.map(String).join('.')
      if (!wrong.has(name)) wrong.set(name, message)
    }
    throw inputFault(wrong)
  }
  const channel = parsed.data
  try {
    readCertificates(channel.ca)
  } catch (thrown) {
    wrong.set('ca', thrown instanceof FaultError ? sentence(thrown.fault.detail) : 'It cannot be read.')
  }
  const secret = mergedSecret(entered, known.secret)
  const checked =
    channel.kind === 'webhook'
      ? checkWebhook(channel, entered, secret, known.secret, wrong)
      : checkMail(channel, entered, secret, known.channel, wrong)
  if (wrong.size > 0) throw inputFault(wrong)
  return checked
}

const inputFault = (wrong: ReadonlyMap<string, string>): FaultError =>
  new FaultError('input', [...wrong].map(([name, words]) => `${name}: ${words}`).join('\n'))

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

function mergedSecret(entered: ChannelSecret | null, known: ChannelSecret | null): ChannelSecret {
  const typed = Object.fromEntries(Object.entries(entered ?? {}).filter(([, value]) => (value ?? '').trim() !== ''))
  return { ...known, ...typed }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || /^127(\.\d{1,3}){3}$/u.test(host)

function checkWebhook(
  channel: WebhookChannel,
  entered: ChannelSecret | null,
  secret: ChannelSecret,
  known: ChannelSecret | null,
  wrong: Map<string, string>,
): CheckedChannel {
  const { format } = channel
  const address = secret.address?.trim() ?? (format === 'pagerduty' ? pagerDutyAddress : '')
  const url = URL.parse(address)
  if (address === '') wrong.set('address', 'Enter the address.')
  else if (url === null || !['https:', 'http:'].includes(url.protocol)) wrong.set('address', 'It is no web address.')
  else if (url.username !== '' || url.password !== '')
    wrong.set('address', 'It must not have a name or password in it.')
  else if (url.protocol === 'http:' && !isLoopback(url.hostname))
    wrong.set('address', 'It must begin with https: messages name your customers.')
  const key = secret.key?.trim() ?? ''
  const isMoved = known?.address !== undefined && known.address !== address && (entered?.key ?? '').trim() === ''
  if (isMoved && key !== '') wrong.set('key', 'Enter it again, because the address has changed.')
  else if (format === 'pagerduty' && key === '') wrong.set('key', 'Enter the integration key.')
  else if (format === 'servicenow' && key === '') wrong.set('key', 'Enter the password.')
  else if (format === 'plain' && key !== '' && !isSigningKey(key))
    wrong.set('key', 'It is no signing secret: “whsec_” and 24 to 64 bytes in base64.')
  if (format === 'servicenow' && (secret.user ?? '').trim() === '') wrong.set('user', 'Enter the name.')
  return {
    channel: { ...channel, host: url?.host ?? '' },
    secret: { address, ...(key !== '' && { key }), ...(format === 'servicenow' && { user: secret.user ?? '' }) },
  }
}

/** As standardwebhooks.com defines it. */
function isSigningKey(key: string): boolean {
  const bytes = Buffer.from(key.replace(/^whsec_/u, ''), 'base64')
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/u.test(key) && bytes.length >= 24 && bytes.length <= 64
}

function checkMail(
  channel: Extract<Channel, { kind: 'email' }>,
  entered: ChannelSecret | null,
  secret: ChannelSecret,
  known: Channel | null,
  wrong: Map<string, string>,
): CheckedChannel {
  const { host, port, security, user, to, rota } = channel
  if (to.length === 0 && rota === null) wrong.set('to', 'Enter an address, or a rota.')
  if (security === 'none' && !isLoopback(host)) wrong.set('security', 'Only a server on this computer may do without.')
  const password = user === '' ? '' : (secret.password ?? '')
  const isMoved =
    known?.kind === 'email' &&
    (known.host !== host || known.port !== port || known.security !== security || known.user !== user)
  if (user !== '' && password === '') wrong.set('password', 'Enter the password.')
  else if (user !== '' && isMoved && (entered?.password ?? '') === '')
    wrong.set('password', 'Enter it again, because the server or name has changed.')
  return { channel, secret: user === '' ? {} : { password } }
}
