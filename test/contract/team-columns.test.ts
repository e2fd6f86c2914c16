import { expect, test } from 'vitest'
import { allByName, connectionTo, until, type Console } from '../support/fleet.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { openMember, openReader } from '../support/team-consoles.ts'

const { skip, makeTeam } = useTeamDatabases('columns')
const options = { skip, timeout: 120_000 }

const columnOf = async (muster: Console, name: string) =>
  (await muster.call('app.state', {})).columns.find((column) => column.name === name)

const whenRead = (muster: Console, name: string) =>
  until(async () => {
    const column = await columnOf(muster, name)
    expect(column).toMatchObject({ on: true, reading: false, fault: null })
    expect([column?.read, (column?.of ?? 0) > 0]).toEqual([column?.of, true])
  }, 40_000)

const found = async (muster: Console, filter: string) =>
  (await muster.call('inventory.rows', { query: { ...allByName, filter }, offset: 0, limit: 10 })).rows.map(
    ({ id }) => id,
  )

test(`a column that a member switches on is read by the leader, for all${noPostgres}`, options, async () => {
  const team = await makeTeam()
  const { reference, anna } = await openReader(team)
  const berta = await openMember({ ...team, operator: 'Berta' })
  await until(
    async () => expect(await columnOf(berta, 'serialNumber')).toMatchObject({ type: 'text', on: false }),
    20_000,
  )
  // The leader is asked what it would cost.
  const costOf = (muster: Console) =>
    until(async () => {
      const cost = await muster.call('columns.cost', { name: 'serialNumber' })
      expect(cost?.devices).toBe(120)
      return cost?.points
    }, 20_000)
  const own = await costOf(anna)
  expect(own).toBeGreaterThan(0)
  expect(await costOf(berta)).toBe(own)
  await berta.call('columns.switch', { name: 'serialNumber', on: true })
  for (const muster of [anna, berta]) await whenRead(muster, 'serialNumber')
  const device = reference.world.devices()[0]
  for (const muster of [anna, berta])
    expect(await found(muster, `serialNumber:${device?.serialNumber ?? '-'}`)).toEqual([device?.id])
  // Whoever joins later has it too, and whoever reads next reads it on.
  const cleo = await openMember({ ...team, operator: 'Cleo', role: 'anna' })
  await whenRead(cleo, 'serialNumber')
  const [connection] = (await berta.call('app.state', {})).connections
  await berta.call('connections.save', { ...connectionTo(reference), id: connection?.id ?? null })
  await anna.stop()
  await until(async () => {
    const [state] = (await berta.call('app.state', {})).connections
    expect([state?.link.state, state?.readBy]).toEqual(['live', undefined])
  }, 40_000)
  await whenRead(berta, 'serialNumber')
  await cleo.call('columns.switch', { name: 'serialNumber', on: false })
  await until(async () => expect((await columnOf(berta, 'serialNumber'))?.on).toBe(false), 20_000)
})

test(`columns of one’s own are the team’s when connections are added${noPostgres}`, options, async () => {
  const team = await makeTeam()
  const { reference } = await openReader(team)
  const berta = await openMember({
    ...team,
    operator: 'Berta',
    share: true,
    async prepare(muster) {
      await muster.call('connections.save', connectionTo(reference))
      await until(async () => expect(await columnOf(muster, 'serialNumber')).toBeDefined(), 20_000)
      await muster.call('columns.switch', { name: 'serialNumber', on: true })
    },
  })
  await whenRead(berta, 'serialNumber')
})
