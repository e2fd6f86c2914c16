import { isolated } from '../../../src-shared/text/direction.ts'
import type { Maintenance } from '../../../src-shared/maintenance/maintenance.ts'
import { zoneName } from '../../../src-shared/maintenance/zones.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import { type Clocks, type ConfiguredMaintenance, momentIn } from '../format.ts'

/** An active maintenance window. */
export interface ActiveMaintenance {
  id: string
  node: string
  until: number
  /** For example "Quiet until 06:00, Europe/Berlin: Berlin patching". */
  words: string
}

/** Returns the active windows; the one that ends last comes first. */
export function activeNow(
  maintenance: Maintenance,
  clocks: Clocks,
  windows: readonly ConfiguredMaintenance[],
): readonly ActiveMaintenance[] {
  return windows
    .flatMap(({ window, zone }) => {
      const present = maintenance.occurrenceAt(window, zone, clocks.now)
      if (present === null) return []
      return [
        {
          id: window.id,
          node: window.node,
          until: present.until,
          words: `Maintenance until ${momentIn(clocks, zone, present.until)}, ${zoneName(zone)}: ${isolated(window.name)}`,
        },
      ]
    })
    .sort((one, other) => other.until - one.until)
}

/**
 * Returns the active window over a place; of several, the one that ends last. `path`: ids of the place and its
 * ancestors.
 */
export function activeOver(windows: readonly ActiveMaintenance[], path: readonly string[]): ActiveMaintenance | null {
  return windows.find(({ node }) => node === everything || path.includes(node)) ?? null
}
