import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { smtpMail } from '../../../../src-main/platform/shared/mail.ts'
import type { Letter, MailServer } from '../../../../src-main/ports.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { createLeftovers } from '../../../support/fleet.ts'
import { listeningUntil } from '../../../support/listening.ts'
import { startMailReceiver } from '../../../support/receivers.ts'
import { makeAuthority } from '../web/certificates.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const password = 'verysecret'

const letter = (over: Partial<Letter> = {}): Letter => ({
  from: 'muster@example.com',
  to: ['ann@example.com', 'ben@example.com'],
  subject: 'Studio a is offline',
  text: 'Studio a is offline\n',
  messageId: '<muster-d1@example.com>',
  references: '<muster-alert-i1@example.com>',
  ...over,
})

const send = (
  server: Partial<MailServer>,
  signal: AbortSignal = AbortSignal.timeout(10_000),
  { to, onHandedOver = () => {} }: { to?: string[]; onHandedOver?: () => void } = {},
) =>
  smtpMail.send(
    { host: '127.0.0.1', port: 25, security: 'none', user: '', password: '', ca: '', ...server },
    letter(to && { to }),
    signal,
    onHandedOver,
  )

/** The kind, detail and status of what a sending fails with; nothing of it has the password. */
async function faultOf(sending: Promise<unknown>) {
  const thrown = await sending.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(thrown instanceof FaultError)) throw new Error(`no fault: ${String(thrown)}`)
  const { fault, status, stack, message } = thrown
  for (const secret of [
    password,
    Buffer.from(password).toString('base64'),
    Buffer.from(`\0ops\0${password}`).toString('base64'),
  ])
    expect(JSON.stringify([fault, stack, message, thrown])).not.toContain(secret)
  return { kind: fault.kind, detail: fault.detail, status }
}

/** A server that says these lines to whoever comes. */
async function talking(greeting: string): Promise<number> {
  const server = createServer((socket) => void socket.write(greeting))
  return listeningUntil(server, (stop) => leftovers.push(stop))
}

const tls = async (names = ['127.0.0.1'], options = {}) => {
  const authority = await makeAuthority()
  return { ca: authority.ca, served: await authority.issue(names, options) }
}

test('a mail arrives with its headers at all of its addresses', async () => {
  const it = await startMailReceiver(leftovers)
  expect(await send({ port: it.port })).toEqual({ accepted: ['ann@example.com', 'ben@example.com'], rejected: [] })
  expect(it.received).toMatchObject([{ from: 'muster@example.com', to: ['ann@example.com', 'ben@example.com'] }])
  const [{ text } = { text: '' }] = it.received
  for (const header of [
    'Message-ID: <muster-d1@example.com>',
    'References: <muster-alert-i1@example.com>',
    'Auto-Submitted: auto-generated',
    'Subject: Studio a is offline',
  ])
    expect(text).toContain(`${header}\r\n`)
})

test('that all of a mail was sent is told before it is accepted, and not where it never was', async () => {
  const it = await startMailReceiver(leftovers)
  it.hangs = true
  const controller = new AbortController()
  const ended = send({ port: it.port }, controller.signal, { onHandedOver: () => controller.abort(new Error('told')) })
  await expect(ended).rejects.toThrow('told')
  it.rejects = () => ({ code: 550, text: 'No' })
  let isTold = false
  await faultOf(send({ port: it.port }, undefined, { onHandedOver: () => (isTold = true) }))
  expect(isTold).toBe(false)
})

describe('STARTTLS', () => {
  test('is used where it is required, with the login after it', async () => {
    const { ca, served } = await tls()
    const it = await startMailReceiver(leftovers, { ...served, login: { user: 'ops', password } })
    const server = { port: it.port, security: 'starttls' as const, user: 'ops', password, ca }
    expect((await send(server)).accepted).toHaveLength(2)
    expect(it.logins).toEqual([{ user: 'ops', password }])
  })

  test('that is missing where it is required ends it before the login', async () => {
    const it = await startMailReceiver(leftovers, { login: { user: 'ops', password } })
    const fault = await faultOf(send({ port: it.port, security: 'starttls', user: 'ops', password }))
    expect(fault.kind).toBe('tls')
    expect([it.logins, it.received]).toEqual([[], []])
  })

  test('by an unknown authority is refused before the login', async () => {
    const { served } = await tls()
    const it = await startMailReceiver(leftovers, { ...served, login: { user: 'ops', password } })
    expect(await faultOf(send({ port: it.port, security: 'starttls', user: 'ops', password }))).toMatchObject({
      kind: 'tls',
    })
    expect([it.logins, it.received]).toEqual([[], []])
  })

  test('is left alone where it is not wanted', async () => {
    const { served } = await tls()
    const it = await startMailReceiver(leftovers, served)
    expect((await send({ port: it.port })).accepted).toHaveLength(2)
  })
})

