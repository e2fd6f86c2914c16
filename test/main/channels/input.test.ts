import { describe, expect, test } from 'vitest'
import { checkChannel, type KnownChannel, pagerDutyAddress } from '../../../src-main/channels/input.ts'
import type { ChannelSecret } from '../../../src-shared/model/channels.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { everyRule, mailChannel, webhookChannel } from '../../support/channels.ts'
import { makeAuthority } from '../platform/web/certificates.ts'

const unknown = { channel: null, secret: null }
const address = 'https://hooks.example.com/a'
const signing = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

/** The wrong fields and their sentences; {} when it can be used. */
function wrong(channel: unknown, secret: ChannelSecret | null, known: KnownChannel = unknown): Record<string, string> {
  try {
    checkChannel(channel, secret, known)
    return {}
  } catch (thrown) {
    if (!(thrown instanceof FaultError) || thrown.fault.kind !== 'input') throw thrown
    return Object.fromEntries(thrown.fault.detail.split('\n').map((line) => line.split(/: (?<words>.*)/u, 2)))
  }
}

test('what can be used is returned with its host and the parts of the secret that it needs', () => {
  const given = { address: ` ${address} `, key: ` ${signing(24)} `, password: 'x', user: 'y' }
  expect(checkChannel(webhookChannel(), given, unknown)).toEqual({
    channel: webhookChannel({ host: 'hooks.example.com' }),
    secret: { address, key: signing(24) },
  })
  expect(
    checkChannel(mailChannel({ user: 'ops', security: 'tls' }), { password: 'pw', address }, unknown).secret,
  ).toEqual({ password: 'pw' })
  expect(checkChannel(mailChannel(), null, unknown).secret).toEqual({})
})

test('a rule names tenants, accounts, sites and rooms, and no region', () => {
  const at = (node: string) => webhookChannel({ rule: everyRule({ places: [{ node, name: '' }] }) })
  for (const node of ['all', 't:s/a', 'a:s/a/b', 's:s/a/c', 'm:s/a/c/d'])
    expect([node, wrong(at(node), { address })]).toEqual([node, {}])
  for (const node of ['r:s/EU', 'd:s/a/1', '', 'allx'])
    expect(wrong(at(node), { address })).toEqual({ 'rule.places.0.node': 'It is no tenant, account, site or room.' })
})

describe('fields', () => {
  const rota = { people: [{ name: 'Ann', address: 'ann@example.com' }], every: 'day', at: '09:00', from: '2026-11-27' }
  const hook = (over: object) => ({ ...webhookChannel(), ...over })
  const mail = (over: object) => ({ ...mailChannel(), ...over })
  const rule = (over: object) => hook({ rule: { ...everyRule(), ...over } })
  const cases: [field: string, channel: unknown][] = [
    ['name', hook({ name: ' ' })],
    ['name', hook({ name: 'x'.repeat(301) })],
    ['format', hook({ format: 'fax' })],
    ['ca', hook({ ca: 'no certificate' })],
    ['ca', hook({ ca: 'x'.repeat(100_001) })],
    ['rule.severities', rule({ severities: [] })],
    ['rule.zone', rule({ zone: 'Europe/Nowhere' })],
    ['rule.afterMinutes', rule({ afterMinutes: -1 })],
    ['rule.afterMinutes', rule({ afterMinutes: 1441 })],
    ['rule.afterMinutes', rule({ afterMinutes: 1.5 })],
    ['rule.hours.days', rule({ hours: { days: [], from: '08:00', until: '18:00' } })],
    ['rule.hours.from', rule({ hours: { days: [0], from: '8', until: '18:00' } })],
    ['rule.hours.until', rule({ hours: { days: [0], from: '08:00', until: '24:00' } })],
    ['host', mail({ host: '' })],
    ['host', mail({ host: 'x'.repeat(254) })],
    ['port', mail({ port: 0 })],
    ['port', mail({ port: 65_536 })],
    ['port', mail({ port: null })],
    ['from', mail({ from: 'Ops <ops@example.com>' })],
    ['from', mail({ from: 'ops@example.com\r\nBcc: x@y.z' })],
    ['from', mail({ from: '' })],
    ['to', mail({ to: [] })],
    ['to.1', mail({ to: ['a@b.c', 'a@b.c,d@e.f'] })],
    ['security', mail({ host: 'mail.example.com' })],
    ['rota.people', mail({ rota: { ...rota, people: [] } })],
    ['rota.people.0.address', mail({ rota: { ...rota, people: [{ name: 'Ann', address: 'ann' }] } })],
    ['rota.at', mail({ rota: { ...rota, at: '9' } })],
    ['rota.from', mail({ rota: { ...rota, from: '2026-02-30' } })],
  ]

  test.each(cases)('%s has a sentence when it is wrong', (field, channel) => {
    const found = wrong(channel, { address })
    expect(Object.keys(found)).toEqual([field])
    expect(found[field]).toMatch(/^[A-Z].*\.$/u)
    expect(found[field]).not.toMatch(/expected|Invalid|Too (?:big|small)/u)
  })

  test('all wrong ones are named at once', () => {
    expect(Object.keys(wrong(mail({ name: '', host: '', to: ['x'], port: 0 }), null)).toSorted()).toEqual([
      'host',
      'name',
      'port',
      'to.0',
    ])
  })

  test('a rota alone is somebody to send to, and no channel at all is a fault of input', () => {
    expect(wrong(mail({ to: [], rota }), null)).toEqual({})
    for (const nothing of [null, 'x', {}, { kind: 'fax' }])
      expect(Object.keys(wrong(nothing, null)).length).toBeGreaterThan(0)
  })

  test('a CA in PEM is taken, and one with a private key is not', async () => {
    const { ca } = await makeAuthority()
    expect(wrong(hook({ ca }), { address })).toEqual({})
    expect(wrong(hook({ ca: `${ca}\n-----BEGIN PRIVATE KEY-----` }), { address })).toEqual({
      ca: 'The text holds a private key.',
    })
  })
})

