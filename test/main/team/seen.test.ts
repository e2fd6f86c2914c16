import { expect, test } from 'vitest'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { openSeen } from '../../../src-main/team/seen.ts'
import type { Team } from '../../../src-main/team/team.ts'
import { manualClock } from '../../support/clock.ts'

const state = (id: string): ConnectionState => ({
  id,
  name: 'Acme',
  demo: false,
  tokenUrl: 'https://a/token',
  graphqlUrl: 'https://a/graphql',
  subscriptionUrl: 'wss://a/graphql',
  clientId: 'c',
  hasCa: false,
  hasSubscription: false,
  portal: '',
  paused: false,
  secret: 'keychain',
  link: { state: 'live', since: 1 },
  sync: { state: 'idle' },
  lastEventAt: null,
  lastReadingAt: null,
  heardAt: null,
  faults: [],
  checks: [],
})

function setup() {
  const clock = manualClock(1_000_000)
  const kept = new Map<string, unknown>()
  const settings = {
    damaged: null,
    get: (key: string) => kept.get(key),
    set: (key: string, value: unknown) => void kept.set(key, value),
  }
  const told: unknown[] = []
  const team = {
    clock,
    operatorOf: (id: string) => (id === 'm' ? 'Anna' : null),
    member: () => 'self',
    tell: async (message: unknown) => void told.push(message),
  } as Pick<Team, 'clock' | 'operatorOf' | 'member' | 'tell'> as Team
  return { clock, told, seen: openSeen(clock, settings, team) }
}

const status = (member: string, ...ids: string[]) => ({
  is: 'status' as const,
  member,
  connections: ids.map(state),
  gauges: [],
  channels: [] as string[],
})

test('what a leader tells counts for 15 seconds, then nobody reads the connection', async () => {
  const { clock, seen } = setup()
  expect(seen.seen('c')).toBeNull()
  seen.heard(status('m', 'c'))
  expect(seen.seen('c')).toMatchObject({ operator: 'Anna', state: { id: 'c' } })
  await clock.advance(14_000)
  expect(seen.seen('c')).not.toBeNull()
  await clock.advance(2000)
  expect(seen.seen('c')).toBeNull()
})

test('a member that has opened its copy is told within a second, also of no change', async () => {
  const { clock, told, seen } = setup()
  const stop = seen.tell(
    () => ({ connections: [state('c')], gauges: [], channels: [] }),
    () => {},
  )
  await clock.advance(2000)
  expect(told).toHaveLength(1)
  seen.greeted()
  await clock.advance(1000)
  expect(told).toHaveLength(2)
  await clock.advance(1000)
  expect(told).toHaveLength(2)
  stop()
})

test('a secret is trusted with the addresses that it was typed for, and with no others', () => {
  const { seen } = setup()
  const record = {
    id: 'c',
    name: 'Acme',
    tokenUrl: 'https://a.example/token',
    graphqlUrl: 'https://a.example/graphql',
    subscriptionUrl: 'wss://a.example/graphql',
    clientId: 'x',
    ca: '',
    subscription: '',
    portal: '',
    paused: false,
  }
  expect(seen.trusts(record)).toBe(false)
  seen.pin(record)
  expect(seen.trusts({ ...record, name: 'Renamed', paused: true })).toBe(true)
  for (const change of [
    { tokenUrl: 'https://evil.example/token' },
    { graphqlUrl: 'https://evil.example/graphql' },
    { subscriptionUrl: 'wss://evil.example/graphql' },
    { ca: '-----BEGIN CERTIFICATE-----' },
    { id: 'other' },
  ])
    expect(seen.trusts({ ...record, ...change }), JSON.stringify(change)).toBe(false)
})

test('a leader tells at once of a change, and every five seconds of none', async () => {
  const { clock, told, seen } = setup()
  let connections = [state('c')]
  const stop = seen.tell(
    () => ({ connections, gauges: [], channels: [] }),
    () => {},
  )
  for (let second = 0; second < 4; second += 1) {
    await clock.advance(1000)
  }
  expect(told).toHaveLength(1)
  connections = [{ ...state('c'), paused: true }]
  await clock.advance(1000)
  expect(told).toHaveLength(2)
  stop()
  await clock.advance(60_000)
  expect(told).toHaveLength(2)
})

test('who sends the messages of a channel is known for 15 seconds, and not when it ends to', async () => {
  const { clock, seen } = setup()
  seen.heard({ ...status('m'), channels: ['night'] })
  expect([seen.senderOf('night'), seen.senderOf('day')]).toEqual(['Anna', null])
  seen.heard(status('m'))
  expect(seen.senderOf('night')).toBeNull()
  seen.heard({ ...status('m'), channels: ['night'] })
  await clock.advance(16_000)
  expect(seen.senderOf('night')).toBeNull()
})

test('a member that leads nothing more says so once', async () => {
  const { clock, told, seen } = setup()
  let channels: string[] = []
  seen.tell(
    () => ({ connections: [], gauges: [], channels }),
    () => {},
  )
  await clock.advance(10_000)
  expect(told).toHaveLength(0)
  channels = ['night']
  await clock.advance(1000)
  channels = []
  await clock.advance(20_000)
  expect(told).toMatchObject([{ channels: ['night'] }, { channels: [] }])
})

test('members that tell of connections read, until they tell of none, or nothing any more', async () => {
  const { clock, seen } = setup()
  seen.heard(status('m', 'c'))
  seen.heard(status('n', 'd'))
  expect(seen.readers()).toEqual(['m', 'n'])
  seen.heard(status('n'))
  expect(seen.readers()).toEqual(['m'])
  await clock.advance(15_001)
  expect(seen.readers()).toEqual([])
})
