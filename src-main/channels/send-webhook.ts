import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { ChannelSecret, WebhookChannel } from '../../src-shared/model/channels.ts'
import { retryAfterIn } from '../../src-shared/lib/retry-after.ts'
import { readBeginning } from '../auth/limited-text.ts'
import type { Network } from '../ports.ts'
import type { Content } from './formats/content.ts'
import { webhookRequests } from './formats/webhook.ts'
import { pagerDutyAddress } from './input.ts'
import { faultReason, replyText, type Outcome, wordsOf } from './outcome.ts'

interface Sending {
  network: Pick<Network, 'open'>
  channel: WebhookChannel
  secret: ChannelSecret
  /** ms since the epoch. */
  now: number
  signal: AbortSignal
}

/** Sends a message to a webhook, once. Never rejects. */
export async function sendWebhook(
  content: Content,
  { network, channel, secret, now, signal }: Sending,
): Promise<Outcome> {
  const { address = channel.format === 'pagerduty' ? pagerDutyAddress : '' } = secret
  try {
    const link = network.open(channel.ca)
    try {
      for (const request of webhookRequests(channel.format, content, secret, now)) {
        const answer = await link.fetchOnce(address, { method: 'POST', ...request, signal })
        // What follows an acceptance says nothing more, and may never end.
        if (!answer.ok) return refused(answer, (await readBeginning(answer, replyBytes)).text, secret, now)
        answer.body?.cancel().catch(() => {})
      }
      return { is: 'sent', to: [channel.host], reason: '' }
    } finally {
      await link.close()
    }
  } catch (thrown) {
    return failed(thrown)
  }
}

/** The beginning of an answer that is read, in bytes. */
const replyBytes = 4096

/** Statuses after which the same request may be accepted later. */
const isTemporary = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

function refused(answer: Response, text: string, secret: ChannelSecret, now: number): Outcome {
  const { status } = answer
  const words = replyText(text.trimStart().startsWith('<') ? '' : wordsOf(text), secretsOf(secret))
  const said = `The server answered ${status}${words === '' ? '' : `: ${words}`}`
  const reason = /[.!?…]$/u.test(said) ? said : `${said}.`
  if (!isTemporary(status)) return { is: 'never', to: [], reason }
  const seconds = retryAfterIn(answer.headers, now)
  return { is: 'later', to: [], reason, waitMs: seconds === null ? null : seconds * 1000 }
}

/** The shortest part of an address that counts as a secret by itself: shorter ones are words of the path. */
const shortestPart = 10

/** A whole address, the secret parts of it, and the keys, the longest first. */
function secretsOf({ address = '', key = '', user = '' }: ChannelSecret): string[] {
  const url = URL.parse(address)
  const whole = url === null ? [] : [`${url.pathname}${url.search}`, url.pathname, url.search]
  const parts = url === null ? [] : [...url.pathname.split('/'), ...url.searchParams.values()]
  const login = Buffer.from(`${user}:${key}`).toString('base64')
  return [address, ...whole, ...parts.filter((part) => part.length >= shortestPart), key, login].toSorted(
    (one, other) => other.length - one.length,
  )
}

function failed(thrown: unknown): Outcome {
  const fault = toFault(thrown)
  const reason = faultReason(fault)
  if (fault.kind === 'ca') return { is: 'never', to: [], reason }
  // A redirect: the address is another one.
  if (thrown instanceof FaultError && fault.kind === 'http') return { is: 'never', to: [], reason: redirected }
  return { is: 'later', to: [], reason, waitMs: null }
}

const redirected = 'The server sends Muster to another address. Enter that one.'
