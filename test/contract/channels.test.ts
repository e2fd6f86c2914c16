import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { mailChannel, webhookChannel } from '../support/channels.ts'
import { forkConsole } from '../support/console-process.ts'
import {
  acceleratedClock,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
} from '../support/fleet.ts'
import { leaksBelow } from '../support/leaks.ts'
import { startMailReceiver, startReceiver } from '../support/receivers.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const signing = `whsec_${Buffer.from('a signing key of thirty-two bytes').toString('base64')}`

async function setup(more: Parameters<typeof openConsole>[2] = {}) {
  const reference = await service(leftovers, { devices: 120, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile, more)
  await muster.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1, groupingSeconds: 0 })
  await muster.call('connections.save', connectionTo(reference))
  await until(async () => {
    expect(reference.subscribedIds()).toHaveLength(reference.world.devices().length)
    await whenRead(muster)
  })
  const online = reference.world.devices().filter(({ connected }) => connected === true)
  return { reference, profile, muster, online }
}

const deliveries = async (
  muster: Awaited<ReturnType<typeof setup>>['muster'],
  state: 'failed' | 'sent' | null = null,
) => (await muster.call('channels.deliveries', { state, incident: null, offset: 0, limit: 50 })).rows

test('an incident and its recovery arrive at a webhook, signed, and at a mail server', async () => {
  const { reference, muster, online } = await setup()
  const hook = await startReceiver(leftovers)
  const mail = await startMailReceiver(leftovers)
  await muster.call('channels.save', {
    channel: webhookChannel(),
    secret: { address: hook.address, key: signing },
  })
  await muster.call('channels.save', { channel: mailChannel({ port: mail.port }), secret: null })
  const [device] = online
  reference.world.setConnected(device?.id ?? '', false)
  await until(() => expect([hook.received.length, mail.received.length]).toEqual([1, 1]))
  reference.world.setConnected(device?.id ?? '', true)
  await until(() => expect([hook.received.length, mail.received.length]).toEqual([3, 2]))
  const events = hook.received.map(
    ({ text, headers }) =>
      new Webhook(signing).verify(text, headers as Record<string, string>) as {
        type: string
        data: Record<string, unknown>
      },
  )
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'muster.alert.resolved',
    'muster.alert.triggered',
    'muster.notification',
  ])
  expect(events[0]?.data).toMatchObject({ title: `${device?.name} is offline`, kind: 'offline', devices: 1 })
  expect(events[0]?.data['link']).toMatch(/^muster:\/\/incident\//u)
  const [begun, ended] = mail.received.map(({ text }) => text)
  expect(begun).toContain(`Subject: ${device?.name} is offline`)
  expect(ended).toContain(`Subject: ${device?.name} is back`)
  const alert = (text = '') => /^References: (?<id>.*)$/mu.exec(text)?.groups?.['id']
  expect(alert(begun)).toBe(alert(ended))
  // The last answer is recorded after the message has arrived.
  const rows = await until(async () => {
    const sent = await deliveries(muster, 'sent')
    expect(sent).toHaveLength(5)
    return sent
  })
  expect(rows.every(({ to, attempts }) => to.length === 1 && attempts === 1)).toBe(true)
})

test('what a server does not take is sent again with the same key, in order, until it does', async () => {
  const { reference, muster, online } = await setup({ clock: acceleratedClock(10) })
  const hook = await startReceiver(leftovers)
  const answers = ['cut', { status: 503 }, { status: 429, headers: { 'retry-after': '20' } }] as const
  hook.behaviour = (_request, count) => answers[count - 1] ?? { status: 202 }
  await muster.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } })
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(() => expect(hook.received).toHaveLength(4), 60_000)
  expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await until(async () => expect(await deliveries(muster, 'sent')).toMatchObject([{ attempts: 4, reason: '' }]))
}, 90_000)

test('what a server rejects is listed with its words, and is sent again on request', async () => {
  const { reference, profile, muster, online } = await setup()
  const hook = await startReceiver(leftovers, '/services/T0/B0/verysecretpath')
  hook.behaviour = ({ path }) => ({ status: 404, text: `no_service at ${path}` })
  await muster.call('channels.save', {
    channel: webhookChannel({ format: 'slack' }),
    secret: { address: hook.address },
  })
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(async () =>
    expect(await deliveries(muster, 'failed')).toMatchObject([
      { reason: 'The server answered 404: no_service at •••.', state: 'failed' },
    ]),
  )
  const banners = async () =>
    (await muster.call('app.state', {})).banners.filter(({ id }) => id === 'channels').map(({ fault }) => fault)
  expect(await banners()).toMatchObject([{ kind: 'channel', detail: expect.stringContaining('404') }])
  hook.behaviour = () => ({ status: 200, text: 'ok' })
  expect(await muster.call('channels.retry', { id: null })).toEqual({ count: 1 })
  await until(async () => expect(await deliveries(muster, 'sent')).toHaveLength(1))
  expect(await banners()).toEqual([])
  expect(JSON.stringify(await muster.call('channels.read', {}))).not.toContain('verysecret')
  expect(muster.log.join('\n')).not.toContain('verysecret')
  await muster.stop()
  const { files, leaks } = leaksBelow(profile, { address: 'verysecretpath' })
  expect(files).toContain('journal.db')
  expect(leaks).toEqual([])
})

