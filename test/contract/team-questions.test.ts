import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { siteNode } from '../../src-main/inventory/keys.ts'
import { bodiesOf } from '../../src-main/team/replica/codec.ts'
import { teamLog } from '../../src-main/team/replica/replica.ts'
import { connectionTo, service, until, type Console } from '../support/fleet.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { openMember } from '../support/team-consoles.ts'

/* Who only follows knows what the member that reads says: points, costs, and the status of one place. */

const { skip, leftovers, postgres, makeTeam } = useTeamDatabases('questions')

test(
  `who only follows is told points and costs, and has a place read${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const { database } = await makeTeam()
    const [first, second] = [
      await service(leftovers, { devices: 60, tenants: 2, life: false }),
      await service(leftovers, { devices: 40, tenants: 1, life: false, profile: 'contrary', contrary: {} }),
    ]
    const of = { leftovers, postgres, database }
    const anna = await openMember({ ...of, operator: 'Anna' })
    const ben = await openMember({ ...of, operator: 'Ben' })
    const cleo = await openMember({ ...of, operator: 'Cleo' })
    // Anna and Ben read one service each, and Cleo none.
    await anna.call('connections.save', connectionTo(first, { name: 'First' }))
    await ben.call('connections.save', connectionTo(second, { name: 'Second' }))
    await until(async () => {
      const { connections, totals } = await cleo.call('app.state', {})
      expect(connections.map(({ link, sync }) => [link.state, sync.state])).toEqual([
        ['live', 'idle'],
        ['live', 'idle'],
      ])
      expect(totals.connected + totals.disconnected + totals.unknown).toBe(100)
    }, 60_000)

    // Each may hear of what the others read a little later, and a busy machine may answer too late.
    for (const muster of [cleo, anna, ben])
      await until(async () => {
        const { sets } = await muster.call('points.hour', {})
        expect(sets.map(({ name }) => name).toSorted()).toEqual(['First', 'Second'])
        for (const { minutes } of sets) expect(minutes.some(({ burned }) => burned.background > 0)).toBe(true)
        const { full } = await muster.call('sync.cost', { scope: 'all' })
        expect([full.devices, full.tenants, full.known]).toEqual([100, 3, true])
        expect(full.points).toBeGreaterThan(0)
      }, 40_000)
    await until(async () => {
      const { columns } = await cleo.call('app.state', {})
      expect((await cleo.call('columns.cost', { name: columns[0]?.name ?? '' }))?.devices).toBeGreaterThan(0)
    }, 20_000)
    await expect(cleo.call('columns.cost', { name: 'none' })).rejects.toMatchObject({ fault: { kind: 'input' } })

    const { device } = await cleo.call('inventory.device', { key: await someDevice(cleo, 'First') })
    const scope = device?.row.site === null ? '' : siteNode(device?.row.tenant.key ?? '', device?.row.site?.id ?? '')
    const asked = () => first.operations().filter(({ operationName }) => operationName === 'StatesByIds').length
    const before = asked()
    expect((await cleo.call('sync.cost', { scope })).status?.devices).toBeGreaterThan(0)
    await cleo.call('sync.start', { scope, status: true })
    expect(asked()).toBeGreaterThan(before)
    await expect(cleo.call('sync.start', { scope: 'nowhere', status: true })).rejects.toMatchObject({
      fault: { kind: 'input', detail: expect.stringContaining('scope') },
    })

    // What was asked while a member was away is not answered when it reads it: nobody waits for it.
    const question = { is: 'question', member: randomUUID(), what: 'status', input: scope } as const
    const ask = (age: string) => {
      const [body] = bodiesOf({ ...question, id: randomUUID() })
      return postgres.admin(
        `WITH last AS (UPDATE muster.log_end SET last = last + 1 RETURNING last)
          INSERT INTO muster.log (log, number, entry, term, body, at) SELECT '${teamLog}', last, gen_random_uuid(), 0,
          '\\x${Buffer.from(body ?? []).toString('hex')}', clock_timestamp() - interval '${age}' FROM last`,
        database,
      )
    }
    const read = asked()
    await ask('1 minute')
    await ask('0 minutes')
    await until(() => expect(asked()).toBeGreaterThan(read), 20_000)
    await cleo.call('sync.cost', { scope })
    expect(asked()).toBe(read + 1)

    // Support reads of the team without a name of anybody.
    const seen = await cleo.call('diagnostics.show', {})
    expect(seen.team).toMatchObject({
      link: 'online',
      fault: '',
      members: 3,
      here: 3,
      sets: { own: 0, others: 2, none: 0 },
    })
    expect((await anna.call('diagnostics.show', {})).team?.sets).toEqual({ own: 1, others: 1, none: 0 })
    const { files } = await cleo.call('support.preview', { pseudonyms: true, names: false, window: '' })
    const text = files.find(({ name }) => name === 'diagnostics.txt')?.text ?? ''
    expect(text).toContain('Credential sets: 0 read here, 2 by others, 0 by nobody')
    expect(/^Team\n-+\n([^]*?)\n\n/mu.exec(text)?.[1]).not.toMatch(/Anna|Ben|Cleo/u)

    // Who does not answer is no emptiness.
    await ben.stop()
    await anna.stop()
    await until(
      () => expect(cleo.call('points.hour', {})).rejects.toMatchObject({ fault: { kind: 'no-secret' } }),
      40_000,
    )
  },
)

/** Returns the key of a device with a site that a connection lists. */
async function someDevice({ call }: Console, connection: string): Promise<string> {
  const { connections } = await call('app.state', {})
  const id = connections.find(({ name }) => name === connection)?.id
  const query = { scope: 'all', filter: '', sort: [] }
  const { keys } = await call('inventory.keys', { query, offset: 0, limit: 100 })
  for (const key of keys) {
    const { device } = await call('inventory.device', { key })
    if (device?.row.site !== null && device?.connections.includes(id ?? '') === true) return key
  }
  throw new Error('no such device')
}
