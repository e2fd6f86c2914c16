import { expect, test } from 'vitest'
import { createListeners } from '../../src-shared/lib/listeners.ts'

test('listeners are called with each value in the order in which they were added', () => {
  const listeners = createListeners<[name: string, count: number]>()
  const received: string[] = []
  listeners.on((name, count) => received.push(`first ${name} ${count}`))
  listeners.on((name) => received.push(`second ${name}`))
  listeners.emit('a', 1)
  expect(received).toEqual(['first a 1', 'second a'])
})

test('a listener that was removed is not called', () => {
  const listeners = createListeners()
  let calls = 0
  const off = listeners.on(() => (calls += 1))
  listeners.emit()
  off()
  listeners.emit()
  expect(calls).toBe(1)
  expect(listeners.size()).toBe(0)
})
