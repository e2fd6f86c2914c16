import { expect, it } from 'vitest'
import { startDayFilling } from '../../../src-main/overview/day-filling.ts'
import { manualClock } from '../../support/clock.ts'

function filling(answers: (boolean | Error)[]) {
  const clock = manualClock()
  const log: string[] = []
  let calls = 0
  let recorded = 0
  const stop = startDayFilling({
    data: {
      fillDays: async () => {
        calls += 1
        const answer = answers.shift() ?? true
        if (answer instanceof Error) throw answer
        return answer
      },
      recordFirmware: async () => ((recorded += 1), true),
    },
    clock,
    log: (_level, line) => log.push(line),
  })
  return { clock, log, stop, calls: () => calls, recorded: () => recorded }
}

it('goes on part by part until all is written, and looks again every hour', async () => {
  const { clock, calls, recorded, stop } = filling([false, false, true])
  await clock.advance(29_000)
  expect(calls()).toBe(0)
  await clock.advance(1400)
  expect(calls()).toBe(3)
  await clock.advance(59 * 60_000)
  expect([calls(), recorded()]).toEqual([3, 1])
  await clock.advance(60_000)
  expect(calls()).toBe(4)
  stop()
  await clock.advance(5 * 3_600_000)
  expect(calls()).toBe(4)
})

it('a failure is said once and tried again', async () => {
  const { clock, log, calls } = filling([new Error('full'), new Error('full'), true, new Error('full')])
  await clock.advance(30_000 + 3 * 3_600_000)
  expect(calls()).toBe(4)
  expect(log).toHaveLength(2)
})
