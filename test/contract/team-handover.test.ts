import { expect, test } from 'vitest'
import type { TeamHandover } from '../../src-shared/model/handovers.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { openConsole, temporaryProfile, until, type Console } from '../support/fleet.ts'
import { openMember, openReader } from '../support/team-consoles.ts'

/* A shift is handed over within a team, read and accepted. */

const { skip, leftovers, makeTeam } = useTeamDatabases('handover')
const hour = 3600_000

const listOf = async (muster: Console) => (await muster.call('handover.list', {})).handovers
const given = (to: string, note = '') => ({ to, note, from: Date.now() - 8 * hour, until: Date.now() })

test('a Muster on its own hands nothing over', async () => {
  const alone = await openConsole(leftovers, temporaryProfile(leftovers))
  await expect(alone.call('handover.give', given('Ben'))).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(alone.call('handover.list', {})).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(alone.call('handover.read', { id: 'any' })).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(alone.call('handover.accept', { id: 'any' })).rejects.toMatchObject({ fault: { kind: 'input' } })
})

test(
  `a shift is handed over, read and accepted, and goes with its data${noPostgres}`,
  { skip, timeout: 180_000 },
  async () => {
    const team = await makeTeam()
    const { anna } = await openReader(team)
    const berta: Console = await openMember({ ...team, operator: 'Berta' })
    const told: TeamHandover[][] = []
    const toldAnna: TeamHandover[][] = []
    berta.core.on('handovers', (all) => told.push(all))
    anna.core.on('handovers', (all) => toldAnna.push(all))
    await until(async () =>
      expect((await anna.call('team.read', {})).joined?.members.map(({ operator }) => operator)).toContain('Berta'),
    )

    await expect(anna.call('handover.give', given('Nobody'))).rejects.toMatchObject({ fault: { kind: 'input' } })
    await expect(
      anna.call('handover.give', { ...given('Berta'), from: Date.now() - 40 * 24 * hour }),
    ).rejects.toMatchObject({ fault: { kind: 'input' } })
    expect(await listOf(anna)).toEqual([])

    const { id } = await anna.call('handover.give', given('Berta', 'Watch the hall'))
    await until(async () => expect(told.at(-1)?.map((one) => one.id)).toEqual([id]))
    await until(async () => expect(toldAnna.at(-1)).toEqual(told.at(-1)))
    const [handover] = await listOf(berta)
    expect(handover).toMatchObject({ id, from: 'Anna', to: 'Berta', note: 'Watch the hall', accepted: null })
    expect(handover).not.toHaveProperty('text')
    const read = (await berta.call('handover.read', { id })).handover
    expect(read?.text).toMatch(/^# Shift handover, .*\n[^]*Of 120 devices/u)
    expect(read).toEqual((await anna.call('handover.read', { id })).handover)
    expect((await berta.call('handover.read', { id: 'unknown' })).handover).toBeNull()

    await expect(anna.call('handover.accept', { id })).rejects.toMatchObject({ fault: { kind: 'input' } })
    await expect(berta.call('handover.accept', { id: 'unknown' })).rejects.toMatchObject({ fault: { kind: 'input' } })
    await berta.call('handover.accept', { id })
    await until(async () => expect(toldAnna.at(-1)?.[0]?.accepted?.by).toBe('Berta'))
    const [accepted] = await listOf(anna)
    await berta.call('handover.accept', { id })
    expect((await listOf(berta))[0]).toEqual(accepted)

    const [connection] = (await anna.call('app.state', {})).connections
    await anna.call('connections.remove', { id: connection?.id ?? '' })
    await until(async () => {
      expect(await listOf(anna)).toEqual([])
      expect(await listOf(berta)).toEqual([])
      expect([told.at(-1), toldAnna.at(-1)]).toEqual([[], []])
    })
  },
)
