import type { Message } from '../../../src-shared/model/messages.ts'
import { searchText } from '../../../src-shared/text/messages.ts'
import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { clampFutureTimes } from '../../../src-main/incidents/engine/clamp-future-times.ts'
import { isBlocked } from '../../../src-main/incidents/engine/drops/drop.ts'
import type { State } from '../../../src-main/incidents/engine/state.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { only, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Every moment in a state by its path, such as "incidents.3.telling.at". Numbers outside of this century are no moments. */
function momentsIn(value: unknown, way = ''): [string, number][] {
  if (typeof value === 'number') return value > Date.UTC(2000) && Number.isFinite(value) ? [[way, value]] : []
  if (value instanceof Map) return [...value.values()].flatMap((one, at) => momentsIn(one, `${way}.${at}`))
  if (Array.isArray(value)) return value.flatMap((one, at) => momentsIn(one, `${way}.${at}`))
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) => momentsIn(one, `${way}.${name}`))
    : []
}

const fieldsOf = (moments: readonly [string, number][]): string[] =>
  [...new Set(moments.map(([way]) => way.replaceAll(/\.\d+/gu, '').slice(1)))].sort()

/** A fleet with a bit of everything: notified, acknowledged, snoozed, recovered, flapping, in maintenance, unknown, paused. */
async function busy(): Promise<World> {
  const it = await openWorld(leftovers, usual, {})
  const until = it.clock.now() + 24 * hour
  it.policies.maintenanceAt = (path) =>
    path.includes('s:test/acme/paris') ? { id: 'q', name: 'Patching', node: 's:test/acme/paris', until } : null
  it.policies.maintenanceUntil = () => until
  await it.drop(...it.ids('paris'))
  await it.drop(...it.ids('berlin'))
  await it.clock.advance(2 * minute)
  const berlin = [...it.alerts().state().incidents.values()].find((one) => titleOf(one).endsWith('in Berlin'))
  await it.alerts().mark([
    {
      id: berlin?.id ?? '',
      acknowledged: { at: it.clock.now(), reason: 'Known' },
      snoozed: { at: it.clock.now(), until: it.clock.now() + 5 * hour },
      assigned: { at: it.clock.now(), to: 'Ann', by: 'Ben' },
    },
  ])
  await it.drop('rome-a-1', 'rome-a-2', 'london-a-1', 'london-a-2', 'london-a-3')
  await it.clock.advance(2 * minute)
  for (let n = 0; n < 6; n += 1) await (n % 2 === 0 ? it.drop('oslo-a-1') : it.back('oslo-a-1'))
  await it.back('berlin-a-1', 'rome-a-1', 'london-a-1')
  await it.clock.advance(3 * minute)
  await it.back('rome-a-2', ...it.ids('berlin').slice(1, 9))
  await it.blind('beta')
  await it.clock.advance(2 * minute)
  await it.alerts().pause(60)
  await it.drop('oslo-a-2')
  await it.back('berlin-c-4')
  await it.clock.advance(10 * second)
  return it
}

