import { expect, test } from 'vitest'
import { defaultSettings, type Settings } from '../../src-shared/model/settings.ts'
import { allByName, until, type Console } from '../support/fleet.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { cutAll } from '../support/postgres/failover.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { openMember, openReader } from '../support/team-consoles.ts'

const { skip, postgres, makeTeam } = useTeamDatabases('shared')

const settingsOf = async (muster: Console): Promise<Settings> => (await muster.call('app.state', {})).settings

const allHave = (musters: readonly Console[], some: Partial<Settings>) =>
  until(async () => {
    for (const muster of musters) expect(await settingsOf(muster)).toMatchObject(some)
  })

test(
  `devices that two members watch at the same time are both on the list of all${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const team = await makeTeam()
    const anna = await openMember({ ...team, operator: 'Anna' })
    const berta = await openMember({ ...team, operator: 'Berta' })
    await anna.call('settings.change', { watched: ['old', 'gone'] })
    await allHave([anna, berta], { watched: ['old', 'gone'] })
    const heard: unknown[] = []
    berta.core.on('settings', ({ watched }) => heard.push(watched.length))
    await Promise.all([
      anna.call('settings.change', { watched: ['old', 'gone', 'ofAnna'], theme: 'dark' }),
      berta.call('settings.change', { watched: ['old', 'ofBerta'] }),
    ])
    await until(async () => {
      for (const muster of [anna, berta])
        expect((await settingsOf(muster)).watched.toSorted()).toEqual(['ofAnna', 'ofBerta', 'old'])
      expect(heard.at(-1)).toBe(3)
    })
    // Settings of a desk stay there.
    expect([(await settingsOf(anna)).theme, (await settingsOf(berta)).theme]).toEqual(['dark', 'system'])
  },
)

test(
  `an alert rule that a member changes counts at the evaluator${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const team = await makeTeam()
    const { reference, anna } = await openReader(team)
    const berta = await openMember({ ...team, operator: 'Berta' })
    expect((await anna.call('team.read', {})).joined?.evaluator?.isSelf).toBe(true)
    const openOf = async (muster: Console) =>
      (await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })).rows
    await berta.call('settings.change', { holdOffSeconds: 0 })
    await allHave([anna, berta], { holdOffSeconds: 0 })
    const online = reference.world.connectedAt(reference.world.siteSizes()[0]?.siteId ?? '')[0] ?? ''
    reference.world.setConnected(online, false)
    await until(async () => expect(await openOf(berta)).toHaveLength(1))
  },
)

