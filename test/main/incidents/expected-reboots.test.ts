import { bodyOf } from '../../support/messages.ts'
import { explainIncident } from '../../../src-main/notifications/explain.ts'
import { explanationText } from '../../../src-shared/text/explanation.ts'
import { timeText } from '../../../src-shared/text/names.ts'
import { afterEach, describe, expect, test } from 'vitest'
import type { ExpectedReboot } from '../../../src-shared/model/jobs.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { dropOf, reboot, rebootsOf } from './reboots.ts'
import { keyOf, only, open, openTitles, openWorld, usual, type World } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

/** The explanation of the only open incident, as sentences. */
const whyOf = (it: World): string[] =>
  explainIncident(only(it), null, it.alerts().rules(), 'web').map((one) =>
    explanationText(one, (at) => timeText(at, it.clock.now(), true)),
  )

describe('a device that a job reboots', () => {
  test('and that is back in its time makes no incident and no notification', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(9 * minute)
    expect([it.titles(), open(it)]).toEqual([[], []])
    await it.back('rome-a-1')
    it.alerts().expectReboots([])
    await it.clock.advance(30 * minute)
    expect([it.titles(), open(it), it.alerts().state().drops.size]).toEqual([[], [], 0])
  })

  test('by two jobs is awaited for as long as the later one allows', async () => {
    const it = await world()
    const [long] = rebootsOf(it, ['rome-a-1'], 20 * minute)
    const [short] = rebootsOf(it, ['rome-a-1'], 5 * minute)
    it.alerts().expectReboots([long, { ...short, job: 'job-2' }] as ExpectedReboot[])
    await it.clock.advance(20 * second)
    await it.drop('rome-a-1')
    await it.clock.advance(19 * minute)
    expect([it.titles(), open(it)]).toEqual([[], []])
  })

  test('is recorded as expected, with its job and its time', async () => {
    const it = await world()
    const [{ key, ...expected }] = (await reboot(it, ['rome-a-1'])) as [ExpectedReboot]
    await it.clock.advance(minute)
    const drops = it.calls().alerts({ since: 0 }).drops
    expect(drops).toMatchObject([{ key, incident: null, expected }])
  })

  test('and that is not back in its time is an incident at once, with that reason', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(9 * minute + 39 * second)
    expect(it.titles()).toEqual([])
    await it.clock.advance(2 * second)
    expect(it.lines()).toEqual([
      'Studio rome-a-1 is offline | Room a, Rome, Acme. Since 03:00 UTC. Rebooted 03:00 UTC by Muster, not back for 10 min.',
    ])
    expect(whyOf(it)).toEqual([
      'The alert delay is 90 s.',
      'Rebooted 03:00 UTC by Muster, not back for 10 min.',
      expect.stringMatching(/^Notified at 03:10 UTC/u),
      'Alerted when the time of the reboot was over.',
    ])
  })

  test('and that dropped late in its time is an incident when its hold-off is over', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'], 9 * minute + 30 * second)
    await it.clock.advance(60 * second)
    expect(it.titles()).toEqual([])
    await it.clock.advance(31 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('recovers after its incident as any other, and is notified', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(11 * minute)
    it.titles()
    await it.back('rome-a-1')
    await it.clock.advance(2 * minute)
    expect([it.titles(), open(it)]).toEqual([['Studio rome-a-1 is back'], []])
  })

  test('before the reboot is sent is down as any other', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(second)
    it.alerts().expectReboots(rebootsOf(it, ['rome-a-1']))
    await it.clock.advance(90 * second)
    expect(it.lines()).toEqual(['Studio rome-a-1 is offline | Room a, Rome, Acme. Since 03:00 UTC.'])
  })

  test('after its time is over is down as any other', async () => {
    const it = await world()
    it.alerts().expectReboots(rebootsOf(it, ['rome-a-1'], minute))
    await it.clock.advance(61 * second)
    await it.drop('rome-a-1')
    await it.clock.advance(91 * second)
    expect(it.lines()).toEqual(['Studio rome-a-1 is offline | Room a, Rome, Acme. Since 03:01 UTC.'])
  })

  test('is expected also when its drop is known before its reboot', async () => {
    const it = await world()
    const reboots = rebootsOf(it, ['rome-a-1'])
    await it.drop('rome-a-1')
    await it.clock.advance(30 * second)
    it.alerts().expectReboots(reboots)
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual([])
  })

  test('is expected no longer when the service rejects it: the hold-off counts from its drop', async () => {
    const it = await world()
    await reboot(it, ['rome-a-1', 'rome-a-2'])
    await it.clock.advance(60 * second)
    it.alerts().expectReboots(rebootsOf(it, ['rome-a-2']))
    await it.clock.advance(29 * second)
    expect(it.titles()).toEqual([])
    await it.clock.advance(2 * second)
    expect(it.lines()).toEqual(['Studio rome-a-1 is offline | Room a, Rome, Acme. Since 03:00 UTC.'])
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual([])
  })

  test('keeps its reason when the job no longer awaits it after its time', async () => {
    const it = await world({ mutedModels: ['X50'] })
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(10 * minute)
    it.alerts().expectReboots([])
    it.settings.mutedModels = []
    it.alerts().recheck()
    await it.clock.advance(5 * second)
    expect(bodyOf(only(it))).toContain('Rebooted 03:00 UTC by Muster, not back for 10 min.')
  })

  test('and that is a member of an incident is notified only when it is no longer expected', async () => {
    const it = await world()
    await it.alerts().pause(60)
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(10 * second)
    await reboot(it, ['rome-a-1'], second)
    await it.alerts().pause(0)
    await it.clock.advance(minute)
    expect([it.titles(), openTitles(it)]).toEqual([[], ['Studio rome-a-1 is offline']])
    it.alerts().expectReboots([])
    await it.clock.advance(5 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('has no hold-off in a fleet without one, and is no incident all the same', async () => {
    const it = await world({ holdOffSeconds: 0 })
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(9 * minute)
    expect(it.titles()).toEqual([])
    await it.clock.advance(minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('and that Muster does not see at the end of its time is not notified until it sees it', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await reboot(it, ['rome-a-1'])
    await it.clock.advance(minute)
    await it.blind('acme')
    await it.clock.advance(20 * minute)
    expect(it.titles()).toEqual([])
    await it.see('acme')
    await it.clock.advance(minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('and that came back unseen is no incident', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await reboot(it, ['rome-a-1'])
    await it.blind('acme')
    it.setUnreported(true, 'rome-a-1')
    await it.clock.advance(20 * minute)
    await it.see('acme')
    await it.clock.advance(10 * minute)
    expect([it.titles(), it.alerts().state().drops.size]).toEqual([[], 0])
  })
})

describe('the recovery of an earlier incident', () => {
  test('is notified after a reboot that began before it was, and the incident stays closed', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.alerts().pause(60)
    await it.back('rome-a-1')
    await it.clock.advance(2 * minute)
    it.titles()
    expect(dropOf(it, 'rome-a-1')?.kind).toBe('recovered')
    await reboot(it, ['rome-a-1'])
    await it.alerts().pause(0)
    await it.clock.advance(minute)
    expect([it.titles(), open(it), dropOf(it, 'rome-a-1')?.kind]).toEqual([[], [], 'suspect'])
    await it.restart()
    await it.see()
    await it.clock.advance(minute)
    await it.back('rome-a-1')
    await it.clock.advance(2 * minute)
    expect([it.titles(), open(it)]).toEqual([['Studio rome-a-1 is back'], []])
  })

  test('is withdrawn by a reboot in its hold-off without a second notification', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(30 * second)
    it.titles()
    await reboot(it, ['rome-a-1'], second)
    await it.clock.advance(5 * minute)
    await it.back('rome-a-1')
    await it.clock.advance(2 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is back'])
  })
})

describe('flapping', () => {
  /** Reboots a device this often, back after a minute each. */
  async function rebootOften(it: World, times: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      await reboot(it, ['rome-a-1'], second)
      await it.clock.advance(minute)
      await it.back('rome-a-1')
      it.alerts().expectReboots([])
      await it.clock.advance(minute)
    }
  }

  test('does not count the drops and returns of reboots', async () => {
    const it = await world()
    await rebootOften(it, 5)
    await it.clock.advance(minute)
    expect([it.titles(), open(it)]).toEqual([[], []])
  })

  test('does not count them after a restart either', async () => {
    const it = await world()
    await rebootOften(it, 3)
    await it.restart()
    await it.see()
    await it.drop('rome-a-1')
    await it.back('rome-a-1')
    await it.clock.advance(minute)
    expect([it.titles(), open(it)]).toEqual([[], []])
  })

  test('does not end in an outage while the device is rebooted', async () => {
    const it = await world()
    for (let n = 0; n < 5; n += 1) {
      await it.drop('rome-a-1')
      await it.clock.advance(second)
      await it.back('rome-a-1')
      await it.clock.advance(second)
    }
    await it.clock.advance(29 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
    await reboot(it, ['rome-a-1'], second)
    await it.clock.advance(4 * minute)
    it.alerts().recheck()
    await it.clock.advance(minute)
    expect([it.titles(), openTitles(it)]).toEqual([[], ['Studio rome-a-1 is flapping']])
    await it.back('rome-a-1')
    await it.clock.advance(10 * minute)
    expect([it.titles(), open(it)]).toEqual([['Studio rome-a-1 is steady again'], []])
  })
})

describe('a site', () => {
  test('does not count rebooted devices as down', async () => {
    const it = await world()
    await reboot(it, it.ids('berlin').slice(0, 7))
    await it.drop('berlin-c-3')
    await it.clock.advance(2 * minute)
    expect(it.lines()).toEqual(['Studio berlin-c-3 is offline | Room c, Berlin, Acme. Since 03:00 UTC.'])
    expect(only(it)).toMatchObject({ scope: { shape: 'device' }, severity: 'minor' })
  })

  test('that goes down takes the rebooted devices when their time is over', async () => {
    const it = await world()
    const [rebooted, others] = [it.ids('berlin').slice(0, 3), it.ids('berlin').slice(3)]
    await reboot(it, rebooted)
    await it.drop(...others)
    await it.clock.advance(2 * minute)
    expect([it.titles(), only(it).extent.othersDown]).toEqual([['9 devices offline in Berlin'], 0])
    await it.clock.advance(8 * minute)
    expect(it.titles()).toEqual(['12 devices offline in Berlin'])
    expect(bodyOf(only(it))).toContain('3 of them rebooted 03:00 UTC by Muster, not back for 10 min.')
  })

  test('whose rebooted devices do not come back is one incident with their reason', async () => {
    const it = await world()
    await reboot(it, it.ids('berlin'))
    await it.clock.advance(10 * minute)
    expect(it.lines()[0]).toMatch(
      /^12 devices offline in Berlin \| .* Rebooted 03:00 UTC by Muster, not back for 10 min\.$/u,
    )
    expect(openTitles(it)).toEqual(['12 devices offline in Berlin'])
  })

  test('says from when to when its devices were rebooted', async () => {
    const it = await world()
    const first = await reboot(it, ['berlin-a-1', 'berlin-a-2'], 0)
    await it.clock.advance(2 * minute)
    it.alerts().expectReboots([...first, ...rebootsOf(it, ['berlin-a-3', 'berlin-a-4'], 5 * minute)])
    await it.drop('berlin-a-3', 'berlin-a-4')
    await it.clock.advance(9 * minute)
    expect(bodyOf(only(it))).toContain('Rebooted between 03:00 UTC and 03:02 UTC by Muster, not back for 5 min.')
  })
})

test('availability counts the outage of a reboot', async () => {
  const it = await world()
  const from = it.clock.now()
  await reboot(it, ['rome-a-1'], minute)
  await it.clock.advance(3 * minute)
  await it.back('rome-a-1')
  await it.clock.advance(6 * minute)
  const subject = { device: keyOf('acme', 'rome-a-1') }
  const until = it.clock.now()
  const { drops, parts } = it.calls().availability({ subject, from, until, parts: 1, now: until })
  expect([drops, parts[0]?.down]).toEqual([1, 3 * minute])
})
