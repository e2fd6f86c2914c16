import type { CallOutput } from '../../src-shared/contract/contract.ts'
import type { Incident } from '../../src-shared/model/incidents.ts'
import { SeverityMark } from '../incidents/severity-mark.tsx'
import { useAppContext } from '../lib/context.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { every } from '../lib/hooks/use-call.ts'
import { NameText } from '../lib/ui/name-text.tsx'
import { totalOf } from '../overview/map/looks.ts'
import type { MapState } from '../overview/map/use-map.ts'
import { lineOf } from '../overview/numbers/fleet-day.ts'
import { lineText } from '../overview/numbers/numbers.tsx'
import { Sparkline } from '../overview/numbers/sparkline.tsx'
import { offlineShare, tenantCards, type TenantCard } from '../overview/tenants/tenant-cards.ts'
import { useLast } from '../lib/hooks/use-last.ts'
import { useSettings } from '../settings/use-settings.ts'

/** Cards that fit. */
const most = 20

interface Props {
  map: MapState
  incidents: readonly Incident[]
  /** All devices are shown: the last 24 hours are known of these only. */
  isWhole: boolean
  coreLost: boolean
}

/** A card for each tenant, those with the most offline devices first. */
export function WallTenants({ isWhole, coreLost, ...props }: Props) {
  return isWhole ? <WithDay {...props} coreLost={coreLost} /> : <Cards {...props} day={null} />
}

function WithDay({ coreLost, ...props }: Omit<Props, 'isWhole'>) {
  const { session } = useAppContext()
  const day = useLast(`day ${coreLost}`, () => session.pipe.call('overview.day', {}), every(60_000))
  return <Cards {...props} day={day.value} />
}

interface CardsProps extends Pick<Props, 'map' | 'incidents'> {
  /** The last 24 hours; null while they are read, and where they are not known. */
  day: CallOutput<'overview.day'> | null
}

function Cards({ map, day, incidents }: CardsProps) {
  if (map.state !== 'shown') return <p className="wall-empty">Loading…</p>
  const cards = tenantCards({ ...map.map, day, incidents }).filter(({ counts }) => totalOf(counts) > 0)
  if (cards.length === 0) return <p className="wall-empty">No devices match</p>
  return (
    <section className="wall-tenants" aria-label="Tenants">
      <ul>
        {cards.slice(0, most).map((card) => (
          <li key={card.id}>
            <Card card={card} />
          </li>
        ))}
      </ul>
      {cards.length > most && <p className="wall-more">{many(cards.length - most, 'more tenant')}</p>}
    </section>
  )
}

function Card({ card }: { card: TenantCard }) {
  const { times } = useSettings()
  const { counts, day, name, worst, incidents } = card
  const total = totalOf(counts)
  const line = day === null ? null : lineOf(day, 'offline', total)
  return (
    <article className="wall-tenant">
      <h2>
        <NameText name={name} clip />
        {worst !== null && (
          <span className={`severity-${worst}`}>
            <SeverityMark severity={worst} />
            {numberText(incidents)}
            <span className="sr-only"> open {incidents === 1 ? 'incident' : 'incidents'}</span>
          </span>
        )}
      </h2>
      <p>
        <b data-none={counts.offline === 0}>{numberText(counts.offline)}</b> offline of {numberText(total)}
        {counts.unknown > 0 && ` · ${many(counts.unknown, 'unknown', 'unknown')}`}
      </p>
      <span className="wall-tenant-bar" aria-hidden="true">
        <span style={{ inlineSize: `${offlineShare(card) * 100}%` }} />
      </span>
      {line !== null && (
        <Sparkline line={line} tone="bad" fromZero label={lineText('Offline', 'offline', line, times)} />
      )}
    </article>
  )
}
