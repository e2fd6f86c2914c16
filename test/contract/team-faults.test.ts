import { randomUUID } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openLogStore } from '../../src-main/team/log/sql-log.ts'
import { teamLog } from '../../src-main/team/replica/replica.ts'
import { allByName, connectionTo, createLeftovers, until, type Console } from '../support/fleet.ts'
import { startPooler } from '../support/postgres/pooler.ts'
import { noPostgres, startPostgres, type Postgres } from '../support/postgres/server.ts'
import { createDatabase, createRoles, passwords, poolOf, targetOf } from '../support/postgres/team.ts'
import { openMember, openReader, type MemberOptions } from '../support/team-consoles.ts'
import type { Service } from '../../src-service/service.ts'

const skip = noPostgres !== ''

const server = createLeftovers()
const leftovers = createLeftovers()
let postgres: Postgres
let databases = 0

beforeAll(async () => {
  if (skip) return
  postgres = await startPostgres((stop) => server.push(stop))
  await createRoles(postgres)
}, 60_000)
afterAll(() => server.clean())
afterEach(() => leftovers.clean(), 60_000)

async function makeTeam(): Promise<string> {
  databases += 1
  const name = `faults${databases}`
  await createDatabase(postgres, name)
  return name
}

const member = (database: string, operator: string, more: Partial<MemberOptions> = {}) =>
  openMember({ leftovers, postgres, database, operator, ...more })

const rowsOf = async (muster: Console) =>
  (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })).rows

const shownBy = async (muster: Console) => (await rowsOf(muster)).map(({ id, status, name }) => [id, status, name])

const joinedOf = async (muster: Console) => {
  const { joined } = await muster.call('team.read', {})
  if (joined === null) throw new Error('it is in no team')
  return joined
}

/** Types the secret of the team's connection, so that a member may lead. */
async function typeSecret(muster: Console, reference: Service): Promise<void> {
  const id = await until(async () => {
    const [state] = (await muster.call('app.state', {})).connections
    if (state === undefined) throw new Error('no connection is known')
    return state.id
  })
  await muster.call('connections.save', { ...connectionTo(reference), id })
}

/** Waits until a member leads and evaluates, by what it says itself. */
const whenLeading = (muster: Console) =>
  until(async () => {
    const { leads, evaluator } = await joinedOf(muster)
    expect([leads[0]?.leader?.isSelf, evaluator?.isSelf]).toEqual([true, true])
    const [state] = (await muster.call('app.state', {})).connections
    expect(state?.link.state).toBe('live')
  }, 40_000)

test(
  `behind a transaction pooler a core joins, follows and leads${noPostgres}`,
  { skip, timeout: 90_000 },
  async () => {
    const database = await makeTeam()
    const { reference, anna } = await openReader({ leftovers, postgres, database })
    const role = 'berta'
    const port = await startPooler((stop) => leftovers.push(stop), {
      host: '127.0.0.1',
      port: postgres.port,
      user: role,
      password: passwords[role],
      database,
      size: 2,
    })
    const berta = await member(database, 'Berta', { role, port })
    await typeSecret(berta, reference)
    await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)))
    const online = (await rowsOf(anna)).find(({ status }) => status === 'connected')
    reference.world.setConnected(online?.id ?? '', false)
    await until(async () => {
      expect((await rowsOf(berta)).find(({ id }) => id === online?.id)?.status).toBe('disconnected')
    })
    await anna.stop()
    await whenLeading(berta)
    reference.world.setConnected(online?.id ?? '', true)
    await until(async () => {
      expect((await rowsOf(berta)).find(({ id }) => id === online?.id)?.status).toBe('connected')
    })
  },
)

test(
  `a newer schema, or row of the log, is told and the copy stays whole${noPostgres}`,
  { skip, timeout: 90_000 },
  async () => {
    const database = await makeTeam()
    const { anna } = await openReader({ leftovers, postgres, database })
    const berta = await member(database, 'Berta')
    await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)))
    const known = (await shownBy(berta)).map(([id]) => id)
    const store = openLogStore(poolOf(targetOf(postgres, 'berta', database), (stop) => void leftovers.push(stop)))
    const row = deflateRawSync(JSON.stringify({ v: 99, is: 'something new' }))
    await store.post(teamLog, [{ id: randomUUID(), body: Buffer.concat([Uint8Array.of(0), row]) }])
    for (const muster of [anna, berta])
      await until(async () => {
        const { link } = await joinedOf(muster)
        expect(link).toMatchObject({ is: 'lost', fault: { kind: 'team-old' } })
        expect((await shownBy(muster)).map(([id]) => id)).toEqual(known)
      })
    await postgres.admin('UPDATE muster.schema_version SET version = version + 1', database)
    await until(async () => {
      expect((await joinedOf(berta)).link).toMatchObject({ is: 'read-only', why: 'newer' })
      expect((await shownBy(berta)).map(([id]) => id)).toEqual(known)
    })
    const refused = await berta
      .call('zones.set', { node: 'all', nodeName: 'All', zone: 'Europe/Berlin' })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ fault: { kind: 'team-away' } })
  },
)
