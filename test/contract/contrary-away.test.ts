import { afterEach, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/service.ts'
import {
  connectionTo,
  createLeftovers,
  acceleratedClock,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** The longest delay of a retry beyond the wait that the service asked for, ms of the accelerated clock. */
const slackMs = 20_000

/** A connection is made to a service that answers so. */
async function setup(contrary: NonNullable<ServiceOptions['contrary']>, factor = 10) {
  const clock = acceleratedClock(factor)
  const reference = await service(leftovers, {
    devices: 60,
    tenants: 2,
    profile: 'contrary',
    life: false,
    now: clock.now,
    contrary,
  })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  const begun = clock.now()
  await muster.call('connections.save', connectionTo(reference))
  return { clock, reference, muster, begun }
}

test.each([503, 502, 504] as const)(
  'queries answered with %i by a gateway wait until the service is back',
  async (awayStatus) => {
    const { clock, reference, muster, begun } = await setup({})
    await whenRead(muster)
    await whenConnection(muster, ({ link, sync }) => link.state === 'live' && sync.state === 'idle')
    const changed = clock.now()
    reference.contrary.change({ awayFor: 1, awayStatus, awaySeconds: 60 })
    const { id } = await whenConnection(muster, () => true)
    await muster.call('connections.retry', { id })
    const state = await whenConnection(muster, ({ sync }) => sync.state === 'holding')
    expect(state.sync).toMatchObject({ why: 'service' })
    const until = state.sync.state === 'holding' ? state.sync.until : 0
    expect(until - changed).toBeGreaterThanOrEqual(60_000)
    const { gauges } = await muster.call('app.state', {})
    expect(gauges).toMatchObject([{ rejections: { count: 0 } }])
    expect(new Set(gauges[0]?.waits.map(({ why }) => why))).toEqual(new Set(['service']))
    expect(gauges[0]?.remaining).toBeGreaterThan(50_000)
    const read = await whenConnection(muster, ({ lastReadingAt }) => (lastReadingAt ?? 0) > changed)
    expect((read.lastReadingAt ?? 0) - changed).toBeGreaterThanOrEqual(60_000)
    expect((read.lastReadingAt ?? 0) - changed).toBeLessThan(60_000 + slackMs)
    expect([read.faults, changed > begun]).toEqual([[], true])
  },
  60_000,
)

test('a manual refresh does not wait for the service', async () => {
  const { clock, reference, muster } = await setup({})
  await whenRead(muster)
  await whenConnection(muster, ({ link, sync }) => link.state === 'live' && sync.state === 'idle')
  const changed = clock.now()
  reference.contrary.change({ awayFor: 1, awayStatus: 503, awaySeconds: 280 })
  const { id } = await whenConnection(muster, () => true)
  await muster.call('connections.retry', { id })
  await whenConnection(muster, ({ sync }) => sync.state === 'holding')
  await muster.call('sync.start', { scope: 'all' })
  const read = await whenConnection(muster, ({ lastReadingAt }) => (lastReadingAt ?? 0) > changed)
  expect((read.lastReadingAt ?? 0) - changed).toBeLessThan(200_000)
}, 60_000)

test.each([
  [503, 60, 60_000],
  [429, 60, 60_000],
  [429, 0, 10_000],
] as const)(
  'a token endpoint that answers %i with a wait of %i s is not asked for that long',
  async (awayStatus, awaySeconds, ms) => {
    const { reference, muster, begun } = await setup({ tokenAwayFor: 2, awayStatus, awaySeconds })
    const waiting = await whenConnection(muster, ({ checks }) => checks[1]?.state === 'doubt')
    expect(waiting.checks[1]?.detail).toBe('The service is unavailable, and asks to wait.')
    const live = await whenConnection(muster, ({ link }) => link.state === 'live')
    const since = live.link.state === 'live' ? live.link.since : 0
    expect(since - begun).toBeGreaterThanOrEqual(2 * ms)
    expect(since - begun).toBeLessThan(2 * ms + 2 * slackMs)
    await until(() => expect(reference.tokensIssued()).toBe(1))
    await whenRead(muster)
  },
  60_000,
)

test.each([503, 429] as const)(
  'an upgrade rejected with %i and a wait is retried then, and by hand at once',
  async (upgradeRefusalStatus) => {
    const { clock, reference, muster, begun } = await setup({
      upgradeRefusals: 1,
      upgradeRefusalStatus,
      awaySeconds: 60,
    })
    const live = await whenConnection(muster, ({ link }) => link.state === 'live')
    const since = live.link.state === 'live' ? live.link.since : 0
    expect(since - begun).toBeGreaterThanOrEqual(60_000)
    expect(since - begun).toBeLessThan(60_000 + slackMs)
    await whenConnection(muster, ({ sync }) => sync.state === 'idle')
    const lost = clock.now()
    reference.contrary.change({ upgradeRefusals: 1, upgradeRefusalStatus, awaySeconds: 280 })
    reference.misfortune.dropSockets(1006)
    const { id } = await whenConnection(muster, ({ faults }) =>
      faults.some(({ fault }) => fault.detail.endsWith('asks to wait 280 s')),
    )
    await muster.call('connections.retry', { id })
    await until(() => expect(reference.subscribedIds()).toHaveLength(60))
    expect(clock.now() - lost).toBeLessThan(200_000)
  },
  60_000,
)