describe('the address of a webhook', () => {
  test.each([
    ['', 'Enter the address.'],
    ['hooks.example.com', 'It is no web address.'],
    ['ftp://hooks.example.com', 'It is no web address.'],
    ['https://user@hooks.example.com', 'It must not have a name or password in it.'],
    ['https://:pw@hooks.example.com', 'It must not have a name or password in it.'],
    ['http://hooks.example.com', 'It must begin with https: messages name your customers.'],
    ['http://127.0.0.1.example.com', 'It must begin with https: messages name your customers.'],
    ['http://localhost.example.com', 'It must begin with https: messages name your customers.'],
    ['http://10.0.0.1', 'It must begin with https: messages name your customers.'],
    ['http://0.0.0.0', 'It must begin with https: messages name your customers.'],
  ])('%s is wrong', (given, words) => {
    expect(wrong(webhookChannel(), { address: given })).toEqual({ address: words })
  })

  test.each(['https://a.example', 'http://localhost:1', 'http://127.0.0.1/x', 'http://127.9.9.9', 'http://[::1]:80/'])(
    '%s is right',
    (given) => expect(wrong(webhookChannel(), { address: given })).toEqual({}),
  )

  test('is PagerDuty’s own unless another is entered', () => {
    const pager = webhookChannel({ format: 'pagerduty' })
    expect(checkChannel(pager, { key: 'k' }, unknown)).toMatchObject({
      channel: { host: 'events.pagerduty.com' },
      secret: { address: pagerDutyAddress, key: 'k' },
    })
    expect(checkChannel(pager, { key: 'k', address }, unknown).secret).toEqual({ address, key: 'k' })
  })

  test('of another format is not where PagerDuty’s key goes', () => {
    const known = { channel: webhookChannel({ format: 'slack' }), secret: { address } }
    expect(checkChannel(webhookChannel({ format: 'pagerduty' }), { key: 'k' }, known).secret.address).toBe(
      pagerDutyAddress,
    )
  })
})

