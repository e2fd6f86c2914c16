import { expect, test } from 'vitest'
import { startMadeUpPast } from '../../../src-main/demo/made-up-past.ts'
import { notifyAll } from '../../../src-main/notifications/notify.ts'
import { demoRules } from './rules.ts'

function setup(isDemo: boolean) {
  const asked: number[] = []
  const never = () => Promise.reject(new Error('nothing was made up'))
  const data = {
    makeUpPast: ({ now }: { now: number }) => (asked.push(now), Promise.resolve({ count: 0, latest: [] })),
    locations: never,
    saveAlerts: never,
  }
  const incidents = { reload: never, runner: { rules: () => demoRules } }
  const clock = { now: () => 42, monotonic: () => 0 }
  return { asked, told: startMadeUpPast({ isDemo, data, clock, log: () => undefined, incidents, notify: notifyAll }) }
}

test('the past of a demo is made up with its first reading, once', () => {
  const { asked, told } = setup(true)
  told([])
  told([{ lastReadingAt: null }])
  expect(asked).toEqual([])
  told([{ lastReadingAt: 10 }])
  told([{ lastReadingAt: 20 }])
  expect(asked).toEqual([42])
})

test('real connections have no made-up past', () => {
  const { asked, told } = setup(false)
  told([{ lastReadingAt: 10 }])
  expect(asked).toEqual([])
})
