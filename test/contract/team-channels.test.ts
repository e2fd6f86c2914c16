import { expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { mailChannel, webhookChannel } from '../support/channels.ts'
import { until, type Console } from '../support/fleet.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { freezableClock } from '../support/postgres/replicas.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { startMailReceiver, startReceiver, type Receiver } from '../support/receivers.ts'
import { openMember, openReader } from '../support/team-consoles.ts'

const { skip, leftovers, makeTeam } = useTeamDatabases('channels')
const options = { skip, timeout: 150_000 }
const nobody = 'No member of the team that has the secret of this channel is here now.'

const statusOf = async (muster: Console, id = 'hook') => {
  const { channels } = await muster.call('channels.read', {})
  return channels.find(({ channel }) => channel.id === id) ?? null
}

const whenSentBy = (muster: Console, sender: { operator: string; isSelf: boolean } | null, id = 'hook') =>
  until(async () => expect((await statusOf(muster, id))?.sender).toEqual(sender), 30_000)

const messagesOf = async (muster: Console, incident: string | null = null) =>
  (await muster.call('channels.deliveries', { state: null, incident, offset: 0, limit: 50 })).rows

const openOf = async (muster: Console) =>
  (await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })).rows

const idsAt = ({ received }: Receiver) => received.map(({ headers }) => String(headers['webhook-id']))

/** A team of Anna, who reads and evaluates, and others, with alerts that come at once. */
async function open() {
  const team = await makeTeam()
  const reader = await openReader(team)
  await reader.anna.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 1, groupingSeconds: 0 })
  return { ...team, ...reader, online: onlineIn(reader.reference) }
}

const onlineIn = ({ world }: Service) => world.devices().filter(({ connected }) => connected === true)

test(`who has a channel’s secret sends, and all see what became of it${noPostgres}`, options, async () => {
  const { anna, reference, online, ...team } = await open()
  const berta = await openMember({ ...team, operator: 'Berta' })
  const hook = await startReceiver(leftovers)
  await berta.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } })
  await whenSentBy(berta, { operator: '', isSelf: true })
  await whenSentBy(anna, { operator: 'Berta', isSelf: false })
  expect(await statusOf(anna)).toMatchObject({ hasSecret: false, waiting: 0 })
  expect((await anna.call('team.read', {})).joined?.evaluator?.isSelf).toBe(true)
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(() => expect(hook.received).toHaveLength(1))
  for (const muster of [anna, berta])
    await until(async () => {
      const [incident] = await openOf(muster)
      expect(await messagesOf(muster, incident?.id ?? '')).toMatchObject([{ state: 'sent', channelName: 'Hook' }])
    })
  // The evaluator knows what was told: the end is sent, once.
  reference.world.setConnected(online[0]?.id ?? '', true)
  await until(() =>
    expect(hook.received.map(({ text }) => (JSON.parse(text) as { type: string }).type).toSorted()).toEqual([
      'muster.alert.resolved',
      'muster.alert.triggered',
      'muster.notification',
    ]),
  )
  expect(new Set(idsAt(hook)).size).toBe(3)
  // What failed at the sender was told to nobody, so that its end is not told either.
  hook.behaviour = () => ({ status: 404, text: 'gone' })
  reference.world.setConnected(online[1]?.id ?? '', false)
  await until(async () => expect((await messagesOf(anna))[0]).toMatchObject({ state: 'failed', action: 'trigger' }))
  reference.world.setConnected(online[1]?.id ?? '', true)
  await until(async () => expect(await openOf(anna)).toEqual([]))
  expect((await messagesOf(anna)).filter(({ action }) => action === 'resolve')).toHaveLength(1)
})

test(`without its secret here an incident says so, and is told later${noPostgres}`, options, async () => {
  const { anna, reference, online, ...team } = await open()
  const berta = await openMember({ ...team, operator: 'Berta' })
  const hook = await startReceiver(leftovers)
  await berta.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } })
  await whenSentBy(anna, { operator: 'Berta', isSelf: false })
  await berta.stop()
  await whenSentBy(anna, null)
  reference.world.setConnected(online[0]?.id ?? '', false)
  const [incident] = await until(async () => {
    const rows = await openOf(anna)
    expect(rows).toHaveLength(1)
    return rows
  })
  await until(async () =>
    expect(await messagesOf(anna, incident?.id ?? '')).toMatchObject([{ state: 'waiting', reason: nobody }]),
  )
  expect(hook.received).toHaveLength(0)
  await anna.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } })
  await until(() => expect(hook.received).toHaveLength(1))
  await until(async () => expect(await messagesOf(anna)).toMatchObject([{ state: 'sent', reason: '' }]))
})

test(`when the sender hangs, another member with the secret goes on${noPostgres}`, options, async () => {
  const { anna, reference, online, ...team } = await open()
  const clock = freezableClock()
  const berta = await openMember({ ...team, operator: 'Berta', more: { clock } })
  const hook = await startReceiver(leftovers)
  const save = (muster: Console) =>
    muster.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } })
  await save(berta)
  await whenSentBy(berta, { operator: '', isSelf: true })
  await save(anna)
  await whenSentBy(anna, { operator: 'Berta', isSelf: false })
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(() => expect(hook.received).toHaveLength(1))
  clock.freeze()
  reference.world.setConnected(online[1]?.id ?? '', false)
  await whenSentBy(anna, { operator: '', isSelf: true })
  await until(() => expect(new Set(idsAt(hook)).size).toBe(2))
  clock.thaw()
  await whenSentBy(berta, { operator: 'Anna', isSelf: false })
  await until(async () => expect((await messagesOf(berta)).map(({ state }) => state)).toEqual(['sent', 'sent']))
  expect(new Set(idsAt(hook)).size).toBe(2)
  expect(hook.received.length).toBeLessThanOrEqual(3)
})

