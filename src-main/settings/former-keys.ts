import type { Settings } from '../../src-shared/model/settings.ts'
import type { Settings as File } from '../ports.ts'

/** Keys that `settings.json` had until November 2026, by the keys of today. A person may have written them. */
const formerKeys = new Map<keyof Settings, string>([
  ['groupingSeconds', 'gatherSeconds'],
  ['siteDownDevices', 'foldLeast'],
  ['siteDownPercent', 'foldPercent'],
  ['notifyOffline', 'tellOffline'],
  ['notifyRecovered', 'tellRecovered'],
  ['notifyMonitoringLost', 'tellBlind'],
  ['fullSyncMinutes', 'refreshMinutes'],
  ['backgroundLimitPercent', 'ceilingPercent'],
])

/** The stored value of a setting, from its former key where the file has no other; undefined when it has neither. */
export function storedValue(file: Pick<File, 'get'>, name: keyof Settings): unknown {
  const former = formerKeys.get(name)
  return file.get(name) ?? (former === undefined ? undefined : file.get(former))
}

/** The settings of which the file has the former key. */
export const formerlyStored = (file: Pick<File, 'get'>): (keyof Settings)[] =>
  [...formerKeys].filter(([, former]) => file.get(former) !== undefined).map(([name]) => name)

/** Writes the value under its key of today, and removes the former one. Throws when the file cannot be written. */
export function storeValue(file: Pick<File, 'get' | 'set'>, name: keyof Settings, value: unknown): void {
  const former = formerKeys.get(name)
  file.set(name, value)
  if (former !== undefined && file.get(former) !== undefined) file.set(former, undefined)
}
