import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { followParent } from '../../../../src-main/platform/desktop/start/parent.ts'

function followed() {
  const child = new EventEmitter()
  let ends = 0
  followParent(child, () => void (ends += 1))
  return { child, ends: () => ends }
}

it('a channel that closes before any message ends nothing', () => {
  const { child, ends } = followed()
  child.emit('disconnect')
  child.emit('message', { ask: 'something else' })
  child.emit('disconnect')
  expect(ends()).toBe(0)
})

it('Muster ends when its parent says so, or is gone after it was there', () => {
  const said = followed()
  said.child.emit('message', 'stop')
  expect(said.ends()).toBe(1)
  const gone = followed()
  gone.child.emit('message', 'here')
  expect(gone.ends()).toBe(0)
  gone.child.emit('disconnect')
  expect(gone.ends()).toBe(1)
})
