import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { CallInput, EventData } from '../../src-shared/contract/contract.ts'
import type { SubscriptionRow, SubscriptionState } from '../../src-shared/model/subscription.ts'
import {
  connectionTo,
  acceleratedClock,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
  type Console,
} from '../support/fleet.ts'
import { startHostile, type Hostility } from '../support/hostile-service.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

type Events = CallInput<'subscription.events'>

/** The operator's side: subscribes, and reads what is shown. */
function operator(muster: Console, connection: string) {
  const states: EventData<'subscriptions'>[] = []
  muster.core.on('subscriptions', (all) => void states.push(all))
  const list = async () => (await muster.call('subscription.list', {})).subscriptions
  const rows = async (id: string, more: Partial<Events> = {}): Promise<SubscriptionRow[]> =>
    (await muster.call('subscription.events', { id, before: null, filter: '', from: 0, count: 500, ...more })).rows
  return {
    states,
    list,
    rows,
    start: async (document: string, variables: Record<string, unknown> = {}, operation: string | null = null) => {
      const id = randomUUID()
      await muster.call('subscription.start', { id, connection, document, operation, variables })
      return id
    },
    when: (id: string, holds: (state: SubscriptionState) => boolean): Promise<SubscriptionState> =>
      until(async () => {
        const found = (await list()).find((each) => each.id === id)
        if (found === undefined || !holds(found)) throw new Error(`it is not so: ${JSON.stringify(found)}`)
        return found
      }),
  }
}

async function open(options: Parameters<typeof service>[1] = {}, clock?: ReturnType<typeof acceleratedClock>) {
  const reference = await service(leftovers, { devices: 40, tenants: 2, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), clock === undefined ? {} : { clock })
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const [device] = reference.world.devices()
  if (device === undefined) throw new Error('no device')
  const flip = () => reference.world.setConnected(device.id, !(reference.world.device(device.id)?.connected ?? false))
  return { reference, muster, connection, ids: [device.id], flip, ...operator(muster, connection) }
}

const isLive = ({ progress }: SubscriptionState) => progress.is === 'live'
const hasEnded = ({ progress }: SubscriptionState) => progress.is === 'ended'
const stream = 'subscription Watch($ids: [String!]!) { deviceStream(deviceIds: $ids) { id connected name } }'

describe.each(['full', 'minimal', 'contrary'] as const)('a service with the %s profile', (profile) => {
  test('events come as rows with their time, the newest first, beside the live connection', async () => {
    const { muster, ids, flip, start, when, rows, states } = await open({ profile })
    const before = Date.now()
    const id = await start(stream, { ids })
    await when(id, isLive)
    flip()
    flip()
    await when(id, ({ last }) => last === 2)
    const [second, first] = await rows(id)
    expect([first?.number, second?.number]).toEqual([1, 2])
    expect(JSON.parse(first?.text ?? '')).toMatchObject({ data: { deviceStream: { id: ids[0] } } })
    expect(first?.at).toBeGreaterThanOrEqual(before)
    const run = randomUUID()
    const { summary } = await muster.call('subscription.event', { id, event: 2, run })
    expect(summary).toMatchObject({ hasData: true, errors: [] })
    expect((await muster.call('query.lines', { run, from: 0, count: 50 })).lines).toHaveLength(summary?.lines ?? 0)
    await until(() => expect(states.at(-1)?.[0]).toMatchObject({ id, name: 'Watch', events: 2, gaps: 0 }))
    await muster.call('subscription.stop', { id })
    expect(await when(id, hasEnded)).toMatchObject({ progress: { reason: 'stopped' }, events: 2 })
  })

  test('what the service rejects is said in its words, and not tried again', async () => {
    const { reference, start, when } = await open({ profile })
    const sockets = reference.openSockets()
    const id = await start('subscription { nothingOfThisName }')
    const { progress } = await when(id, hasEnded)
    expect(progress).toMatchObject({ reason: 'rejected', fault: { kind: 'query' } })
    expect(JSON.stringify(progress)).toContain('nothingOfThisName')
    await until(() => expect(reference.openSockets()).toBe(sockets))
  })

  test('a cut is told as a gap, and events come again after it', async () => {
    const { reference, ids, flip, start, when, rows } = await open({ profile })
    const id = await start(stream, { ids })
    await when(id, isLive)
    flip()
    await when(id, ({ last }) => last === 1)
    reference.misfortune.dropSockets(1006)
    await when(id, ({ gaps, progress }) => gaps === 1 && progress.is === 'live')
    flip()
    await when(id, ({ last }) => last === 3)
    const [after, gap, before] = await rows(id)
    expect([before?.gapSince, after?.gapSince]).toEqual([null, null])
    expect(gap?.gapSince).toBeLessThanOrEqual(gap?.at ?? 0)
    expect(gap?.gapSince).toBeGreaterThan((before?.at ?? 0) - 20_000)
  })
})

