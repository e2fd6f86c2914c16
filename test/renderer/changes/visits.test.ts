import { expect, test } from 'vitest'
import { createUseNote, lastVisit } from '../../../src-renderer/changes/visits.ts'

test('a use of the window is told once a minute, and the last visit is kept', async () => {
  let [now, calls] = [0, 0]
  const pipe = {
    call: () => {
      calls += 1
      return Promise.resolve({ ok: true, value: { lastVisit: 42 } })
    },
  }
  const note = createUseNote(pipe as never, { monotonic: () => now })
  note()
  note()
  now = 59_999
  note()
  expect(calls).toBe(1)
  now = 60_000
  note()
  expect(calls).toBe(2)
  await Promise.resolve()
  expect(lastVisit.get()).toBe(42)
})
