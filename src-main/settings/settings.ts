import { toFault, type Fault } from '../../src-shared/model/fault.ts'
import { settings as schema, type Settings } from '../../src-shared/model/settings.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { createListeners } from '../../src-shared/lib/listeners.ts'
import type { Settings as File } from '../ports.ts'

export interface SettingsOptions {
  /** The profile's `settings.json`: one key for each setting, beside other keys. */
  file: File
  clock: Clock
  /** The default of each setting. */
  defaults: Settings
  /**
   * Called when the reason changes for which the last change lasts for this run only; null when all of it is on disk.
   */
  onUnwritten: (fault: Fault | null) => void
}

/**
 * The operator's settings. The file contains only differences from the defaults, in plain keys that a person may read
 * and write.
 */
export interface OperatorSettings {
  get(): Settings
  /** Changes the named settings at once; a failed write is repeated with the next change, and every half minute. */
  change(changed: Changed): void
  onChange(listener: (settings: Settings) => void): () => void
  /**
   * Keys whose value in the file cannot be read. The default applies instead, and the file keeps the value until it is
   * changed here.
   */
  unread: readonly Name[]
  stop(): void
}

const retryMs = 30_000

/** A change as the contract's call contains it. */
type Changed = { [N in keyof Settings]?: Settings[N] | undefined }
type Name = keyof Settings

const names = Object.keys(schema.shape) as Name[]

export function openOperatorSettings({ file, clock, defaults, onUnwritten }: SettingsOptions): OperatorSettings {
  const { settings, unread } = readSettings(file, defaults)
  let now = settings
  const former = formerlyNamed(file).filter((name) => !unread.includes(name))
  let unwritten: Name[] = []
  let cancelRetry = () => {}
  const store = (changed: readonly Name[]) => {
    const before = unwritten.length
    const { failed, fault } = write(file, [...new Set([...unwritten, ...changed])], now, defaults)
    unwritten = failed
    cancelRetry()
    cancelRetry = failed.length === 0 ? () => {} : clock.after(retryMs, () => store([]))
    if (changed.length > 0 ? fault !== null || before > 0 : failed.length === 0) onUnwritten(fault)
  }
  const listeners = createListeners<[settings: Settings]>()
  return {
    get: () => now,
    unread,
    change(changed) {
      const named = names.filter((name) => changed[name] !== undefined && !same(changed[name], now[name]))
      const repaired = unread.filter((name) => changed[name] !== undefined)
      if (named.length === 0 && repaired.length === 0 && unwritten.length === 0) return
      now = { ...now, ...Object.fromEntries(named.map((name) => [name, changed[name]])) }
      store([...named, ...repaired, ...former])
      if (named.length > 0) listeners.emit(now)
    },
    onChange: listeners.on,
    stop: () => cancelRetry(),
  }
}

/** Reads each key by itself, so that one mistyped value affects no other. */
export function readSettings(file: Pick<File, 'get'>, defaults: Settings): { settings: Settings; unread: Name[] } {
  const unread: Name[] = []
  const stored = names.flatMap((name) => {
    const value = storedValue(file, name)
    if (value === undefined) return []
    const checked = schema.shape[name].safeParse(value)
    if (checked.success) return [[name, checked.data]]
    unread.push(name)
    return []
  })
  return { settings: { ...defaults, ...(Object.fromEntries(stored) as Partial<Settings>) }, unread }
}

/** Writes the changed settings; returns those that failed, with the reason. */
function write(
  file: File,
  changed: Name[],
  now: Settings,
  defaults: Settings,
): { failed: Name[]; fault: Fault | null } {
  const failed: Name[] = []
  let fault: Fault | null = null
  for (const name of changed) {
    try {
      storeValue(file, name, same(now[name], defaults[name]) ? undefined : now[name])
    } catch (thrown) {
      failed.push(name)
      fault = { kind: 'storage', detail: `a change of the settings holds until Muster is stopped (${reason(thrown)})` }
    }
  }
  return { failed, fault }
}

function reason(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : toFault(thrown).kind
}

/** Compares settings, which are plain data. */
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Keys that `settings.json` had until November 2026, by the present ones. A person may have written them. */
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

/**
 * Returns the stored value of a setting, from its former key where the file has no other; undefined when it has
 * neither.
 */
function storedValue(file: Pick<File, 'get'>, name: keyof Settings): unknown {
  const former = formerKeys.get(name)
  return file.get(name) ?? (former === undefined ? undefined : file.get(former))
}

/** Returns the settings for which the file has the former key. */
const formerlyNamed = (file: Pick<File, 'get'>): (keyof Settings)[] =>
  [...formerKeys].filter(([, former]) => file.get(former) !== undefined).map(([name]) => name)

/** Writes the value under its present key, and removes the former one. Throws when the file cannot be written. */
function storeValue(file: Pick<File, 'get' | 'set'>, name: keyof Settings, value: unknown): void {
  const former = formerKeys.get(name)
  file.set(name, value)
  if (former !== undefined && file.get(former) !== undefined) file.set(former, undefined)
}
