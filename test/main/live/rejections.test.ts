import { expect, onTestFinished, test } from 'vitest'
import { createRejections, limitIn } from '../../../src-main/live/subscriptions/rejections.ts'
import { startLive } from '../../../src-main/live/socket.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { dialled, type Far } from './dialled.ts'
import { fixedDocument } from '../../../src-main/live/subscriptions/stream-document.ts'

interface Asked {
  ids: string[]
  /** The number of ids on the socket. */
  onSocket: number
  subscriptions: number
}

/** Says why it rejects a subscription; null: it takes it. */
type Rule = (asked: Asked) => { message: string; code?: string; form?: 'error' | 'next' | 'complete' } | null

/** A service that answers each message in its turn, and what Muster has of it. */
function serve(devices: number, tenantOf: (at: number) => string, rule: Rule) {
  const clock = manualClock()
  const { link, fars } = dialled()
  const lost = new Set<string>()
  const world = { rule, asked: 0, standing: new Map<string, string[]>() }
  const answered = new Map<Far, number>()
  const answer = (far: Far, { type, id, payload }: Record<string, unknown>) => {
    const name = String(id)
    if (type === 'ping') return far.say({ type: 'pong' })
    if (type === 'complete') return void world.standing.delete(name)
    if (type !== 'subscribe') return
    world.asked += 1
    const ids = (payload as { variables: { deviceIds: string[] } }).variables.deviceIds
    const resubscribed = [...world.standing.values()]
    const why = world.rule({ ids, onSocket: resubscribed.flat().length, subscriptions: resubscribed.length })
    if (why === null) return void world.standing.set(name, ids)
    const errors = [{ message: why.message, extensions: { code: why.code ?? 'BAD_USER_INPUT' } }]
    if (why.form === 'complete') return far.say({ type: 'complete', id: name })
    if (why.form !== 'next') return far.say({ type: 'error', id: name, payload: errors })
    far.say({ type: 'next', id: name, payload: { data: null, errors } })
    far.say({ type: 'complete', id: name })
  }
  const live = startLive({
    link,
    clock,
    random: () => 0.5,
    log: () => {},
    url: 'wss://api.test/graphql',
    document: fixedDocument('subscription { device { id } }'),
    tokens: {
      get: async () => 't',
      renew: async () => 't2',
      drop: () => {},
      prove: () => {},
      problem: () => null,
      redact: (text: string) => text,
      renewsAt: () => Infinity,
      stop: () => {},
    },
    onState: () => {},
    onEvent: () => {},
    onSubscribed: () => {},
    onDoubt: () => {},
    onParked: () => {},
    onSubscriptionLost: (ids) => {
      for (const id of ids) lost.add(id)
    },
  })
  onTestFinished(() => live.stop())
  const all = Array.from({ length: devices }, (_, at) => `d${at}`)
  live.setDevices(new Map(all.map((id, at) => [id, tenantOf(at)])))
  const talk = async (ms: number) => {
    for (let gone = 0; gone < ms; gone += 100) {
      await clock.advance(100)
      for (let quiet = false; !quiet;) {
        await settle()
        quiet = true
        for (const far of fars) {
          const from = answered.get(far) ?? 0
          answered.set(far, far.sent.length)
          for (const message of far.sent.slice(from)) {
            quiet = false
            answer(far, message)
          }
        }
      }
    }
  }
  const open = async (at = 0) => {
    await settle()
    world.standing.clear()
    fars[at]?.open()
    await settle()
    fars[at]?.say({ type: 'connection_ack' })
    await talk(10_000)
  }
  return {
    fars,
    clock,
    live,
    world,
    unheard: lost,
    talk,
    open,
    heard: () => new Set([...world.standing.values()].flat()),
  }
}

const acme = () => 'acme'

