import { afterEach, describe, expect, test } from 'vitest'
import { letterOf } from '../../../../src-main/channels/formats/letter.ts'
import { smtpMail } from '../../../../src-main/platform/shared/mail.ts'
import { createLeftovers } from '../../../support/fleet.ts'
import { startMailReceiver } from '../../../support/receivers.ts'
import { contentWith, hostileNames } from './content-of.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const from = 'muster@example.com'
const to = ['ops@example.com']
const hostile = Object.entries({
  ...hostileNames,
  'a header': 'x\r\nBcc: evil@example.com\r\n\r\nbody',
  'an end of the mail': 'x\r\n.\r\nMAIL FROM:<evil@example.com>',
})

test('a letter has title, body, places, time and link', () => {
  expect(letterOf(contentWith(), from, to)).toEqual({
    from,
    to,
    subject: '12 devices offline in Berlin',
    text: '12 devices offline in Berlin\n\nAcme. Since 14:02.\n\nCritical · Berlin, Acme · 27 Nov, 14:02 CET\nmuster://incident/i1\n',
    messageId: '<muster-d1@example.com>',
    references: '<muster-alert-i1@example.com>',
  })
})

test('the same message has the same Message-ID, and all of an alert the same References', () => {
  const [one, again, other] = [
    letterOf(contentWith(), from, to),
    letterOf(contentWith({ title: 'Later', time: 'later' }), from, ['other@example.com']),
    letterOf(contentWith({ id: 'd2', action: 'resolve' }), from, to),
  ]
  expect(again.messageId).toBe(one.messageId)
  expect(other.messageId).not.toBe(one.messageId)
  expect(new Set([one, again, other].map(({ references }) => references)).size).toBe(1)
})

test('ids are of one line of letters, whatever the alert', () => {
  const { references } = letterOf(contentWith({ alert: 'a b\r\n<c>@d' }), from, to)
  expect(references).toMatch(/^<[\w.-]+@example\.com>$/u)
})

describe.each(hostile)('a name with %s', (_what, name) => {
  const content = contentWith({ title: `${name} is offline`, body: `${name}.`, places: [name] })

  test('is a subject of one line, cut and well-formed', () => {
    const { subject } = letterOf(content, from, to)
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    expect(subject.length).toBeLessThanOrEqual(200)
    expect(subject.isWellFormed()).toBe(true)
  })

  test('adds no header, no recipient and no second mail on the wire', async () => {
    const receiver = await startMailReceiver(leftovers)
    const server = { host: '127.0.0.1', port: receiver.port, security: 'none' as const, user: '', password: '', ca: '' }
    await smtpMail.send(server, letterOf(content, from, to), AbortSignal.timeout(10_000), () => {})
    expect(receiver.received.map((one) => [one.from, one.to])).toEqual([[from, to]])
    const [head = ''] = (receiver.received[0]?.text ?? '').split('\r\n\r\n', 1)
    const fields = head.replaceAll(/\r\n[ \t]+/gu, ' ').split('\r\n')
    expect(fields.map((field) => field.split(':', 1)[0]?.toLowerCase()).toSorted()).toEqual([
      'auto-submitted',
      'content-transfer-encoding',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'references',
      'subject',
      'to',
    ])
    expect(fields).toContain('Message-ID: <muster-d1@example.com>')
    expect(fields).toContain('References: <muster-alert-i1@example.com>')
    expect(fields).toContain('Auto-Submitted: auto-generated')
  })
})

test('a place’s name begins no line of its own in a letter', () => {
  const { text } = letterOf(contentWith({ places: ['Berlin\r\nAll is well again', 'Acme'] }), from, to)
  expect(text).not.toMatch(/^All is well/mu)
})
