import { afterEach, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { createStateStore } from '../../../src-main/incidents/stored/state-store.ts'
import { emptyState } from '../../../src-main/incidents/engine/state.ts'
import type { AlertsDelta } from '../../../src-main/storage/journal/alerts.ts'
import { manualClock } from '../../support/clock.ts'
import { changeOpen, known, only, openWorld, usual } from './world.ts'

/* Another member of the team erases a connection while this one evaluates: nothing of it is written again. */

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

async function world() {
  const it = await openWorld(leftovers, usual)
  it.carryOut('shareConnection', { id: 'c' })
  await it.alerts().readAgain()
  return {
    ...it,
    erase: () => it.carryOut('forget', { connection: 'c' }),
    stored: () => it.calls().alerts({ since: 0 }),
  }
}
const nothing = { drops: [], incidents: [], notifications: [], outbox: [] }

test('a drop in its hold-off is not written, and nothing is notified', async () => {
  const { drop, clock, erase, stored, titles } = await world()
  await drop('rome-a-1')
  await clock.advance(30_000)
  erase()
  await clock.advance(10 * minute)
  expect(stored()).toMatchObject(nothing)
  expect(titles()).toEqual([])
})

test('what the operator does in that moment is done on what is left', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(10 * minute)
  expect(only(it).id).not.toBe('')
  it.erase()
  await it.alerts().pause(10)
  expect(it.alerts().notifications().pausedUntil).not.toBeNull()
  expect(it.stored()).toMatchObject({ ...nothing, pause: { since: it.clock.now() } })
})

test('an incident that is acknowledged in that moment does not come back', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(10 * minute)
  const { id } = only(it)
  it.erase()
  await changeOpen(it, known(it))
  await it.clock.advance(minute)
  expect(it.stored()).toMatchObject(nothing)
  expect(it.calls().storedIncident({ id })).toBeNull()
  expect(it.alerts().state().incidents.size).toBe(0)
})

test('the end of Muster in that moment writes nothing of it', async () => {
  const it = await world()
  it.disk.full = true
  await it.drop('rome-a-1')
  await it.clock.advance(10 * minute)
  it.erase()
  it.disk.full = false
  await it.alerts().stop()
  expect(it.stored()).toMatchObject(nothing)
})

test('a copy that begins counts from its first row, and a Muster on its own has none', async () => {
  for (const [inTeam, after] of [
    [true, 0],
    [false, undefined],
  ] as const) {
    const it = await openWorld(leftovers, usual)
    const written: AlertsDelta[] = []
    const data = {
      alerts: async (input: { since: number }) => it.calls().alerts(input),
      saveAlerts: async (delta: AlertsDelta) => ({ action: written.push(delta) }),
    }
    const store = createStateStore(data, manualClock(), inTeam)
    await store.read(0)
    store.take([{ key: 'x/t/d', at: 5, notBefore: null, connected: true }])
    await store.write(emptyState, { utc: true })
    expect(written.map((delta) => delta.after)).toEqual([after])
  }
})
