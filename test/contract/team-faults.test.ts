import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { deviceNode } from '../../src-main/inventory/keys.ts'
import { openLogStore } from '../../src-main/team/log/sql-log.ts'
import { teamLog } from '../../src-main/team/replica/replica.ts'
import { allByName, connectionTo, openConsole, service, until, type Console } from '../support/fleet.ts'
import { startPooler } from '../support/postgres/pooler.ts'
import { freezableClock } from '../support/postgres/replicas.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { passwords, poolOf, targetOf } from '../support/postgres/team.ts'
import { openMember, openReader, typeSecret, type MemberOptions, type TeamConsole } from '../support/team-consoles.ts'

/** Members that start at once. */
const starters = Number(process.env['TEAM_STARTERS'] ?? 6)
const fiveMinutes = 300_000
const { skip, leftovers, postgres, makeTeam } = useTeamDatabases('faults')

/** Makes a database with its schema, and returns its name. */
const makeDatabase = async () => (await makeTeam()).database

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

/** Waits until a member leads and evaluates, by what it says itself. */
const whenLeading = (muster: Console) =>
  until(async () => {
    const { leads, evaluator } = await joinedOf(muster)
    expect([leads[0]?.leader?.isSelf, evaluator?.isSelf]).toEqual([true, true])
    const [state] = (await muster.call('app.state', {})).connections
    expect(state?.link.state).toBe('live')
  }, 40_000)

/** Waits until a member neither leads nor evaluates. */
const whenFollowing = (muster: Console) =>
  until(async () => {
    const { leads, evaluator } = await joinedOf(muster)
    expect([leads[0]?.leader?.isSelf ?? false, evaluator?.isSelf ?? false]).toEqual([false, false])
  }, 40_000)

const openOf = async (muster: Console) =>
  (await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })).rows

const noteAt = async (muster: Console, node: string) => (await muster.call('notes.of', { node })).own?.text ?? null

test(
  `clocks 10 minutes apart: one incident, at the database's time${noPostgres}`,
  { skip, timeout: 90_000 },
  async () => {
    const database = await makeDatabase()
    const [behind, ahead] = [freezableClock(-fiveMinutes), freezableClock(fiveMinutes)]
    const { reference, anna } = await openReader({ leftovers, postgres, database, more: { clock: behind } })
    await anna.call('settings.change', { holdOffSeconds: 0, groupingSeconds: 1 })
    const berta = await member(database, 'Berta', { more: { clock: ahead } })
    await typeSecret(berta, reference)
    await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)))
    const online = (await rowsOf(anna)).filter(({ status }) => status === 'connected')
    const [first, second] = [online[0], online.at(-1)]
    const drop = async (row: typeof first, musters: readonly Console[]) => {
      const at = Date.now()
      reference.world.setConnected(row?.id ?? '', false)
      for (const muster of musters)
        await until(async () => {
          const { device } = await muster.call('inventory.device', { key: row?.key ?? '' })
          expect(device?.transitions).toHaveLength(1)
          const seen = device?.transitions[0]?.at ?? 0
          expect(Math.abs(seen - at)).toBeLessThan(10_000)
        })
    }
    const begun = Date.now()
    await drop(first, [anna, berta])
    const ofBoth = await until(async () => {
      const [ofAnna, ofBerta] = [await openOf(anna), await openOf(berta)]
      expect(ofAnna).toHaveLength(1)
      expect(ofBerta).toEqual(ofAnna)
      return ofAnna
    })
    for (const at of [ofBoth[0]?.since ?? 0, ofBoth[0]?.openedAt ?? 0])
      expect(Math.abs(at - begun)).toBeLessThan(10_000)
    await anna.stop()
    await whenLeading(berta)
    await drop(second, [berta])
    const again = await openConsole(leftovers, anna.profile, { secrets: anna.secrets, clock: behind })
    await until(async () => {
      const [ofAnna, ofBerta] = [await openOf(again), await openOf(berta)]
      expect(ofAnna).toEqual(ofBerta)
      expect(await shownBy(again)).toEqual(await shownBy(berta))
      // The outage from before the takeover is in one incident still.
      expect(ofBerta.filter(({ id }) => id === ofBoth[0]?.id)).toHaveLength(1)
      expect(ofBerta.reduce((count, { devices }) => count + devices.down, 0)).toBe(2)
    }, 40_000)
  },
)

