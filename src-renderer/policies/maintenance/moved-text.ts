import type { Policies } from '../../../src-shared/model/incidents.ts'
import { movedTo } from '../../../src-shared/maintenance/move.ts'
import { many } from '../../lib/format/numbers.ts'
import type { PolicyEditor } from '../policy-editor.ts'
import { type Clocks, maintenanceStatus } from '../format.ts'

/** The maximum number of windows that a dialog names. */
const maxNamed = 5

/** Returns how another zone of a place would change the maintenance windows that inherit it. */
export function movedText(
  policies: Policies,
  node: string,
  zone: string | null,
  { maintenance, zones }: Pick<PolicyEditor, 'maintenance' | 'zones'>,
  clocks: Clocks,
): { head: string; lines: readonly { id: string; name: string; words: string }[] } {
  const moved = movedTo(policies, node, zone, zones, clocks.now).filter(({ before, after, from, to }) =>
    [
      { window: before, zone: from },
      { window: after, zone: to },
    ].some((one) => maintenanceStatus(maintenance, clocks, one).state !== 'ended'),
  )
  if (moved.length === 0) return { head: 'No maintenance window inherits it.', lines: [] }
  const lines = moved.slice(0, maxNamed).map(({ before, after, from, to }) => {
    const wasActive = maintenance.occurrenceAt(before, from, clocks.now) !== null
    const then = maintenanceStatus(maintenance, clocks, { window: after, zone: to })
    const change = !wasActive
      ? ''
      : then.state !== 'now'
        ? 'It is active now, and ends with this change. '
        : before.when.kind === 'once'
          ? 'It has begun, and keeps its end. '
          : ''
    return { id: before.id, name: before.name, words: `${change}${then.words}` }
  })
  const more = moved.length > maxNamed ? `; the first ${maxNamed} of them are` : ''
  return {
    head: `${many(moved.length, 'maintenance window')} ${moved.length === 1 ? 'inherits it and keeps its times' : 'inherit it and keep their times'} of day${more}:`,
    lines,
  }
}
