import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inTransaction, openDatabase, scrub } from '../../../src-main/storage/database.ts'

/** Rows of two customers among each other, grown and moved about as devices are, one transaction after the other. */
function open() {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-scrub-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const db = openDatabase(path.join(folder, 'x.db'))
  onTestFinished(() => db.close())
  db.exec('CREATE TABLE device (key TEXT PRIMARY KEY, customer TEXT NOT NULL, name TEXT NOT NULL) WITHOUT ROWID')
  const put = db.prepare('INSERT INTO device VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET name = excluded.name')
  for (let round = 0; round < 3; round += 1) {
    for (let first = 0; first < 8_000; first += 500) {
      inTransaction(db, () => {
        for (let n = first; n < first + 500; n += 1)
          put.run(
            `${(n * 7919) % 8_000}`,
            n % 2 === 0 ? 'gone' : 'stays',
            `${n % 2 === 0 ? 'gone' : 'stays'}-${n}-${'x'.repeat((n * (round + 1)) % 90)}`,
          )
      })
    }
  }
  const bytes = () =>
    readdirSync(folder)
      .map((name) => readFileSync(path.join(folder, name), 'latin1'))
      .join('')
  return { db, bytes }
}

test('deleted text is in no byte of the files after scrubbing, and other text is all there', () => {
  const { db, bytes } = open()
  inTransaction(db, () => db.exec("DELETE FROM device WHERE customer = 'gone'"))
  expect(bytes()).toContain('gone-')
  scrub(db)
  expect(bytes()).not.toContain('gone-')
  expect(db.prepare('SELECT count(*) AS n FROM device').get()?.['n']).toBe(4_000)
  expect(db.prepare('PRAGMA integrity_check').get()?.['integrity_check']).toBe('ok')
})

test('files that cannot be scrubbed now are no error: the deletion stands', () => {
  const { db } = open()
  db.exec("DELETE FROM device WHERE customer = 'gone'; BEGIN")
  expect(() => scrub(db)).not.toThrow()
  db.exec('COMMIT')
  expect(db.prepare('SELECT count(*) AS n FROM device').get()?.['n']).toBe(4_000)
})
