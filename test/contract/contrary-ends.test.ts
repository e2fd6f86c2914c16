import { afterEach, expect, test } from 'vitest'
import type { Clock } from '../../src-shared/lib/clock.ts'
import {
  connectionTo,
  createLeftovers,
  acceleratedClock,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenLost,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** From the service's being ready until it is live again, ms. */
const mostMs = 30_000

async function setup() {
  const clock = acceleratedClock(5)
  const reference = await service(leftovers, { devices: 20, tenants: 1, profile: 'contrary', life: false })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  return { clock, reference, muster }
}

/** Live, from a moment after this one on, and how long that took. */
async function liveAfter(muster: Console, clock: Clock, ready: number): Promise<number> {
  const { link } = await whenConnection(muster, (state) => state.link.state === 'live' && state.link.since >= ready)
  return ('since' in link ? link.since : clock.now()) - ready
}

test.each([1001, 1006, 1011, 1012, 1013, 4400, 4401, 4403, 4408, 4409, 4429, 4500])(
  'a socket closed with %i is live again within half a minute',
  async (code) => {
    const { clock, reference, muster } = await setup()
    const [ready, tokens] = [clock.now(), reference.tokensIssued()]
    reference.misfortune.dropSockets(code)
    await whenLost(muster)
    expect(await liveAfter(muster, clock, ready)).toBeLessThan(mostMs)
    expect(reference.tokensIssued()).toBe(tokens + (code === 4401 || code === 4403 ? 1 : 0))
    await until(() => expect(reference.subscribedIds()).toHaveLength(20))
  },
)
