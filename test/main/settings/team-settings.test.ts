import { afterEach, expect, test } from 'vitest'
import { openOperatorSettings } from '../../../src-main/settings/settings.ts'
import { openTeamSettings } from '../../../src-main/settings/team-settings.ts'
import { openSettings } from '../../../src-main/platform/web/settings.ts'
import { openJournal } from '../../../src-main/storage/journal/journal.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { defaultSettings, type Settings } from '../../../src-shared/model/settings.ts'
import { changedList, listChange } from '../../../src-shared/model/team-settings.ts'
import { manualClock } from '../../support/clock.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** A team whose members write into one journal. */
function team() {
  const journal = openJournal(temporaryProfile(leftovers), 0)
  leftovers.push(() => journal.close())
  const { sharedSettings } = journal
  let isAway = false
  const data = {
    sharedSettings: async () => sharedSettings.all(),
    saveSharedSettings: async (input: Parameters<typeof sharedSettings.save>[0]) => {
      if (isAway) throw new FaultError('team-away')
      sharedSettings.save(input)
    },
  }
  const member = async (own: Partial<Settings> = {}) => {
    const clock = manualClock()
    const file = openSettings(temporaryProfile(leftovers), clock)
    const defaults = defaultSettings(false)
    const operator = openOperatorSettings({ file, clock, defaults, onUnwritten: () => {} })
    operator.change(own)
    const logged: string[] = []
    const log = (_level: string, text: string) => void logged.push(text)
    return { file, logged, settings: await openTeamSettings({ own: operator, defaults, data, log }) }
  }
  return { member, stored: sharedSettings, cut: () => void (isAway = true) }
}

test('the settings of a team hold for all members, and those of a desk stay there', async () => {
  const { member } = team()
  const [anna, berta] = [await member({ holdOffSeconds: 7 }), await member()]
  expect(anna.settings.get().holdOffSeconds).toBe(90)
  const heard: Settings[] = []
  berta.settings.onChange((now) => heard.push(now))
  await anna.settings.change({ holdOffSeconds: 30, theme: 'dark' })
  expect(anna.settings.get()).toMatchObject({ holdOffSeconds: 30, theme: 'dark' })
  await berta.settings.reload()
  await berta.settings.reload()
  expect(heard.map(({ holdOffSeconds, theme }) => [holdOffSeconds, theme])).toEqual([[30, 'system']])
  // Those that it has on its own are kept for when it leaves.
  expect(anna.file.get('holdOffSeconds')).toBe(7)
  expect(anna.file.get('theme')).toBe('dark')
})

test('a setting of a team that is its default again is not stored', async () => {
  const { member, stored } = team()
  const { settings } = await member()
  await settings.change({ spareDays: 3, watched: ['a'] })
  await settings.change({ spareDays: 90, watched: [] })
  expect(stored.all()).toEqual([])
  expect(settings.get()).toEqual(defaultSettings(false))
})

test('what cannot be shared is rejected and changes nothing', async () => {
  const { member, cut } = team()
  const { settings, file } = await member()
  cut()
  await expect(settings.change({ holdOffSeconds: 30, theme: 'dark' })).rejects.toMatchObject({
    fault: { kind: 'team-away' },
  })
  expect(settings.get()).toEqual(defaultSettings(false))
  expect(file.get('theme')).toBeUndefined()
  await settings.change({ theme: 'light' })
  expect(settings.get().theme).toBe('light')
})

test('an unreadable setting of a team has its default, and the log says so once', async () => {
  const { member, stored } = team()
  stored.save({
    values: [
      { name: 'holdOffSeconds', value: 'soon' },
      { name: 'flapMinutes', value: 9 },
    ],
    lists: [],
  })
  stored.save({
    values: [
      { name: 'theme', value: 'dark' },
      { name: 'newer', value: 1 },
    ],
    lists: [],
  })
  const { settings, logged } = await member()
  await settings.reload()
  expect(settings.get()).toMatchObject({ holdOffSeconds: 90, flapMinutes: 9, theme: 'system' })
  expect(logged).toEqual(['settings of the team cannot be read, and have their defaults (holdOffSeconds)'])
})

test('members that change a list at the same time lose nothing', async () => {
  const { member } = team()
  const [anna, berta] = [await member(), await member()]
  await anna.settings.change({ watched: ['a', 'b'] })
  await berta.settings.reload()
  // Neither has seen the change of the other one.
  await anna.settings.change({ watched: ['a', 'b', 'c'] })
  await berta.settings.change({ watched: ['b', 'd'] })
  expect(berta.settings.get().watched).toEqual(['b', 'c', 'd'])
})

test('quick changes of one window build on each other', async () => {
  const { member } = team()
  const { settings } = await member()
  await Promise.all([
    settings.change({ watched: ['a', 'b'], spareDays: 4 }),
    settings.change({ watched: ['b'], spareDays: 90 }),
  ])
  expect(settings.get()).toMatchObject({ watched: ['b'], spareDays: 90 })
})

test('a target replaces the one of its model', () => {
  const before = [
    { model: 'X', version: '1' },
    { model: 'Y', version: '1' },
  ]
  const change = listChange('firmwareTargets', before, [{ model: 'X', version: '2' }])
  expect(change).toEqual({ name: 'firmwareTargets', add: [{ model: 'X', version: '2' }], remove: ['Y'] })
  expect(changedList([{ model: 'X', version: '3' }, ...before.slice(1), { model: 'Z', version: '1' }], change)).toEqual(
    [
      { model: 'X', version: '2' },
      { model: 'Z', version: '1' },
    ],
  )
})

test('a list of a team that would be too long is rejected, and nothing of the change is done', async () => {
  const { member, stored } = team()
  const { settings } = await member()
  const all = Array.from({ length: 1000 }, (_each, n) => `k${n}`)
  await settings.change({ watched: all })
  const change = settings.change({ watched: [...all, 'more'], spareDays: 1 })
  await expect(change).rejects.toMatchObject({ fault: { kind: 'input' } })
  expect(settings.get()).toMatchObject({ watched: all, spareDays: 90 })
  expect(stored.all().map(({ name }) => name)).toEqual(['watched'])
})

test('a team without settings takes those of the member that shares its own first', async () => {
  const { member } = team()
  const anna = await member({ holdOffSeconds: 7, mutedModels: ['X'], theme: 'dark' })
  const berta = await member({ holdOffSeconds: 8, flapMinutes: 9 })
  await anna.settings.shareOwn()
  await berta.settings.shareOwn()
  expect(berta.settings.get()).toMatchObject({ holdOffSeconds: 7, mutedModels: ['X'], flapMinutes: 30 })
  expect(berta.settings.get().theme).toBe('system')
})
