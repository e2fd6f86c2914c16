import { incidentThresholds, spareSettings } from './thresholds.ts'
import { settings as schema, type Settings } from './settings.ts'

const thresholds = Object.keys({ ...incidentThresholds, ...spareSettings }) as (keyof typeof incidentThresholds &
  keyof Settings)[]

/** The settings that all members of a team have in common. All others are each member's own. */
const names: ReadonlySet<keyof Settings> = new Set<keyof Settings>([
  ...thresholds,
  'mutedModels',
  'firmwareTargets',
  'watched',
  'notifyOffline',
  'notifyRecovered',
  'notifyMonitoringLost',
  'fullSyncMinutes',
  'reservePercent',
  'backgroundLimitPercent',
  'backgroundPaused',
  'occupancy',
])

/** The list of the extra columns that are on in a team, which is no setting of a Muster on its own. */
export const sharedColumns = 'columnsOn'

/** The lists of a team, with their greatest lengths: members add to them and remove from them at the same time. */
export const teamLists: ReadonlyMap<string, number> = new Map([
  ['watched', 1000],
  ['mutedModels', 200],
  ['spareModels', 200],
  ['firmwareTargets', 500],
  [sharedColumns, 200],
])

/** Items that are added to a list, and the keys (`itemKey`) of those that are removed. */
export interface ListChange {
  name: string
  add: readonly unknown[]
  remove: readonly string[]
}

/** A change of the team's settings. A value of null is the default. */
export interface TeamSettingsChange {
  values: readonly { name: string; value: unknown }[]
  lists: readonly ListChange[]
}

/** Returns what an item of a list is the only one of: the text, or the model of a firmware target. */
export const itemKey = (item: unknown): string =>
  typeof item === 'object' && item !== null && 'model' in item ? String(item.model) : String(item)

/** Returns a list after a change. An item that is added replaces the one with its key, in its place. */
export function changedList(list: readonly unknown[], { add, remove }: Omit<ListChange, 'name'>): unknown[] {
  const byKey = new Map(list.map((item) => [itemKey(item), item]))
  for (const key of remove) byKey.delete(key)
  for (const item of add) byKey.set(itemKey(item), item)
  return [...byKey.values()]
}

/** Returns how a list has changed. */
export function listChange(name: string, before: readonly unknown[], after: readonly unknown[]): ListChange {
  const known = new Set(before.map((item) => JSON.stringify(item)))
  const kept = new Set(after.map(itemKey))
  return {
    name,
    add: after.filter((item) => !known.has(JSON.stringify(item))),
    remove: before.map(itemKey).filter((key) => !kept.has(key)),
  }
}

/** Returns the team's settings that can be read, and the names of those that cannot. */
export function readTeamSettings(stored: readonly { name: string; value: unknown }[]): {
  values: Partial<Settings>
  unread: string[]
} {
  const unread: string[] = []
  const values = stored.flatMap(({ name, value }) => {
    if (!isTeamSetting(name)) return []
    const checked = schema.shape[name].safeParse(value)
    if (checked.success) return [[name, checked.data]]
    unread.push(name)
    return []
  })
  return { values: Object.fromEntries(values) as Partial<Settings>, unread }
}

export const isTeamSetting = (name: string): name is keyof Settings => names.has(name as keyof Settings)
