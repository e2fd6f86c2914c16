import { memo, useState } from 'react'
import { Button } from 'react-aria-components'
import { useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { SeverityMark } from '../../incidents/severity-mark.tsx'
import { shareText } from '../../incidents/availability/format.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { totalOf } from '../map/looks.ts'
import { lineOf } from '../numbers/fleet-day.ts'
import { lineText } from '../numbers/numbers.tsx'
import { Sparkline } from '../numbers/sparkline.tsx'
import { showPlace } from '../place/shown-place.ts'
import { Panel } from '../panel.tsx'
import { offlineShare, type TenantCard } from './tenant-cards.ts'

/** Cards that are shown at first. */
const first = 12

/** A card for each tenant, those with the most offline devices first. A card opens its tenant’s page. */
export const Tenants = memo(function Tenants({ cards }: { cards: readonly TenantCard[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? cards : cards.slice(0, first)
  return (
    <Panel
      title="Tenants"
      note={`${numberText(cards.length)}, most offline first`}
      className="overview-tenants"
      tools={
        cards.length > first && (
          <Button className="button subtle" onPress={() => setAll(!all)}>
            {all ? `Show ${numberText(first)}` : `Show all ${numberText(cards.length)}`}
          </Button>
        )
      }
    >
      <ul className="overview-cards">
        {shown.map((card) => (
          <li key={card.id}>
            <Card card={card} />
          </li>
        ))}
      </ul>
    </Panel>
  )
})

function Card({ card }: { card: TenantCard }) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const { counts, day } = card
  const total = totalOf(counts)
  const line = day === null ? null : lineOf(day, 'offline', total)
  return (
    <button type="button" className="overview-card" onClick={() => showPlace(session, card.id)}>
      <span className="overview-card-head">
        <span className="overview-card-name">
          <NameText name={card.name} clip />
        </span>
        {card.worst !== null && (
          <span className={`overview-card-incidents severity-${card.worst}`}>
            <SeverityMark severity={card.worst} size={11} />
            {numberText(card.incidents)}
            <span className="sr-only"> open {card.incidents === 1 ? 'incident' : 'incidents'}</span>
          </span>
        )}
      </span>
      <span className="overview-card-counts">
        <b data-none={counts.offline === 0}>{numberText(counts.offline)}</b>
        <span>
          offline of {numberText(total)}
          {counts.offline > 0 && ` · ${shareText(counts.offline, total)}`}
        </span>
        {counts.unknown > 0 && <span>{many(counts.unknown, 'unknown', 'unknown')}</span>}
      </span>
      <span className="overview-card-bar" aria-hidden="true">
        <span style={{ inlineSize: `${offlineShare(card) * 100}%` }} />
      </span>
      {line === null ? (
        <span className="overview-line-loading" />
      ) : (
        <Sparkline line={line} tone="bad" fromZero label={lineText('Offline', 'offline', line, times)} />
      )}
    </button>
  )
}
