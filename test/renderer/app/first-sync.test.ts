import { expect, test } from 'vitest'
import type { ConnectionState, SyncState } from '../../../src-shared/model/connection.ts'
import { firstSync, firstSyncText } from '../../../src-renderer/app/banners/first-sync-format.ts'

const reading = (read: number, expected: number | null): SyncState => ({
  state: 'syncing',
  what: 'inventory',
  read,
  expected,
  tenantsDone: 0,
  tenants: 9,
})
const connection = (sync: SyncState, more: Partial<ConnectionState> = {}) =>
  ({ id: 'a', lastReadingAt: null, paused: false, sync, ...more }) as ConnectionState

test('only first syncs count, added up over the connections', () => {
  expect(
    firstSync([
      connection({ state: 'idle' }),
      connection(reading(5, 10), { lastReadingAt: 1 }),
      connection(reading(5, 10), { paused: true }),
    ]),
  ).toBeNull()
  expect(firstSync([connection(reading(5, 10)), connection(reading(7, 20))])).toEqual({ read: 12, expected: 30 })
  expect(firstSync([connection({ ...reading(5, 10), what: 'changes' } as SyncState)])).toBeNull()
})

test('an unknown total is not invented', () => {
  const all = [connection(reading(1_500, null)), connection(reading(7, 20))]
  const state = firstSync(all)
  expect(state).toEqual({ read: 1_507, expected: null })
  expect(firstSyncText(state ?? { read: 0, expected: 0 }, all, 0, [])).toBe(
    '1,507 devices so far. Counts are incomplete until it ends.',
  )
})

test('it shows the progress, and that it waits for points', () => {
  const all = [connection(reading(1_500, 6_000))]
  expect(firstSyncText({ read: 1_500, expected: 6_000 }, all, 0, [])).toBe(
    '1,500 of 6,000 devices. Counts are incomplete until it ends.',
  )
  const held = [connection({ state: 'holding', what: 'inventory', read: 1_500, expected: 6_000, until: 23_000 })]
  expect(firstSync(held)).toEqual({ read: 1_500, expected: 6_000 })
  expect(firstSyncText({ read: 1_500, expected: 6_000 }, held, 0, [])).toBe(
    '1,500 of 6,000 devices. Waiting for points, 23 s. Counts are incomplete until it ends.',
  )
  const away = [
    connection({ state: 'holding', what: 'inventory', read: 1_500, expected: 6_000, until: 23_000, why: 'service' }),
  ]
  expect(firstSyncText({ read: 1_500, expected: 6_000 }, away, 0, [])).toBe(
    '1,500 of 6,000 devices. The service is unavailable, it asks to wait, 23 s. Counts are incomplete until it ends.',
  )
})
