import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { startLive } from '../../../src-main/live/socket.ts'
import { assertMove, type State } from '../../../src-main/live/state.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { dialled, type Far } from './dialled.ts'
import { fixedDocument } from '../../../src-main/live/subscriptions/stream-document.ts'

const states: readonly State['is'][] = ['off', 'connecting', 'live', 'waiting', 'polling', 'blocked']

test('an impossible transition throws, and these are all that are possible', () => {
  const can = (from: State['is'], to: State['is']) => {
    try {
      assertMove(from, to)
      return true
    } catch (error) {
      expect(String(error)).toBe(`Error: live: impossible move ${from} -> ${to}`)
      return false
    }
  }
  expect(states.map((from) => [from, states.filter((to) => can(from, to)).join(' ')])).toEqual([
    ['off', 'connecting'],
    ['connecting', 'off live waiting polling blocked'],
    ['live', 'off live waiting polling'],
    ['waiting', 'off connecting'],
    ['polling', 'off connecting live'],
    ['blocked', 'off connecting'],
  ])
})

/** The possible events of a live connection, at any moment. */
const acts = [
  'serve',
  'serve',
  'serve',
  'serve',
  'serve',
  'open',
  'ack',
  'pong',
  'fail',
  'complete',
  'event',
  'nonsense',
  'refuse',
  'no-stream',
  'close',
  'want',
  'retry',
  'restart',
  'pass',
  'sleep',
  'renew',
  'token',
  'secret',
] as const
const codes = [1000, 1006, 1011, 1012, 4400, 4401, 4403, 4429, 4500]
const act = fc.record({ what: fc.constantFrom(...acts), which: fc.nat({ max: 2 }), much: fc.nat({ max: 40_000 }) })

/** A token is good to the end of its minute. */
const minuteOf = (clock: { now(): number }) => Math.floor(clock.now() / 60_000)

function setUp() {
  const clock = manualClock()
  const { link, fars } = dialled()
  const log: string[] = []
  const world = { token: 1, secret: true, granted: true, renews: true, wanted: ['d1'], over: new Set<string>() }
  const subscribed = new Set<string>()
  const live = startLive({
    link,
    clock,
    random: () => 0.5,
    log: (_level, text) => log.push(text),
    url: 'wss://api.test/graphql',
    document: fixedDocument('subscription { device { id } }'),
    tokens: {
      async get() {
        if (!world.secret) throw new FaultError('no-secret')
        if (!world.granted) throw new FaultError('connect')
        return `t${world.token} ${minuteOf(clock)}`
      },
      renew: async () => `t${world.token}`,
      drop: () => {
        world.token += 1
      },
      prove: () => {},
      problem: () => null,
      redact: (text) => text,
      renewsAt: () => (world.renews ? (minuteOf(clock) + 1) * 60_000 : Infinity),
      stop: () => {},
    },
    onState: () => {},
    onEvent: () => {},
    onSubscriptionLost: () => {},
    onParked: () => {},
    onDoubt: () => {},
    onSubscribed: (devices) => {
      for (const id of devices) subscribed.add(id)
    },
  })
  return { clock, fars, log, world, live, subscribed }
}

type Given = ReturnType<typeof setUp>

async function happen(
  { clock, fars, world, live }: Given,
  { what, which, much }: { what: (typeof acts)[number]; which: number; much: number },
): Promise<void> {
  const far: Far | undefined = fars.filter((each) => !each.isClosed()).at(-1 - (which % 2))
  const last = far?.subscriptions().at(-1)
  switch (what) {
    case 'serve':
      return serve({ fars, clock })
    case 'open':
      return far?.open()
    case 'ack':
      return far?.say({ type: 'connection_ack' })
    case 'pong':
      return far?.say({ type: 'pong' })
    case 'fail':
      return far?.fail()
    case 'complete':
      return over(world, last, far, { type: 'complete' })
    case 'event':
      return last === undefined
        ? undefined
        : far?.say({ type: 'next', id: last, payload: { data: { deviceStream: { id: 'd1' } } } } as never)
    case 'nonsense':
      return far?.say({ type: 'hello' })
    case 'refuse':
      return over(world, last, far, { type: 'error', payload: [{ message: 'at most 300 ids' }] })
    case 'no-stream':
      return over(world, last, far, {
        type: 'error',
        payload: [{ message: 'Schema is not configured to execute subscription operation.' }],
      })
    case 'close':
      return far?.close(codes[much % codes.length] ?? 1006)
    case 'want':
      world.wanted = Array.from({ length: much % 1_200 }, (_, at) => `d${at + which * 300}`)
      return live.setDevices(new Map(world.wanted.map((id, at) => [id, `t${at % 3}`])))
    case 'retry':
      return live.retry()
    case 'restart':
      return live.restart({ kind: 'reset', detail: 'the computer slept' })
    case 'pass':
      return clock.advance(which === 0 ? much : much / 10)
    case 'sleep':
      return clock.jump(much * 100)
    case 'renew':
      return void (world.renews = which > 0)
    case 'token':
      return void (world.granted = which > 0)
    case 'secret':
      return void (world.secret = which > 0)
  }
}

