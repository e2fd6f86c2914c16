import type { Gauge } from '../../../src-shared/gauge.ts'
import { Age } from '../../ui/moment.tsx'
import { figure } from '../../words/numbers.ts'
import { operationWords } from '../../words/operations.ts'
import { LaneName } from './lane-name.tsx'

/** The last operations, newest first, each with the name of its document in its title. */
export function Recent({ recent }: Pick<Gauge, 'recent'>) {
  return (
    <section className="gauge-part" aria-label="Last operations">
      <h3>Last operations</h3>
      {recent.length === 0 ? <p className="quiet-text">None yet.</p> : <RecentTable recent={recent} />}
    </section>
  )
}

function RecentTable({ recent }: Pick<Gauge, 'recent'>) {
  return (
    <table className="gauge-table" aria-label="Last operations">
      <thead><tr><th scope="col">What</th><th scope="col">For</th><th scope="col" className="number">Points</th><th scope="col" className="number">Age</th></tr></thead>
      <tbody>
        {recent.map(({ name, lane, cost, at }, index) => (
          <tr key={`${at} ${index}`}><td><bdi className="clip" title={name}>{operationWords(name)}</bdi></td><td><LaneName lane={lane} /></td><td className="number">{figure(cost)}</td><td className="number"><Age at={at} /></td></tr>
        ))}
      </tbody>
    </table>
  )
}
