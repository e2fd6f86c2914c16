import type { ChannelRule, MailChannel, WebhookChannel } from '../../src-shared/model/channels.ts'

/** A rule that wants everything at once. */
export const everyRule = (over: Partial<ChannelRule> = {}): ChannelRule => ({
  places: [],
  severities: ['critical', 'major', 'minor'],
  recoveries: true,
  monitoringLost: true,
  hours: null,
  zone: 'UTC',
  afterMinutes: 0,
  ...over,
})

export const webhookChannel = (over: Partial<WebhookChannel> = {}): WebhookChannel => ({
  id: 'hook',
  name: 'Hook',
  on: true,
  rule: everyRule(),
  ca: '',
  kind: 'webhook',
  format: 'plain',
  host: '',
  ...over,
})

export const mailChannel = (over: Partial<MailChannel> = {}): MailChannel => ({
  id: 'mail',
  name: 'Mail',
  on: true,
  rule: everyRule(),
  ca: '',
  kind: 'email',
  host: '127.0.0.1',
  port: 25,
  security: 'none',
  user: '',
  from: 'muster@example.com',
  to: ['ops@example.com'],
  rota: null,
  ...over,
})
