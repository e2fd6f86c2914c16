import { expect, test } from 'vitest'
import type { LoggedName } from '../../../src-main/inventory/thread/logged-calls.ts'
import type { Entry } from '../../../src-main/team/log/log-store.ts'
import { createRecentRows } from '../../../src-main/team/recent.ts'
import { FaultError, type FaultKind } from '../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../support/clock.ts'

const minute = 60_000

/** A log that has each row once, and may be away or reject one. */
function setup() {
  const clock = manualClock()
  const log: string[] = []
  const posted: string[] = []
  const faults: FaultKind[] = []
  const state = { away: false, rejects: '', gate: Promise.resolve() }
  const recent = createRecentRows({
    clock,
    async post(entries) {
      const name = entries.map(({ id }) => id).join('+')
      await state.gate
      if (state.away) throw new FaultError('team-away')
      if (name === state.rejects) throw new FaultError('query')
      posted.push(name)
      if (!log.includes(name)) log.push(name)
      return log.length
    },
    onFault: ({ kind }) => faults.push(kind),
  })
  const post = (entries: readonly Entry[], call: LoggedName = 'saveNote') => recent.post(entries, call)
  const rows = (...names: string[]): Entry[] => names.map((id) => ({ id, body: new Uint8Array(1) }))
  /** Loses the newest rows, and lets the copy catch up. */
  const failOver = async (lost: number) => {
    log.splice(log.length - lost)
    posted.length = 0
    recent.again()
    await settle()
  }
  return { clock, log, posted, faults, state, recent, post, rows, failOver }
}

test('what a failover lost is written again, each call’s rows together and in order', async () => {
  const { log, posted, post, rows, failOver } = setup()
  for (const names of [['a'], ['b1', 'b2'], ['c']]) await post(rows(...names))
  await failOver(2)
  expect(log).toEqual(['a', 'b1+b2', 'c'])
  expect(posted).toEqual(['a', 'b1+b2', 'c'])
})

test('only rows of the last five minutes are, also where the computer has slept', async () => {
  const { clock, log, posted, post, rows, failOver } = setup()
  await post(rows('a'))
  await clock.advance(4 * minute)
  await post(rows('b'))
  await clock.advance(minute)
  await failOver(1)
  expect(posted).toEqual(['b'])
  clock.jump(8 * 60 * minute)
  await failOver(2)
  expect([posted, log]).toEqual([[], []])
})

test('the newest stay where they are long', async () => {
  const { posted, post, failOver } = setup()
  const names = Array.from({ length: 20 }, (_, n) => `row ${n}`)
  for (const id of names) await post([{ id, body: new Uint8Array(1 << 20) }])
  await failOver(20)
  expect(posted).toEqual(names.slice(4))
})

test('what cannot be written is tried again, and what is rejected holds up nothing', async () => {
  const { clock, log, faults, state, post, rows, failOver } = setup()
  for (const name of ['a', 'b', 'c']) await post(rows(name))
  Object.assign(state, { away: true, rejects: 'b' })
  await failOver(3)
  expect(log).toEqual([])
  await clock.advance(10_000)
  state.away = false
  await clock.advance(3000)
  expect([log, faults]).toEqual([['a', 'c'], ['query']])
  expect(clock.pending()).toBe(0)
})

test('what could not be written for longer is not written any more', async () => {
  const { clock, log, state, post, rows, failOver } = setup()
  await post(rows('a'))
  state.away = true
  await failOver(1)
  await clock.advance(6 * minute)
  state.away = false
  await clock.advance(minute)
  expect(log).toEqual([])
  expect(clock.pending()).toBe(0)
})

test('after an erasure only removals are written again', async () => {
  const { log, post, recent, rows, failOver } = setup()
  await post(rows('note'))
  await post(rows('removal'), 'unshareConnection')
  await post(rows('erasure'), 'forget')
  recent.erased()
  await post(rows('view'), 'saveView')
  await failOver(4)
  expect(log).toEqual(['removal', 'erasure', 'view'])
})

test('a new call comes after what is written again', async () => {
  const { log, state, post, rows, failOver } = setup()
  for (const name of ['a', 'b']) await post(rows(name))
  const { promise, resolve } = Promise.withResolvers<void>()
  state.gate = promise
  await failOver(2)
  const newer = post(rows('c'))
  await settle()
  resolve()
  await newer
  expect(log).toEqual(['a', 'b', 'c'])
})

test('nothing is tried again after the end, and a call that was not written is not known', async () => {
  const { clock, log, state, recent, post, rows, failOver } = setup()
  state.away = true
  await expect(post(rows('a'))).rejects.toThrow(FaultError)
  state.away = false
  await failOver(0)
  expect(log).toEqual([])
  await post(rows('b'))
  state.away = true
  await failOver(1)
  recent.stop()
  expect(clock.pending()).toBe(0)
})
