import { expect, test } from 'vitest'
import { deviceNode } from '../../src-main/inventory/keys.ts'
import { allByName, until, type Console } from '../support/fleet.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { standby } from '../support/postgres/failover.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { passwords } from '../support/postgres/team.ts'
import { openMember, openReader } from '../support/team-consoles.ts'

/* What is written just before a failover, and a database that has lost more than one loses. */

const { skip, postgres, leftovers, makeTeam } = useTeamDatabases('failover')

const linkOf = async (muster: Console) => (await muster.call('team.read', {})).joined?.link
const bannersOf = async (muster: Console) => (await muster.call('app.state', {})).banners.map(({ id }) => id)

/** A reader and Berta, who have all devices, and a place for a note. */
async function setup() {
  const { database } = await makeTeam()
  const { anna } = await openReader({ leftovers, postgres, database })
  const berta = await openMember({ leftovers, postgres, database, operator: 'Berta' })
  const node = await until(async () => {
    const { rows, total } = await berta.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })
    expect(total).toBe(120)
    return deviceNode(rows[0]?.key ?? '')
  })
  const noteAt = async (muster: Console) => (await muster.call('notes.of', { node })).own?.text ?? null
  const save = (text: string) => berta.call('notes.save', { node, text, contact: '', tags: [] })
  const snapshots = () => postgres.admin('SELECT id FROM muster.snapshot', database)
  return { database, anna, berta, noteAt, save, snapshots }
}

test(
  `what a failover loses of own acts is written again, and all are told${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { database, anna, berta, noteAt, save, snapshots } = await setup()
    await until(async () => expect(await snapshots()).toHaveLength(1), 30_000)
    await save('before')
    await until(async () => expect(await noteAt(anna)).toBe('before'))
    const failOver = await standby(postgres, database)
    await save('just before it')
    await berta.call('views.save', { id: 'v', name: 'View', query: allByName, columns: null, isDefault: false })
    await until(async () => expect(await noteAt(anna)).toBe('just before it'))
    await failOver()
    await until(async () => {
      for (const muster of [anna, berta]) expect(await bannersOf(muster)).toContain('team-rewound')
      for (const muster of [anna, berta]) {
        expect(await noteAt(muster)).toBe('just before it')
        expect((await muster.call('app.state', {})).views.map(({ name }) => name)).toEqual(['View'])
      }
    }, 60_000)
  },
)

test(
  `emptied tables replace no copy, until its operator joins again${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { database, anna, berta, noteAt, save } = await setup()
    await save('kept')
    await until(async () => expect(await noteAt(anna)).toBe('kept'))
    // A failover loses seconds: it empties no team that is older than some minutes.
    await postgres.admin(`UPDATE muster.team SET created_at = now() - interval '1 hour'`, database)
    // Members write meanwhile: one of two statements that wait for each other is ended.
    const empty = 'TRUNCATE muster.log, muster.log_end, muster.lead, muster.snapshot, muster.snapshot_part'
    await until(() => postgres.admin(empty, database))
    for (const muster of [anna, berta])
      await until(async () => {
        const link = await linkOf(muster)
        expect(link).toMatchObject({ is: 'lost', fault: { kind: 'not-found' } })
        expect(JSON.stringify(link)).toContain('its tables were emptied')
      }, 40_000)
    for (const muster of [anna, berta]) {
      expect(await noteAt(muster)).toBe('kept')
      expect((await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })).total).toBe(120)
    }
    // Joining again is the word to begin anew.
    const { typed } = await berta.call('team.show', {})
    if (typed === null) throw new Error('it is in no team')
    await berta.call('team.leave', {})
    await berta.call('team.join', { typed: { ...typed, password: passwords.berta }, share: false })
    await until(async () => {
      const { joined } = await berta.call('team.read', {})
      expect([joined?.link.is, joined?.isCatchingUp]).toEqual(['online', false])
      expect(await noteAt(berta)).toBeNull()
    }, 40_000)
    expect(await noteAt(anna)).toBe('kept')
  },
)
