import type { Gauge } from '../../../src-shared/gauge.ts'
import { useWords } from '../../ticker.ts'
import { figure, many } from '../../words/numbers.ts'
import { operationWords } from '../../words/operations.ts'
import { waitWords } from '../../words/pacing.ts'
import { LaneName } from './lane-name.tsx'
import { Isolated } from '../../ui/isolated.tsx'

/** More kinds of waiting than these are counted. */
const listed = 8

/** What waits, why, and until when. */
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
        <p className="quiet-text">And {many(waits.length - shown.length, 'other kind')}.</p>
      )}
    </section>
  )
}

function WaitLine({ wait }: { wait: Gauge['waits'][number] }) {
  const why = useWords((now) => waitWords(wait, now))
  return (
    <li>
      <Isolated className="clip" title={wait.name}>
        {operationWords(wait.name)}
        {wait.count > 1 && <span className="quiet-text"> × {figure(wait.count)}</span>}
      </Isolated>
      <LaneName lane={wait.lane} />
      <span className="wait-why">{why}</span>
    </li>
  )
}
