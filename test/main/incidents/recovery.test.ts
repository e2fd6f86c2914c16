import { afterEach, describe, expect, test } from 'vitest'
import { backOf, recoveringFrom, type Drop, type DownDrop } from '../../../src-main/incidents/engine/drops/drop.ts'
import { applyTransitions } from '../../../src-main/incidents/engine/drops/transitions.ts'
import { alertRulesOf } from '../../../src-main/incidents/engine/rules.ts'
import type { PolicyState } from '../../../src-main/policies/policy-state.ts'
import { emptyState } from '../../../src-main/incidents/engine/state.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { only, openWorld, stored, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

const membersOf = (it: World, id: string) => it.calls().incidentMembers({ id, offset: 0, limit: 50 }).rows
/** The incident as the journal stores it. */
const valueOf = (it: World, id: string) => stored(it, id)?.incident.value

const policies: PolicyState = {
  nodes: new Map(),
  maintenanceAt: () => null,
  maintenanceUntil: () => null,
  endedMaintenance: () => null,
}

test("an event after a reconciliation corrects the recovery's time unless it was notified", () => {
  const drop: DownDrop = {
    kind: 'down',
    key: 'd',
    at: 1_000,
    notBefore: null,
    thresholds: null,
    incident: 'i',
    lastDrop: null,
    notified: true,
    droppedAgain: false,
    expected: null,
  }
  const back = { at: 5_100, notBefore: 1_000 }
  const state = {
    ...emptyState,
    drops: new Map<string, Drop>([
      ['d', recoveringFrom(drop, back)],
      [
        'e',
        {
          kind: 'recovered',
          key: 'e',
          at: 1_000,
          notBefore: null,
          thresholds: null,
          incident: 'i',
          lastDrop: null,
          back,
        },
      ],
    ]),
  }
  const transition = (key: string, notBefore: number | null) => ({ key, at: 5_000, connected: true, notBefore })
  const after = (key: string, notBefore: number | null) => {
    const found = applyTransitions(
      state,
      [transition(key, notBefore)],
      6_000,
      alertRulesOf(defaultSettings(false), policies),
    ).state.drops.get(key)
    const time = found && backOf(found)
    return [time?.notBefore, time?.at]
  }
  expect([after('d', null), after('d', 4_000), after('d', 500), after('e', null)]).toEqual([
    [null, 5_000],
    [4_000, 5_000],
    [1_000, 5_100],
    [1_000, 5_100],
  ])
})

test('an unseen start stays unknown when a later drop joins', async () => {
  const it = await world({ notifyMonitoringLost: false })
  await it.blind('acme')
  await it.clock.advance(20 * minute)
  it.setUnreported(false, ...it.ids('berlin').filter((id) => id !== 'berlin-c-4'))
  await it.see('acme')
  await it.clock.advance(2 * minute)
  expect(only(it).extent.since).toBeNull()
  await it.drop('berlin-c-4')
  await it.clock.advance(2 * minute)
  expect(only(it)).toMatchObject({ extent: { down: 12, since: null } })
})

describe('an unseen recovery', () => {
  test('lies between the last moment the device was known down and the one it was found up', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    const blindAt = it.clock.now()
    await it.blind('acme')
    await it.clock.advance(20 * minute)
    it.lines()
    it.setUnreported(true, ...it.ids('berlin'))
    const seenAt = it.clock.now()
    await it.see('acme')
    await it.clock.advance(10 * minute)
    expect(
      new Set(membersOf(it, id).map(({ recoveredNotBefore, recoveredAt }) => `${recoveredNotBefore} ${recoveredAt}`)),
    ).toEqual(new Set([`${blindAt} ${seenAt}`]))
    expect(valueOf(it, id)).toMatchObject({
      closedAt: expect.any(Number),
      recovery: { last: { from: blindAt, at: seenAt } },
    })
  })

  test('is notified with that span; a seen one has none', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await it.drop('rome-a-1', 'rome-b-1')
    await it.clock.advance(2 * minute)
    await it.blind('acme')
    await it.clock.advance(20 * minute)
    it.lines()
    it.setUnreported(true, 'rome-a-1')
    await it.see('acme')
    await it.clock.advance(2 * minute)
    expect(it.lines()).toEqual([
      'Studio rome-a-1 is back | Room a, Rome, Acme. It came back between 03:02 UTC and 03:22 UTC, while monitoring was lost.',
    ])
    await it.back('rome-b-1')
    await it.clock.advance(2 * minute)
    expect(it.lines()).toEqual(['Studio rome-b-1 is back | Room b, Rome, Acme.'])
  })

  test('survives a restart between its discovery and its notification', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    const blindAt = it.clock.now()
    await it.blind('acme')
    await it.clock.advance(20 * minute)
    it.setUnreported(true, ...it.ids('berlin'))
    await it.see('acme')
    const seenAt = it.clock.now()
    await it.clock.advance(10 * second)
    await it.restart()
    await it.see()
    await it.clock.advance(10 * minute)
    expect(valueOf(it, id)).toMatchObject({
      closedAt: expect.any(Number),
      recovery: { last: { from: blindAt, at: seenAt } },
    })
    expect(membersOf(it, id).every(({ recoveredNotBefore }) => recoveredNotBefore === blindAt)).toBe(true)
  })

  test('ends no incident whose last device was seen to recover', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    await it.blind('beta')
    await it.clock.advance(5 * minute)
    it.setUnreported(true, 'london-a-1')
    await it.see('beta')
    await it.clock.advance(5 * minute)
    const backAt = it.clock.now()
    await it.back('london-a-2', 'london-a-3')
    await it.clock.advance(5 * minute)
    expect(valueOf(it, id)).toMatchObject({
      closedAt: expect.any(Number),
      recovery: { last: { from: backAt, at: backAt } },
    })
  })

  test('is not assumed for a device that the service no longer lists', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await it.drop('london-a-1', 'london-a-2', 'london-a-3')
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    await it.blind('beta')
    await it.clock.advance(5 * minute)
    it.setUnreported(true, 'london-a-1', 'london-a-2')
    await it.see('beta')
    await it.clock.advance(5 * minute)
    await it.remove('london-a-3')
    const goneAt = it.clock.now()
    await it.clock.advance(5 * minute)
    const { last } = (valueOf(it, id) as { recovery: { last: { from: number; at: number } } }).recovery
    expect([last.from === last.at, last.at >= goneAt]).toEqual([true, true])
  })
})
