import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { cutAll } from '../support/postgres/failover.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { passwords } from '../support/postgres/team.ts'
import { startHostile } from '../support/hostile-service.ts'
import { leaksBelow, leaksIn } from '../support/leaks.ts'
import { allByName, connectionTo, openConsole, until, type Console } from '../support/fleet.ts'
import { openMember, openReader } from '../support/team-consoles.ts'

const { skip, leftovers, postgres, makeTeam } = useTeamDatabases('core')

/** Makes a database with its schema, and returns its name. */
const makeDatabase = async () => (await makeTeam()).database

const member = (database: string, operator: string) => openMember({ leftovers, postgres, database, operator })

const rowsOf = async (muster: Console, filter = '') =>
  (await muster.call('inventory.rows', { query: { ...allByName, filter }, offset: 0, limit: 500 })).rows

/** What the window shows of the devices, without what differs by the moment. */
const shownBy = async (muster: Console) => (await rowsOf(muster)).map(({ id, status, name }) => [id, status, name])

async function setup() {
  const database = await makeDatabase()
  return { database, ...(await openReader({ leftovers, postgres, database })) }
}

test(`one reads and all see, also a drop${noPostgres}`, { skip, timeout: 90_000 }, async () => {
  const { database, reference, anna } = await setup()
  const berta = await member(database, 'Berta')
  await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)), 20_000)
  expect((await rowsOf(berta)).length).toBe(120)
  const [seen] = (await berta.call('app.state', {})).connections
  expect(seen).toMatchObject({ readBy: 'Anna', link: { state: 'live' }, secret: 'elsewhere' })
  const asked = reference.operations().length
  const online = (await rowsOf(berta)).find(({ status }) => status === 'connected')
  reference.world.setConnected(online?.id ?? '', false)
  await until(async () => {
    const [row] = await rowsOf(berta, `id:"${online?.id ?? ''}"`)
    expect(row?.status).toBe('disconnected')
    expect(row?.since?.kind).toBe('seen')
  })
  // Only the leader asks the service.
  expect(reference.operations().slice(asked)).toEqual([])
})

test(
  `a connection that was not stored before a kill is taken from the copy${noPostgres}`,
  { skip, timeout: 90_000 },
  async () => {
    const { database } = await setup()
    const berta = await member(database, 'Berta')
    const names = async (muster: Console) =>
      (await muster.call('app.state', {})).connections.map(({ name, readBy }) => [name, readBy])
    await until(async () => expect(await names(berta)).toEqual([['Acme', 'Anna']]))
    await berta.stop()
    // The log was carried out, and the settings were not written yet.
    const file = path.join(berta.profile, 'settings.json')
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const [key] = Object.keys(stored).filter((each) => each.endsWith('.connections'))
    if (key === undefined) throw new Error('no connections are stored')
    writeFileSync(file, JSON.stringify({ ...stored, [key]: [] }))
    const again = await openConsole(leftovers, berta.profile, { secrets: berta.secrets })
    await until(async () => expect(await names(again)).toEqual([['Acme', 'Anna']]))
  },
)