test('after a restart what waits is sent, and nothing that was accepted is sent again', async () => {
  const { reference, profile, muster, online } = await setup()
  const hook = await startReceiver(leftovers)
  hook.behaviour = (_request, count) => ({ status: count === 1 ? 200 : 503 })
  await muster.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } })
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(async () => expect(await deliveries(muster, 'sent')).toHaveLength(1))
  reference.world.setConnected(online[1]?.id ?? '', false)
  await until(() => expect(hook.received).toHaveLength(2))
  await muster.stop()
  hook.behaviour = () => ({ status: 200 })
  const again = await openConsole(leftovers, profile, { secrets: muster.secrets })
  await until(async () => expect(await deliveries(again, 'sent')).toHaveLength(2))
  const ids = hook.received.map(({ headers }) => headers['webhook-id'])
  expect(ids.filter((id) => id === ids[0])).toHaveLength(1)
  expect(new Set(ids).size).toBe(2)
})

test('what is acknowledged in time is told to a channel that waits once nobody has it', async () => {
  const { reference, muster, online } = await setup({ clock: acceleratedClock(20) })
  const hook = await startReceiver(leftovers)
  const rule = { ...webhookChannel().rule, afterMinutes: 2 }
  await muster.call('channels.save', { channel: webhookChannel({ rule }), secret: { address: hook.address } })
  const [taken, left] = online
  reference.world.setConnected(taken?.id ?? '', false)
  const incident = await until(async () => {
    const { rows } = await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })
    expect(rows).toHaveLength(1)
    return rows[0]
  })
  await muster.call('incidents.acknowledge', { ids: [incident?.id ?? ''], reason: 'on it' })
  reference.world.setConnected(left?.id ?? '', false)
  await until(() => expect(hook.received).toHaveLength(1), 30_000)
  expect(JSON.parse(hook.received[0]?.text ?? '').data.title).toBe(`${left?.name} is offline`)
  const rows = await deliveries(muster)
  expect(rows.map(({ state, reason }) => [state, reason])).toContainEqual([
    'waiting',
    'Somebody has acknowledged, snoozed or taken it.',
  ])
  await muster.call('incidents.unacknowledge', { ids: [incident?.id ?? ''] })
  await until(() => expect(hook.received).toHaveLength(2), 30_000)
  expect(JSON.parse(hook.received[1]?.text ?? '').data.title).toBe(`${taken?.name} is offline`)
}, 60_000)

test('a mail server that refuses one address for now is asked again for that one alone', async () => {
  const { reference, muster, online } = await setup({ clock: acceleratedClock(10) })
  const mail = await startMailReceiver(leftovers)
  let refused = 0
  mail.rejects = (address) => {
    if (address !== 'later@example.com' || refused === 2) return null
    refused += 1
    return { code: 451, text: 'Greylisted' }
  }
  const to = ['ops@example.com', 'later@example.com']
  await muster.call('channels.save', { channel: mailChannel({ port: mail.port, to }), secret: null })
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(
    () => expect(mail.received.map((one) => one.to)).toEqual([['ops@example.com'], ['later@example.com']]),
    60_000,
  )
  const ids = mail.received.map(({ text }) => /^Message-ID: (?<id>.*)$/mu.exec(text)?.groups?.['id'])
  expect(new Set(ids).size).toBe(1)
}, 90_000)

test('a kill between acceptance and record repeats one message at most, with the same key', async () => {
  const reference = await service(leftovers, { devices: 60, tenants: 1, life: false })
  const profile = temporaryProfile(leftovers)
  const hook = await startReceiver(leftovers)
  const save = async (muster: Awaited<ReturnType<typeof forkConsole>>) => {
    await muster.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } })
    const known = (await muster.call('app.state', {})).connections[0]
    await muster.call('connections.save', connectionTo(reference, { id: known?.id ?? null }))
    await until(() => expect(reference.subscribedIds()).toHaveLength(60))
  }
  const first = await forkConsole(leftovers, profile)
  await first.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1, groupingSeconds: 0 })
  await save(first)
  const online = reference.world.devices().filter(({ connected }) => connected === true)
  let killed: Promise<void> | null = null
  hook.behaviour = () => {
    killed ??= first.kill()
    return { status: 200 }
  }
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(() => expect(killed).not.toBeNull())
  await killed
  const second = await forkConsole(leftovers, profile)
  await save(second)
  reference.world.setConnected(online[1]?.id ?? '', false)
  await until(async () => {
    const { rows } = await second.call('channels.deliveries', { state: 'sent', incident: null, offset: 0, limit: 9 })
    expect(rows).toHaveLength(2)
  })
  const ids = hook.received.map(({ headers }) => headers['webhook-id'])
  expect([2, 3]).toContain(ids.length)
  expect(new Set(ids).size).toBe(2)
}, 60_000)

test('a server that never answers holds up no other channel, and is tried again', async () => {
  const { reference, muster, online } = await setup({ clock: acceleratedClock(20) })
  const [silent, quick] = [await startReceiver(leftovers), await startReceiver(leftovers)]
  silent.behaviour = (_request, count) => (count === 1 ? 'hang' : { status: 200 })
  const mail = await startMailReceiver(leftovers)
  mail.hangs = true
  await muster.call('channels.save', { channel: webhookChannel({ id: 'a' }), secret: { address: silent.address } })
  await muster.call('channels.save', { channel: webhookChannel({ id: 'b' }), secret: { address: quick.address } })
  await muster.call('channels.save', { channel: mailChannel({ port: mail.port }), secret: null })
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(() => expect(quick.received).toHaveLength(1))
  await until(async () => expect(await deliveries(muster, 'sent')).toHaveLength(2), 30_000)
  expect(silent.received).toHaveLength(2)
  mail.hangs = false
  await until(() => expect(mail.received).toHaveLength(1), 60_000)
  await until(async () => expect(await deliveries(muster, 'sent')).toHaveLength(3))
}, 120_000)