describe('a state of a clock that was ahead', () => {
  test('has no moment after now except those until which something lasts', async () => {
    const it = await busy()
    const state = it.alerts().state()
    const now = it.clock.now() - 3 * hour
    const before = momentsIn(state)
    // All of these are in it, or this test shows nothing.
    for (const field of [
      'drops.at',
      'drops.back.at',
      'flaps.times',
      'incidents.openedAt',
      'incidents.grewAt',
      'incidents.changedAt',
      'incidents.delivery.notifiedAt',
      'incidents.delivery.recoveryNotifiedAt',
      'incidents.extent.since',
      'incidents.recovery.last.at',
      'incidents.operator.acknowledged.at',
      'incidents.operator.snoozed.at',
      'incidents.operator.snoozed.until',
      'incidents.operator.assigned.at',
      'incidents.delivery.reason.at',
      'incidents.largest.extent.since',
      'incidents.message.since',
      'incidents.largest.message.since',
      'notifications.content.at',
      'notifications.firstAt',
      'notifications.content.message.since',
      'monitoringLost.noticedAt',
      'monitoringLost.since',
      'lastLostAt',
      'pause.since',
      'pause.until',
      'maintenanceRuns.until',
    ])
      expect(fieldsOf(before)).toContain(field)
    const after = momentsIn(clampFutureTimes(state, now)).filter(([, at]) => at > now)
    // `monitoringLost.lostAt` is the key of a loss in the journal: its end has to find it.
    expect(fieldsOf(after)).toEqual([
      'incidents.operator.snoozed.until',
      'maintenanceRuns.until',
      'monitoringLost.lostAt',
      'pause.until',
    ])
  })

  test('lasts as long as it was to', async () => {
    const it = await busy()
    const state = it.alerts().state()
    const now = it.clock.now() - 3 * hour
    const after = clampFutureTimes(state, now)
    const snoozeOf = ({ incidents }: State) =>
      [...incidents.values()].flatMap(({ operator: { snoozed } }) =>
        snoozed === null ? [] : [(snoozed.until ?? 0) - snoozed.at],
      )
    expect(snoozeOf(after)).toEqual(snoozeOf(state))
    expect(snoozeOf(after)).toEqual([5 * hour])
    expect((after.pause?.until ?? 0) - (after.pause?.since ?? 0)).toBe(hour)
  })

  test('ends all waits, and no maintenance report waits longer than it would', async () => {
    const it = await busy()
    const now = it.clock.now()
    const [ahead, early] = [now + 3 * hour, now - hour]
    const unseenDrops = { keys: ['k'], from: early, until: ahead, settledAt: ahead }
    const state: State = {
      ...it.alerts().state(),
      deferredUntil: ahead,
      maintenanceRuns: new Map([
        ['h', { id: 'h', name: 'Patching', node: 'all', until: ahead, endedAt: ahead, keys: ['k'], unseenDrops }],
      ]),
      maintenanceReports: [
        {
          id: 'h',
          name: 'Patching',
          at: ahead,
          message: { kind: 'text', title: [], body: [ahead] },
          about: [],
        },
      ],
    }
    const after = clampFutureTimes(state, now)
    expect([...after.drops.values()].some(isBlocked)).toBe(false)
    expect([...after.monitoringLost.values()].every(({ waitUntil }) => waitUntil === 0)).toBe(true)
    expect([...after.maintenanceRuns.values()]).toEqual([
      {
        id: 'h',
        name: 'Patching',
        node: 'all',
        until: now + minute,
        endedAt: now,
        keys: ['k'],
        unseenDrops: { keys: ['k'], from: early, until: now, settledAt: now + minute },
      },
    ])
    expect(after.maintenanceReports).toMatchObject([{ at: now, message: { body: [now] } }])
    expect(after.deferredUntil).toBe(now)
  })

  test('changes nothing that lies before now', async () => {
    const it = await busy()
    const state = it.alerts().state()
    const now = it.clock.now()
    const moments = (of: State) => momentsIn(of).filter(([way]) => !way.endsWith('waitUntil'))
    expect(moments(clampFutureTimes(state, now))).toEqual(moments(state))
  })
})

/** The instants of which a message speaks. */
function instants(message: Message): number[] {
  const all: number[] = []
  searchText(message, (at) => String(all.push(at)))
  return all
}

test('an incident opened while the clock was ahead is listed with a past time', async () => {
  const it = await openWorld(leftovers, usual, {})
  it.clock.jump(3 * hour)
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  it.clock.jump(-3 * hour)
  it.alerts().recheck()
  await it.clock.advance(minute)
  const now = it.clock.now()
  const { openedAt, extent, message, delivery } = only(it)
  expect(
    [openedAt, extent.since, delivery.notifiedAt, ...instants(message)].every((at) => at !== null && at <= now),
  ).toBe(true)
  expect(
    it.notifications.at(-1)?.recent.every((told) => told.at <= now && instants(told.message).every((at) => at <= now)),
  ).toBe(true)
})

test('a clock that was ahead when Muster ended delays nothing at the next start', async () => {
  const it = await openWorld(leftovers, usual, {})
  it.clock.jump(5 * hour)
  await it.drop(...it.ids('paris'))
  await it.clock.advance(2 * minute)
  await it.drop('london-a-1')
  await it.clock.advance(20 * second)
  await it.alerts().pause(10)
  it.titles()
  await it.restart(() => it.clock.jump(-5 * hour))
  expect((it.alerts().notifications().pausedUntil ?? 0) - it.clock.now()).toBeLessThanOrEqual(10 * minute)
  await it.alerts().pause(0)
  await it.see()
  await it.clock.advance(10 * minute)
  expect(it.titles()).toEqual(['Studio london-a-1 is offline'])
  await it.drop(...it.ids('rome'))
  await it.clock.advance(10 * minute)
  expect(it.titles()).toEqual([expect.stringMatching(/offline in (Rome|Acme)$/u)])
})

test('changes with a future time make nothing flap that does not', async () => {
  const it = await openWorld(leftovers, usual, {})
  it.clock.jump(3 * hour)
  await it.drop('rome-a-1')
  await it.back('rome-a-1')
  await it.clock.advance(40 * minute)
  it.clock.jump(-3 * hour)
  await it.drop('rome-a-1')
  await it.clock.advance(second)
  await it.back('rome-a-1')
  await it.clock.advance(second)
  await it.drop('rome-a-1')
  await it.clock.advance(10 * minute)
  expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
})
