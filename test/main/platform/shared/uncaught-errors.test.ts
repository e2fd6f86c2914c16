import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { catchUncaught } from '../../../../src-main/platform/shared/uncaught-errors.ts'

function caught() {
  const from = new EventEmitter()
  const lines: string[] = []
  let stopped = 0
  catchUncaught(
    from,
    (level, text) => lines.push(`${level} ${text}`),
    () => (stopped += 1),
  )
  return { from, lines, stops: () => stopped }
}

it('goes on after an unhandled rejection, and logs its class and place, not its values', () => {
  const { from, lines, stops } = caught()
  from.emit('unhandledRejection', new TypeError('s3cret\n    at s3cret'))
  from.emit('unhandledRejection', 's3cret')
  expect(lines[0]).toMatch(/^error a rejection was not handled: TypeError at .*uncaught-errors\.test\.ts:\d+:\d+\)?$/)
  expect(lines[1]).toBe('error a rejection was not handled: string')
  expect(lines.join()).not.toContain('s3cret')
  expect(stops()).toBe(0)
})

it('stops after an exception that nobody caught', () => {
  const { from, lines, stops } = caught()
  from.emit('uncaughtException', new RangeError('s3cret'))
  expect(lines).toEqual([expect.stringMatching(/RangeError at .*uncaught-errors\.test\.ts/)])
  expect(lines.join()).not.toContain('s3cret')
  expect(stops()).toBe(1)
})