test(
  `a member takes over when the leader ends, and a missed drop is entered once${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { database, reference, anna } = await setup()
    const berta = await member(database, 'Berta')
    const [connection] = (await berta.call('app.state', {})).connections
    const { input } = await berta.call('connections.show', { id: connection?.id ?? '' })
    expect(input?.clientSecret).toBe('')
    await berta.call('connections.save', {
      ...connectionTo(reference),
      id: connection?.id ?? '',
    })
    const online = (await rowsOf(berta)).find(({ status }) => status === 'connected')
    await anna.stop()
    reference.world.setConnected(online?.id ?? '', false)
    await until(async () => {
      const [state] = (await berta.call('app.state', {})).connections
      expect(state?.readBy).toBeUndefined()
      expect(state?.link.state).toBe('live')
      const [row] = await rowsOf(berta, `id:"${online?.id ?? ''}"`)
      expect(row?.status).toBe('disconnected')
    }, 40_000)
    const { device } = await berta.call('inventory.device', { key: online?.key ?? '' })
    expect(device?.transitions).toHaveLength(1)
    // Anna comes back, with what happened meanwhile.
    const again = await openConsole(leftovers, anna.profile, { secrets: anna.secrets })
    await until(async () => {
      expect(await shownBy(again)).toEqual(await shownBy(berta))
      const { device } = await again.call('inventory.device', { key: online?.key ?? '' })
      expect(device?.transitions).toHaveLength(1)
    }, 30_000)
  },
)

test(
  `incidents are the same for all, and who only follows acknowledges${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { database, reference, anna } = await setup()
    for (const muster of [anna]) await muster.call('settings.change', { holdOffSeconds: 0 })
    const berta = await member(database, 'Berta')
    const told: string[] = []
    berta.core.on('notification', ({ id }) => void told.push(id))
    const online = (await rowsOf(anna)).find(({ status }) => status === 'connected')
    reference.world.setConnected(online?.id ?? '', false)
    const openOf = async (muster: Console) =>
      (await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })).rows
    const [incident] = await until(async () => {
      const [ofAnna, ofBerta] = [await openOf(anna), await openOf(berta)]
      expect(ofAnna).toHaveLength(1)
      expect(ofBerta.map(({ id }) => id)).toEqual(ofAnna.map(({ id }) => id))
      return ofBerta
    })
    await until(() => expect(told).not.toEqual([]))
    const { undo } = await berta.call('incidents.acknowledge', { ids: [incident?.id ?? ''], reason: 'I look at it' })
    for (const muster of [anna, berta])
      await until(async () => {
        const { shown } = await muster.call('incidents.show', { id: incident?.id ?? '' })
        expect(shown?.incident.acknowledged).toMatchObject({ reason: 'I look at it', by: 'Berta' })
      })
    await berta.call('actions.undo', { id: undo })
    for (const muster of [anna, berta])
      await until(async () => {
        const { shown } = await muster.call('incidents.show', { id: incident?.id ?? '' })
        expect(shown?.incident.acknowledged).toBeNull()
      })
  },
)

test(`leaving brings back the own data, and the team goes on${noPostgres}`, { skip, timeout: 90_000 }, async () => {
  const { database, anna } = await setup()
  const berta = await member(database, 'Berta')
  await berta.call('views.save', {
    id: 'one',
    name: 'Down',
    query: { ...allByName, filter: 'connected:no' },
    columns: null,
    isDefault: false,
  })
  await until(async () => {
    const { views } = await anna.call('app.state', {})
    expect(views.map(({ name }) => name)).toEqual(['Down'])
  })
  await berta.call('team.leave', {})
  expect(await berta.call('team.read', {})).toEqual({ joined: null })
  const { connections, views } = await berta.call('app.state', {})
  expect([connections, views]).toEqual([[], []])
  await until(async () => {
    const { joined } = await anna.call('team.read', {})
    expect(joined?.members.map(({ operator }) => operator)).toEqual(['Anna'])
  })
})

