import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, only, open, openWorld, stored, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

describe('in the journal', () => {
  test('a closed incident is stored as it was at its peak', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    await it.back(...it.ids('berlin').filter((one) => one !== 'berlin-c-4'))
    await it.clock.advance(5 * minute)
    expect(only(it)).toMatchObject({ id, scope: { shape: 'device' } })
    expect(titleOf(only(it))).toBe('Studio berlin-c-4 is offline')
    await it.back('berlin-c-4')
    await it.clock.advance(5 * minute)
    expect(open(it)).toEqual([])
    expect(stored(it, id)?.incident).toMatchObject({
      subject: 's:test/acme/berlin',
      value: {
        scope: { shape: 'node' },
        extent: { peak: 12, total: 12 },
        severity: 'critical',
        message: { kind: 'offline', count: 12, where: { kind: 'place', name: 'Berlin' } },
        closedAt: expect.any(Number),
      },
      searchText: expect.stringMatching(/^12 devices offline in Berlin\n/u),
    })
  })

  test('an unknown device is not called offline', async () => {
    const it = await world()
    await it.drop('york-a-1')
    await it.clock.advance(2 * minute)
    await it.blind('beta')
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ extent: { down: 0, unseen: 1 } })
    expect(titleOf(only(it))).toBe('Studio york-a-1 was offline when last seen')
    await it.see('beta')
    await it.clock.advance(2 * minute)
    expect(titleOf(only(it))).toBe('Studio york-a-1 is offline')
  })

  test('an incident is stored with its devices, their recoveries and its history', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    await it.back('berlin-a-1')
    await it.clock.advance(2 * minute)
    const members = it.calls().incidentMembers({ id, offset: 0, limit: 10 })
    expect(members.rows.map(({ name, recoveredAt }) => [name, recoveredAt !== null]).toSorted()).toEqual([
      ['Studio berlin-a-1', true],
      ['Studio berlin-a-2', false],
      ['Studio berlin-a-3', false],
    ])
    await it.back('berlin-a-2', 'berlin-a-3')
    await it.clock.advance(3 * minute)
    expect(stored(it, id)?.events.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['opened', 'notified', 'recovered', 'closed']),
    )
    expect(it.calls().closedIncidents({ text: 'room A', offset: 0, limit: 10 })).toMatchObject({ total: 1, all: 1 })
    expect(it.calls().recurrence({ subjects: ['m:test/acme/berlin/a'], since: 0 })).toEqual([1])
  })

  test('a full disk loses nothing of it', async () => {
    const it = await world()
    it.disk.full = true
    await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    await it.back(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(stored(it, id)).toBeNull()
    it.disk.full = false
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    expect(stored(it, id)?.incident.closedAt).not.toBeNull()
    expect(
      it
        .calls()
        .incidentMembers({ id, offset: 0, limit: 10 })
        .rows.every(({ recoveredAt }) => recoveredAt !== null),
    ).toBe(true)
  })

  test('a monitoring loss right after another one is stored as its own', async () => {
    const it = await world()
    const from = it.clock.now()
    await it.blind('beta')
    await it.clock.advance(10 * minute)
    await it.see('beta')
    await it.clock.advance(30 * second)
    const seenUntil = it.clock.now()
    await it.blind('beta')
    await it.clock.advance(10 * minute)
    const strip = it.calls().availability({
      subject: { device: keyOf('beta', 'york-a-1') },
      from,
      until: it.clock.now(),
      parts: 1,
      now: it.clock.now(),
    })
    expect(strip.parts[0]?.up).toBeGreaterThan(25 * second)
    expect(strip.parts[0]?.unseen).toBeGreaterThan(it.clock.now() - seenUntil - second)
  })

  test('monitoring losses are stored, each with its end', async () => {
    const it = await world()
    const from = it.clock.now()
    await it.blind('beta')
    await it.clock.advance(10 * minute)
    await it.see('beta')
    await it.clock.advance(10 * minute)
    const strip = it.calls().availability({
      subject: { device: keyOf('beta', 'york-a-1') },
      from,
      until: it.clock.now(),
      parts: 2,
      now: it.clock.now(),
    })
    expect(strip.parts.map(({ up, unseen }) => [up > 0, unseen > 0])).toEqual([
      [false, true],
      [true, expect.any(Boolean)],
    ])
  })

  test('a loss whose end fell into a crash ends when monitoring is restored', async () => {
    const it = await world()
    await it.blind('beta')
    await it.clock.advance(30 * second)
    // Seen again before it was told, and gone before that was weighed.
    await it.see('beta')
    await it.crash()
    await it.see('beta')
    await it.clock.advance(minute)
    const from = it.clock.now()
    await it.clock.advance(10 * minute)
    const strip = it.calls().availability({
      subject: { device: keyOf('beta', 'york-a-1') },
      from,
      until: it.clock.now(),
      parts: 1,
      now: it.clock.now(),
    })
    expect(strip.parts).toEqual([{ up: 10 * minute, down: 0, reported: 0, unseen: 0 }])
  })
})
