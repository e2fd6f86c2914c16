import { afterEach, expect, test } from 'vitest'
import { createApi } from '../../src-main/api/client.ts'
import { createTurns } from '../../src-main/api/event-loop-turns.ts'
import { startMutations } from '../../src-main/api/mutations/start.ts'
import type { MutationOffer } from '../../src-main/api/mutations/mutations.ts'
import { startTokens } from '../../src-main/auth/token.ts'
import { startPacer } from '../../src-main/pacing/pacer.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import type { Answers } from '../../src-service/faults/contrary/answers.ts'
import type { ServiceOptions } from '../../src-service/options.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { createLeftovers, service, until } from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const signal = new AbortController().signal
const signals = { signal, withdraw: signal }

/** The sending part of a connection, over real sockets to the reference service. */
async function open(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 60, tenants: 1, ...options })
  const link = openNetwork({}).open(reference.ca)
  const clock = systemClock
  const tokens = startTokens({
    fetch: link.fetch,
    clock,
    tokenUrl: reference.tokenUrl,
    clientId: reference.clientId,
    secret: async () => reference.clientSecret,
  })
  const pacer = startPacer({
    clock,
    random: () => 0,
    policy: () => ({ reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }),
    onChange: () => {},
  })
  const shared = { clock, graphqlUrl: reference.graphqlUrl, tokens, pacer, turns: createTurns() }
  const api = createApi({ ...shared, fetch: link.fetch })
  const mutations = startMutations({ ...shared, api, fetchOnce: link.fetchOnce })
  leftovers.push(async () => {
    mutations.stop()
    tokens.stop()
    pacer.stop()
    await link.close()
  })
  const offered = async (): Promise<MutationOffer | null> => {
    mutations.offer()
    return until(() => {
      expect(mutations.offer() !== null || mutations.offerFault() !== null).toBe(true)
      return mutations.offer()
    })
  }
  const sent = (name: string) => reference.operations().filter(({ operationName }) => operationName === name).length
  const [tenant] = reference.world.tenants()
  const connected = reference.world.devices().filter((device) => device.connected === true)
  const device = (at: number) => connected[at]?.id ?? ''
  return { reference, mutations, offered, sent, device, tenant: tenant?.id ?? '', tokens }
}

const contrary = (given: Partial<Answers>, more: ServiceOptions = {}) =>
  open({ profile: 'contrary', contrary: given, ...more })

const whole: MutationOffer = {
  reboot: { linkedDevices: true },
  update: { name: true, site: true, room: true },
  site: { account: true },
  room: { site: true, capacity: true, size: true, floor: true },
  calls: true,
}
const nothing = { reboot: null, update: null, site: null, room: null }

test('the schema says which mutations there are', async () => {
  expect(await (await open()).offered()).toEqual(whole)
  expect(await (await contrary({ idTypes: 'swapped' })).offered()).toEqual(whole)
  expect(await (await contrary({ mutations: 'none' })).offered()).toEqual({ ...whole, ...nothing })
  expect(await (await contrary({ mutations: 'other-names' })).offered()).toEqual({ ...whole, ...nothing })
  expect(await (await contrary({ mutations: 'room-uuid' })).offered()).toEqual({
    ...whole,
    update: { name: true, site: false, room: false },
  })
})

test('without introspection nothing is offered, the reason is known and nothing is sent', async () => {
  const { mutations, offered, reference } = await open({ profile: 'minimal' })
  expect(await offered()).toBeNull()
  expect(mutations.offerFault()).toMatchObject({ kind: 'query' })
  expect(await mutations.reboot('a', false, signals)).toMatchObject({ outcome: 'not-sent', fault: { kind: 'query' } })
  expect(reference.operations().map(({ operationName }) => operationName)).not.toContain('Reboot')
})

