import { ChevronRight, Search } from 'lucide-react'
import { useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { isLow, share } from '../../lib/format/points.ts'
import { GaugeDetail } from './detail.tsx'
import { MeterBar } from './meter.tsx'
import type { OneGauge } from './reset.ts'
import { matchingSets, inOrderOf, manySets, named, shownSets } from './sets.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** Several credential sets, the lowest balance first and open; the others can be opened. */
export function GaugeList({ gauges, isStale }: { gauges: readonly Gauge[]; isStale: (gauge: Gauge) => boolean }) {
  const [text, setText] = useState('')
  const [order] = useState(() =>
    named(gauges)
      .toSorted(
        (one, other) =>
          Number(isStale(one.gauge)) - Number(isStale(other.gauge)) || share(one.gauge) - share(other.gauge),
      )
      .map(({ key }) => key),
  )
  const sets = inOrderOf(order, named(gauges))
  const found = matchingSets(sets, text)
  const shown = found.slice(0, shownSets)
  return (
    <>
      <FilterRow text={text} found={found.length} all={sets.length} shown={shown.length} onText={setText} />
      <div className="gauge-lines">
        {shown.map(({ key, gauge }) => (
          <GaugeLine key={key} gauge={gauge} first={key === order[0]} stale={isStale(gauge)} />
        ))}
      </div>
    </>
  )
}

function FilterRow({
  text,
  found,
  all,
  shown,
  onText,
}: {
  text: string
  found: number
  all: number
  shown: number
  onText: (text: string) => void
}) {
  const words = found === all ? many(all, 'credential set') : `${numberText(found)} of ${many(all, 'credential set')}`
  return (
    <div className="gauge-filter">
      {all > manySets && (
        <SearchField className="search" aria-label="Filter credential sets" value={text} onChange={onText}>
          <Search size={14} aria-hidden />
          <Input className="search-input" placeholder="Name of a connection" spellCheck={false} />
        </SearchField>
      )}
      <span className="muted-text" role="status">
        {words}, {shown < found ? `the lowest ${numberText(shown)} shown` : 'lowest first'}
      </span>
    </div>
  )
}

/** A credential set in the list. Its detail is rendered only while it is open. */
function GaugeLine({ gauge, first, stale }: OneGauge & { first: boolean }) {
  const [open, setOpen] = useState(first)
  return (
    <details className="gauge-line" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="gauge-chevron" size={14} aria-hidden />
        <Isolated className="clip" title={gauge.name}>
          {gauge.name}
        </Isolated>
        <span className="gauge-line-waiting">
          {stale ? 'last known' : gauge.waiting > 0 && `${numberText(gauge.waiting)} waiting`}
        </span>
        <span className="number">{numberText(gauge.remaining)}</span>
        <span className="meter" data-low={isLow(gauge)} aria-hidden>
          <MeterBar gauge={gauge} />
        </span>
      </summary>
      {open && <GaugeDetail gauge={gauge} stale={stale} oneOfSeveral />}
    </details>
  )
}
