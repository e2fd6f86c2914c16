import { expect, test } from 'vitest'
import { deviceNode } from '../../src-main/inventory/keys.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { cutAll } from '../support/postgres/failover.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { allByName, openConsole, until, type Console } from '../support/fleet.ts'
import { openMember, openReader } from '../support/team-consoles.ts'

/* What needs no other member is done while the database is away, and sent in its order when it is back. */

const { skip, postgres, leftovers, makeTeam } = useTeamDatabases('acts')

async function cut(database: string): Promise<void> {
  await postgres.admin(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
  await cutAll(postgres, database)
}

const restore = (database: string) => postgres.admin(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)

const untilLink = (muster: Console, is: 'online' | 'lost') =>
  until(async () => expect((await muster.call('team.read', {})).joined?.link.is).toBe(is), 40_000)

const waitingAt = async (muster: Console) => (await muster.call('team.read', {})).joined?.waitingActs

const view = (name: string) => ({ id: 'one', name, query: allByName, columns: null, isDefault: false })
const viewsOf = async (muster: Console) => (await muster.call('app.state', {})).views.map(({ name }) => name)
const operation = { id: 'one', name: 'Count', folder: '', document: '{ tenants { id } }', variables: '' }
const note = (text: string) => ({ text, contact: '', tags: [] })

test(
  `notes, tags and views wait for the database, over a restart${noPostgres}`,
  { skip, timeout: 180_000 },
  async () => {
    const team = await makeTeam()
    const { anna } = await openReader(team)
    let berta: Console = await openMember({ ...team, operator: 'Berta' })
    const { profile } = berta as Awaited<ReturnType<typeof openMember>>
    await until(async () => {
      const { total } = await berta.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })
      expect(total).toBe(120)
    })
    const { rows } = await berta.call('inventory.rows', { query: allByName, offset: 0, limit: 2 })
    const [device, other] = rows.map(({ key }) => key)
    if (device === undefined || other === undefined) throw new Error('no devices')
    const noteAt = async (muster: Console) => (await muster.call('notes.of', { node: deviceNode(device) })).own?.text
    await berta.call('notes.save', { node: deviceNode(device), ...note('before') })
    await until(async () => expect(await noteAt(anna)).toBe('before'))
    await cut(team.database)
    await untilLink(berta, 'lost')
    await berta.call('views.save', view('First'))
    await berta.call('notes.save', { node: deviceNode(device), ...note('by Berta') })
    await berta.call('notes.tag', { keys: [other], add: ['spare'], remove: [] })
    await berta.call('views.save', view('Second'))
    await berta.call('operations.save', operation)
    const seenBy = async (muster: Console) => ({
      note: await noteAt(muster),
      tags: (await muster.call('notes.of', { node: deviceNode(other) })).own?.tags,
      views: await viewsOf(muster),
      operations: (await muster.call('operations.list', {})).operations.map(({ name }) => name),
    })
    const done = { note: 'by Berta', tags: ['spare'], views: ['Second'], operations: ['Count'] }
    expect(await seenBy(berta)).toEqual(done)
    expect(await waitingAt(berta)).toBe(5)
    expect(await seenBy(anna)).toEqual({ note: 'before', tags: undefined, views: [], operations: [] })
    // What waits outlives the process.
    await berta.stop()
    berta = await openConsole(leftovers, profile, { secrets: berta.secrets })
    await untilLink(berta, 'lost')
    expect(await seenBy(berta)).toEqual(done)
    await until(async () => expect(await waitingAt(berta)).toBe(5))
    await restore(team.database)
    await until(async () => {
      expect(await seenBy(anna)).toEqual(done)
      expect(await waitingAt(berta)).toBe(0)
    }, 60_000)
    expect(await seenBy(berta)).toEqual(done)
    await anna.call('notes.save', { node: deviceNode(device), ...note('by Anna') })
    await until(async () => expect(await noteAt(berta)).toBe('by Anna'))
  },
)