test.each(['usual', 'swapped'] as const)(
  'a reboot, an update and places are sent once each (ids %s)',
  async (idTypes) => {
    const { mutations, reference, device, sent, tenant } = await contrary({ idTypes })
    expect(await mutations.reboot(device(0), true, signals)).toEqual({ outcome: 'confirmed', id: null })
    expect(reference.world.device(device(0))?.connected).toBe(false)
    const site = await mutations.saveSite({ tenant, id: null, name: 'New site' }, signals)
    const siteId = site.outcome === 'confirmed' ? site.id : null
    const fields = { name: 'New room', capacity: 4, size: 'HUDDLE', floor: '2' }
    const room = await mutations.saveRoom({ tenant, id: null, site: siteId, ...fields }, signals)
    const roomId = room.outcome === 'confirmed' ? room.id : null
    expect(await mutations.saveSite({ tenant, id: siteId, name: 'Newer site' }, signals)).toEqual({
      outcome: 'confirmed',
      id: siteId,
    })
    const change = { name: 'Renamed', site: siteId, room: roomId }
    expect(
      await mutations.update(
        [
          { id: device(1), ...change },
          { id: device(2), site: null },
        ],
        signals,
      ),
    ).toEqual([
      { outcome: 'confirmed', id: device(1) },
      { outcome: 'confirmed', id: device(2) },
    ])
    const [read, placeless, none] = await mutations.read([device(1), device(2), 'nosuch'], signal)
    expect(read).toMatchObject({
      name: 'Renamed',
      connected: true,
      site: { id: siteId, name: 'Newer site' },
      room: { id: roomId, name: 'New room' },
      lastConfigRequestDate: expect.any(Number),
      call: expect.stringMatching(/^(in-call|free|unsupported|unknown)$/),
    })
    expect([placeless?.site, placeless?.room, none]).toEqual([null, null, null])
    expect(['Reboot', 'UpdateDevices', 'SaveSite', 'SaveRoom'].map(sent)).toEqual([1, 1, 2, 1])
    expect(mutations.cost('reboot', 2)).toBe(2 * (mutations.cost('reboot', 1) ?? Number.NaN))
    expect(mutations.cost('update', 25)).toBeGreaterThan(mutations.cost('update', 2) ?? Infinity)
  },
)

test('a mutation that was never sent has a cost, unless the service tells none', async () => {
  const { mutations, offered, device } = await open()
  await offered()
  const expected = mutations.cost('reboot', 1) ?? 0
  expect(await mutations.reboot(device(0), false, signals)).toMatchObject({ outcome: 'confirmed' })
  expect(mutations.cost('reboot', 1)).toBeGreaterThan(0)
  expect(expected).toBeGreaterThanOrEqual(mutations.cost('reboot', 1) ?? Infinity)
  const silent = await contrary({ costHeaders: false, costField: false })
  await silent.offered()
  expect(silent.mutations.cost('reboot', 1)).toBeNull()
})

test('what cannot be expressed is not sent, and the rest is', async () => {
  const { mutations, device, sent } = await contrary({ mutations: 'room-uuid' })
  const updates = [
    { id: device(0), site: null },
    { id: device(1), name: 'One' },
  ]
  expect((await mutations.update(updates, signals)).map(({ outcome }) => outcome)).toEqual(['not-sent', 'confirmed'])
  expect(sent('UpdateDevices')).toBe(1)
})

test('each device of an update has its own outcome', async () => {
  const { mutations, device } = await open()
  const updates = [
    { id: device(0), name: 'One' },
    { id: 'nosuch', name: 'Two' },
    { id: device(1), name: 'x'.repeat(300) },
  ]
  expect(await mutations.update(updates, signals)).toMatchObject([
    { outcome: 'confirmed' },
    { outcome: 'refused', fault: { kind: 'input' } },
    { outcome: 'refused', words: 'name must have 1 to 255 characters' },
  ])
})

test('a device that refuses is refused in its words, without words too, and null is unknown', async () => {
  for (const [actionAnswers, expected] of [
    ['plain', { outcome: 'refused', words: expect.stringContaining('software update'), fault: null }],
    ['no-words', { outcome: 'refused', words: '', fault: null }],
    ['null', { outcome: 'unknown' }],
  ] as const) {
    const { mutations, reference, device, sent } = await contrary({ actionAnswers })
    reference.setRebootOutcome(device(0), 'refused')
    expect(await mutations.reboot(device(0), false, signals)).toMatchObject(expected)
    expect(sent('Reboot')).toBe(1)
  }
})

test('what the role forbids is refused as that, under either status and in any form', async () => {
  for (const given of [{ forbiddenStatus: 200 }, { forbiddenStatus: 403 }] as const) {
    const { mutations, device, sent } = await contrary({ ...given, mutationRole: 'none' })
    expect(await mutations.reboot(device(0), false, signals)).toMatchObject({
      outcome: 'refused',
      fault: { kind: 'forbidden' },
    })
    expect(sent('Reboot')).toBe(1)
  }
})

test('an error without its code is unknown, unless its text is that of a missing right', async () => {
  for (const errorShape of ['message-only', 'null-extensions'] as const) {
    const { mutations, reference, device } = await contrary({ errorShape })
    const updates = [
      { id: 'nosuch', name: 'One' },
      { id: device(0), name: 'Two' },
    ]
    expect(await mutations.update(updates, signals)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'confirmed' }])
    reference.credentials.setRole(reference.clientId, 'user')
    expect((await mutations.reboot(device(0), false, signals)).outcome).toBe('refused')
    expect(reference.world.device(device(0))?.connected).toBe(true)
  }
})

