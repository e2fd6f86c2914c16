import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { webhookRequests } from '../../../../src-main/channels/formats/webhook.ts'
import type { Content } from '../../../../src-main/channels/formats/content.ts'
import type { ChannelSecret, WebhookFormat } from '../../../../src-shared/model/channels.ts'
import { contentWith } from './content-of.ts'

const secret: ChannelSecret = { address: 'https://x.example', key: 'k', user: 'muster' }
const bodies = (format: WebhookFormat, over: Partial<Content> = {}, given = secret) =>
  webhookRequests(format, contentWith(over), given, Date.now()).map(({ body }) => JSON.parse(body) as unknown)
const actions = ['trigger', 'acknowledge', 'resolve', 'notify'] as const
const test1 = { isTest: true, action: 'notify', severity: null, alert: 'test-d1' } as const

describe('PagerDuty', () => {
  const event = { routing_key: 'k', dedup_key: 'muster-i1' }
  const trigger = {
    ...event,
    event_action: 'trigger',
    client: 'Muster',
    payload: {
      summary: '12 devices offline in Berlin',
      source: 'Berlin',
      severity: 'critical',
      timestamp: '2026-11-27T13:02:03.456Z',
      class: 'offline',
      custom_details: {
        text: 'Acme. Since 14:02.',
        link: 'muster://incident/i1',
        places: ['Berlin', 'Acme'],
        incidents: ['i1'],
        devices: 12,
      },
    },
  }

  test('gets events of version 2 with the key of the alert', () => {
    expect(actions.map((action) => bodies('pagerduty', { action }))).toEqual([
      [trigger],
      [{ ...event, event_action: 'acknowledge' }],
      [{ ...event, event_action: 'resolve' }],
      [trigger],
    ])
  })

  test('gets severities of its own, and a source always', () => {
    const payloads = ([null, 'minor', 'major', 'critical'] as const).map(
      (severity) => (bodies('pagerduty', { severity, places: [] })[0] as typeof trigger).payload,
    )
    expect(payloads.map(({ severity, source }) => [severity, source])).toEqual([
      ['warning', 'Muster'],
      ['warning', 'Muster'],
      ['error', 'Muster'],
      ['critical', 'Muster'],
    ])
  })

  test('a test triggers and resolves its own alert', () => {
    expect(bodies('pagerduty', test1)).toMatchObject([
      { event_action: 'trigger', dedup_key: 'muster-test-d1', payload: { severity: 'info' } },
      { event_action: 'resolve', dedup_key: 'muster-test-d1' },
    ])
  })
})

describe('ServiceNow', () => {
  const record = {
    source: 'Muster',
    event_class: 'Muster',
    node: 'Berlin',
    resource: 'Berlin, Acme',
    type: 'offline',
    severity: '1',
    resolution_state: 'New',
    message_key: 'muster-i1',
    time_of_event: '2026-11-27 13:02:03',
    description: '12 devices offline in Berlin\nAcme. Since 14:02.',
    additional_info: '{"link":"muster://incident/i1","incidents":["i1"],"devices":12}',
  }
  const closing = { ...record, severity: '0', resolution_state: 'Closing' }

  test('gets events that are cleared by their key, and no acknowledgement', () => {
    expect(actions.map((action) => bodies('servicenow', { action }))).toEqual([
      [{ records: [record] }],
      [],
      [{ records: [closing] }],
      [{ records: [record] }],
    ])
  })

  test('is logged in to with name and password, whatever their letters', () => {
    const [request] = webhookRequests('servicenow', contentWith(), { user: 'müster', key: 'pä:ss' }, 0)
    const [scheme, text] = (request?.headers['authorization'] ?? '').split(' ')
    expect([scheme, Buffer.from(text ?? '', 'base64').toString()]).toEqual(['Basic', 'müster:pä:ss'])
  })

  test('a test leaves nothing open', () => {
    expect(bodies('servicenow', test1)).toMatchObject([
      { records: [{ message_key: 'muster-test-d1', severity: '2', resolution_state: 'New' }] },
      { records: [{ message_key: 'muster-test-d1', severity: '0', resolution_state: 'Closing' }] },
    ])
  })
})

