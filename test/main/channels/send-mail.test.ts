import { afterEach, describe, expect, test } from 'vitest'
import { recipientsOf, sendMail } from '../../../src-main/channels/send-mail.ts'
import { smtpMail } from '../../../src-main/platform/shared/mail.ts'
import type { MailChannel } from '../../../src-shared/model/channels.ts'
import { mailChannel } from '../../support/channels.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { startMailReceiver, type MailReceiver } from '../../support/receivers.ts'
import { contentWith } from './formats/content-of.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const [ann, ben] = ['ann@example.com', 'ben@example.com']

const send = (
  { port }: Pick<MailReceiver, 'port'>,
  over: Partial<MailChannel> = {},
  more: Partial<Parameters<typeof sendMail>[1]> = {},
) =>
  sendMail(contentWith(), {
    mail: smtpMail,
    channel: mailChannel({ port, to: [ann, ben], ...over }),
    secret: {},
    onShift: null,
    have: [],
    signal: AbortSignal.timeout(10_000),
    onHandedOver: () => {},
    ...more,
  })

/** A server that answers these addresses with these codes; '' is the data. */
async function receiver(codes: Record<string, number> = {}) {
  const it = await startMailReceiver(leftovers)
  it.rejects = (address) => {
    const code = codes[address]
    return code === undefined ? null : { code, text: `No ${code}` }
  }
  return it
}

test('who is on shift gets it too, and each address once', () => {
  expect(recipientsOf({ to: [ann] }, ben)).toEqual([ann, ben])
  expect([recipientsOf({ to: [ann, ann] }, ann), recipientsOf({ to: [] }, null)]).toEqual([[ann], []])
})

test('addresses that have it are not sent to again', async () => {
  const it = await receiver()
  expect(await send(it, {}, { have: [ann] })).toEqual({ is: 'sent', to: [ann, ben], reason: '' })
  expect(it.received.map(({ to }) => to)).toEqual([[ben]])
  expect(await send(it, {}, { have: [ann, ben] })).toEqual({ is: 'sent', to: [ann, ben], reason: '' })
  expect(it.received).toHaveLength(1)
})

test('nobody to send to is a failure for ever', async () => {
  expect((await send({ port: 1 }, { to: [] })).is).toBe('never')
})

describe('one of two addresses', () => {
  test('that is refused for ever is a failure, and the other has the mail', async () => {
    const it = await receiver({ [ben]: 550 })
    expect(await send(it)).toEqual({ is: 'never', to: [ann], reason: `${ben}: 550 No 550` })
    expect(it.received.map(({ to }) => to)).toEqual([[ann]])
  })

  test('that is refused for now is tried again', async () => {
    const it = await receiver({ [ben]: 451 })
    expect(await send(it)).toMatchObject({ is: 'later', to: [ann], waitMs: null })
    expect(it.received.map(({ to }) => to)).toEqual([[ann]])
  })
})

test('an address that has it is known by whatever letters its domain has', async () => {
  const to = ['Ops@Example.COM', 'Ops@example.com', 'lager@bücher.example', ben]
  const it = await receiver({ [ben]: 451 })
  const first = await send(it, { to })
  expect(first).toMatchObject({ is: 'later', to: to.slice(0, 3) })
  it.rejects = () => null
  expect(await send(it, { to }, { have: first.to })).toEqual({ is: 'sent', to, reason: '' })
  expect(it.received.map((one) => one.to)).toEqual([['Ops@example.com', 'lager@bücher.example'], [ben]])
})

describe('all addresses', () => {
  test('refused for now are tried again', async () => {
    expect(await send(await receiver({ [ann]: 451, [ben]: 450 }))).toMatchObject({ is: 'later', to: [] })
  })

  test('refused for ever are not', async () => {
    expect(await send(await receiver({ [ann]: 550, [ben]: 550 }))).toMatchObject({ is: 'never', to: [] })
  })

  test.each([
    [ann, ben],
    [ben, ann],
  ])('refused, %s for ever and %s for now, are tried again', async (ever, now) => {
    expect(await send(await receiver({ [ever]: 550, [now]: 451 }))).toMatchObject({ is: 'later', to: [] })
  })
})

test('a mail that is refused after its text is tried again only where that may help', async () => {
  expect((await send(await receiver({ '': 451 }))).is).toBe('later')
  expect(await send(await receiver({ '': 554 }))).toEqual({
    is: 'never',
    to: [],
    reason: expect.stringMatching(/^The mail server answered 554 No 554/u),
  })
})

test('a wrong login is a failure for ever, and has no password in its reason', async () => {
  const it = await startMailReceiver(leftovers, { login: { user: 'ops', password: 'right' } })
  const outcome = await send(it, { user: 'ops' }, { secret: { password: 'verysecret' } })
  expect(outcome).toMatchObject({
    is: 'never',
    reason: expect.stringMatching(/^The mail server rejected the name and password/u),
  })
  expect(outcome.reason).not.toContain('verysecret')
})

test.each([
  ['itself', (password: string) => password],
  ['in base64', (password: string) => Buffer.from(`\0ops\0${password}`).toString('base64')],
])('a server that repeats the password %s brings it into no reason', async (_how, text) => {
  const it = await startMailReceiver(leftovers, { login: { user: 'ops', password: 'verysecret' } })
  it.rejects = () => ({ code: 550, text: `AUTH PLAIN ${text('verysecret')} was wrong` })
  const login = { user: 'ops', to: [ann] }
  const outcome = await send(it, login, { secret: { password: 'verysecret' } })
  expect(outcome.reason).toContain('AUTH PLAIN')
  expect(outcome.reason).not.toContain(text('verysecret'))
})

test('a server that cannot be reached, or a CA that cannot be read', async () => {
  expect(await send({ port: 1 })).toMatchObject({ is: 'later', waitMs: null })
  expect(await send({ port: 1 }, { ca: 'nothing', security: 'tls' })).toMatchObject({ is: 'never' })
})
