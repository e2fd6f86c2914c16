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
  whenLost,
  whenRead,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** The time from the service being ready until it is live again, ms. */
const mostMs = 30_000

/** Closes the socket and rejects so often. Returns the ms from the last rejection to being live, and the number of new tokens. */
async function rejected(
  contrary: NonNullable<ServiceOptions['contrary']>,
): Promise<{ took: number; freshTokens: number }> {
  const clock = acceleratedClock(5)
  const reference = await service(leftovers, { devices: 20, tenants: 1, profile: 'contrary', life: false })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const [lostAt, tokens] = [clock.now(), reference.tokensIssued()]
  reference.contrary.change(contrary)
  reference.misfortune.dropSockets(1006)
  await whenLost(muster)
  await until(() => expect(reference.contrary.answers()).toMatchObject({ upgradeRefusals: 0, initRefusals: 0 }), 60_000)
  const ready = clock.now()
  // It may have been live before this was seen: so the moment counts from the loss.
  const { link } = await whenConnection(muster, (state) => state.link.state === 'live' && state.link.since > lostAt)
  await until(() => expect(reference.subscribedIds()).toHaveLength(20))
  return { took: ('since' in link ? link.since : Infinity) - ready, freshTokens: reference.tokensIssued() - tokens }
}

const [once, thrice] = [1, 3]

test.each([
  [401, once],
  [401, thrice],
  [403, once],
  [403, thrice],
  [429, once],
  [429, thrice],
  [500, once],
  [500, thrice],
  [503, once],
  [503, thrice],
] as const)(
  'an upgrade answered with %i, %i times: live half a minute after it is accepted',
  async (upgradeRefusalStatus, times) => {
    const { took, freshTokens } = await rejected({ upgradeRefusals: times, upgradeRefusalStatus })
    expect(took).toBeLessThan(mostMs)
    expect(freshTokens).toBe(upgradeRefusalStatus === 401 || upgradeRefusalStatus === 403 ? times : 0)
  },
  60_000,
)

test.each([
  [4401, once],
  [4401, thrice],
  [4403, once],
  [4403, thrice],
  [4400, once],
  [4408, once],
  [4429, once],
  [1011, once],
  [1013, once],
] as const)(
  'a token request answered with %i, %i times: live half a minute after it is accepted',
  async (initRefusalCode, times) => {
    const { took, freshTokens } = await rejected({ initRefusals: times, initRefusalCode })
    expect(took).toBeLessThan(mostMs)
    expect(freshTokens).toBe(initRefusalCode === 4401 || initRefusalCode === 4403 ? times : 0)
  },
  60_000,
)
