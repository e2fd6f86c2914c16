import { ChevronRight, X } from 'lucide-react'
import { Button } from 'react-aria-components'
import { isolated } from '../../../src-shared/text/direction.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useStore } from '../../lib/store.ts'
import { roomFactsText } from '../../lib/format/room-facts.ts'
import type { View } from '../filter/view.ts'
import { unknownCounts, numberText, many, total } from '../../lib/format/numbers.ts'
import { FilterProblem } from '../filter/field/filter-problem.tsx'
import { columnLabel } from '../columns/labels.ts'
import type { Inventory } from '../inventory.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { useMatchingCounts } from '../filter/segment-choice.tsx'
import { chipsOf, excludesSpares, segmentOf, withoutTerm, withSegment, withSpares } from '../filter/segments.ts'
import { useNothingSynced } from './nothing-synced.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The path to the scope; each step can be chosen. */
export function Breadcrumb({ inventory }: { inventory: Inventory }) {
  const { path } = useStore(inventory.view)
  if (path.length === 0)
    return (
      <p className="breadcrumb">
        <span className="crumb-here">All tenants</span>
      </p>
    )
  return (
    <nav className="breadcrumb" aria-label="Scope">
      <Button className="crumb" onPress={() => inventory.setPath([])}>
        All tenants
      </Button>
      {path.map((place, index) => (
        <span className="crumb-step" key={place.id}>
          <ChevronRight size={12} aria-hidden />
          {index === path.length - 1 ? (
            <span className="crumb-here" aria-current="location">
              <NameText name={place.name} clip />
            </span>
          ) : (
            <Button className="crumb" onPress={() => inventory.setPath(path.slice(0, index + 1))}>
              <NameText name={place.name} clip />
            </Button>
          )}
        </span>
      ))}
      <ScopeFacts path={path} />
      <Button className="crumb-clear" aria-label="Show all tenants" onPress={() => inventory.setPath([])}>
        <X size={12} aria-hidden />
        Clear
      </Button>
    </nav>
  )
}

/** What the service tells of the room that is the scope. */
function ScopeFacts({ path }: Pick<View, 'path'>) {
  const { session } = useAppContext()
  const scope = path.at(-1)?.id ?? ''
  const { value } = useCall(scope.startsWith('m:') ? scope : null, async () => {
    const answer = await session.pipe.call('inventory.places', { asked: { nodes: [scope] }, limit: 1 })
    return { scope, facts: answer.ok ? answer.value.places[0]?.roomFacts : undefined }
  })
  return value?.scope === scope && value.facts !== undefined ? (
    <span className="crumb-facts clip">{roomFactsText(value.facts)}</span>
  ) : null
}

/** The counts of the scope as a sentence for screen readers. The choices beside the filter show the same numbers. */
export function Totals({ inventory, coreLost }: { inventory: Inventory; coreLost: boolean }) {
  const { counts: seen, unread, spares } = useStore(inventory.scope.state)
  const nothing = useNothingSynced()
  return (
    <h1 className="sr-only">
      {nothing
        ? 'No sync yet'
        : seen === null
          ? coreLost
            ? 'Not loaded'
            : 'Loading'
          : totalsText(coreLost ? unknownCounts(seen) : seen, coreLost ? 0 : spares.offline, unread > 0)}
    </h1>
  )
}

function totalsText(counts: Counts, spares: number, soFar: boolean): string {
  const all = many(total(counts), 'device')
  return `${soFar ? `At least ${all} so far` : all}: ${numberText(counts.connected)} online, ${numberText(counts.disconnected)} offline${spares === 0 ? '' : ` (${many(spares, 'spare')})`}, ${numberText(counts.unknown)} unknown`
}

/**
 * The number of listed devices and the terms of the filter, each with a remove button, then problems and incomplete
 * data.
 */
export function Terms({ inventory }: { inventory: Inventory }) {
  const filter = useStore(inventory.view, (view) => view.filter)
  const chips = chipsOf(filter)
  return (
    <div className="terms" data-chips={chips.length > 0}>
      <Matches inventory={inventory} />
      <SpareChoice inventory={inventory} />
      <ul className="chips" aria-label="Terms of the filter">
        {chips.map(({ index, text, full }) => (
          <li key={`${index} ${full}`}>
            <Button
              className="chip"
              aria-label={
                text === full
                  ? `Remove ${isolated(text)}`
                  : `Remove ${isolated(text)}, ${isolated(full.slice(0, 2000))}`
              }
              onPress={() => inventory.setFilter(withoutTerm(filter, index))}
            >
              <Isolated className="clip" title={full.slice(0, 2000)}>
                {text}
              </Isolated>
              <X size={12} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <FilterProblem inventory={inventory} />
      <Unread inventory={inventory} />
    </div>
  )
}

function Matches({ inventory }: { inventory: Inventory }) {
  const { total, pending } = useStore(inventory.rows.state)
  const notLoaded = useStore(inventory.unread, ({ length }) => length > 0)
  // With fields that are not loaded, zero would be unfounded. The text in place of the rows explains it.
  return (
    <span className="matches" role="status">
      {total === null || pending || (notLoaded && total === 0) ? ' ' : many(total, 'device')}
    </span>
  )
}

/** The number of spares among offline devices, with a button that shows or hides them. */
function SpareChoice({ inventory }: { inventory: Inventory }) {
  const filter = useStore(inventory.view, (view) => view.filter)
  const { spares } = useMatchingCounts(inventory)
  const { spareDays } = useSettings()
  if (segmentOf(filter) !== 'down' || spares.down === 0) return null
  const hidden = excludesSpares(filter)
  const old = spareDays === 0 ? '' : `, or last seen more than ${many(spareDays, 'day')} ago`
  return (
    <span title={`Spares: offline devices of a spare model${old} (Settings, Incidents).`}>
      <Button
        className="chip spare-choice"
        onPress={() => inventory.setFilter(hidden ? withSpares(filter) : withSegment(filter, 'down'))}
      >
        {many(spares.down, 'spare')} {hidden ? 'not listed' : 'listed'} ·{' '}
        <span className="spare-action">{hidden ? 'Show' : 'Hide'}</span>
      </Button>
    </span>
  )
}

/**
 * Says that the filter or order uses an extra column that is not read for all devices, so that the result is
 * incomplete.
 */
function Unread({ inventory }: { inventory: Inventory }) {
  const unread = useStore(inventory.unread)
  const some = useStore(inventory.rows.state, ({ total }) => (total ?? 0) > 0)
  return (
    <div className="unread" role="status">
      {some &&
        unread.map(({ column, read, of }) => (
          <p key={column}>
            <strong>{columnLabel(column).word}</strong> is loaded for {numberText(read)} of {many(of, 'device')} so far.
          </p>
        ))}
    </div>
  )
}