test.each<[string, number, Rule, number]>([
  [
    '300, with the number in words',
    300,
    ({ ids }) => (ids.length > 300 ? { message: `at most 300 deviceIds, not ${ids.length}` } : null),
    12,
  ],
  [
    '300, as an event with errors',
    300,
    ({ ids }) => (ids.length > 300 ? { message: 'deviceIds must be between 1 and 300', form: 'next' } : null),
    12,
  ],
  ['300, without a word', 300, ({ ids }) => (ids.length > 300 ? { message: 'Bad request' } : null), 20],
  [
    '100, without a word',
    100,
    ({ ids }) => (ids.length > 100 ? { message: 'Bad request', code: 'INTERNAL_SERVER_ERROR' } : null),
    60,
  ],
  ['1, without a word', 1, ({ ids }) => (ids.length > 1 ? { message: '' } : null), 3_400],
])('a service that takes %s, has all devices live', async (_title, most, rule, atMost) => {
  const { live, world, open, heard } = serve(1_500, acme, rule)
  await open()
  expect([heard().size, live.covers(), live.parked().size, live.state().state]).toEqual([1_500, true, 0, 'live'])
  expect(Math.max(...[...world.standing.values()].map(({ length }) => length))).toBeLessThanOrEqual(most)
  expect(world.asked).toBeLessThanOrEqual(atMost)
})

test('a learned limit holds on the next socket: nothing is rejected there', async () => {
  let rejected = 0
  const { fars, clock, world, open, heard } = serve(1_500, acme, ({ ids }) => {
    if (ids.length <= 300) return null
    rejected += 1
    return { message: 'Bad request' }
  })
  await open()
  rejected = 0
  fars[0]?.close(1001)
  await clock.advance(30_000)
  world.asked = 0
  await open(1)
  expect([heard().size, rejected, world.asked]).toEqual([1_500, 0, 7])
})

test.each<[string, Rule]>([
  [
    'ids on a socket',
    ({ ids, onSocket }) => (onSocket + ids.length > 1_100 ? { message: 'A socket takes at most 1100 ids' } : null),
  ],
  [
    'ids on a socket, without a word',
    ({ ids, onSocket }) => (onSocket + ids.length > 1_100 ? { message: 'Bad request' } : null),
  ],
])('with a limit of %s as many are live, and the rest is parked', async (_title, rule) => {
  const { live, unheard: lost, open, heard } = serve(3_000, acme, rule)
  await open()
  const parked = live.parked()
  expect([heard().size + parked.size, live.covers()]).toEqual([3_000, true])
  expect(heard().size).toBeGreaterThanOrEqual(1_000)
  expect([...parked.keys()].filter((id) => heard().has(id) || !lost.has(id))).toEqual([])
  // What was taken was never touched.
  expect([...lost].filter((id) => Number(id.slice(1)) < 1_000)).toEqual([])
})

test('a service with two subscriptions a socket has two live, and their size is not learned', async () => {
  const { fars, live, clock, open, heard } = serve(3_000, acme, ({ subscriptions }) =>
    subscriptions >= 2 ? { message: 'At most 2 subscriptions per socket' } : null,
  )
  await open()
  expect([heard().size, live.parked().size]).toEqual([1_000, 2_000])
  fars[0]?.close(1006)
  await clock.advance(30_000)
  await open(1)
  expect(heard().size).toBe(1_000)
})

test.each(['error', 'next', 'complete'] as const)(
  'the ids of one tenant rejected by %s: the others are live, with the reason',
  async (form) => {
    const { live, world, talk, open, heard } = serve(
      900,
      (at) => `t${at % 3}`,
      ({ ids }) =>
        ids.some((id) => Number(id.slice(1)) % 3 === 1)
          ? { message: 'resource mapping failed', code: 'FORBIDDEN', form }
          : null,
    )
    await open()
    if (form === 'complete') await talk(200_000)
    expect([heard().size, live.parked().size, live.covers()]).toEqual([600, 300, true])
    expect([...live.parked().keys()].every((id) => Number(id.slice(1)) % 3 === 1)).toBe(true)
    expect(live.parked().get('d1')).toMatchObject(
      form === 'complete'
        ? { kind: 'socket' }
        : { kind: 'forbidden', detail: expect.stringContaining('resource mapping failed') },
    )
    expect(world.asked).toBeLessThanOrEqual(form === 'complete' ? 60 : 14)
  },
)

