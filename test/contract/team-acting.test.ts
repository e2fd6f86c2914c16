import { expect, test } from 'vitest'
import { openConsole, temporaryProfile, until, type Console } from '../support/fleet.ts'
import { detailText } from '../../src-shared/text/messages.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { cutAll } from '../support/postgres/failover.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { openMember, openReader } from '../support/team-consoles.ts'

const { skip, leftovers, postgres, makeTeam } = useTeamDatabases('acting')

const openOf = async (muster: Console) =>
  (await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })).rows

/** Anna, who evaluates, and Berta, and an incident that both have. */
async function setup() {
  const { database } = await makeTeam()
  const { reference, anna } = await openReader({ leftovers, postgres, database })
  await anna.call('settings.change', { holdOffSeconds: 0 })
  const berta = await openMember({ leftovers, postgres, database, operator: 'Berta' })
  const online = reference.world.connectedAt(reference.world.siteSizes()[0]?.siteId ?? '')[0] ?? ''
  reference.world.setConnected(online, false)
  const id = await until(async () => {
    const [ofAnna, ofBerta] = [await openOf(anna), await openOf(berta)]
    expect(ofAnna).toHaveLength(1)
    expect(ofBerta.map((one) => one.id)).toEqual(ofAnna.map((one) => one.id))
    return ofAnna[0]?.id ?? ''
  })
  return { database, anna, berta, id }
}

const assignedIn = async (muster: Console, id: string) =>
  (await muster.call('incidents.marks', { ids: [id] })).marks[0]?.assigned

const looksIn = async (muster: Console) => (await muster.call('team.read', {})).joined?.looking

const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: { fault?: unknown }) => error.fault,
  )

test(
  `whoever takes an incident is shown at all members, and undo gives it back${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { anna, berta, id } = await setup()
    const { undo } = await berta.call('incidents.assign', { ids: [id], to: 'Berta' })
    for (const muster of [anna, berta])
      await until(async () => expect(await assignedIn(muster, id)).toMatchObject({ to: 'Berta', by: 'Berta' }))
    // It silences nothing, and the incident stays among the open ones.
    expect(await openOf(anna)).toMatchObject([{ id, acknowledged: null, suppressed: null, assigned: { to: 'Berta' } }])

    await anna.call('incidents.assign', { ids: [id], to: 'Anna' })
    await until(async () => expect(await assignedIn(berta, id)).toMatchObject({ to: 'Anna', by: 'Anna' }))
    expect(await faultOf(berta.call('actions.undo', { id: undo }))).toMatchObject({ kind: 'input' })
    const given = await berta.call('incidents.assign', { ids: [id], to: null })
    for (const muster of [anna, berta]) await until(async () => expect(await assignedIn(muster, id)).toBeNull())
    await berta.call('actions.undo', { id: given.undo })
    await until(async () => expect(await assignedIn(anna, id)).toMatchObject({ to: 'Anna' }))

    for (const muster of [anna, berta]) {
      const { shown } = await muster.call('incidents.show', { id })
      const entries = (shown?.history ?? []).map(({ what, detail }) => [what, detailText(detail, String)])
      expect(entries.filter(([what]) => what?.endsWith('assigned'))).toEqual([
        ['assigned', 'Berta'],
        ['assigned', 'Anna'],
        ['unassigned', ''],
        ['assigned', 'Anna, by Berta'],
      ])
    }
  },
)

test(`an incident goes to members of the team alone${noPostgres}`, { skip, timeout: 120_000 }, async () => {
  const { berta, id } = await setup()
  expect(await faultOf(berta.call('incidents.assign', { ids: [id], to: 'Cleo' }))).toEqual({
    kind: 'input',
    detail: 'Nobody in the team has this name.',
  })
  expect(await assignedIn(berta, id)).toBeNull()
  const alone = await openConsole(leftovers, temporaryProfile(leftovers))
  expect(await faultOf(alone.call('incidents.assign', { ids: [id], to: 'Berta' }))).toEqual({
    kind: 'input',
    detail: 'Incidents are assigned within a team, and this Muster is in none.',
  })
  expect(await alone.call('team.looking', { incident: id })).toEqual({})
})

test(
  `who looks at an incident is known at all, also to who joins later${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const { database, anna, berta, id } = await setup()
    await berta.call('team.looking', { incident: id })
    expect(await looksIn(berta)).toEqual([{ operator: 'Berta', isSelf: true, incident: id }])
    await until(async () => expect(await looksIn(anna)).toEqual([{ operator: 'Berta', isSelf: false, incident: id }]))
    const cleo = await openMember({ leftovers, postgres, database, operator: 'Cleo' })
    await until(async () => expect(await looksIn(cleo)).toEqual([{ operator: 'Berta', isSelf: false, incident: id }]))
    await berta.call('team.looking', { incident: null })
    for (const muster of [anna, cleo]) await until(async () => expect(await looksIn(muster)).toEqual([]))

    await anna.call('team.looking', { incident: id })
    await until(async () => expect(await looksIn(berta)).toHaveLength(1))
    await anna.stop()
    await until(async () => expect(await looksIn(berta)).toEqual([]))
  },
)

test(
  `without the database nobody is seen, and then the present look is${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const { database, anna, berta, id } = await setup()
    await berta.call('team.looking', { incident: 'another' })
    await until(async () => expect(await looksIn(anna)).toHaveLength(1))
    await postgres.admin(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
    await cutAll(postgres, database)
    for (const muster of [anna, berta])
      await until(async () => expect((await muster.call('team.read', {})).joined?.link.is).toBe('lost'), 40_000)
    expect(await looksIn(anna)).toEqual([])
    await berta.call('team.looking', { incident: id })
    await postgres.admin(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
    await until(
      async () => expect(await looksIn(anna)).toEqual([{ operator: 'Berta', isSelf: false, incident: id }]),
      60_000,
    )
  },
)