test(
  `without the database a setting of the team is rejected and stays as it was${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const team = await makeTeam()
    const anna = await openMember({ ...team, operator: 'Anna' })
    await anna.call('settings.change', { watched: ['a'], spareDays: 5 })
    await postgres.admin(`ALTER DATABASE ${team.database} ALLOW_CONNECTIONS false`)
    await cutAll(postgres, team.database)
    await until(async () => expect((await anna.call('team.read', {})).joined?.link.is).toBe('lost'), 40_000)
    const before = await settingsOf(anna)
    await expect(
      anna.call('settings.change', { watched: ['a', 'b'], spareDays: 6, theme: 'dark' }),
    ).rejects.toMatchObject({ fault: { kind: 'team-away' } })
    expect(await settingsOf(anna)).toEqual(before)
    await anna.call('settings.change', { theme: 'light' })
    expect(await settingsOf(anna)).toEqual({ ...before, theme: 'light' })
    await postgres.admin(`ALTER DATABASE ${team.database} ALLOW_CONNECTIONS true`)
    await until(async () => expect((await anna.call('team.read', {})).joined?.link.is).toBe('online'), 60_000)
    await anna.call('settings.change', { spareDays: 7 })
    expect(await settingsOf(anna)).toEqual({ ...before, theme: 'light', spareDays: 7 })
  },
)

test(
  `the founder brings settings, who joins takes them, who leaves has its own${noPostgres}`,
  { skip, timeout: 120_000 },
  async () => {
    const team = await makeTeam()
    const by = (some: Partial<Settings>) => (muster: Console) => muster.call('settings.change', some)
    const anna = await openMember({
      ...team,
      operator: 'Anna',
      share: true,
      prepare: by({ flapMinutes: 9, watched: ['a'] }),
    })
    await allHave([anna], { flapMinutes: 9, watched: ['a'] })
    const berta = await openMember({
      ...team,
      operator: 'Berta',
      share: true,
      prepare: by({ flapMinutes: 8, spareDays: 8, density: 'comfortable' }),
    })
    const defaults = defaultSettings(false)
    await allHave([berta], { flapMinutes: 9, watched: ['a'], spareDays: defaults.spareDays, density: 'comfortable' })
    await berta.call('team.leave', {})
    await allHave([berta], { flapMinutes: 8, spareDays: 8, watched: [] })
    await allHave([anna], { flapMinutes: 9, spareDays: defaults.spareDays })
  },
)

test(`who joins later has the team’s settings and operations${noPostgres}`, { skip, timeout: 150_000 }, async () => {
  const team = await makeTeam()
  const anna = await openMember({ ...team, operator: 'Anna' })
  await anna.call('operations.save', operation)
  await anna.call('settings.change', { firmwareTargets: [{ model: 'X', version: '1' }], notifyRecovered: false })
  await anna.call('settings.change', { spareDays: 205 })
  const cleo = await openMember({ ...team, operator: 'Cleo' })
  await allHave([cleo], {
    firmwareTargets: [{ model: 'X', version: '1' }],
    notifyRecovered: false,
    spareDays: 205,
  })
  expect((await cleo.call('operations.list', {})).operations).toEqual([operation])
})

const operation = { id: 'o1', name: 'Mine', folder: '', document: '{ a }', variables: '{}' }

test(`a saved operation is the same at all members${noPostgres}`, { skip, timeout: 120_000 }, async () => {
  const team = await makeTeam()
  const anna = await openMember({ ...team, operator: 'Anna' })
  const berta = await openMember({ ...team, operator: 'Berta' })
  let heard = 0
  berta.core.on('operations', () => (heard += 1))
  const ofBerta = async () => (await berta.call('operations.list', {})).operations
  await anna.call('operations.save', operation)
  await until(async () => expect([await ofBerta(), heard]).toEqual([[operation], 1]))
  await berta.call('operations.save', { ...operation, document: '{ b }' })
  await until(async () =>
    expect((await anna.call('operations.list', {})).operations).toEqual([{ ...operation, document: '{ b }' }]),
  )
  await anna.call('operations.remove', { id: 'o1' })
  await until(async () => expect([await ofBerta(), heard]).toEqual([[], 2]))
})

test(`who wrote a note or set a tag is shown at all members${noPostgres}`, { skip, timeout: 120_000 }, async () => {
  const team = await makeTeam()
  const { anna } = await openReader(team)
  const berta = await openMember({ ...team, operator: 'Berta' })
  const { rows } = await anna.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })
  const { key } = rows[0] ?? { key: '' }
  const own = async (muster: Console) => (await muster.call('notes.of', { node: `d:${key}` })).own
  const before = Date.now()
  await berta.call('notes.save', { node: `d:${key}`, text: 'Loose cable', contact: '', tags: [] })
  for (const muster of [anna, berta])
    await until(async () => expect(await own(muster)).toMatchObject({ text: 'Loose cable', by: 'Berta' }))
  expect((await own(anna))?.at).toBeGreaterThan(before - 60_000)
  await anna.call('notes.tag', { keys: [key], add: ['spare'], remove: [] })
  for (const muster of [anna, berta])
    await until(async () =>
      expect(await own(muster)).toMatchObject({ text: 'Loose cable', tags: ['spare'], by: 'Anna' }),
    )

  // Another login that goes by her name signs with its own.
  const other = await openMember({ ...team, operator: 'Anna', role: 'berta' })
  await other.call('notes.save', { node: `d:${key}`, text: 'Mended', contact: '', tags: [] })
  for (const muster of [anna, berta, other])
    await until(async () => expect(await own(muster)).toMatchObject({ text: 'Mended', by: 'Anna (berta)' }))
})