test('devices that come while a limit is searched are not delayed', async () => {
  const { live, talk, open, heard } = serve(1_500, acme, ({ ids, onSocket }) =>
    onSocket + ids.length > 700 ? { message: 'Bad request' } : null,
  )
  const opened = open()
  for (let more = 1; more <= 20; more += 1) {
    live.setDevices(new Map(Array.from({ length: 1_500 + more }, (_, at) => [`d${at}`, 'acme'])))
    await settle()
  }
  await opened
  for (let more = 21; more <= 60; more += 1) {
    live.setDevices(new Map(Array.from({ length: 1_500 + more }, (_, at) => [`d${at}`, 'acme'])))
    await talk(100)
  }
  await talk(20_000)
  expect([heard().size + live.parked().size, live.covers()]).toEqual([1_560, true])
})

test('one rejected device is found, and all others are live', async () => {
  const { live, world, open, heard } = serve(1_000, acme, ({ ids }) =>
    ids.includes('d123') ? { message: 'unknown device' } : null,
  )
  await open()
  expect([heard().size, [...live.parked().keys()]]).toEqual([999, ['d123']])
  expect(world.asked).toBeLessThanOrEqual(50)
})

test('a parked device is live within half a minute when taken, and a limit is tried seldom', async () => {
  const {
    live,
    world,
    unheard: lost,
    talk,
    open,
    heard,
  } = serve(
    900,
    (at) => `t${at % 3}`,
    () => ({ message: 'upstream is gone', code: 'INTERNAL_SERVER_ERROR' }),
  )
  await open()
  expect([heard().size, live.parked().size, lost.size]).toEqual([0, 900, 900])
  lost.clear()
  await talk(60_000)
  // What is tried in vain is read meanwhile, and is as known as before.
  expect(lost.size).toBe(0)
  const before = world.asked
  world.rule = () => null
  await talk(30_000)
  expect([heard().size, live.parked().size, live.covers()]).toEqual([900, 0, true])
  expect(before).toBeLessThan(60)
})

test('a retried device is subscribed to once until the service has answered', async () => {
  const clock = manualClock()
  const asked: string[][] = []
  const refusals = createRejections({
    clock,
    random: () => 0.5,
    tenantOf: () => 'acme',
    settled: (then) => {
      if (asked.length === 0) then()
    },
    onParked: () => {},
    add: (groups) =>
      groups.map((ids, id) => {
        asked.push([...ids])
        return { id, devices: new Set(ids) }
      }),
  })
  onTestFinished(() => refusals.stop())
  refusals.rejected({ id: 0, devices: new Set(['d1']) }, { kind: 'socket', detail: 'no' })
  await clock.advance(10 * 60_000)
  expect([[...refusals.parked().keys()], asked]).toEqual([['d1'], [['d1']]])
})

test('a parked device that is retried in vain stays known: polling covers it', async () => {
  const {
    live,
    world,
    unheard: lost,
    talk,
    open,
  } = serve(
    900,
    (at) => `t${at % 3}`,
    () => ({ message: 'upstream is gone', code: 'INTERNAL_SERVER_ERROR' }),
  )
  await open()
  expect([lost.size, live.parked().size]).toEqual([900, 900])
  lost.clear()
  const before = world.asked
  await talk(60_000)
  expect([world.asked > before, lost.size]).toEqual([true, 0])
})

test('a rejected token and an unknown stream end the connection', async () => {
  const { live, open } = serve(900, acme, () => ({ message: 'jwt expired', code: 'UNAUTHENTICATED' }))
  await open()
  expect([live.state().state === 'live', live.parked().size]).toEqual([false, 0])
  const none = serve(900, acme, () => ({ message: 'Cannot query field "deviceStream" on type "Subscription".' }))
  await none.open()
  expect(none.live.state().state).toBe('polling')
})

test.each<[string, number | null]>([
  ['A subscription takes at most 300 ids, not 500', 300],
  ['deviceIds must be between 1 and 100', 100],
  ['must not exceed 50', 50],
  ['limit: 1', 1],
  ['At most 10 subscriptions per connection', null],
  ['Rate limit of 100 per minute reached', null],
  ['limit: 60 requests', null],
  ['Bad request', null],
  ['500 is too many', null],
  ['limit 0', null],
])('%j names %j ids', (words, count) => {
  expect(limitIn(words)).toBe(count)
})
