import { describe, expect, test } from 'vitest'
import { contentOf, zonedTime, type Content } from '../../../../src-main/channels/formats/content.ts'
import { webhookRequests } from '../../../../src-main/channels/formats/webhook.ts'
import type { WebhookFormat } from '../../../../src-shared/model/channels.ts'
import { webhookFormats } from '../../../../src-shared/model/channels.ts'
import { deliveryOf, notificationOf } from '../../../support/deliveries.ts'
import { contentWith, hostileNames } from './content-of.ts'

const names = Object.entries(hostileNames)

/** What a message says whose places, devices, tenants and windows all have this name. */
const contentNamed = (name: string): Content => {
  const where = { kind: 'place' as const, name }
  const message = {
    kind: 'offline' as const,
    shape: 'node' as const,
    count: 12,
    where,
    context: [name, name],
    names: [name, name, name],
    since: Date.parse('2026-11-27T13:02:03Z'),
    missed: false,
    others: 1,
    unseen: 0,
    overrode: { window: name, place: name, down: 2 },
  }
  const places = [name, name, name]
  return contentOf(deliveryOf('d1', { places, notification: notificationOf({ message }) }), 'UTC', 0)
}
const bodyOf = (format: WebhookFormat, content: Content) =>
  webhookRequests(format, content, { key: 'k', user: 'u' }, 0)[0]?.body ?? ''

/** All texts in a value, wherever. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

describe.each(names)('a name with %s', (_what, name) => {
  test('is well-formed text in every format', () => {
    for (const format of webhookFormats) {
      const texts = textsIn(JSON.parse(bodyOf(format, contentNamed(name))))
      expect(texts.filter((text) => !text.isWellFormed()).map((text) => [format, text.slice(0, 80)])).toEqual([])
    }
  })

  test('turns no text round and begins no line in what people read', () => {
    for (const format of ['slack', 'teams'] as const) {
      const texts = textsIn(JSON.parse(bodyOf(format, contentNamed(name))))
      expect(texts.filter((text) => /[\u202A-\u202E]/u.test(text)).map((text) => [format, text])).toEqual([])
      expect(texts.filter((text) => /^(?:two|three|four)/mu.test(text)).map((text) => [format, text])).toEqual([])
    }
  })

  test('can neither mention nor link in Slack, and stays within its limits', () => {
    const { text, blocks } = JSON.parse(bodyOf('slack', contentNamed(name))) as {
      text: string
      blocks: { type: string; text?: { type: string; text: string }; elements?: { type: string; text: string }[] }[]
    }
    expect(text).not.toMatch(/[<>]/u)
    expect(text.length).toBeLessThanOrEqual(3000)
    const parts = blocks.flatMap(({ type, text: one, elements = [] }) =>
      [...(one === undefined ? [] : [one]), ...elements].map((part) => ({ ...part, in: type })),
    )
    expect(new Set(parts.map(({ type }) => type))).toEqual(new Set(['plain_text']))
    const limits: Record<string, number> = { header: 150, section: 3000, context: 2000 }
    for (const part of parts) {
      expect(part.text.length).toBeLessThanOrEqual(limits[part.in] ?? 0)
      expect(part.text.trim().length).toBeGreaterThan(0)
    }
  })

  test('stays within a card of Teams, in runs that know no markdown', () => {
    const body = bodyOf('teams', contentNamed(name))
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(28 * 1024)
    expect(body).not.toMatch(/"type":"(?:TextBlock|Action|FactSet)/u)
  })

  test('stays within the limits of PagerDuty and ServiceNow', () => {
    const { payload } = JSON.parse(bodyOf('pagerduty', contentNamed(name))) as { payload: { summary: string } }
    expect(payload.summary.length).toBeLessThanOrEqual(1024)
    expect(Buffer.byteLength(bodyOf('pagerduty', contentNamed(name)))).toBeLessThan(512 * 1024)
    const { records } = JSON.parse(bodyOf('servicenow', contentNamed(name))) as { records: { description: string }[] }
    expect(records[0]?.description.length).toBeLessThanOrEqual(4000)
  })
})

describe('a text that is not limited before', () => {
  const long = '😀'.repeat(5_000)
  const given = { title: `x${long}`, body: `x${long}`, places: [long] }

  test('is cut between characters at the limits of each system', () => {
    const slack = JSON.parse(bodyOf('slack', contentWith(given))) as { blocks: { text?: { text: string } }[] }
    expect(slack.blocks.map(({ text }) => text?.text.length ?? 0)).toEqual([150, 3000, 0])
    const pager = JSON.parse(bodyOf('pagerduty', contentWith(given))) as { payload: { summary: string } }
    expect(pager.payload.summary).toHaveLength(1024)
    for (const format of ['slack', 'pagerduty', 'teams', 'servicenow'] as const)
      expect(textsIn(JSON.parse(bodyOf(format, contentWith(given)))).filter((text) => !text.isWellFormed())).toEqual([])
  })

  test('is cut in Slack’s notification without leaving half an entity', () => {
    const { text } = JSON.parse(bodyOf('slack', contentWith({ title: '<'.repeat(4_000) }))) as { text: string }
    expect(text.length).toBeLessThanOrEqual(3000)
    expect(text.replaceAll('&lt;', '')).toBe('…')
  })

  test('does not make a card of Teams larger than 28 kB', () => {
    expect(Buffer.byteLength(bodyOf('teams', contentWith(given)))).toBeLessThanOrEqual(28 * 1024)
  })
})

describe('what a message says', () => {
  const at = Date.parse('2026-11-27T13:02:00Z')
  const minute = 60_000
  const said = (over: Parameters<typeof deliveryOf>[1], now: number) =>
    contentOf(deliveryOf('d1', { at, dueAt: at, ...over }), 'Europe/Berlin', now)

  test('is late only more than five minutes after it was due', () => {
    expect(said({}, at + 5 * minute).body).toBe('Acme.')
    expect(said({}, at + 5 * minute + 1).body).toBe('Acme. This message is late: it is from 27 Nov, 14:02 CET.')
  })

  test('says that it is still open where it waited', () => {
    const waited = { dueAt: at + 10 * minute }
    expect(said(waited, at + 10 * minute).body).toBe('Acme. It is still open.')
  })

  test('of a recovery never says that it is open', () => {
    const notification = notificationOf({ kind: 'recovered' })
    expect(said({ notification, begins: false, dueAt: at + 10 * minute }, at + 10 * minute).body).toBe('Acme.')
  })

  test('links to the incident, or to its devices', () => {
    expect(said({}, at).link).toBe('muster://incident/i1')
    const open = { scope: 't:s/acme', filter: 'id:a', device: null, incident: null }
    expect(said({ notification: notificationOf({ open }) }, at).link).toMatch(/^muster:\/\/devices\?scope=/u)
  })

  test('has times of the channel’s zone', () => {
    const summer = Date.parse('2026-07-01T22:30:00Z')
    expect(['UTC', 'Europe/Berlin', 'America/New_York'].map((zone) => zonedTime(summer, zone))).toEqual([
      '1 Jul, 22:30 UTC',
      '2 Jul, 00:30 CEST',
      '1 Jul, 18:30 GMT-4',
    ])
  })
})