test(`a member’s password goes to the mail server that it was entered for alone${noPostgres}`, options, async () => {
  const { anna, reference, online, ...team } = await open()
  const berta = await openMember({ ...team, operator: 'Berta' })
  const login = { user: 'muster', password: 'password of Berta' }
  const [own, other] = [await startMailReceiver(leftovers, { login }), await startMailReceiver(leftovers, { login })]
  const channel = mailChannel({ port: own.port, user: 'muster' })
  await berta.call('channels.save', { channel, secret: { password: login.password } })
  await whenSentBy(anna, { operator: 'Berta', isSelf: false }, 'mail')
  // What the channel is told can be changed without its secret; where it leads to cannot.
  await anna.call('channels.save', { channel: { ...channel, name: 'Night', to: ['night@example.com'] }, secret: {} })
  expect((await statusOf(anna, 'mail'))?.channel).toMatchObject({ name: 'Night', to: ['night@example.com'] })
  const moved = { ...channel, name: 'Night', port: other.port }
  await expect(anna.call('channels.save', { channel: moved, secret: null })).rejects.toMatchObject({
    fault: { kind: 'input', detail: 'password: Enter the password.' },
  })
  await anna.call('channels.save', { channel: moved, secret: { password: 'password of Anna' } })
  await until(async () => expect(await statusOf(berta, 'mail')).toMatchObject({ hasSecret: false }))
  await whenSentBy(berta, { operator: 'Anna', isSelf: false }, 'mail')
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(() => expect(other.logins.length).toBeGreaterThan(0))
  expect(new Set(other.logins.map(({ password }) => password))).toEqual(new Set(['password of Anna']))
  expect(own.logins).toEqual([])
})

test(`who has the old one must enter a secret that was replaced${noPostgres}`, options, async () => {
  const { anna, ...team } = await open()
  const berta = await openMember({ ...team, operator: 'Berta' })
  const save = (muster: Console, address: string) =>
    muster.call('channels.save', { channel: webhookChannel(), secret: { address } })
  await save(anna, 'https://hooks.example.com/old')
  await until(async () => expect(await statusOf(berta)).not.toBeNull())
  await save(berta, 'https://hooks.example.com/old')
  await until(async () => expect((await statusOf(anna))?.hasSecret).toBe(true))
  expect((await statusOf(berta))?.hasSecret).toBe(true)
  await save(berta, 'https://hooks.example.com/new')
  await until(async () => expect((await statusOf(anna))?.hasSecret).toBe(false))
  await whenSentBy(berta, { operator: '', isSelf: true })
})

test(`any member tries again, dismisses, switches off and removes${noPostgres}`, options, async () => {
  const { anna, reference, online, ...team } = await open()
  const berta = await openMember({ ...team, operator: 'Berta' })
  const hook = await startReceiver(leftovers)
  hook.behaviour = () => ({ status: 404, text: 'gone' })
  const channel = webhookChannel({ rule: { ...webhookChannel().rule, recoveries: false } })
  await berta.call('channels.save', { channel, secret: { address: hook.address } })
  await whenSentBy(anna, { operator: 'Berta', isSelf: false })
  reference.world.setConnected(online[0]?.id ?? '', false)
  await until(async () => expect(await messagesOf(anna)).toMatchObject([{ state: 'failed' }]))
  hook.behaviour = () => ({ status: 503, text: 'later' })
  expect(await anna.call('channels.retry', { id: null })).toEqual({ count: 1 })
  await until(async () =>
    expect(await statusOf(anna)).toMatchObject({ waiting: 1, reason: expect.stringMatching('503') as string }),
  )
  expect(hook.received.length).toBeGreaterThanOrEqual(2)
  await anna.call('channels.save', { channel: { ...channel, name: 'Nights', host: '' }, secret: { address: '' } })
  expect((await statusOf(anna))?.channel).toMatchObject({ name: 'Nights', host: new URL(hook.address).host })
  // Nobody sends what was switched off, and all know that it has ended.
  await anna.call('channels.save', { channel: { ...(await statusOf(anna))?.channel, on: false }, secret: null })
  for (const muster of [anna, berta])
    await until(async () =>
      expect(await messagesOf(muster)).toMatchObject([{ state: 'dropped', reason: 'The channel was switched off.' }]),
    )
  await anna.call('channels.remove', { id: 'hook' })
  await until(async () => expect(await statusOf(berta)).toBeNull())
  expect(await berta.secrets.get('channel:hook')).toBeNull()
})

test(`own channels are added at joining, and are back after leaving${noPostgres}`, options, async () => {
  const team = await makeTeam()
  const hook = await startReceiver(leftovers)
  const anna = await openMember({
    ...team,
    operator: 'Anna',
    share: true,
    prepare: (muster) => muster.call('channels.save', { channel: webhookChannel(), secret: { address: hook.address } }),
  })
  const berta = await openMember({ ...team, operator: 'Berta' })
  const shared = await until(async () => {
    const [one] = (await berta.call('channels.read', {})).channels
    expect(one).toMatchObject({ channel: { name: 'Hook' }, hasSecret: false, sender: { operator: 'Anna' } })
    return one
  })
  expect(shared?.channel.id).not.toBe('hook')
  await berta.call('channels.remove', { id: shared?.channel.id ?? '' })
  await until(async () => expect((await anna.call('channels.read', {})).channels).toEqual([]))
  await anna.call('team.leave', {})
  await until(async () => expect(await statusOf(anna)).toMatchObject({ hasSecret: true, channel: { id: 'hook' } }))
  expect((await statusOf(anna))?.sender).toBeUndefined()
})
