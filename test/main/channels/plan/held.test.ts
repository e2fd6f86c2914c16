import { afterEach, expect, test } from 'vitest'
import { everyRule, mailChannel, webhookChannel } from '../../../support/channels.ts'
import { createLeftovers } from '../../../support/fleet.ts'
import { usual } from '../../incidents/world.ts'
import { openChannelWorld, type ChannelWorld } from '../world.ts'

/* What is held must not hold up the ends, acknowledgements and recoveries of what was told before. */

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000
const hour = 60 * minute
const rule = everyRule({
  hours: { days: [0, 1, 2, 3, 4, 5, 6], from: '08:00', until: '18:00' },
  zone: 'Europe/Berlin',
})

const waiting = async (it: ChannelWorld) => {
  const query = { state: 'waiting' as const, incident: null, offset: 0, limit: 100 }
  return (await it.channels().handlers['channels.deliveries'](query)).rows.map(({ action }) => action)
}

/** An incident that was told at 17:00, and became worse at 20:00, which waits for 8:00. It is 7:40 now. */
async function worseAtNight(): Promise<ChannelWorld> {
  const it = await openChannelWorld(leftovers, usual, [
    webhookChannel({ id: 'pager', name: 'Pager', format: 'pagerduty', rule }),
    mailChannel({ from: 'mail@example.com', rule }),
  ])
  await it.clock.advance(13 * hour)
  await it.drop('rome-a-1')
  await it.clock.advance(3 * hour)
  expect([it.lines('pager'), it.lines('mail')]).toEqual([
    ['trigger Studio rome-a-1 is offline'],
    ['Studio rome-a-1 is offline'],
  ])
  it.settings.watched = ['test/acme/rome-a-1']
  it.runner().recheck()
  await it.clock.advance(11 * hour + 40 * minute)
  expect(await waiting(it)).toEqual(['trigger', 'notify'])
  return it
}

const recovered = [['resolve'], ['Studio rome-a-1 is back']]
const linesOf = (it: ChannelWorld) => [it.lines('pager'), it.lines('mail')]

test('an acknowledgement, while somebody has taken it', async () => {
  const it = await worseAtNight()
  const assigned = { at: it.clock.now(), to: 'Ann', by: 'Ben' }
  await it.runner().mark(it.open().map(({ id }) => ({ id, assigned })))
  await it.clock.advance(hour)
  expect(linesOf(it)).toEqual([[], []])
  await it.acknowledge()
  await it.clock.advance(minute)
  expect(it.lines('pager')).toEqual(['acknowledge'])
})

test('an end, during a pause', async () => {
  const it = await worseAtNight()
  await it.runner().pause(24 * 60)
  await it.clock.advance(hour)
  await it.back('rome-a-1')
  await it.clock.advance(10 * minute)
  expect(it.lines('pager')).toEqual(['resolve'])
  expect(await waiting(it)).toEqual([])
})

test('an end and a recovery, while outages are switched off', async () => {
  const it = await worseAtNight()
  it.settings.notifyOffline = false
  it.runner().recheck()
  await it.clock.advance(hour)
  expect(linesOf(it)).toEqual([[], []])
  await it.back('rome-a-1')
  await it.clock.advance(10 * minute)
  expect(linesOf(it)).toEqual(recovered)
  expect(await waiting(it)).toEqual([])
})

test('a recovery that waits is dropped where recoveries are switched off by then', async () => {
  const it = await worseAtNight()
  await it.back('rome-a-1')
  await it.clock.advance(5 * minute)
  it.settings.notifyRecovered = false
  it.runner().recheck()
  await it.clock.advance(hour)
  expect(linesOf(it)).toEqual([['resolve'], []])
  const { rows } = it.calls().deliveries({ state: 'dropped', incident: null, offset: 0, limit: 100 })
  expect(rows.map((row) => (row as { reason: string }).reason)).toContain(
    'Notifications of this kind were switched off.',
  )
})