test('a service that takes only so many ids says so', async () => {
  const contrary = { streamIdsPerSubscription: 1, streamRefusalCode: 'FORBIDDEN' } as const
  const { reference, start, when } = await open({ profile: 'contrary', contrary, devices: 4 })
  const ids = reference.world.devices().map(({ id }) => id)
  const { progress } = await when(await start(stream, { ids }), hasEnded)
  expect(progress).toMatchObject({ reason: 'rejected', fault: { kind: 'forbidden' } })
  expect(JSON.stringify(progress)).toContain('at most 1')
})

test('only a subscription is started, of several operations the chosen one, and five at once', async () => {
  const { reference, muster, connection, ids, start, when, list } = await open()
  const sockets = reference.openSockets()
  for (const document of ['{ tenants { id } }', 'mutation subscription { rebootDevice(deviceId: "x") }', '{ tenants'])
    await expect(start(document)).rejects.toMatchObject({ fault: { kind: 'input' } })
  const both = `${stream} query Other { tenants { id } }`
  await expect(start(both, { ids })).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(start(both, { ids }, 'Other')).rejects.toMatchObject({ fault: { kind: 'input' } })
  expect(reference.openSockets()).toBe(sockets)
  const first = await start(both, { ids }, 'Watch')
  await when(first, isLive)
  expect(await muster.call('subscription.show', { id: first })).toMatchObject({ connection, operation: 'Watch' })
  for (let more = 1; more < 5; more += 1) await start(stream, { ids })
  await expect(start(stream, { ids })).rejects.toMatchObject({ fault: { kind: 'input' } })
  await muster.call('subscription.stop', { id: first })
  const sixth = await start(stream, { ids })
  // The events of the first one make space.
  expect((await list()).map(({ id }) => id)).not.toContain(first)
  await when(sixth, isLive)
})

test('a subscription ends with its connection, and with the core', async () => {
  const { reference, muster, connection, ids, start, when } = await open()
  const id = await start(stream, { ids })
  await when(id, isLive)
  await muster.call('connections.pause', { id: connection, paused: true })
  expect(await when(id, hasEnded)).toMatchObject({ progress: { reason: 'connection' } })
  await expect(start(stream, { ids })).rejects.toMatchObject({ fault: { kind: 'input' } })
  await muster.call('connections.pause', { id: connection, paused: false })
  await whenRead(muster)
  await when(await start(stream, { ids }), isLive)
  await muster.stop()
  await until(() => expect(reference.openSockets()).toBe(0))
})