describe('keys', () => {
  test('are needed by PagerDuty and ServiceNow, and the latter needs a name', () => {
    expect(wrong(webhookChannel({ format: 'pagerduty' }), null)).toEqual({ key: 'Enter the integration key.' })
    expect(wrong(webhookChannel({ format: 'servicenow' }), { address })).toEqual({
      key: 'Enter the password.',
      user: 'Enter the name.',
    })
    expect(wrong(webhookChannel({ format: 'servicenow' }), { address, key: 'k', user: 'u' })).toEqual({})
  })

  test('that sign have 24 to 64 bytes in base64 after whsec_', () => {
    const words = 'It is no signing secret: “whsec_” and 24 to 64 bytes in base64.'
    const given = [
      signing(23),
      signing(24),
      signing(64),
      signing(65),
      Buffer.alloc(32).toString('base64'),
      'whsec_',
      `${signing(32)}!`,
    ]
    expect(given.map((key) => wrong(webhookChannel(), { address, key })['key'] ?? '')).toEqual([
      words,
      '',
      '',
      words,
      words,
      words,
      words,
    ])
  })

  test('that are left out or empty stay as they are', () => {
    const known = { channel: webhookChannel(), secret: { address, key: signing(32) } }
    for (const entered of [null, {}, { key: ' ', address: '' }])
      expect(checkChannel(webhookChannel({ name: 'New' }), entered, known).secret).toEqual(known.secret)
  })

  test('are to be entered again for another address or CA', async () => {
    const known = { channel: webhookChannel(), secret: { address, key: signing(32) } }
    const moved = { address: 'https://evil.example/a' }
    expect(wrong(webhookChannel(), moved, known)).toEqual({
      key: 'Enter it again, because the address, the name or the CA certificate has changed.',
    })
    expect(wrong(webhookChannel(), { ...moved, key: ' ' }, known)).toHaveProperty('key')
    expect(wrong(webhookChannel(), { ...moved, key: signing(24) }, known)).toEqual({})
    const ca = { ca: (await makeAuthority()).ca }
    expect(wrong(webhookChannel(ca), null, known)).toEqual({
      address: 'Enter it again, because the CA certificate has changed.',
      key: 'Enter it again, because the address, the name or the CA certificate has changed.',
    })
    expect(wrong(webhookChannel(ca), { address, key: signing(24) }, known)).toEqual({})
    expect(wrong(webhookChannel(ca), null, { ...known, isTrusted: true })).toEqual({})
    const slack = { channel: webhookChannel({ format: 'slack' }), secret: { address } }
    expect(Object.keys(wrong(webhookChannel({ format: 'slack', ...ca }), null, slack))).toEqual(['address'])
    const pager = { channel: webhookChannel({ format: 'pagerduty' }), secret: { address: pagerDutyAddress, key: 'k' } }
    expect(Object.keys(wrong(webhookChannel({ format: 'pagerduty', ...ca }), null, pager))).toEqual(['key'])
    const now = { channel: webhookChannel({ format: 'servicenow' }), secret: { address, key: 'pw', user: 'u' } }
    expect(wrong(webhookChannel({ format: 'servicenow' }), moved, now)).toHaveProperty('key')
  })
})

describe('the password of a mail server', () => {
  const channel = mailChannel({ host: 'mail.example.com', port: 587, security: 'starttls', user: 'ops' })
  const known = { channel, secret: { password: 'pw' } }

  test('is needed with a name, and kept when it is left out', () => {
    expect(wrong(channel, null)).toEqual({ password: 'Enter the password.' })
    expect(checkChannel({ ...channel, name: 'New' }, null, known).secret).toEqual({ password: 'pw' })
  })

  test.each([{ host: 'evil.example.com' }, { port: 588 }, { security: 'tls' as const }, { user: 'other' }])(
    'is to be entered again for %o',
    (change) => {
      expect(wrong({ ...channel, ...change }, null, known)).toEqual({
        password: 'Enter it again, because the server, the name or the CA certificate has changed.',
      })
      expect(wrong({ ...channel, ...change }, { password: 'pw' }, known)).toEqual({})
    },
  )

  test('is to be entered again where the server that it was for is not known', () => {
    expect(wrong(channel, null, { channel: null, secret: { password: 'pw' } })).toHaveProperty('password')
    expect(
      wrong(channel, null, { channel: webhookChannel({ id: 'mail' }), secret: { password: 'pw' } }),
    ).toHaveProperty('password')
  })

  test('is not kept without a name', () => {
    expect(checkChannel({ ...channel, user: '' }, null, known).secret).toEqual({})
  })
})
