import { afterEach, expect, test } from 'vitest'
import { silenceOf } from '../../../src-main/alerts/silence.ts'
import { isItMe, whyOf } from '../../../src-main/alerts/why.ts'
import type { Check, ConnectionState } from '../../../src-shared/model.ts'
import { createLeftovers } from '../../support/estate.ts'
import { keyOf, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

/** Of all that is open. */
function why({ alerts, clock }: World): string[][] {
  const state = alerts().state()
  return [...state.incidents.values()].filter(({ closedAt }) => closedAt === null)
    .map((incident) => whyOf(incident, silenceOf(state, alerts().rules(), incident, clock.now()), alerts().rules()))
}

test('a place says by which figures it is down, how bad that is, and that it was told', async () => {
  const it = await openWorld(leftovers, usual)
  await it.drop(...it.ids('berlin').slice(1))
  await it.clock.advance(2 * minute)
  expect(why(it)).toEqual([[
    'At most 11 of 12 devices known in Berlin were down, 92 %. From 3 devices and 60 % on, the place is what is down. Each was down for longer than the 90 s that a device may be down.',
    'It is critical because a whole site is down.', 'It was told.',
  ]])
})

test('a device on the watch list, with a hold-off of its place, that was acknowledged', async () => {
  const it = await openWorld(leftovers, usual, { watched: [keyOf('acme', 'rome-a-1')] })
  it.laid.nodes = new Map([['s:test/acme/rome', { holdOffSeconds: 300 }]])
  await it.drop('rome-a-1')
  await it.clock.advance(6 * minute)
  await it.alerts().mark([...it.alerts().state().incidents.keys()].map((id) => ({ id, acknowledged: { at: 1, reason: 'Known' } })))
  expect(why(it)).toEqual([[
    'It has been down for longer than the 5 min that a device may be down.', 'It is critical because something on the watch list is in it.',
    'It is acknowledged: as long as it stays in its place, only its end is told.',
  ]])
})

test('what a pause, a setting and a quiet window keep from being told', async () => {
  const paused = await openWorld(leftovers, usual)
  await paused.alerts().pause(60)
  await paused.drop('rome-a-1')
  await paused.clock.advance(2 * minute)
  const off = await openWorld(leftovers, usual, { tellOffline: false, holdOffSeconds: 0 })
  await off.drop('rome-a-1')
  await off.clock.advance(minute)
  const quiet = await openWorld(leftovers, usual)
  quiet.laid.quietAt = () => ({ id: 'q', name: 'Patching', node: 'all', until: Infinity })
  quiet.laid.quietUntil = () => Infinity
  await quiet.drop('rome-a-1')
  await quiet.clock.advance(2 * minute)
  expect([paused, off, quiet].map((it) => why(it)[0]?.at(-1))).toEqual([
    'Notifications are paused: it is told with all others when that is over.', 'Notifications about devices were switched off when it began.',
    'It began in the quiet window Patching: it is told in the report at the end of that.',
  ])
  expect(why(off)[0]?.[0]).toBe('It went down, and no drop is waited for here.')
})

test('whether it is Muster', () => {
  const check = (name: Check['check'], state: Check['state'], detail = ''): Check => ({ check: name, state, since: null, detail })
  const connection = (name: string, ...checks: Check[]) => ({ name, checks }) as ConnectionState
  expect(isItMe([])).toBe('No connection of yours sees it any more.')
  expect(isItMe([connection('EU', check('link', 'ok'))])).toBe('It is not Muster: link, token, heartbeat, clock and balance are in order.')
  expect(isItMe([connection('EU', check('link', 'ok'), check('balance', 'doubt', 'No points are left.')), connection('US', check('token', 'doubt', 'x'), check('clock', 'doubt', 'x'))]))
    .toBe('It may be Muster: the balance of EU is in doubt. No points are left. So is the token of US and the clock of US.')
})
