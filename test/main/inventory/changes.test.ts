import { expect, test } from 'vitest'
import {
  newChanges,
  readChanges,
  readerAtEnd,
  recordAll,
  recordChange,
} from '../../../src-main/inventory/engine/changes.ts'

test('a reader that is a little behind gets the changed rows, however many were recorded before', () => {
  const changes = newChanges()
  for (let round = 0; round < 300; round += 1) {
    const reader = readerAtEnd(changes, ['name'])
    for (let slot = 0; slot < 97; slot += 1) recordChange(changes, 'name', slot)
    expect(readChanges(changes, reader)?.size).toBe(97)
  }
})

test('a reader starts over when it is far behind, and when any row may have changed', () => {
  const changes = newChanges()
  const reader = readerAtEnd(changes, ['name', 'place'])
  for (let slot = 0; slot < 30_000; slot += 1) recordChange(changes, 'name', slot)
  expect(readChanges(changes, reader)).toBeNull()
  expect(readChanges(changes, reader)?.size).toBe(0)
  recordAll(changes, 'place')
  expect(readChanges(changes, reader)).toBeNull()
  expect(readChanges(changes, reader)?.size).toBe(0)
})
