import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Settings as File } from '../../../src-main/ports.ts'
import { openOperatorSettings } from '../../../src-main/settings/settings.ts'
import { openSettings } from '../../../src-main/platform/web/settings.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { manualClock } from '../../support/clock.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

function opened(text: string | null = null, demo = false) {
  const profile = temporaryProfile(leftovers)
  const path = join(profile, 'settings.json')
  if (text !== null) writeFileSync(path, text)
  const file = openSettings(profile, manualClock())
  const faults: (Fault | null)[] = []
  const settings = openOperatorSettings({
    file,
    clock: manualClock(),
    defaults: defaultSettings(demo),
    onUnwritten: (fault) => faults.push(fault),
  })
  const stored = () => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  return { profile, file, settings, faults, stored }
}

test('an unchanged profile has the defaults, and the demo alerts sooner', () => {
  expect(opened().settings.get()).toEqual(defaultSettings(false))
  expect(opened(null, true).settings.get().holdOffSeconds).toBe(5)
})

test('only changed settings are stored, in plain keys beside the others', () => {
  const { settings, stored } = opened('{"connections": [], "port": 4321}')
  settings.change({ theme: 'dark', holdOffSeconds: 120, columns: [{ id: 'extra:serial', width: 90 }] })
  expect(stored()).toEqual({
    connections: [],
    port: 4321,
    theme: 'dark',
    holdOffSeconds: 120,
    columns: [{ id: 'extra:serial', width: 90 }],
  })
  settings.change({ theme: 'system' })
  expect(stored()).not.toHaveProperty('theme')
})

test('values edited in the file hold', () => {
  const { settings } = opened('{"times": "utc", "fullSyncMinutes": 10, "notifyRecovered": false}')
  expect(settings.get()).toEqual({
    ...defaultSettings(false),
    times: 'utc',
    fullSyncMinutes: 10,
    notifyRecovered: false,
  })
  expect(settings.unread).toEqual([])
})

test('an unreadable value affects no other, is named, and stays in the file until it is changed', () => {
  const { settings, stored } = opened('{"theme": "green", "times": "utc", "holdOffSeconds": 9000000, "columns": "all"}')
  expect(settings.get()).toEqual({ ...defaultSettings(false), times: 'utc' })
  expect(settings.unread).toEqual(['theme', 'holdOffSeconds', 'columns'])
  settings.change({ density: 'comfortable' })
  expect(stored()).toMatchObject({ theme: 'green', holdOffSeconds: 9_000_000, density: 'comfortable' })
  settings.change({ theme: 'system', holdOffSeconds: 60 })
  expect(stored()).toEqual({ times: 'utc', columns: 'all', density: 'comfortable', holdOffSeconds: 60 })
})

test('listeners are called once for a change, and not without one', () => {
  const { settings } = opened()
  const heard: string[] = []
  const off = settings.onChange(({ theme }) => heard.push(theme))
  settings.change({ theme: 'light' })
  settings.change({ theme: 'light' })
  settings.change({})
  off()
  settings.change({ theme: 'dark' })
  expect(heard).toEqual(['light'])
})

test('a change that the disk rejects holds for this run and is written later', async () => {
  const stored = new Map<string, unknown>()
  let full = true
  const file: File = {
    damaged: null,
    get: (key) => stored.get(key),
    set(key, value) {
      if (full) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      stored.set(key, value)
    },
  }
  const faults: (Fault | null)[] = []
  const clock = manualClock()
  const settings = openOperatorSettings({
    file,
    clock,
    defaults: defaultSettings(false),
    onUnwritten: (fault) => faults.push(fault),
  })
  settings.change({ theme: 'dark' })
  expect(settings.get().theme).toBe('dark')
  expect(faults).toEqual([
    { kind: 'storage', detail: 'a change of the settings holds until Muster is stopped (ENOSPC)' },
  ])
  full = false
  settings.change({ density: 'comfortable' })
  expect(Object.fromEntries(stored)).toEqual({ theme: 'dark', density: 'comfortable' })
  expect(faults.at(-1)).toBeNull()
  full = true
  settings.change({ times: 'utc' })
  await clock.advance(60_000)
  expect(faults).toHaveLength(3)
  full = false
  await clock.advance(30_000)
  expect(stored.get('times')).toBe('utc')
  expect(faults.at(-1)).toBeNull()
  expect(clock.pending()).toBe(0)
})

test('a real folder that cannot be written ends nothing', () => {
  const { profile, settings, faults } = opened()
  // Root may write anywhere: a file in the folder's place refuses everybody.
  rmSync(profile, { recursive: true })
  writeFileSync(profile, '')
  settings.change({ theme: 'dark' })
  expect(settings.get().theme).toBe('dark')
  expect(faults).toHaveLength(1)
  rmSync(profile)
  mkdirSync(profile)
  chmodSync(profile, 0o700)
  settings.change({ times: 'utc' })
  expect(faults.at(-1)).toBeNull()
  expect(JSON.parse(readFileSync(join(profile, 'settings.json'), 'utf8'))).toEqual({ theme: 'dark', times: 'utc' })
})

const former = {
  gatherSeconds: 21,
  foldLeast: 7,
  foldPercent: 51,
  tellOffline: false,
  tellRecovered: false,
  tellBlind: false,
  refreshMinutes: 45,
  ceilingPercent: 80,
}
const renamed = {
  groupingSeconds: 21,
  siteDownDevices: 7,
  siteDownPercent: 51,
  notifyOffline: false,
  notifyRecovered: false,
  notifyMonitoringLost: false,
  fullSyncMinutes: 45,
  backgroundLimitPercent: 80,
}

test('a former key is read as the key of today', () => {
  expect(opened(JSON.stringify(former)).settings.get()).toMatchObject(renamed)
})

test('former keys are rewritten with the next change of any setting', () => {
  const { settings, stored } = opened(JSON.stringify({ ...former, connections: [] }))
  expect(stored()).toEqual({ ...former, connections: [] })
  settings.change({ theme: 'dark', siteDownDevices: defaultSettings(false).siteDownDevices })
  const { siteDownDevices: _usual, ...others } = renamed
  expect(stored()).toEqual({ ...others, connections: [], theme: 'dark' })
})

test('a key of today overrides its former one', () => {
  const { settings, stored } = opened('{"gatherSeconds": 20, "groupingSeconds": 40}')
  expect(settings.get().groupingSeconds).toBe(40)
  settings.change({ theme: 'dark' })
  expect(stored()).toEqual({ groupingSeconds: 40, theme: 'dark' })
})

test('a former key with an unreadable value stays until the setting is changed', () => {
  const { settings, stored } = opened('{"gatherSeconds": "soon"}')
  expect(settings.unread).toEqual(['groupingSeconds'])
  settings.change({ theme: 'dark' })
  expect(stored()).toEqual({ gatherSeconds: 'soon', theme: 'dark' })
  settings.change({ groupingSeconds: 30 })
  expect(stored()).toEqual({ groupingSeconds: 30, theme: 'dark' })
})
