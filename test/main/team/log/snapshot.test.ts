import { expect, test } from 'vitest'
import { follow } from '../../../../src-main/team/log/follow.ts'
import type { LogStore, SnapshotHead } from '../../../../src-main/team/log/log-store.ts'
import { createSnapshotReader } from '../../../../src-main/team/log/snapshot.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { manualClock } from '../../../support/clock.ts'

const minute = 60_000
const text = (body: Uint8Array | undefined) => Buffer.from(body ?? []).toString()

/** A database with a snapshot of three parts, `abc`, and no rows that anybody knows. `fails`: numbers of reads of parts that are cut. */
function snapshotStore(fails: number[] = []) {
  const head: SnapshotHead = { id: 'one', parts: 3, position: { number: 5, id: 'row' } }
  const state = { head, reads: [] as number[], isKnown: false }
  const store = {
    read: async () => ({ isKnown: state.isKnown, rows: [], isFull: false }),
    newest: async () => state.head,
    async part(_id: string, part: number) {
      state.reads.push(part)
      if (fails.includes(state.reads.length)) throw new FaultError('reset')
      return Buffer.from('abc'.charAt(part))
    },
  } as unknown as LogStore
  return { state, store }
}

test('a snapshot that was cut goes on where it stopped', async () => {
  const { state, store } = snapshotStore([3])
  const reader = createSnapshotReader({ store, clock: manualClock() })
  await expect(reader.read()).rejects.toThrow(FaultError)
  expect(text((await reader.read())?.body)).toBe('abc')
  expect(state.reads).toEqual([0, 1, 2, 2])
})

test('a whole one is read once, until it is forgotten or there is another', async () => {
  const { state, store } = snapshotStore()
  const reader = createSnapshotReader({ store, clock: manualClock() })
  for (const _twice of [1, 2]) expect(text((await reader.read())?.body)).toBe('abc')
  expect(state.reads).toHaveLength(3)
  state.head = { ...state.head, id: 'two' }
  await reader.read()
  expect(state.reads).toHaveLength(6)
  reader.forget()
  await reader.read()
  expect(state.reads).toHaveLength(9)
})

test.each([['of too many parts', { parts: 100_000 }]])('a snapshot %s is not read', async (_what, change) => {
  const { state, store } = snapshotStore()
  state.head = { ...state.head, ...change }
  await expect(createSnapshotReader({ store, clock: manualClock() }).read()).rejects.toMatchObject({
    fault: { kind: 'protocol' },
  })
  expect(state.reads).toEqual([])
})

test('a snapshot that has more than its parts may have is not kept', async () => {
  const { store } = snapshotStore()
  const long = { ...store, part: async () => ({ length: 2 ** 27 + 1 }) as Uint8Array }
  await expect(createSnapshotReader({ store: long, clock: manualClock() }).read()).rejects.toMatchObject({
    fault: { kind: 'protocol' },
  })
})

test('what was read of one is not kept where the rows are there again', async () => {
  const { state, store } = snapshotStore([3])
  const clock = manualClock()
  const follower = follow({ store, clock, from: { number: 3, id: 'x' }, onRows: () => {}, onSnapshot: () => {} })
  await clock.advance(0)
  state.isKnown = true
  await clock.advance(5000)
  expect(state.reads).toEqual([0, 1, 2])
  state.isKnown = false
  await clock.advance(2000)
  expect(state.reads.slice(3, 6)).toEqual([0, 1, 2])
  await follower.stop()
})

test('one that cannot be taken over is read once, and tried ever more rarely', async () => {
  const { state, store } = snapshotStore()
  const clock = manualClock()
  let tries = 0
  const follower = follow({
    store,
    clock,
    from: { number: 3, id: 'gone' },
    onRows: () => {},
    onSnapshot() {
      tries += 1
      throw new FaultError('team-old')
    },
  })
  await clock.advance(minute)
  expect(tries).toBeGreaterThan(3)
  expect(tries).toBeLessThan(10)
  const before = tries
  await clock.advance(60 * minute)
  expect(tries - before).toBeGreaterThan(50)
  expect(tries - before).toBeLessThan(70)
  expect(state.reads).toHaveLength(3)
  state.head = { ...state.head, id: 'two' }
  await clock.advance(minute)
  expect(state.reads).toHaveLength(6)
  await follower.stop()
})
