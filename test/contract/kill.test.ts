import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
} from '../support/estate.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const pagesAsked = (reference: Awaited<ReturnType<typeof service>>) =>
  reference.operations().filter(({ operationName }) => operationName === 'Devices').length

test('kill -9 in mid-pull loses nothing: what was read is there at once, and the pull goes on from its token', async () => {
  const reference = await service(leftovers, { profile: 'minimal', devices: 1_500, tenants: 1, points: false })
  const profile = temporaryProfile(leftovers)
  const child = fork(path.resolve('test/support/core-child.ts'), { execArgv: [], stdio: 'ignore' })
  leftovers.push(() => child.kill('SIGKILL'))
  child.send({ profile, connection: connectionTo(reference) })
  await until(() => expect(pagesAsked(reference)).toBeGreaterThan(40))
  child.kill('SIGKILL')
  await once(child, 'exit')
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

function transitionsIn(profile: string): number {
  const journal = new DatabaseSync(path.join(profile, 'journal.db'), { readOnly: true })
  const [row] = journal.prepare('SELECT count(*) AS n FROM transition').all()
  journal.close()
  return Number(row?.['n'])
}