test(
  `a full disk: a leader stands still, another one leads, and nothing is lost${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const database = await makeDatabase()
    const { reference, anna } = await openReader({ leftovers, postgres, database })
    const dataThread = path.resolve('test/support/full-disk-thread.ts')
    const berta = await member(database, 'Berta', { more: { dataThread } })
    await typeSecret(berta, reference)
    await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)))
    await anna.stop()
    await whenLeading(berta)
    const again = await openConsole(leftovers, anna.profile, { secrets: anna.secrets })
    await until(async () => expect((await joinedOf(again)).isCatchingUp).toBe(false))
    const keys = (await rowsOf(again)).map(({ key }) => deviceNode(key))
    const disk = path.join(berta.profile, 'disk-is-full')
    writeFileSync(disk, '')
    const text = (index: number) => `${index} `.repeat(2000).slice(0, 3500)
    for (const [index, node] of keys.slice(0, 100).entries())
      await again.call('notes.save', { node, text: text(index), contact: '', tags: [] })
    await until(async () => {
      expect((await joinedOf(berta)).lagMs).toBeGreaterThan(0)
      expect(berta.log).toContain('the team’s log cannot be written')
    })
    await whenFollowing(berta)
    await whenLeading(again)
    // What it has is what was before one row, and nothing from after it.
    const texts: (string | null)[] = []
    for (const node of keys.slice(0, 100)) texts.push(await noteAt(berta, node))
    const written = texts.filter((one) => one !== null).length
    expect(written).toBeLessThan(100)
    expect(texts).toEqual(keys.slice(0, 100).map((_key, index) => (index < written ? text(index) : null)))
    rmSync(disk)
    await until(async () => {
      expect((await joinedOf(berta)).lagMs).toBe(0)
      expect(berta.log).toContain('the team’s log can be written again')
      for (const [index, node] of keys.slice(0, 100).entries()) expect(await noteAt(berta, node)).toBe(text(index))
      expect(await shownBy(berta)).toEqual(await shownBy(again))
    }, 30_000)
  },
)

test(
  `behind a transaction pooler a core joins, follows and leads${noPostgres}`,
  { skip, timeout: 90_000 },
  async () => {
    const database = await makeDatabase()
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
  `${starters} owners at once on an empty database: one schema, one who reads${noPostgres}`,
  { skip, timeout: 60_000 + starters * 10_000 },
  async () => {
    const database = await makeDatabase()
    const reference = await service(leftovers, { devices: 20, tenants: 1 })
    const operators = Array.from({ length: starters }, (_, index) => `Operator ${index + 1}`)
    const musters: TeamConsole[] = await Promise.all(
      operators.map((operator) => member(database, operator, { role: 'muster_owner' })),
    )
    expect(await postgres.admin('SELECT count(*)::int AS count FROM muster.team', database)).toEqual([{ count: 1 }])
    await musters[0]?.call('connections.save', connectionTo(reference))
    await Promise.all(musters.slice(1).map((muster) => typeSecret(muster, reference)))
    await until(
      async () => {
        const all = await Promise.all(musters.map(joinedOf))
        for (const { link, members } of all) {
          expect(link.is).toBe('online')
          expect(
            members
              .filter(({ isHere }) => isHere)
              .map(({ operator }) => operator)
              .sort(),
          ).toEqual(operators.toSorted())
        }
        expect(all.filter(({ evaluator }) => evaluator?.isSelf === true)).toHaveLength(1)
        expect(new Set(all.map(({ evaluator }) => evaluator?.operator)).size).toBe(1)
        expect(all.filter(({ leads }) => leads[0]?.leader?.isSelf === true)).toHaveLength(1)
        expect(new Set(all.map(({ leads }) => leads[0]?.leader?.operator)).size).toBe(1)
        for (const muster of musters) expect(await rowsOf(muster)).toHaveLength(20)
      },
      30_000 + starters * 3000,
    )
  },
)

test(
  `a newer schema, or row of the log, is told and the copy stays whole${noPostgres}`,
  { skip, timeout: 90_000 },
  async () => {
    const database = await makeDatabase()
    const { anna } = await openReader({ leftovers, postgres, database })
    const berta = await member(database, 'Berta')
    await until(async () => expect(await shownBy(berta)).toEqual(await shownBy(anna)))
    const known = (await shownBy(berta)).map(([id]) => id)
    const store = openLogStore(
      poolOf(targetOf(postgres, 'berta', database), (stop) => void leftovers.push(stop)),
      teamLog,
    )
    const row = deflateRawSync(JSON.stringify({ v: 99, is: 'something new' }))
    await store.post([{ id: randomUUID(), body: Buffer.concat([Uint8Array.of(0), row]) }])
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
