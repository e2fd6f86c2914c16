import { expect, test } from 'vitest'
import { createKeyQueue } from '../../../src-renderer/inventory/tree/key-queue.ts'
import type { PagedState } from '../../../src-renderer/lib/list/paged.ts'
import { createStore } from '../../../src-renderer/lib/store.ts'

const read: PagedState<string> = { total: 3, pages: new Map(), pending: false, fault: null }
const reading = { ...read, pending: true }

function open(first = read) {
  const state = createStore(first)
  const queue = createKeyQueue({ state })
  const done: number[] = []
  return { state, queue, done, press: (key: number) => queue.press(() => done.push(key)) }
}

test('a key acts at once, and after one that has lines read it waits for them', () => {
  const { state, queue, done, press } = open()
  press(1)
  queue.press(() => state.set(reading))
  press(2)
  press(3)
  expect(done).toEqual([1])
  state.set(read)
  expect(done).toEqual([1, 2, 3])
})

test('of the keys that wait each waits for what the one before it has read', () => {
  const { state, queue, done, press } = open(reading)
  queue.press(() => {
    done.push(1)
    state.set(reading)
  })
  press(2)
  state.set(read)
  expect(done).toEqual([1])
  state.set(read)
  expect(done).toEqual([1, 2])
})

test('lines that cannot be read hold no key, and a tree that is gone has none', () => {
  const { state, queue, done, press } = open(reading)
  press(1)
  state.set({ ...reading, fault: { kind: 'storage', detail: '' } })
  press(2)
  expect(done).toEqual([1, 2])
  state.set(reading)
  press(3)
  queue.stop()
  state.set(read)
  expect(done).toEqual([1, 2])
})
