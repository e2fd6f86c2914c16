import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openLogStore } from '../../src-main/team/log/sql-log.ts'
import { bodiesOf } from '../../src-main/team/replica/codec.ts'
import { teamLog } from '../../src-main/team/replica/replica.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { poolOf, targetOf } from '../support/postgres/team.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { allByName, openConsole, until, type Console } from '../support/fleet.ts'
import { openMember, openReader, typeSecret } from '../support/team-consoles.ts'

/* A connection that one member removes goes at all members, with the secrets that they have of it. */

const { skip, postgres, leftovers, makeTeam } = useTeamDatabases('erasure')

async function setup() {
  const team = await makeTeam()
  const { reference, anna } = await openReader(team)
  const berta = await openMember({ ...team, operator: 'Berta' })
  await typeSecret(berta, reference)
  const [{ id = '' } = {}] = (await berta.call('app.state', {})).connections
  const { rows } = await berta.call('inventory.rows', { query: allByName, offset: 0, limit: 5 })
  expect(rows).toHaveLength(5)
  const down = rows[0]
  reference.world.setConnected(down?.id ?? '', false)
  await until(async () => {
    const { rows: found } = await berta.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })
    expect(found[0]?.status).toBe('disconnected')
  })
  return { ...team, reference, anna, berta, id, names: rows.map(({ name }) => name) }
}

/** The files below a folder that hold one of these texts. */
const holding = (folder: string, texts: readonly string[]): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => texts.some((text) => readFileSync(file).includes(text)))
    .map((file) => path.relative(folder, file))

async function untilGone(muster: Console, id: string) {
  await until(async () => {
    const { connections } = await muster.call('app.state', {})
    const { total } = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })
    expect([connections, total, await muster.secrets.get(id)]).toEqual([[], 0, null])
  }, 40_000)
}

test(`at members that are there${noPostgres}`, { skip, timeout: 120_000 }, async () => {
  const { anna, berta, id, names } = await setup()
  await anna.call('connections.remove', { id })
  for (const muster of [anna, berta]) await untilGone(muster, id)
  await until(() => Promise.resolve(expect(holding(berta.profile, names)).toEqual([])))
  await until(() => Promise.resolve(expect(holding(anna.profile, names)).toEqual([])))
})

test(`at a member that was away, and takes in a snapshot${noPostgres}`, { skip, timeout: 180_000 }, async () => {
  const { database, anna, berta, id, names } = await setup()
  await berta.stop()
  expect(await berta.secrets.get(id)).not.toBeNull()
  const newest = async () =>
    (await postgres.admin('SELECT max(number) AS number FROM muster.snapshot', database))[0]?.['number']
  const before = await newest()
  await anna.call('connections.remove', { id })
  await until(async () => expect(await newest()).not.toBe(before), 100_000)
  await postgres.admin('DELETE FROM muster.log WHERE number < (SELECT max(number) FROM muster.snapshot)', database)
  const again = await openConsole(leftovers, berta.profile, { secrets: berta.secrets })
  await untilGone(again, id)
  await until(() => Promise.resolve(expect(holding(berta.profile, names)).toEqual([])))
})

test(
  `where the member that removed it ended before it erased the data${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { database, anna, berta, id } = await setup()
    await anna.stop()
    const store = openLogStore(
      poolOf(targetOf(postgres, 'muster_owner', database), (stop) => void leftovers.push(stop)),
      teamLog,
    )
    const bodies = bodiesOf({ is: 'call', call: 'unshareConnection', input: { id } })
    await store.post(bodies.map((body) => ({ id: randomUUID(), body })))
    await untilGone(berta, id)
  },
)
