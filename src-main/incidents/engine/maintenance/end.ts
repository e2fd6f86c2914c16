import { idsOf, isWatched, isOfMuted, type Draft } from '../draft.ts'
import type { DownDevice } from '../../grouping/group.ts'
import type { MaintenanceRun } from './report.ts'
import type { Slices } from '../../cooperative.ts'
import type { Drop } from '../drops/drop.ts'
import { renotifyMs } from '../state.ts'

/**
 * Adds devices that went down unseen around the end of a maintenance window to the report of that window, because
 * nobody can say whether they went down in it or after it. They are notified like any other.
 */
export function* suspendUnseen(draft: Draft, down: readonly DownDevice[]): Slices<void> {
  const unseenDrops = new Map<string, UnseenDrops>()
  for (const { key, path } of down) {
    yield
    const drop = draft.drops.get(key)
    if (drop === undefined || drop.notBefore === null || isWatched(draft, key, path)) continue
    const [from, until] = [drop.notBefore, drop.at]
    const run = draft.rules.endedMaintenance(idsOf(path), { from, until }, draft.now)
    if (run === null) continue
    const one = unseenDrops.get(run.id) ?? { run, keys: [], from, until }
    unseenDrops.set(run.id, one)
    one.keys.push(key)
    one.from = Math.min(one.from, from)
    one.until = Math.max(one.until, until)
  }
  for (const one of unseenDrops.values()) draft.maintenanceRuns.set(one.run.id, withUnseenDrops(draft, one))
}

/** Devices that went down in one run of a window or after it, and the span in which all of them did (ms). */
interface UnseenDrops {
  run: Pick<MaintenanceRun, 'id' | 'name' | 'node' | 'until'>
  keys: string[]
  from: number
  until: number
}

function withUnseenDrops(
  { maintenanceRuns: runs, now }: Draft,
  { run: { id, name, node, until }, ...found }: UnseenDrops,
): MaintenanceRun {
  const known = runs.get(id)
  const before = known?.unseenDrops ?? { ...found, keys: [] }
  // A new sync reads page after page, so the report waits.
  const settledAt = now + renotifyMs
  return {
    id,
    name,
    node,
    until: Math.max(settledAt, known?.until ?? 0),
    endedAt: known?.endedAt ?? until,
    keys: [...new Set([...(known?.keys ?? []), ...found.keys])],
    unseenDrops: {
      keys: [...new Set([...before.keys, ...found.keys])],
      from: Math.min(before.from, found.from),
      until: Math.max(before.until, found.until),
      settledAt,
    },
  }
}

/** Returns whether a suspect may have gone down unseen before `at` (ms). It may belong to a window that ended then. */
export function hasPendingUnseen(draft: Pick<Draft, 'drops' | 'found'>, at: number): boolean {
  return [...draft.drops.values()].some(
    (drop) =>
      drop.kind === 'suspect' &&
      drop.notBefore !== null &&
      drop.notBefore < at &&
      drop.at >= at &&
      !isOfMuted(draft, drop),
  )
}

/** Returns the unseen drops of a maintenance window that are still down, as far as is known. */
export function stillDownUnseen(
  { drops }: Pick<Draft, 'drops'>,
  { unseenDrops }: Pick<MaintenanceRun, 'unseenDrops'>,
): Drop[] {
  return (unseenDrops?.keys ?? []).flatMap((key) => drops.get(key) ?? []).filter(({ kind }) => kind === 'down')
}