test('a token is renewed in a running subscription, and no event is lost or doubled', async () => {
  const clock = acceleratedClock(60)
  const { reference, ids, flip, start, when, rows } = await open({ now: clock.now, tokenLifetimeSeconds: 300 }, clock)
  const id = await start(stream, { ids })
  await when(id, isLive)
  const before = reference.tokensIssued()
  let flips = 0
  await until(() => {
    flip()
    flips += 1
    expect(reference.tokensIssued()).toBeGreaterThan(before + 1)
  }, 60_000)
  const { events, gaps } = await when(id, ({ events: got }) => got === flips)
  expect([events, gaps]).toEqual([flips, 0])
  const connected = (await rows(id)).map(({ text }) => /"connected":(true|false)/u.exec(text)?.[1])
  for (const [index, value] of connected.entries()) expect(value).not.toBe(connected[index + 1])
}, 90_000)

async function openHostile(hostility: Hostility) {
  const hostile = await startHostile(leftovers, hostility)
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id: connection } = await muster.call('connections.save', hostile.input)
  await until(async () => expect((await muster.call('app.state', {})).connections[0]?.lastReadingAt).not.toBeNull())
  return { hostile, muster, ...operator(muster, connection) }
}

test('a service that ends a subscription is believed', async () => {
  const { hostile, start, when } = await openHostile({
    subscribed(client, id) {
      client.send(JSON.stringify({ id, type: 'next', payload: { data: { tick: 1 } } }))
      client.send(JSON.stringify({ id, type: 'next', payload: { data: null, errors: [{ message: 'half' }] } }))
      client.send(JSON.stringify({ id, type: 'complete' }))
    },
  })
  const id = await start('subscription { tick }')
  const { progress } = await when(id, (state) => hasEnded(state) && state.last === 2)
  expect(progress).toMatchObject({ reason: 'completed', fault: null })
  const { sockets } = hostile.asked
  expect(sockets).toBeGreaterThan(0)
})

test('of too many events the last ones are kept, and those that are not are counted', async () => {
  const many = 25_000
  const { muster, start, when, rows } = await openHostile({
    subscribed(client, id) {
      for (let tick = 1; tick <= many; tick += 1)
        client.send(JSON.stringify({ id, type: 'next', payload: { data: { tick } } }))
    },
  })
  const id = await start('subscription { tick }')
  const state = await when(id, ({ events, dropped }) => events === many && dropped === many - 10_000)
  expect(state.rate).toBeGreaterThan(0)
  expect((await rows(id, { count: 1 }))[0]?.text).toContain(`{"tick":${many}}`)
  const { total } = await muster.call('subscription.events', {
    id,
    before: null,
    filter: '"TICK":24',
    from: 0,
    count: 1,
  })
  expect(total).toBe(1_000)
  // A pause: what comes later is not among the rows before it.
  const paused = await rows(id, { before: state.last - 10, count: 1 })
  expect(paused[0]?.number).toBe(state.last - 11)
  let text = ''
  for (let after = 0; ;) {
    const part = await muster.call('subscription.text', { id, filter: '', after })
    if (part.text === '') break
    text += part.text
    after = part.next
  }
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(10_000)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ payload: { data: { tick: 15_001 } } })
  await muster.call('subscription.clear', { id })
  expect((await when(id, () => true)).events).toBe(0)
  expect(await rows(id)).toEqual([])
})

test('secrets that the service repeats are covered in events, its words and the log', async () => {
  let secret = ''
  const { hostile, muster, start, when, rows } = await openHostile({
    subscribed(client, id) {
      client.send(JSON.stringify({ id, type: 'next', payload: { data: { echo: `it is ${secret}!` } } }))
      client.send(JSON.stringify({ id, type: 'error', payload: [{ message: `no ${secret}` }] }))
    },
  })
  secret = hostile.input.clientSecret
  const id = await start('subscription Hidden($word: String) { echo(word: $word) }', { word: 'open sesame' })
  const { progress } = await when(id, (state) => hasEnded(state) && state.last === 1)
  const shown = JSON.stringify([progress, await rows(id)])
  expect(shown).not.toContain(hostile.input.clientSecret)
  expect(shown).toContain('it is [hidden]!')
  expect(muster.log.join('\n')).not.toMatch(/sesame|Hidden/u)
})
