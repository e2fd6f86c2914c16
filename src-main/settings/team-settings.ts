import type { Settings } from '../../src-shared/model/settings.ts'
import { createListeners } from '../../src-shared/lib/listeners.ts'
import {
  changedList,
  isTeamSetting,
  listChange,
  readTeamSettings,
  teamLists,
  type TeamSettingsChange,
} from '../../src-shared/model/team-settings.ts'
import type { SharedSettingData } from '../inventory/thread/shared-setting-protocol.ts'
import type { Log } from '../ports.ts'
import type { OperatorSettings } from './settings.ts'

type Changed = Parameters<OperatorSettings['change']>[0]

/** The operator's settings. In a team, those that concern everybody are the team's. */
export interface MemberSettings extends Omit<OperatorSettings, 'change'> {
  /** Resolves when the change holds. In a team rejects where it cannot be shared; then nothing was changed. */
  change(changed: Changed): Promise<void>
  /** Reads the team's settings again. */
  reload(): Promise<void>
  /** Gives a team without settings those that this Muster has on its own. */
  shareOwn(): Promise<void>
}

export interface TeamSettingsOptions {
  own: OperatorSettings
  defaults: Settings
  data: SharedSettingData
  log: Log
}

/** Returns the settings of a Muster on its own. */
export const ownSettings = (own: OperatorSettings): MemberSettings => ({
  ...own,
  change: async (changed) => own.change(changed),
  reload: async () => {},
  shareOwn: async () => {},
})

/** Returns the settings of a member: the team's over its own. */
export async function openTeamSettings({ own, defaults, data, log }: TeamSettingsOptions): Promise<MemberSettings> {
  const usual = only(defaults, isTeamSetting)
  let reported = ''
  const read = async () => {
    const { values, unread } = readTeamSettings(await data.sharedSettings())
    const names = unread.join(', ')
    if (names !== '' && names !== reported)
      log('warn', `settings of the team cannot be read, and have their defaults (${names})`)
    reported = names
    return values
  }
  let team = await read()
  // What was sent and is not carried out yet: the window shows it already, and changes that.
  const pending = new Set<TeamSettingsChange>()
  const listeners = createListeners<[settings: Settings]>()
  const get = (): Settings => ({ ...own.get(), ...usual, ...team })
  const assumed = (name: keyof Settings): unknown =>
    [...pending].reduce<unknown>((value, change) => applied(value, change, name, defaults), get()[name])
  let now = get()
  const refresh = () => {
    const before = now
    now = get()
    if (JSON.stringify(before) !== JSON.stringify(now)) listeners.emit(now)
  }
  const reload = async () => {
    team = await read()
    refresh()
  }
  own.onChange(refresh)
  return {
    ...own,
    get: () => now,
    onChange: listeners.on,
    reload,
    async change(changed) {
      const change = changeOf(only(changed, isTeamSetting), assumed, defaults)
      if (change !== null) {
        pending.add(change)
        try {
          await data.saveSharedSettings(change)
          await reload()
        } finally {
          pending.delete(change)
        }
      }
      own.change(only(changed, (name) => !isTeamSetting(name)))
    },
    async shareOwn() {
      const change = changeOf(only(own.get(), isTeamSetting), (name) => defaults[name], defaults)
      if (change === null) return
      await data.saveSharedSettings({ ...change, isFirst: true })
      await reload()
    },
  }
}

/** Returns the settings with some names. */
const only = <T extends object>(settings: T, is: (name: string) => boolean): Partial<T> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => is(name))) as Partial<T>

/** Returns the value of a setting after a change of the team's. */
function applied(
  value: unknown,
  { values, lists }: TeamSettingsChange,
  name: keyof Settings,
  defaults: Settings,
): unknown {
  const list = lists.find((each) => each.name === name)
  if (list !== undefined) return changedList(value as readonly unknown[], list)
  const given = values.find((each) => each.name === name)
  return given === undefined ? value : (given.value ?? defaults[name])
}

/** Returns the change of the team's settings that leads to the wanted values; null: there is none. */
function changeOf(
  wanted: Changed,
  valueOf: (name: keyof Settings) => unknown,
  defaults: Settings,
): TeamSettingsChange | null {
  const differing = (Object.entries(wanted) as [keyof Settings, unknown][]).filter(
    ([name, value]) => value !== undefined && !same(value, valueOf(name)),
  )
  if (differing.length === 0) return null
  return {
    values: differing.flatMap(([name, value]) =>
      teamLists.has(name) ? [] : [{ name, value: same(value, defaults[name]) ? null : value }],
    ),
    lists: differing.flatMap(([name, value]) =>
      teamLists.has(name) ? [listChange(name, valueOf(name) as readonly unknown[], value as readonly unknown[])] : [],
    ),
  }
}

/** Compares settings, which are plain data. */
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
