import type { KeyboardEvent } from 'react'
import type { DeviceStatus } from '../../../src-shared/model/inventory.ts'
import { useStore } from '../../lib/store.ts'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { unknownCounts, numberText } from '../../lib/format/numbers.ts'
import type { Inventory } from '../inventory.ts'
import { segmentCounts, noSpares, type ScopeCounts } from './scope-counts.ts'
import { excludesSpares, segmentOf, segments, withSegment, type Segment } from './segments.ts'
import { useNothingSynced } from '../table/nothing-synced.ts'

const words: Readonly<Record<Segment, string>> = {
  any: 'All',
  down: 'Offline',
  connected: 'Online',
  unknown: 'Unknown',
}
const marks: Readonly<Record<Exclude<Segment, 'any'>, DeviceStatus>> = {
  down: 'disconnected',
  connected: 'connected',
  unknown: 'unknown',
}

/**
 * The status choices as radio buttons: one tab stop, and the arrow keys choose. None is chosen when the filter has
 * other status terms.
 */
export function SegmentChoice({ inventory, coreLost }: { inventory: Inventory; coreLost: boolean }) {
  const filter = useStore(inventory.view, (view) => view.filter)
  const { counts, notSeen, allUnknown, atLeast } = useSegmentCounts(inventory, coreLost)
  const chosen = segmentOf(filter)
  const stop = chosen ?? 'any'

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const at = segments.indexOf(stop)
    const to = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: segments.length - 1,
    }[event.key]
    const next = to === undefined ? undefined : segments[(to + segments.length) % segments.length]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    inventory.setSegment(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-segment=${next}]`)?.focus()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the radio that is chosen has the focus
    <div className="segments" role="radiogroup" aria-label="Which devices" onKeyDown={onKeyDown}>
      {segments.map((segment) => (
        <button
          key={segment}
          type="button"
          role="radio"
          aria-checked={segment === chosen}
          tabIndex={segment === stop ? 0 : -1}
          className="segment"
          data-segment={segment}
          data-some={(counts[segment] ?? 0) > 0 || undefined}
          data-selected={segment === chosen || undefined}
          onClick={() => inventory.setSegment(segment)}
        >
          {segment !== 'any' && <StatusMark status={segment === 'down' && allUnknown ? 'unknown' : marks[segment]} />}
          <span className={segment === 'any' ? undefined : 'segment-word'}>
            {segment === 'down' && allUnknown ? 'Was offline' : words[segment]}
          </span>
          {counts[segment] !== null && (
            <span className="segment-count">
              {atLeast && '≥ '}
              {numberText(counts[segment])}
              {segment === 'down' && notSeen > 0 && ` + ${numberText(notSeen)} no data`}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}

const notKnown: ScopeCounts = { counts: null, down: null, spares: noSpares }

/** Returns the counts for the filter's terms without the status, where they can be known. */
export function useMatchingCounts(inventory: Inventory): ScopeCounts {
  const scope = useStore(inventory.scope.state)
  const matching = useStore(inventory.matching.state)
  const others = useStore(inventory.view, ({ filter }) => withSegment(filter, 'any') !== '')
  const unread = useNothingSynced()
  const notLoaded = useStore(inventory.unread, ({ length }) => length > 0)
  return unread || (others && notLoaded) ? notKnown : others ? (matching ?? notKnown) : scope
}

/** Returns the counts of the choices. Spares count as offline only while they are listed. */
function useSegmentCounts(inventory: Inventory, coreLost: boolean) {
  const { counts, down, spares } = useMatchingCounts(inventory)
  const listed = useStore(inventory.view, ({ filter }) => segmentOf(filter) === 'down' && !excludesSpares(filter))
  // A tenant that was not fully synced may have more, filtered or not.
  const atLeast = useStore(inventory.scope.state, ({ unread }) => unread > 0)
  return {
    ...segmentCounts(counts !== null && coreLost ? unknownCounts(counts) : counts, down, listed ? noSpares : spares),
    atLeast,
  }
}
