import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { operationText } from '../../lib/format/operations.ts'
import { waitReasonText } from '../../lib/format/pacing.ts'
import { LaneName } from './lane-name.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The maximum number of listed kinds of waiting requests. Further ones are counted. */
const listed = 8

/** The waiting requests, with their reasons and times. */
export function Waiting({ waiting, waits }: Pick<Gauge, 'waiting' | 'waits'>) {
  if (waits.length === 0) return null
  const shown = waits.slice(0, listed)
  return (
    <section className="gauge-part" aria-label="Waiting">
      <div className="gauge-part-head">
        <h3>Waiting</h3>
        <span className="gauge-sum">{many(waiting, 'query', 'queries')}</span>
      </div>
      <ul className="wait-list" aria-label="Waiting">
        {shown.map((wait) => (
          <WaitLine key={`${wait.lane} ${wait.name} ${wait.why}`} wait={wait} />
        ))}
      </ul>
      {waits.length > shown.length && (
        <p className="muted-text">And {many(waits.length - shown.length, 'other kind')}.</p>
      )}
    </section>
  )
}

function WaitLine({ wait }: { wait: Gauge['waits'][number] }) {
  const why = useTickedText((now) => waitReasonText(wait, now))
  return (
    <li>
      <Isolated className="clip" title={wait.name}>
        {operationText(wait.name)}
        {wait.count > 1 && <span className="muted-text"> × {numberText(wait.count)}</span>}
      </Isolated>
      <LaneName lane={wait.lane} />
      <span className="wait-why">{why}</span>
    </li>
  )
}
