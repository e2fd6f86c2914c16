import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { openJournal } from '../../src-main/storage/journal/journal.ts'
import { systemClock, type Clock } from '../../src-shared/lib/clock.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const minute = 60_000
const day = 24 * 60 * minute
const rows = 40

/** The machine's clock, but what is due in a minute comes when the test says so. */
function minutesByHand(): Clock & { pass(): void } {
  const due = new Set<() => void>()
  return {
    ...systemClock,
    after(ms, run) {
      if (ms !== minute) return systemClock.after(ms, run)
      const once = () => run()
      due.add(once)
      return () => void due.delete(once)
    },
    pass() {
      const now = Array.from(due)
      due.clear()
      for (const run of now) run()
    },
  }
}

/** A profile whose journal has transitions that are older than 400 days. */
function agedProfile(): string {
  const profile = temporaryProfile(leftovers)
  const journal = openJournal(profile, 0)
  const first = Date.now() - 500 * day
  for (let at = first; at < first + rows; at += 1) {
    const connected = at % 2 === 0
    journal.enter([
      {
        key: 's/t/a',
        state: { connected, at, notBefore: null, since: { at, kind: 'seen' } },
        transition: { at, notBefore: null, connected },
      },
    ])
  }
  journal.close()
  return profile
}

const agedIn = (profile: string) => {
  const db = new DatabaseSync(join(profile, 'journal.db'), { readOnly: true })
  const count = db.prepare('SELECT count(*) AS count FROM transition WHERE at < ?').get(Date.now() - 400 * day)?.[
    'count'
  ]
  db.close()
  return Number(count)
}

const skewIsKnown = (muster: Console) =>
  until(async () => {
    const { connections } = await muster.call('app.state', {})
    expect(connections.flatMap(({ faults }) => faults.map(({ where }) => where))).toContain('the clock')
  })

test('the journal is pruned by age only when the clocks of the services agree', { timeout: 60_000 }, async () => {
  const profile = agedProfile()
  const clock = minutesByHand()
  const muster = await openConsole(leftovers, profile, { clock })
  /** Queries of the data thread made afterwards are answered after the pruning. */
  const afterAMinute = async () => {
    clock.pass()
    await muster.call('inventory.counts', { scope: 'all' })
    return agedIn(profile)
  }
  await until(() => expect(muster.log.join('\n')).toContain('the journal is not pruned'))
  expect(await afterAMinute()).toBe(rows)

  const skewed = await service(leftovers, {
    devices: 3,
    tenants: 1,
    profile: 'contrary',
    contrary: { clockSkewMs: day },
  })
  await muster.call('connections.save', connectionTo(skewed, { name: 'Skewed' }))
  await skewIsKnown(muster)
  expect(await afterAMinute()).toBe(rows)

  const good = await service(leftovers, { devices: 3, tenants: 1 })
  await muster.call('connections.save', connectionTo(good, { name: 'Good' }))
  await until(async () => {
    const { connections } = await muster.call('app.state', {})
    expect(connections.find(({ name }) => name === 'Good')?.lastReadingAt).not.toBeNull()
  })
  expect(await afterAMinute()).toBe(rows)

  const { id } = await whenConnection(muster, ({ name }) => name === 'Skewed')
  await muster.call('connections.remove', { id })
  await until(async () => expect(await afterAMinute()).toBe(0))
  await until(async () => {
    const { log } = await muster.call('diagnostics.show', {})
    expect(log.map(({ text }) => text)).toContain(`${rows} entries older than 400 days were deleted from the journal`)
  })
})
