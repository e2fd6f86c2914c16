import { createHmac } from 'node:crypto'
import type { ChannelSecret, WebhookFormat } from '../../../src-shared/model/channels.ts'
import { clipped, type Content, footer, readable } from './content.ts'

/** A POST to the address of a channel. */
export interface WebhookRequest {
  headers: Record<string, string>
  body: string
}

/** Returns the requests of a message, to be sent in their order: one, or two where a test must leave nothing open. */
export function webhookRequests(
  format: WebhookFormat,
  given: Content,
  secret: ChannelSecret,
  now: number,
): WebhookRequest[] {
  const content = readable(given)
  switch (format) {
    case 'plain':
      return [plain(content, secret, now)]
    case 'slack':
      return [json(slack(content))]
    case 'teams':
      return [json(teams(content))]
    case 'pagerduty':
      return pagerDuty(content, secret.key ?? '').map((body) => json(body))
    case 'servicenow':
      return serviceNow(content).map((body) => json(body, basic(secret)))
  }
}

const json = (body: unknown, headers: Record<string, string> = {}): WebhookRequest => ({
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})

const basic = ({ user = '', key = '' }: ChannelSecret): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`,
})

const plainTypes = {
  notify: 'muster.notification',
  trigger: 'muster.alert.triggered',
  acknowledge: 'muster.alert.acknowledged',
  resolve: 'muster.alert.resolved',
} as const

/** Muster's own form, signed as standardwebhooks.com says. Without a key it has no signature. */
function plain(content: Content, { key = '' }: ChannelSecret, now: number): WebhookRequest {
  const { id, alert, action, isTest, title, body, link, severity, kind, places, incidents, devices, at } = content
  const data = { id, alert, kind, severity, title, text: body, link, places, incidents, devices }
  const text = JSON.stringify({
    type: isTest ? 'muster.test' : plainTypes[action],
    timestamp: new Date(at).toISOString(),
    data,
  })
  const seconds = String(Math.floor(now / 1000))
  const headers = { 'content-type': 'application/json; charset=utf-8', 'webhook-id': id, 'webhook-timestamp': seconds }
  if (key === '') return { headers, body: text }
  const secret = Buffer.from(key.replace(/^whsec_/u, ''), 'base64')
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${text}`).digest('base64')
  return { headers: { ...headers, 'webhook-signature': `v1,${signature}` }, body: text }
}

/** Slack reads these three as control characters of links, mentions and entities. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The limits of Slack's blocks, and of the text of its own notification, whose characters may take five each. */
const [slackSection, slackContext, slackNotification] = [3000, 2000, 600]

function slack(content: Content) {
  const { title, body, link } = content
  const section = (text: string) => ({
    type: 'section',
    text: { type: 'plain_text', text: clipped(text, slackSection), emoji: false },
  })
  const under = [footer(content), link ?? ''].filter((part) => part !== '').join('\n')
  return {
    text: slackText(clipped(title, slackNotification)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: clipped(title, 150), emoji: false } },
      ...(body === '' ? [] : [section(body)]),
      {
        type: 'context',
        elements: [{ type: 'plain_text', text: clipped(under, slackContext), emoji: false }],
      },
    ],
  }
}

const teamsColours = { critical: 'Attention', major: 'Warning', minor: 'Default' } as const
/** A card may have 28 kB in all, and a character up to 3 bytes. */
const [teamsTitle, teamsText] = [500, 3000]

/** An adaptive card for the workflow "When a Teams webhook request is received". Its text runs know no markdown, so that names stay names. */
function teams(content: Content) {
  const { title, body, link, severity } = content
  const run = (text: string, more: Record<string, unknown> = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  })
  const colour = severity === null ? 'Default' : teamsColours[severity]
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            run(clipped(title, teamsTitle), { weight: 'Bolder', size: 'Medium', color: colour }),
            ...(body === '' ? [] : [run(clipped(body, teamsText))]),
            run(clipped(footer(content), teamsTitle), { isSubtle: true, size: 'Small' }),
            ...(link === null ? [] : [run(link, { isSubtle: true, size: 'Small' })]),
          ],
        },
      },
    ],
  }
}

const pagerDutySeverities = { critical: 'critical', major: 'error', minor: 'warning' } as const
/** The longest summary that PagerDuty takes. */
const pagerDutySummary = 1024

/** PagerDuty Events API v2. A test triggers and resolves, so that it leaves nothing open. */
function pagerDuty(content: Content, key: string) {
  const { alert, action, isTest, title, body, link, severity, kind, places, incidents, devices, at } = content
  const event = { routing_key: key, dedup_key: `muster-${alert}` }
  const trigger = {
    ...event,
    event_action: 'trigger',
    client: 'Muster',
    payload: {
      summary: clipped(title, pagerDutySummary),
      source: places[0] ?? 'Muster',
      severity: isTest ? 'info' : severity === null ? 'warning' : pagerDutySeverities[severity],
      timestamp: new Date(at).toISOString(),
      class: kind,
      custom_details: { text: body, link, places, incidents, devices },
    },
  }
  if (isTest) return [trigger, { ...event, event_action: 'resolve' }]
  return action === 'acknowledge' || action === 'resolve' ? [{ ...event, event_action: action }] : [trigger]
}

/** 0 clears an event. */
const serviceNowSeverities = { critical: '1', major: '2', minor: '3' } as const
/** The severity of what has none: lost monitoring. */
const serviceNowUnrated = '2'

/** The event collector of ServiceNow's Event Management (`/api/global/em/jsonv2`). It knows no acknowledgement. */
function serviceNow(content: Content) {
  const { alert, action, isTest, title, body, link, severity, kind, places, incidents, devices, at } = content
  if (action === 'acknowledge') return []
  const record = (isOver: boolean) => ({
    source: 'Muster',
    event_class: 'Muster',
    node: places[0] ?? 'Muster',
    resource: places.join(', '),
    type: kind,
    severity: isOver ? '0' : severity === null ? serviceNowUnrated : serviceNowSeverities[severity],
    resolution_state: isOver ? 'Closing' : 'New',
    message_key: `muster-${alert}`,
    time_of_event: new Date(at).toISOString().slice(0, 19).replace('T', ' '),
    description: clipped([title, body].filter((part) => part !== '').join('\n'), 4000),
    additional_info: JSON.stringify({ link, incidents, devices }),
  })
  return isTest
    ? [{ records: [record(false)] }, { records: [record(true)] }]
    : [{ records: [record(action === 'resolve')] }]
}