/** The service does what it should, on each socket. */
async function serve({ fars, clock }: Pick<Given, 'fars' | 'clock'>): Promise<void> {
  for (const far of fars.filter((each) => !each.isClosed())) {
    if (far.sent.length === 0) {
      far.open()
      await settle()
      far.say({ type: 'connection_ack' })
      await settle()
    }
    await clock.advance(0)
    far.say({ type: 'pong' })
  }
}

/** The service ends a subscription. */
function over(
  { over: ended }: Given['world'],
  id: string | undefined,
  far: Far | undefined,
  message: { type: string; payload?: unknown },
): void {
  if (id === undefined) return
  ended.add(id)
  far?.say({ ...message, id } as never)
}

/** The devices subscribed to on the service's last socket. */
function heard({ fars, world }: Given): Set<string> {
  const sent = fars.at(-1)?.sent ?? []
  const left = new Set(sent.flatMap(({ type, id }) => (type === 'complete' ? String(id) : [])))
  const standing = sent.filter(
    ({ type, id }) => type === 'subscribe' && !left.has(String(id)) && !world.over.has(String(id)),
  )
  return new Set(
    standing.flatMap(({ payload }) => (payload as { variables: { deviceIds: string[] } }).variables.deviceIds),
  )
}

/** From here on the service is well: it opens, acknowledges and answers. */
async function heal({ clock, fars, world, live }: Given): Promise<void> {
  Object.assign(world, { granted: true, secret: true, renews: false })
  live.retry()
  for (let round = 0; round < 800; round += 1) {
    await serve({ fars, clock })
    await clock.advance(1_000)
    if (live.state().state === 'live' && round > 120) return
  }
}

const isChain = (log: readonly string[]) => {
  const moves = log.flatMap((line) => /^live: ([\w-]+) -> ([\w-]+)/.exec(line)?.slice(1, 3) ?? [])
  return moves.every((state, at) => at === 0 || at % 2 === 1 || moves[at - 1] === state)
}

test(
  'no order of events tries an impossible transition, and it is live again in the end',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (steps) => {
        const given = setUp()
        const { live, fars, log, clock, subscribed } = given
        live.setDevices(new Map([['d1', 't']]))
        for (const step of steps) {
          await happen(given, step)
          await settle()
        }
        await heal(given)
        expect(live.state().state).toBe('live')
        expect(isChain(log)).toBe(true)
        expect(fars.filter((each) => !each.isClosed())).toHaveLength(1)
        // What is wanted is told of, or said to be parked; and nothing is in doubt.
        const told = heard(given)
        expect(given.world.wanted.filter((id) => told.has(id) === live.parked().has(id))).toEqual([])
        expect([live.covers(), live.subscriptionLostSince()]).toEqual([true, null])
        live.setDevices(
          new Map([
            ['d1', 't'],
            ['new', 't'],
          ]),
        )
        subscribed.clear()
        for (let round = 0; round < 3; round += 1) {
          fars.at(-1)?.say({ type: 'pong' })
          await clock.advance(0)
        }
        fars.at(-1)?.say({ type: 'pong' })
        expect(subscribed.has('new')).toBe(true)
        live.stop()
        await settle()
        expect([log.at(-1), clock.pending()]).toEqual(['live: live -> off', 0])
      }),
      { numRuns: 200 },
    )
  },
)
