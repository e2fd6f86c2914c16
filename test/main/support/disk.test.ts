import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { tablesIn } from '../../../src-main/storage/tables.ts'
import { startLoopMonitor } from '../../../src-main/inventory/thread/loop-monitor.ts'
import { statisticsIn } from '../../../src-main/storage/journal/statistics.ts'
import { steps } from '../../../src-main/storage/journal/steps/steps.ts'
import { until } from '../../support/fleet.ts'

const day = 24 * 3600_000
const now = Date.UTC(2026, 10, 22, 12)

function journal() {
  const db = new DatabaseSync(':memory:')
  for (const step of steps) {
    if (typeof step === 'string') db.exec(step)
    else step(db)
  }
  const enter = db.prepare('INSERT INTO transition (key, at, not_before, connected) VALUES (?, ?, ?, 0)')
  return { db, enter: (key: string, at: number, notBefore: number | null = null) => enter.run(key, at, notBefore) }
}

test('rows of tables are counted up to a limit, and marked beyond it', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(
    'CREATE TABLE "a table" (x); CREATE TABLE sqlitelike (x INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO "a table" VALUES (1), (2), (3)',
  )
  expect(tablesIn(db)).toEqual([
    { name: 'a table', rows: 3, more: false },
    { name: 'sqlitelike', rows: 0, more: false },
  ])
  expect(tablesIn(db, 3)[0]).toEqual({ name: 'a table', rows: 3, more: false })
  expect(tablesIn(db, 2)[0]).toEqual({ name: 'a table', rows: 2, more: true })
})

test("the journal's metrics cover the last thirty days, the busiest devices the last seven", () => {
  const { db, enter } = journal()
  enter('s/t/old', now - 40 * day)
  for (let turn = 0; turn < 3; turn += 1) enter('s/t/weeks ago', now - 10 * day)
  enter('s/t/one', now - day, now - 2 * day)
  enter('s/t/two', now - day)
  enter('s/t/two', now - 60_000)
  db.exec("INSERT INTO action (at, kind, text) VALUES (1, 'snooze', ''), (2, 'snooze', ''), (3, 'acknowledge', '')")
  db.exec(
    "INSERT INTO incident (id, subject, kind, opened_at, closed_at, search_text, about, text) VALUES ('a', 's', 'device', 1, NULL, '', '', ''), ('b', 's', 'device', 1, 2, '', '', '')",
  )
  expect(statisticsIn(db)(now)).toEqual({
    first: now - 40 * day,
    last: now - 60_000,
    whole: true,
    days: [
      { day: '2026-11-12', transitions: 3, missed: 0 },
      { day: '2026-11-21', transitions: 2, missed: 1 },
      { day: '2026-11-22', transitions: 1, missed: 0 },
    ],
    busiest: [
      { key: 's/t/two', transitions: 2 },
      { key: 's/t/one', transitions: 1 },
    ],
    incidents: [{ kind: 'device', open: 1, closed: 1 }],
    jobs: [],
    actions: [
      { kind: 'acknowledge', count: 1 },
      { kind: 'snooze', count: 2 },
    ],
  })
  const few = statisticsIn(db, 2)(now)
  expect([few.whole, few.days]).toEqual([
    false,
    [
      { day: '2026-11-21', transitions: 1, missed: 0 },
      { day: '2026-11-22', transitions: 1, missed: 0 },
    ],
  ])
})

test('an empty journal has metrics too', () => {
  expect(statisticsIn(journal().db)(now)).toEqual({
    first: null,
    last: null,
    whole: true,
    days: [],
    busiest: [],
    incidents: [],
    jobs: [],
    actions: [],
  })
})

test('a busy thread has a long event loop delay', async () => {
  const loop = startLoopMonitor()
  try {
    await until(() => expect(loop.delay()).not.toBeNull())
    const busyUntil = performance.now() + 400
    while (performance.now() < busyUntil);
    await until(() => expect(loop.delay()?.max).toBeGreaterThan(250))
    expect(loop.delay()?.p50).toBeLessThan(loop.delay()?.max ?? 0)
  } finally {
    loop.stop()
  }
})