test.each([
  ['reset', 'unknown'],
  ['cut-short', 'unknown'],
  ['garbage', 'unknown'],
  ['html', 'unknown'],
  ['http-500', 'unknown'],
  ['rate-limited', 'not-sent'],
  ['unauthenticated', 'refused'],
] as const)('with the misfortune %s a reboot is sent once, and is %s', async (kind, outcome) => {
  const { mutations, reference, offered, device } = await open()
  await offered()
  let arrived = 0
  reference.misfortune.always(kind, {
    match: ({ operationName }) => {
      if (operationName === 'Reboot') arrived += 1
      return operationName === 'Reboot'
    },
  })
  expect((await mutations.reboot(device(0), false, signals)).outcome).toBe(outcome)
  expect(arrived).toBe(1)
})

test('a rejected token is refused, and another one is used for the next', async () => {
  const { mutations, reference, offered, device, sent } = await open()
  await offered()
  reference.misfortune.next('unauthenticated', { operationName: 'Reboot' })
  expect(await mutations.reboot(device(0), false, signals)).toMatchObject({
    outcome: 'refused',
    fault: { kind: 'token' },
  })
  expect(reference.world.device(device(0))?.connected).toBe(true)
  expect((await mutations.reboot(device(0), false, signals)).outcome).not.toBe('not-sent')
  expect(sent('Reboot')).toBeLessThanOrEqual(2)
})

test('updates are split where one operation costs too much, and each is confirmed', async () => {
  let factor = 1
  const { mutations, offered, device, sent } = await open({ priceFactor: () => factor })
  await offered()
  factor = 400
  const updates = Array.from({ length: 25 }, (_, at) => ({ id: device(at), name: `Name ${at}` }))
  const outcomes = async () => new Set((await mutations.update(updates, signals)).map(({ outcome }) => outcome))
  expect(await outcomes()).toEqual(new Set(['confirmed']))
  const before = sent('UpdateDevices')
  expect(before).toBeGreaterThan(1)
  // The second time the price is known, and none is rejected.
  expect(await outcomes()).toEqual(new Set(['confirmed']))
  expect(sent('UpdateDevices') - before).toBeLessThan(before)
  // Where even one costs too much, nothing is sent for ever.
  factor = 1_000_000
  expect(await outcomes()).toEqual(new Set(['not-sent']))
})

test('without a token, and after an abort, nothing is sent', async () => {
  const { mutations, reference, offered, device, sent } = await open()
  await offered()
  const aborted = await mutations.reboot(device(0), false, { signal, withdraw: AbortSignal.abort() })
  expect(aborted).toMatchObject({ outcome: 'not-sent', fault: { kind: 'abort' } })
  await reference.misfortune.pause()
  expect((await mutations.reboot(device(0), false, signals)).outcome).toBe('not-sent')
  expect(sent('Reboot')).toBe(0)
})

test('what waits for points is withdrawn and never sent, also where the points come back', async () => {
  const { mutations, offered, device, sent } = await open({ balance: 200, windowMs: 1_500 })
  await offered()
  const withdraw = new AbortController()
  const orders = Array.from({ length: 30 }, () =>
    mutations.reboot(device(0), false, { signal, withdraw: withdraw.signal }),
  )
  await until(() => expect(sent('Reboot')).toBeGreaterThan(0))
  withdraw.abort()
  expect((await Promise.all(orders)).map(({ outcome }) => outcome)).toContain('not-sent')
  const before = sent('Reboot')
  expect(before).toBeLessThan(15)
  // The next rate window has points for more than this one.
  await until(async () => expect((await mutations.reboot(device(0), false, signals)).outcome).not.toBe('not-sent'))
  expect(sent('Reboot')).toBeLessThan(before + 10)
})

test.each(['signal', 'withdraw'] as const)(
  'an operation that has left is not called unsent by its %s',
  async (which) => {
    const { mutations, reference, offered, device, sent } = await open()
    await offered()
    reference.misfortune.next('latency', { operationName: 'Reboot', ms: 500 })
    const abort = new AbortController()
    const order = mutations.reboot(device(0), false, { signal, withdraw: signal, [which]: abort.signal })
    await until(() => expect(reference.misfortune.waiting()).toEqual([]))
    abort.abort()
    expect((await order).outcome).toBe(which === 'signal' ? 'unknown' : 'confirmed')
    await until(() => expect(sent('Reboot')).toBeLessThanOrEqual(1))
  },
)