describe('TLS', () => {
  test('is accepted by the CA of the channel', async () => {
    const { ca, served } = await tls()
    const it = await startMailReceiver(leftovers, { ...served, secure: true })
    expect((await send({ port: it.port, security: 'tls', ca })).accepted).toHaveLength(2)
  })

  test('by an unknown authority is refused, and the fault says so', async () => {
    const { served } = await tls()
    const it = await startMailReceiver(leftovers, { ...served, secure: true })
    const fault = await faultOf(send({ port: it.port, security: 'tls', user: 'ops', password }))
    expect(fault).toMatchObject({
      kind: 'tls',
      detail: expect.stringContaining(`127.0.0.1:${it.port}: its authority is not known here`),
    })
    expect(it.logins).toEqual([])
  })

  test('for another name is refused, and the fault says so', async () => {
    const { ca, served } = await tls(['other.example'])
    const it = await startMailReceiver(leftovers, { ...served, secure: true })
    expect(await faultOf(send({ port: it.port, security: 'tls', ca }))).toMatchObject({
      kind: 'tls',
      detail: expect.stringContaining('it is for another host name'),
    })
  })

  test('that has expired is refused, and the fault says so', async () => {
    const { ca, served } = await tls(['127.0.0.1'], { expired: true })
    const it = await startMailReceiver(leftovers, { ...served, secure: true })
    expect(await faultOf(send({ port: it.port, security: 'tls', ca }))).toMatchObject({
      kind: 'tls',
      detail: expect.stringContaining('it has expired'),
    })
  })

  test('to a port without it is a fault that says so', async () => {
    const it = await startMailReceiver(leftovers)
    expect(await faultOf(send({ port: it.port, security: 'tls' }))).toMatchObject({
      kind: 'tls',
      detail: `127.0.0.1:${it.port}: it does not begin with TLS on this port`,
    })
  })

  test('with a CA that cannot be read is a fault of the CA', async () => {
    expect(await faultOf(send({ security: 'tls', ca: 'nothing' }))).toMatchObject({ kind: 'ca' })
  })
})

describe('a login', () => {
  test('that is refused is a fault of credentials, with the reply', async () => {
    const it = await startMailReceiver(leftovers, { login: { user: 'ops', password: 'right' } })
    expect(await faultOf(send({ port: it.port, user: 'ops', password }))).toEqual({
      kind: 'credentials',
      detail: expect.stringContaining('Authentication credentials invalid'),
      status: 535,
    })
  })

  test('that is missing is a fault with the reply', async () => {
    const it = await startMailReceiver(leftovers, { login: { user: 'ops', password } })
    expect(await faultOf(send({ port: it.port }))).toMatchObject({ kind: 'http', status: 530 })
  })
})

describe('a refusal', () => {
  const refusing = async (codes: Record<string, number>) => {
    const it = await startMailReceiver(leftovers)
    it.rejects = (address) => {
      const code = codes[address]
      return code === undefined ? null : { code, text: 'No' }
    }
    return it
  }

  test.each([451, 550])('of one address with %i is told beside those that took it', async (code) => {
    const it = await refusing({ 'ben@example.com': code })
    expect(await send({ port: it.port })).toEqual({
      accepted: ['ann@example.com'],
      rejected: [{ address: 'ben@example.com', status: code, reply: expect.stringContaining('No') }],
    })
  })

  test.each([451, 550])('of all addresses with %i is a fault with the reply', async (code) => {
    const it = await refusing({ 'ann@example.com': code, 'ben@example.com': code })
    expect(await faultOf(send({ port: it.port }))).toEqual({ kind: 'http', detail: `${code} No`, status: code })
  })

  test.each([452, 554])('of the text with %i is a fault with the reply', async (code) => {
    const it = await refusing({ '': code })
    expect(await faultOf(send({ port: it.port }))).toEqual({ kind: 'http', detail: `${code} No`, status: code })
    expect(it.received).toEqual([])
  })
})

describe('a server', () => {
  test('is left in the middle of a mail when the signal says so, for its reason', async () => {
    const it = await startMailReceiver(leftovers)
    const controller = new AbortController()
    it.rejects = () => {
      queueMicrotask(() => controller.abort(new FaultError('timeout', 'mail.example.com')))
      return null
    }
    expect(await faultOf(send({ port: it.port }, controller.signal))).toMatchObject({
      kind: 'timeout',
      detail: 'mail.example.com',
    })
  })

  test('that says nothing at all is left when the signal says so', async () => {
    const controller = new AbortController()
    const server = createServer(() => controller.abort(new FaultError('timeout', 'x')))
    const port = await listeningUntil(server, (stop) => leftovers.push(stop))
    expect(await faultOf(send({ port }, controller.signal))).toMatchObject({ kind: 'timeout' })
  })

  test('is not called once the signal is over', async () => {
    const it = await startMailReceiver(leftovers)
    expect(await faultOf(send({ port: it.port }, AbortSignal.abort(new FaultError('abort', 'x'))))).toMatchObject({
      kind: 'abort',
    })
    expect(it.received).toEqual([])
  })

  test.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-OpenSSH_9.9\r\n', '\u0000\u0001\u0002\r\n'])(
    'that greets with %j speaks another protocol',
    async (greeting) => {
      const port = await talking(greeting)
      expect(await faultOf(send({ port, user: 'ops', password }))).toMatchObject({ kind: 'protocol' })
    },
  )

  test('that is not willing greets with a reply', async () => {
    const port = await talking('554 No service here\r\n')
    expect(await faultOf(send({ port }))).toEqual({ kind: 'http', detail: '554 No service here', status: 554 })
  })

  test('that ends the connection is a fault of the connection', async () => {
    const server = createServer((socket) => void socket.end())
    const port = await listeningUntil(server, (stop) => leftovers.push(stop))
    expect(await faultOf(send({ port, user: 'ops', password }))).toMatchObject({ kind: 'reset' })
  })

  test('that refuses the connection is not reached', async () => {
    const server = createServer()
    const port = await listeningUntil(server, (stop) => leftovers.push(stop))
    await leftovers.clean()
    expect(await faultOf(send({ port, user: 'ops', password }))).toMatchObject({
      kind: 'connect',
      detail: `127.0.0.1:${port}`,
    })
  })

  test('that nobody knows is a fault of its name', async () => {
    expect(await faultOf(send({ host: 'nowhere.invalid', security: 'tls', user: 'ops', password }))).toMatchObject({
      kind: 'name',
      detail: 'nowhere.invalid:25',
    })
  })
})
