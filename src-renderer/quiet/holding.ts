import { isolated } from '../../src-shared/direction.ts'
import type { Quiet } from '../../src-shared/quiet.ts'
import { zoneName } from '../../src-shared/zones.ts'
import { everything } from '../../src-shared/model.ts'
import { type Clocks, type LaidWindow, momentIn } from './words.ts'

/** A window that holds now. */
export interface Holding {
  id: string
  node: string
  until: number
  /** "Quiet until 06:00, Europe/Berlin: Berlin patching". */
  words: string
}

/** All that hold now, the one that ends last first. */
export function holdingNow(quiet: Quiet, clocks: Clocks, windows: readonly LaidWindow[]): readonly Holding[] {
  return windows
    .flatMap(({ window, zone }) => {
      const present = quiet.occurrenceAt(window, zone, clocks.now)
      if (present === null) return []
      return [
        {
          id: window.id,
          node: window.node,
          until: present.until,
          words: `Quiet until ${momentIn(clocks, zone, present.until)}, ${zoneName(zone)}: ${isolated(window.name)}`,
        },
      ]
    })
    .sort((one, other) => other.until - one.until)
}

/** The one that holds over a place; of several the one that ends last. `path`: ids of the place and those above it. */
export function holdingOver(holding: readonly Holding[], path: readonly string[]): Holding | null {
  return holding.find(({ node }) => node === everything || path.includes(node)) ?? null
}
