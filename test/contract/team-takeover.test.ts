import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock, type Clock } from '../../src-shared/lib/clock.ts'
import { allByName, connectionTo, service, until, type Console } from '../support/fleet.ts'
import { listeningUntil } from '../support/listening.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { passwords } from '../support/postgres/team.ts'
import { openMember, openReader, typeSecret } from '../support/team-consoles.ts'

/* Members that end in order, and what a member leaves at the server. */

const { skip, postgres, leftovers, makeTeam } = useTeamDatabases('takeover')

const off = (ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ms })

const statusOf = async (muster: Console, id: string) => {
  const query = { ...allByName, filter: `id:"${id}"` }
  return (await muster.call('inventory.rows', { query, offset: 0, limit: 1 })).rows[0]?.status
}

test(
  `a drop right after a takeover is seen, by clocks that differ a little${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { database } = await makeTeam()
    const [ahead, behind] = [off(1900), off(-1900)]
    const { reference, anna } = await openReader({ leftovers, postgres, database, more: { clock: ahead } })
    const berta = await openMember({ leftovers, postgres, database, operator: 'Berta', more: { clock: behind } })
    await typeSecret(berta, reference)
    const device = reference.world.connectedAt(reference.world.siteSizes()[0]?.siteId ?? '')[0] ?? ''
    await until(async () => expect(await statusOf(berta, device)).toBe('connected'))
    expect((await anna.call('diagnostics.show', {})).team?.takeovers).toBe(0)
    await anna.call('sync.start', { scope: 'all' })
    await until(async () => expect((await anna.call('app.state', {})).connections[0]?.sync.state).toBe('idle'))
    const ending = anna.stop()
    await until(async () => {
      const [state] = (await berta.call('app.state', {})).connections
      expect([state?.readBy, state?.link.state]).toEqual([undefined, 'live'])
    }, 20_000)
    reference.world.setConnected(device, false)
    await until(async () => expect(await statusOf(berta, device)).toBe('disconnected'), 10_000)
    await ending
    // The evaluation too; what Anna led first she took over from nobody.
    await until(async () => expect((await berta.call('diagnostics.show', {})).team?.takeovers).toBe(2))
  },
)

test(
  `who leaves releases its leases at once, and is off the list${noPostgres}`,
  { skip, timeout: 90_000 },
  async () => {
    const { database } = await makeTeam()
    const reference = await service(leftovers, { devices: 20, tenants: 1 })
    const owner = await openMember({ leftovers, postgres, database, operator: 'Anna' })
    await owner.stop()
    const berta = await openMember({
      leftovers,
      postgres,
      database,
      operator: 'Berta',
      share: true,
      prepare: (muster) => muster.call('connections.save', connectionTo(reference)),
    })
    const holders = async () =>
      (await postgres.admin('SELECT holder FROM muster.lead WHERE until > clock_timestamp()', database)).map(
        ({ holder }) => String(holder),
      )
    const held = await until(async () => {
      const all = await holders()
      expect(all).toHaveLength(2)
      return all
    }, 30_000)
    await berta.call('team.leave', {})
    expect(await holders()).toEqual([])
    // They did not run out: a release has another holder.
    const ids = held.map((id) => `'${id}'`).join()
    expect(await postgres.admin(`SELECT subject FROM muster.lead WHERE holder IN (${ids})`, database)).toEqual([])
    expect(await postgres.admin(`SELECT operator FROM muster.member WHERE role = 'berta'`, database)).toEqual([])
  },
)

test(
  `statements that wait for a lock do not pile up at the server${noPostgres}`,
  { skip, timeout: 90_000 },
  async () => {
    const { database } = await makeTeam()
    const { anna } = await openReader({ leftovers, postgres, database })
    const sessions = async () => {
      const sql = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = '${database}' AND usename = 'muster_owner'`
      return Number((await postgres.admin(sql))[0]?.['count'])
    }
    const held = postgres.admin('BEGIN; SELECT FROM muster.log_end FOR UPDATE; SELECT pg_sleep(20); COMMIT', database)
    let most = 0
    for (let looks = 0; looks < 35; looks += 1) {
      most = Math.max(most, await sessions())
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    await held
    // Four, and those that are being ended at the moment.
    expect(most).toBeLessThanOrEqual(7)
    await until(async () => expect((await anna.call('team.read', {})).joined?.link.is).toBe('online'), 20_000)
    expect(await sessions()).toBeLessThanOrEqual(4)
  },
)

test(`the stored password is sent to no other address${noPostgres}`, { skip, timeout: 60_000 }, async () => {
  const { database } = await makeTeam()
  const anna = await openMember({ leftovers, postgres, database, operator: 'Anna' })
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // It asks for a password in plain text.
    socket.once('data', () => {
      socket.write(Buffer.from('R\0\0\0\u0008\0\0\0\u0003', 'latin1'))
      socket.on('data', (data) => {
        heard.push(data.toString('latin1'))
        socket.destroy()
      })
    })
  })
  const port = await listeningUntil(server, (stop) => leftovers.push(stop))
  const { typed } = await anna.call('team.show', {})
  if (typed === null) throw new Error('it is in no team')
  const elsewhere = { ...typed, address: `postgresql://muster_owner@127.0.0.1:${port}/${database}` }
  const { legs } = await anna.call('team.test', elsewhere)
  expect(legs.find(({ leg }) => leg === 'sign-in')?.outcome).toBe('failed')
  await expect(anna.call('team.join', { typed: elsewhere, share: false })).rejects.toThrow()
  expect(heard.join('')).not.toContain(passwords.muster_owner)
  expect(heard.length).toBeGreaterThan(0)
  // Where it was entered for it is still used.
  const again = await anna.call('team.test', typed)
  expect(again.legs.every(({ outcome }) => outcome !== 'failed')).toBe(true)
})
