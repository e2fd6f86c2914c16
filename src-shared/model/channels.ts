import { z } from 'zod'
import { timeOfDay } from '../maintenance/maintenance.ts'
import { zoneText } from '../maintenance/zones.ts'
import { severity } from './incidents.ts'
import { notification } from './inventory.ts'
import { serviceHours } from './report-settings.ts'

/*
 * Channels tell people who are not at Muster: by e-mail or by a webhook. What is secret of them (the address of a webhook,
 * keys, passwords) is in the keychain and never here.
 */

const maxText = 300
const tooLong = 'It is too long.'
const text = z.string().max(maxText, tooLong)

const minutes = 'Enter whole minutes, from 0 to 1,440.'

/** What a channel is told. Everything that is set must be true. */
export const channelRule = z.object({
  /** Nodes of the tree with their names; none means everywhere. An incident is told if it touches one of them. */
  places: z
    .array(
      z.object({
        node: z
          .string()
          .max(2048)
          .regex(/^(?:all$|[tasm]:)/u, 'It is no tenant, account, site or room.'),
        name: text,
      }),
    )
    .max(100, 'There are too many places.'),
  severities: z.array(severity).min(1, 'Choose a severity.'),
  /** Recoveries of what the channel was told. */
  recoveries: z.boolean(),
  /** Monitoring is lost or restored. */
  monitoringLost: z.boolean(),
  /** The hours in which it is told; null for always. What is still open and not acknowledged is told when they begin. */
  hours: serviceHours.nullable(),
  /** The zone of the hours and of the times in messages. */
  zone: zoneText,
  /** It is told after this many minutes, if the incident is still open and nobody has acknowledged, snoozed or taken it; 0: at once. */
  afterMinutes: z
    .int(minutes)
    .min(0, minutes)
    .max(24 * 60, minutes),
})
export type ChannelRule = z.infer<typeof channelRule>

/** The templates of a webhook. `plain`: Muster's own JSON, signed as Standard Webhooks are. */
export const webhookFormats = ['plain', 'slack', 'teams', 'pagerduty', 'servicenow'] as const
export const webhookFormat = z.enum(webhookFormats, 'Choose what the webhook is for.')
export type WebhookFormat = z.infer<typeof webhookFormat>

export const mailAddress = z
  .string()
  .max(254)
  .refine(
    (given) => /^[^\s@<>",;:\\[\]()]+@[^\s@<>",;:\\[\]()]+$/u.test(given),
    'Enter one address, such as ops@example.com.',
  )

/**
 * A simple rota: the people in turn, each for a day or a week from that time of day in the rule's zone. The shift of the first one begins on
 * the day `from` (2026-11-27), or turns before it.
 */
export const rota = z.object({
  people: z
    .array(z.object({ name: text, address: mailAddress }))
    .min(1, 'Enter a person.')
    .max(50),
  every: z.enum(['day', 'week']),
  at: timeOfDay,
  from: z.iso.date('Enter a day.'),
})
export type Rota = z.infer<typeof rota>

const base = {
  id: z.string().min(1).max(64),
  name: z.string().trim().min(1, 'Enter a name.').max(maxText, tooLong),
  on: z.boolean(),
  rule: channelRule,
  /** A CA in PEM that is trusted beside the system's; '' for none. */
  ca: z.string().max(100_000, tooLong),
}

export const webhookChannel = z.object({
  ...base,
  kind: z.literal('webhook'),
  format: webhookFormat,
  /** The host of the address, as far as it may be shown; the address is a secret. */
  host: text,
})
export type WebhookChannel = z.infer<typeof webhookChannel>

export const mailChannel = z.object({
  ...base,
  kind: z.literal('email'),
  host: z.string().trim().min(1, 'Enter the mail server.').max(253, tooLong),
  port: z.int('Enter a port.').min(1, 'Enter a port.').max(65_535, 'Enter a port.'),
  /** `tls`: from the first byte. `starttls`: required before anything is sent. `none`: for this computer only. */
  security: z.enum(['tls', 'starttls', 'none']),
  /** The name for the server; '' for none, then there is no password either. */
  user: text,
  from: mailAddress,
  to: z.array(mailAddress).max(50),
  /** Who is on shift gets it too; null for nobody. */
  rota: rota.nullable(),
})
export type MailChannel = z.infer<typeof mailChannel>

export const channel = z.discriminatedUnion('kind', [webhookChannel, mailChannel])
export type Channel = z.infer<typeof channel>

/**
 * The secret of a channel, as it is in the keychain. `address`: of a webhook. `key`: the signing secret (`whsec_…`), PagerDuty's integration
 * key, or ServiceNow's password with its `user`. `password`: of the mail server.
 */
export const channelSecret = z.object({
  address: z.string().max(4000).optional(),
  key: z.string().max(4000).optional(),
  user: text.optional(),
  password: z.string().max(4000).optional(),
})
export type ChannelSecret = z.infer<typeof channelSecret>

/**
 * What a delivery does. `notify`: a notification, as the bell has it. `trigger`, `acknowledge`, `resolve`: the alert of a system that keeps
 * alerts itself.
 */
export const deliveryAction = z.enum(['notify', 'trigger', 'acknowledge', 'resolve'])
export type DeliveryAction = z.infer<typeof deliveryAction>

/**
 * `waiting`: to be sent, for the first time or again. `sent`: accepted. `failed`: it is not tried again by itself. `dropped`: it was not needed
 * any more, for the reason.
 */
export const deliveryState = z.enum(['waiting', 'sent', 'failed', 'dropped'])

/** A message to one channel. Times in ms since the epoch. */
export const delivery = z.object({
  /** The same for the same message to the same channel: the idempotency key and the Message-ID. */
  id: z.string(),
  channel: z.string(),
  /** The name of the channel when the message was made. */
  channelName: z.string(),
  /** The alert that it belongs to: an incident, or a notification of several. */
  alert: z.string(),
  action: deliveryAction,
  severity: severity.nullable(),
  /** Names of the places that contain all of it, the deepest first. */
  places: z.array(z.string()),
  notification,
  /** Ids of the incidents that it tells. */
  incidents: z.array(z.string()),
  at: z.number(),
  /** Not before this time. Later than `at`: only if it is still open and nobody has taken it on. */
  dueAt: z.number(),
  state: deliveryState,
  attempts: z.number(),
  /** The next attempt; null when there is none. */
  nextAt: z.number().nullable(),
  /** When its state became what it is. */
  settledAt: z.number().nullable(),
  /** Who accepted it: addresses, or a host. */
  to: z.array(z.string()),
  /** Why the last attempt failed, or why it was dropped, as a sentence; '' for none. */
  reason: z.string(),
})
export type Delivery = z.infer<typeof delivery>