test(
  `without the database nothing is lost, and then all are alike again${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const { database, reference, anna } = await setup()
    const berta = await member(database, 'Berta')
    await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)))
    const online = (await rowsOf(berta)).find(({ status }) => status === 'connected')
    // The database cuts everyone and lets nobody in.
    await postgres.admin(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
    await cutAll(postgres, database)
    reference.world.setConnected(online?.id ?? '', false)
    await until(async () => {
      const { joined } = await berta.call('team.read', {})
      expect(joined?.link.is).toBe('lost')
      // Nobody leads without a lease, so nobody knows.
      for (const muster of [anna, berta])
        expect((await rowsOf(muster)).every(({ status }) => status === 'unknown')).toBe(true)
    }, 40_000)
    const refused = await berta
      .call('zones.set', { node: 'all', nodeName: 'All', zone: 'Europe/Berlin' })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ fault: { kind: 'team-away' } })
    await postgres.admin(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
    await until(async () => {
      for (const muster of [anna, berta]) {
        const [row] = await rowsOf(muster, `id:"${online?.id ?? ''}"`)
        expect(row?.status).toBe('disconnected')
      }
      expect(await shownBy(berta)).toEqual(await shownBy(anna))
    }, 60_000)
    for (const muster of [anna, berta]) {
      const { device } = await muster.call('inventory.device', { key: online?.key ?? '' })
      expect(device?.transitions).toHaveLength(1)
      expect(device?.transitions[0]?.notBefore).not.toBeNull()
    }
  },
)

test(
  `who joins takes a snapshot, and a wiped database leaves the copies whole${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const { database, anna } = await setup()
    await anna.call('views.save', { id: 'one', name: 'Down', query: allByName, columns: null, isDefault: false })
    await until(async () => {
      const rows = await postgres.admin('SELECT number FROM muster.snapshot', database)
      expect(rows).toHaveLength(1)
    }, 90_000)
    await postgres.admin('DELETE FROM muster.log WHERE number < (SELECT number FROM muster.snapshot)', database)
    const berta = await member(database, 'Berta')
    await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)))
    const { views, connections } = await berta.call('app.state', {})
    expect([views.map(({ name }) => name), connections.map(({ name }) => name)]).toEqual([['Down'], ['Acme']])
    await postgres.admin('DROP SCHEMA muster CASCADE', database)
    await postgres.admin(
      'CREATE SCHEMA muster AUTHORIZATION muster_owner; GRANT USAGE ON SCHEMA muster TO muster_member',
      database,
    )
    await until(async () => {
      const { joined } = await berta.call('team.read', {})
      expect(joined?.link).toMatchObject({ is: 'lost' })
    }, 40_000)
    expect(await rowsOf(berta)).toHaveLength(120)
  },
)

test(`a changed address does not take anybody's secret along${noPostgres}`, { skip, timeout: 120_000 }, async () => {
  const { database, reference, anna } = await setup()
  const berta = await member(database, 'Berta')
  const other = await startHostile(leftovers, {})
  const id = (await berta.call('app.state', {})).connections[0]?.id ?? ''
  await berta.call('connections.save', { ...other.input, id, clientSecret: 'what Berta typed' })
  await until(async () => {
    const [ofAnna] = (await anna.call('app.state', {})).connections
    expect(ofAnna).toMatchObject({ graphqlUrl: other.input.graphqlUrl, secret: 'elsewhere', readBy: 'Berta' })
    expect(other.credentials).not.toEqual([])
  }, 40_000)
  expect(
    other.credentials.flatMap((text) => leaksIn('the other service', text, { secret: reference.clientSecret })),
  ).toEqual([])
  // It is still there, for when the address is as it was.
  expect(await anna.secrets.get(id)).toBe(reference.clientSecret)
})

test(`no secret is in the database, a profile or a log${noPostgres}`, { skip, timeout: 120_000 }, async () => {
  const { database, reference, anna } = await setup()
  const berta = await member(database, 'Berta')
  await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)))
  await until(
    async () => expect(await postgres.admin('SELECT number FROM muster.snapshot', database)).toHaveLength(1),
    60_000,
  )
  const secrets = { secret: reference.clientSecret, owner: passwords.muster_owner, member: passwords.berta }
  const tables = await postgres.admin(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'muster' AND table_type = 'BASE TABLE'",
    database,
  )
  const texts: string[] = [...anna.log, ...berta.log]
  for (const { table_name: table } of tables)
    for (const row of await postgres.admin(`SELECT * FROM muster.${String(table)}`, database))
      for (const value of Object.values(row)) texts.push(value instanceof Uint8Array ? unpacked(value) : String(value))
  expect(texts.some((text) => text.includes('"is":"call"'))).toBe(true)
  expect(texts.some((text) => text.includes('SQLite format 3'))).toBe(true)
  expect(texts.flatMap((text) => leaksIn('the database or a log', Buffer.from(text, 'latin1'), secrets))).toEqual([])
  for (const { profile } of [anna, berta]) expect(leaksBelow(profile, secrets).leaks).toEqual([])
})

/** Returns what a body of the log, or the one part of a snapshot, holds. */
function unpacked(body: Uint8Array): string {
  const bytes = Buffer.from(body)
  // A row of the log begins with 0 or 1, which compressed text never does.
  return inflateRawSync((bytes[0] ?? 0) < 2 ? bytes.subarray(1) : bytes).toString('latin1')
}
