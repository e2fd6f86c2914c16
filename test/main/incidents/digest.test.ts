import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (): Promise<World> => openWorld(leftovers, usual)
const second = 1_000
const minute = 60 * second
const idFilter = (ids: readonly string[]) => `id:${ids.join()}`

describe('a pause', () => {
  test('holds everything back and notifies it in one summary at its end', async () => {
    const { drop, back, ids, alerts, clock, lines, sent } = await world()
    await drop('york-a-1')
    await clock.advance(5 * minute)
    lines()
    await alerts().pause(60)
    expect(alerts().notifications().pausedUntil).toBe(clock.now() + 60 * minute)
    await drop(...ids('berlin'), 'rome-a-1', 'oslo-a-1')
    await back('york-a-1')
    await clock.advance(10 * minute)
    await back('oslo-a-1')
    await clock.advance(49 * minute)
    expect(lines()).toEqual([])
    await clock.advance(2 * minute)
    expect(lines()).toEqual([
      '13 devices went offline, 1 device came back while notifications were paused | 12 devices offline in Berlin. Studio rome-a-1 is offline. Studio york-a-1 is back.',
    ])
    expect(sent.at(-1)).toMatchObject({
      kind: 'offline',
      devices: 14,
      open: { scope: 'r:test/EU-1', filter: idFilter([...ids('berlin'), 'rome-a-1', 'york-a-1']) },
    })
    expect(alerts().notifications().pausedUntil).toBeNull()
    await clock.advance(60 * minute)
    expect(lines()).toEqual([])
  })

  test('in which devices only recovered has a summary that opens these', async () => {
    const { drop, back, alerts, clock, lines, sent } = await world()
    await drop('york-a-1', 'oslo-a-1')
    await clock.advance(5 * minute)
    lines()
    await alerts().pause(60)
    await back('york-a-1', 'oslo-a-1')
    await clock.advance(61 * minute)
    expect(lines()).toEqual([
      '2 devices came back while notifications were paused | Studio york-a-1 is back. Studio oslo-a-1 is back.',
    ])
    expect(sent.at(-1)).toMatchObject({
      kind: 'recovered',
      devices: 2,
      open: { scope: 'r:test/EU-1', filter: idFilter(['york-a-1', 'oslo-a-1']) },
    })
  })

  test('in which snoozes ended counts the devices still down in its summary, and opens them', async () => {
    const { drop, alerts, clock, lines, sent } = await world()
    await drop('york-a-1', 'oslo-a-1')
    await clock.advance(5 * minute)
    lines()
    await alerts().mark(
      [...alerts().state().incidents.keys()].map((id) => ({
        id,
        snoozed: { at: clock.now(), until: clock.now() + 2 * minute },
      })),
    )
    await alerts().pause(10)
    await clock.advance(11 * minute)
    expect(lines()).toEqual([
      '2 devices still offline while notifications were paused | Studio york-a-1 is offline. Studio oslo-a-1 is offline.',
    ])
    expect(sent.at(-1)).toMatchObject({
      kind: 'offline',
      devices: 2,
      open: { scope: 'r:test/EU-1', filter: idFilter(['york-a-1', 'oslo-a-1']) },
    })
  })

  test('counts repeated notifications beside suppressed ones, and devices that still flap', async () => {
    const { drop, back, alerts, clock, lines, sent } = await world()
    await drop('york-a-1')
    for (let n = 0; n < 6; n += 1) await (n % 2 === 0 ? drop('oslo-a-1') : back('oslo-a-1'))
    await clock.advance(5 * minute)
    lines()
    await alerts().mark(
      [...alerts().state().incidents.keys()].map((id) => ({
        id,
        snoozed: { at: clock.now(), until: clock.now() + 2 * minute },
      })),
    )
    await alerts().pause(10)
    await drop('rome-a-1')
    await clock.advance(11 * minute)
    expect(lines()).toEqual([
      expect.stringMatching(
        /^1 device went offline, 1 device still offline, 1 device still flapping while notifications were paused \| /u,
      ),
    ])
    expect(sent.at(-1)).toMatchObject({ kind: 'offline', devices: 3 })
  })

  test('that is ended early notifies a single incident by itself, and sends no empty summary', async () => {
    const { drop, alerts, clock, titles, notifications } = await world()
    await alerts().pause(60)
    await drop('rome-a-1')
    await clock.advance(20 * minute)
    await alerts().pause(0)
    await clock.advance(second)
    expect(titles()).toEqual(['Studio rome-a-1 is offline'])
    expect(notifications.at(-1)?.pausedUntil).toBeNull()
    await alerts().pause(5)
    await clock.advance(10 * minute)
    expect(titles()).toEqual([])
    expect(notifications.at(-1)?.pausedUntil).toBeNull()
  })

  test('survives a restart with everything that it holds back', async () => {
    const { drop, restart, see, alerts, clock, titles } = await world()
    await alerts().pause(60)
    await drop('rome-a-1', 'paris-a-1')
    await clock.advance(20 * minute)
    await restart()
    await see()
    await clock.advance(39 * minute)
    expect(titles()).toEqual([])
    expect(alerts().notifications().pausedUntil).not.toBeNull()
    await clock.advance(5 * minute)
    expect(titles()).toEqual(['2 devices went offline while notifications were paused'])
  })
})
