import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { forkConsole } from '../support/console-process.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** Returns how the core is killed. Nobody waits for its answer. */
async function startChild(profile: string, connection: ReturnType<typeof connectionTo>) {
  const child = await forkConsole(leftovers, profile)
  void child.call('connections.save', connection)
  return child.kill
}

const pagesAsked = (reference: Awaited<ReturnType<typeof service>>) =>
  reference.operations().filter(({ operationName }) => operationName === 'Devices').length

test('after kill -9 during a sync the next start has the rows and continues at its page token', async () => {
  const reference = await service(leftovers, { profile: 'minimal', devices: 1_500, tenants: 1, points: false })
  const profile = temporaryProfile(leftovers)
  const kill = await startChild(profile, connectionTo(reference))
  await until(() => expect(pagesAsked(reference)).toBeGreaterThan(40))
  await kill()
  const before = pagesAsked(reference)
  expect(before).toBeLessThan(150)

  const muster = await openConsole(leftovers, profile)
  const kept = (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total
  // The page on its way and the one being written may be missing; nothing else.
  expect(kept).toBeGreaterThanOrEqual((before - 3) * 10)
  const knownNow = async () => (await muster.call('app.state', {})).connections[0]
  // Whether there is one is looked up when the connection's turn to start has come.
  await until(async () => expect((await knownNow())?.secret).toBe('missing'))
  const known = await knownNow()
  await muster.call('connections.save', connectionTo(reference, { id: known?.id ?? null }))
  await whenRead(muster)
  expect((await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total).toBe(1_500)
  expect(pagesAsked(reference)).toBeLessThanOrEqual(150 + 5)
  await muster.stop()
  expect(transitionsIn(profile)).toBe(0)
})

test('a tenant that left before kill -9 is reported by the next start', async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 2, life: false })
  const profile = temporaryProfile(leftovers)
  const killFirst = await startChild(profile, connectionTo(reference))
  await until(() => expect(reference.subscribedIds()).toHaveLength(40))
  await killFirst()
  const [kept] = reference.world.tenants()
  reference.credentials.setReach(reference.clientId, { tenants: [kept?.id ?? ''] })
  const [listing] = rowsIn(profile, 'cache.db', 'SELECT DISTINCT connection FROM tenant_connection')
  const id = String(listing?.['connection'])
  const killSecond = await startChild(profile, connectionTo(reference, { id }))
  await until(() => expect(rowsIn(profile, 'journal.db', 'SELECT tenant FROM withdrawn')).toHaveLength(1))
  await killSecond()

  const muster = await openConsole(leftovers, profile)
  await until(async () => {
    const [known] = (await muster.call('app.state', {})).connections
    expect(known?.faults.map(({ fault }) => [fault.kind, fault.detail])).toContainEqual([
      'withdrawn',
      expect.stringMatching(/^1 tenant \(\d+ devices\): /u),
    ])
  })
})

function rowsIn(profile: string, file: string, sql: string) {
  const db = new DatabaseSync(path.join(profile, file), { readOnly: true })
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

function transitionsIn(profile: string): number {
  const [row] = rowsIn(profile, 'journal.db', 'SELECT count(*) AS n FROM transition')
  return Number(row?.['n'])
}
