import { expect, test } from 'vitest'
import { storedFiles } from '../../../src-renderer/diagnostics/file-format.ts'

test('files of the profile are listed by purpose, and every byte is counted', () => {
  const files = [
    ['cache.db', 1_000],
    ['cache.db-wal', 500],
    ['journal.db', 300],
    ['kind', 5],
    ['lock', 7],
    ['lock-journal', 9],
    ['muster.log', 40],
    ['muster.log.1', 60],
    ['settings.json', 20],
    ['update.json', 2],
  ].map(([name, bytes]) => ({ name: String(name), bytes: Number(bytes) }))
  const table = (file: string, name: string, rows: number, more = false) => ({ file, name, rows, more })
  const tables = [
    table('cache.db', 'tenant', 1),
    table('cache.db', 'device', 5_000),
    table('cache.db', 'sequence', 1),
    table('journal.db', 'transition', 100_000, true),
    table('journal.db', 'dropped', 4),
    table('journal.db', 'incident', 0),
  ]
  const stored = storedFiles({ files, tables })
  expect(stored).toEqual([
    { what: 'Inventory cache', bytes: 1_500, holds: '5,000 devices, 1 tenant' },
    { what: 'History', bytes: 300, holds: 'more than 100,000 changes of devices' },
    { what: 'Settings', bytes: 20, holds: '' },
    { what: 'Log', bytes: 100, holds: '' },
    { what: 'Other files', bytes: 23, holds: '' },
  ])
  expect(stored.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(files.reduce((sum, { bytes }) => sum + bytes, 0))
  expect(storedFiles({ files: [], tables })).toEqual([])
})
