import { expect, test } from 'vitest'
import { ringLog } from '../../../src-main/reports/log-ring.ts'
import { manualClock } from '../../support/clock.ts'

function ring(maxLines?: number) {
  const clock = manualClock(1000)
  const written: string[] = []
  return { clock, written, ring: ringLog((level, text) => void written.push(`${level} ${text}`), clock, maxLines) }
}

test('every line is passed on, and the last lines are retained in their order', () => {
  const {
    clock,
    written,
    ring: { log, lines },
  } = ring(3)
  for (const text of ['a', 'b', 'c', 'd', 'e']) {
    log('info', text)
    clock.jump(10)
  }
  expect(written).toEqual(['info a', 'info b', 'info c', 'info d', 'info e'])
  expect(lines(0, Infinity)).toEqual([
    { at: 1020, level: 'info', text: 'c' },
    { at: 1030, level: 'info', text: 'd' },
    { at: 1040, level: 'info', text: 'e' },
  ])
  expect(lines(1030, 1039).map(({ text }) => text)).toEqual(['d'])
})

test('before it is full it has all lines, and a clock that was set back changes no order', () => {
  const {
    clock,
    ring: { log, lines },
  } = ring(10)
  expect(lines(0, Infinity)).toEqual([])
  log('warn', 'first')
  clock.jump(-500)
  log('error', 'second')
  expect(lines(0, Infinity).map(({ at, text }) => [at, text])).toEqual([
    [1000, 'first'],
    [500, 'second'],
  ])
})

test('debug lines push nothing out, and a very long line is cut', () => {
  const {
    written,
    ring: { log, lines },
  } = ring(1)
  log('info', 'x'.repeat(10_000))
  log('debug', 'y')
  expect(written).toHaveLength(2)
  expect(lines(0, Infinity).map(({ text }) => text)).toEqual([`${'x'.repeat(2000)}…`])
})
