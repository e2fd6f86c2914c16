import { memo, type ReactNode } from 'react'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import { everything, type DeviceRow } from '../../../src-shared/model/inventory.ts'
import { shareText } from '../../incidents/availability/format.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { span } from '../../lib/format/time.ts'
import { afterChanges } from '../../lib/hooks/use-call.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import { showPlace } from '../place/shown-place.ts'
import { Panel } from '../panel.tsx'
import { useLast, type Last } from '../../lib/hooks/use-last.ts'

type Month = CallOutput<'overview.month'>

const most = 10
/** As the inventory's choice "Offline": spares are left out. */
const longestOffline = {
  query: {
    scope: everything,
    filter: 'status:offline spare:no',
    sort: [{ column: 'since' as const, direction: 'asc' as const }],
  },
  offset: 0,
  limit: most,
}
const offlineEvery = 5000

/** The devices that are offline for the longest time. */
export const LongestOffline = memo(function LongestOffline({ coreLost }: { coreLost: boolean }) {
  const { session } = useAppContext()
  const call = () => session.pipe.call('inventory.rows', longestOffline)
  const { value, fault } = useLast(`longest ${coreLost}`, call, afterChanges(session, offlineEvery))
  return (
    <Ranking
      title="Longest offline"
      note={coreLost ? 'as last known' : 'without spares'}
      isLoading={value === null}
      fault={fault}
      empty="No device is offline"
    >
      {value?.rows.map((row) => (
        <Ranked
          key={row.key}
          name={row.name}
          under={[row.site?.name, row.tenant.name]}
          value={<OfflineFor row={row} />}
          onPress={() => session.open({ scope: everything, filter: '', device: row.key })}
        />
      ))}
    </Ranking>
  )
})

function OfflineFor({ row: { since } }: { row: DeviceRow }) {
  const text = useTickedText((now) =>
    since === null ? 'unknown' : `${since.kind === 'at-least' ? '> ' : ''}${span(now - since.at)}`,
  )
  return <span title={since?.kind === 'at-least' ? 'At least: the beginning was not seen' : undefined}>{text}</span>
}

/** The devices with the most disconnects in 30 days. */
export const MostDisconnects = memo(function MostDisconnects({
  month: { value: month, fault },
}: {
  month: Last<Month>
}) {
  const { session } = useAppContext()
  return (
    <Ranking
      title="Most disconnects"
      note="30 days"
      isLoading={month === null}
      fault={fault}
      empty="No disconnects in the journal"
    >
      {month?.disconnects.map(({ key, name, tenant, site, count }) => (
        <Ranked
          key={key}
          name={name}
          under={[site, tenant]}
          value={`${numberText(count)}×`}
          onPress={() => session.open({ scope: everything, filter: '', device: key })}
        />
      ))}
    </Ranking>
  )
})

/** The sites whose devices were offline for the most time in 30 days. */
export const WorstSites = memo(function WorstSites({ month: { value: month, fault } }: { month: Last<Month> }) {
  const { session } = useAppContext()
  return (
    <Ranking
      title="Worst sites"
      note="30 days, device-hours offline, without spares"
      isLoading={month === null}
      fault={fault}
      empty="No site was offline in the journal"
    >
      {month?.sites.map(({ id, name, tenant, up, down }) => (
        <Ranked
          key={id}
          name={name}
          under={[tenant, `${shareText(up, up + down)} online`]}
          value={hoursText(down)}
          onPress={() => showPlace(session, id)}
        />
      ))}
    </Ranking>
  )
})

/** Returns device-ms as "1,204 h"; under an hour as "12 min". */
const hoursText = (ms: number): string => (ms < 3_600_000 ? span(ms) : `${numberText(ms / 3_600_000)} h`)

interface RankingProps {
  title: string
  note: string
  isLoading: boolean
  fault: Fault | null
  /** The text where the list is empty. */
  empty: string
  children: ReactNode[] | undefined
}

function Ranking({ title, note, isLoading, fault, empty, children = [] }: RankingProps) {
  return (
    <Panel title={title} note={note}>
      {isLoading ? (
        <p className="overview-empty" role="status">
          {fault === null ? 'Reading the journal…' : explain(fault).title}
        </p>
      ) : children.length === 0 ? (
        <p className="overview-empty">{empty}</p>
      ) : (
        <ol className="ranking">{children}</ol>
      )}
    </Panel>
  )
}

interface RankedProps {
  name: string
  /** Where it is; what is missing is left out. */
  under: readonly (string | null | undefined)[]
  value: ReactNode
  onPress: () => void
}

function Ranked({ name, under, value, onPress }: RankedProps) {
  return (
    <li>
      <button type="button" className="ranked" onClick={onPress}>
        <span className="ranked-name">
          <NameText name={name} clip />
        </span>
        <Isolated className="clip ranked-under">
          {under.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')}
        </Isolated>
        <span className="ranked-value">{value}</span>
      </button>
    </li>
  )
}
