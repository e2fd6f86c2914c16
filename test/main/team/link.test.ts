import { expect, onTestFinished, test } from 'vitest'
import type { TeamPool } from '../../../src-main/team/database/pool.ts'
import { openDatabaseLink } from '../../../src-main/team/link.ts'
import { manualClock } from '../../support/clock.ts'

const id = (first: number) => `${first}1111111-1111-4111-8111-111111111111`

/** A link to a database with its tables. `onQuery` is awaited before each statement is answered. */
function setup(onQuery: (text: string) => Promise<void> = async () => {}) {
  const clock = manualClock()
  const joins: unknown[] = []
  const found = {
    exists: true,
    owner: 'o',
    mayMigrate: false,
    mayUse: true,
    isMusters: true,
    hasTables: true,
    isReadOnly: false,
  }
  const database = { aheadMs: 0 }
  const rowsOf = (text: string): object[] => {
    if (text.includes('pg_namespace')) return [found]
    if (text.includes('schema_version')) return [{ version: 4 }]
    if (text.includes('muster.team')) return [{ id: id(1), ageMs: 0 }]
    const seenAt = clock.now() + database.aheadMs
    return [{ id: id(2), operator: 'A', role: 'a', musterVersion: '1', joinedAt: 1, seenAt }]
  }
  const client = {
    async query(text: string, values?: unknown[]) {
      if (text.includes('INSERT INTO muster.member')) joins.push(values?.[0])
      const rows = rowsOf(text)
      await onQuery(text)
      return { rows, command: text === 'COMMIT' ? 'COMMIT' : '' }
    },
    release: () => {},
    connection: { stream: { destroy: () => {} } },
  }
  const pool = { clock, where: 'db', close: async () => {}, take: async () => client } as unknown as TeamPool
  const link = openDatabaseLink({
    pool,
    clock,
    operator: 'A',
    version: '1',
    member: null,
    team: null,
    onMember: () => {},
    onBlocked: () => {},
    onChange: () => {},
  })
  onTestFinished(() => link.stop())
  return { clock, link, joins, database }
}

test('the database’s clock is taken where it differs, and not from an answer that took long', async () => {
  let isSlow = false
  const { clock, link, database } = setup(async (text) => {
    if (isSlow && text.includes('muster.member')) clock.jump(8000)
  })
  await clock.advance(0)
  expect([link.state().is, link.clockOffset()]).toEqual(['online', 0])
  isSlow = true
  await clock.advance(5000)
  expect(link.clockOffset()).toBe(0)
  isSlow = false
  database.aheadMs = 600_000
  await clock.advance(5000)
  expect(link.clockOffset()).toBe(600_000)
})

test('a member whose first look failed after it was listed is the same one at the next try', async () => {
  let isCut = true
  const { clock, link, joins } = setup(async (text) => {
    if (!text.includes('ORDER BY') || !isCut) return
    isCut = false
    throw Object.assign(new Error('cut'), { code: 'ECONNRESET' })
  })
  await clock.advance(0)
  expect(link.state().is).toBe('lost')
  await clock.advance(5000)
  expect(link.state().is).toBe('online')
  expect(joins).toEqual([null, id(2)])
})

test('nothing is sent after the end', async () => {
  const { clock, link, joins } = setup()
  await clock.advance(0)
  await link.stop()
  link.lookAgain()
  await clock.advance(60_000)
  expect(joins).toHaveLength(1)
  expect(clock.pending()).toBe(0)
})
