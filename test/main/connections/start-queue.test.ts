import { expect, test } from 'vitest'
import { createStartQueue } from '../../../src-main/connections/start-queue.ts'
import { manualClock } from '../../support/clock.ts'

async function open(count: number) {
  const clock = manualClock()
  const starts = createStartQueue(clock)
  const begun: string[] = []
  const done = new Map<string, () => void>()
  const signals = new Map<string, AbortSignal>()
  const begin = (id: string, first = false) =>
    starts.begin(id, first, (signal, leave) => {
      begun.push(id)
      done.set(id, leave)
      signals.set(id, signal)
    })
  for (let n = 1; n <= count; n += 1) begin(`c${n}`)
  await clock.advance(0)
  const turnsOfTheLoop = async () => {
    for (let n = 0; n < 20; n += 1) await clock.advance(0)
  }
  await turnsOfTheLoop()
  return { clock, starts, begun, done, signals, begin, turnsOfTheLoop }
}

test('six connections start at a time, in order, and each that is done admits one', async () => {
  const { begun, done, turnsOfTheLoop } = await open(8)
  expect(begun).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6'])
  done.get('c3')?.()
  done.get('c3')?.()
  await turnsOfTheLoop()
  expect(begun.slice(6)).toEqual(['c7'])
})

test('connections that cannot start do not delay the others', async () => {
  const { clock, begun, turnsOfTheLoop } = await open(8)
  await clock.advance(2_000)
  await turnsOfTheLoop()
  expect(begun.slice(6)).toEqual(['c7', 'c8'])
})

test('a connection that the operator waits for comes next', async () => {
  const { begun, begin, done, turnsOfTheLoop } = await open(8)
  begin('mine', true)
  done.get('c1')?.()
  await turnsOfTheLoop()
  expect(begun.at(-1)).toBe('mine')
})

test('a cancelled start does not begin, or is aborted, and frees its place', async () => {
  const { starts, begun, signals, turnsOfTheLoop } = await open(8)
  starts.cancel('c7')
  starts.cancel('c1')
  starts.cancel('never heard of')
  await turnsOfTheLoop()
  expect(signals.get('c1')?.aborted).toBe(true)
  expect(begun).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c8'])
})

test('a restart cancels the start before', async () => {
  const { begun, begin, signals, turnsOfTheLoop } = await open(1)
  const before = signals.get('c1')
  begin('c1')
  await turnsOfTheLoop()
  expect(before?.aborted).toBe(true)
  expect(begun).toEqual(['c1', 'c1'])
})

test('after the stop nothing starts, and no timer is left', async () => {
  const { clock, starts, begun, begin, turnsOfTheLoop } = await open(8)
  starts.stop()
  begin('late')
  await turnsOfTheLoop()
  expect(begun).toHaveLength(6)
  expect(clock.pending()).toBe(0)
})
