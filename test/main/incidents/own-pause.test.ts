import { expect, test } from 'vitest'
import { openOwnPause } from '../../../src-main/incidents/own-pause.ts'
import type { IncidentRunner } from '../../../src-main/incidents/runner-options.ts'
import { manualClock } from '../../support/clock.ts'

function setup(kept = new Map<string, unknown>(), clock = manualClock()) {
  const settings = {
    damaged: null,
    get: (key: string) => kept.get(key),
    set: (key: string, value: unknown) => void kept.set(key, value),
  }
  let changes = 0
  const pause = openOwnPause(clock, settings, () => (changes += 1))
  const runner = pause.around({
    notifications: () => ({ pausedUntil: 5, recent: [] }),
  } as Pick<IncidentRunner, 'notifications'> as IncidentRunner)
  return { clock, kept, pause, runner, changes: () => changes }
}

test('a pause is on for its minutes, tells of its begin and its end, and hides the team\u2019s', async () => {
  const { clock, pause, runner, changes } = setup()
  expect(runner.notifications().pausedUntil).toBeNull()
  await runner.pause(15)
  expect([pause.isOn(), changes()]).toEqual([true, 1])
  expect(runner.notifications().pausedUntil).toBe(clock.now() + 15 * 60_000)
  await clock.advance(15 * 60_000)
  expect([pause.isOn(), changes(), runner.notifications().pausedUntil]).toEqual([false, 2, null])
})

test('it outlives a restart, and 0 ends it', async () => {
  const first = setup()
  await first.runner.pause(60)
  first.pause.stop()
  const again = setup(first.kept, first.clock)
  expect(again.pause.isOn()).toBe(true)
  await again.runner.pause(0)
  expect(again.pause.isOn()).toBe(false)
  expect(first.clock.pending()).toBe(0)
})

test('what the settings hold that is no time is no pause', () => {
  expect(setup(new Map([['notificationsPausedUntil', 'soon']])).pause.isOn()).toBe(false)
})