test('Slack gets plain text in blocks, and its title for notifications', () => {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
  const under = 'Critical · Berlin, Acme · 27 Nov, 14:02 CET\nmuster://incident/i1'
  const blocks = [
    { type: 'header', text: plain('12 devices offline in Berlin') },
    { type: 'section', text: plain('Acme. Since 14:02.') },
    { type: 'context', elements: [plain(under)] },
  ]
  for (const action of actions)
    expect(bodies('slack', { action })).toEqual([{ text: '12 devices offline in Berlin', blocks }])
  expect(bodies('slack', { ...test1, body: '', link: null, places: [] })).toMatchObject([
    { blocks: [{ type: 'header' }, { type: 'context', elements: [plain('27 Nov, 14:02 CET')] }] },
  ])
})

test('Teams gets an adaptive card of text runs without markdown', () => {
  const run = (text: string, more = {}) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...more }] })
  const card = (colour: string) => ({
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
            run('12 devices offline in Berlin', { weight: 'Bolder', size: 'Medium', color: colour }),
            run('Acme. Since 14:02.'),
            run('Critical · Berlin, Acme · 27 Nov, 14:02 CET', { isSubtle: true, size: 'Small' }),
            run('muster://incident/i1', { isSubtle: true, size: 'Small' }),
          ],
        },
      },
    ],
  })
  for (const action of actions) expect(bodies('teams', { action })).toEqual([card('Attention')])
  expect(JSON.stringify(bodies('teams', test1))).toContain('"color":"Default"')
})

describe('the plain format', () => {
  const key = `whsec_${Buffer.from('a signing key of thirty-two bytes').toString('base64')}`
  const data = {
    id: 'd1',
    alert: 'i1',
    kind: 'offline',
    severity: 'critical',
    title: '12 devices offline in Berlin',
    text: 'Acme. Since 14:02.',
    link: 'muster://incident/i1',
    places: ['Berlin', 'Acme'],
    incidents: ['i1'],
    devices: 12,
  }
  const requestOf = (over: Partial<Content> = {}, given: ChannelSecret = { key }) => {
    const [request] = webhookRequests('plain', contentWith(over), given, Date.now())
    if (request === undefined) throw new Error('no request')
    return request
  }

  test('says what happened to the alert, in its type', () => {
    const types = ['alert.triggered', 'alert.acknowledged', 'alert.resolved', 'notification']
    expect(actions.map((action) => JSON.parse(requestOf({ action }).body))).toEqual(
      types.map((type) => ({ type: `muster.${type}`, timestamp: '2026-11-27T13:02:03.456Z', data })),
    )
    expect(JSON.parse(requestOf(test1).body)).toMatchObject({ type: 'muster.test' })
  })

  test('is signed as Standard Webhooks are, and a changed body is not', () => {
    const { body, headers } = requestOf({ title: 'Ümlaut 😀 “quoted”' })
    expect(new Webhook(key).verify(body, headers)).toMatchObject({ data: { title: 'Ümlaut 😀 “quoted”' } })
    expect(headers).toMatchObject({ 'webhook-id': 'd1', 'content-type': 'application/json; charset=utf-8' })
    const verify = (text: string, more = {}) => new Webhook(key).verify(text, { ...headers, ...more })
    expect(() => verify(body.replace('12', '13'))).toThrow()
    expect(() => verify(body, { 'webhook-id': 'd2' })).toThrow()
    const other = `whsec_${Buffer.from('another key of thirty-two bytes!').toString('base64')}`
    expect(() => new Webhook(other).verify(body, headers)).toThrow()
  })

  test('is signed with the time of the attempt, so that a late one still counts', () => {
    const { body, headers } = requestOf({ at: 0 })
    expect(() => new Webhook(key).verify(body, headers)).not.toThrow()
  })

  test('without a key has an id and a time, and no signature', () => {
    const { headers } = requestOf({}, {})
    expect(Object.keys(headers).toSorted()).toEqual(['content-type', 'webhook-id', 'webhook-timestamp'])
  })
})
