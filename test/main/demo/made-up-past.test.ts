import { expect, test } from 'vitest'
import { startMadeUpPast } from '../../../src-main/demo/made-up-past.ts'

function setup(isDemo: boolean) {
  const asked: number[] = []
  const data = { makeUpPast: ({ now }: { now: number }) => (asked.push(now), Promise.resolve(7)) }
  return { asked, told: startMadeUpPast({ isDemo, data, clock: { now: () => 42 }, log: () => undefined }) }
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
