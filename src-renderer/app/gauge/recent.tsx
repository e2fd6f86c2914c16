import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { Age } from '../../lib/ui/moment.tsx'
import { numberText } from '../../lib/format/numbers.ts'
import { operationText } from '../../lib/format/operations.ts'
import { LaneName } from './lane-name.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The number of operations shown at first when other credential sets follow. */
const fewRows = 4

/**
 * The last operations, newest first, with the names of their documents as tooltips. `short`: older ones are shown on
 * request.
 */
export function Recent({ recent, short }: Pick<Gauge, 'recent'> & { short: boolean }) {
  const [all, setAll] = useState(false)
  const few = short && !all ? recent.slice(0, fewRows) : recent
  const table = useRef<HTMLElement>(null)
  // The button disappears after use, so the focus moves to the table.
  const showAll = () => {
    table.current?.focus()
    setAll(true)
  }
  return (
    <section className="gauge-part" aria-label="Last operations" ref={table} tabIndex={-1}>
      <h3>Last operations</h3>
      {recent.length === 0 ? <p className="muted-text">None yet.</p> : <RecentTable recent={few} />}
      {few.length < recent.length && (
        <Button className="button subtle gauge-more" onPress={showAll}>
          Show all {recent.length}
        </Button>
      )}
    </section>
  )
}

function RecentTable({ recent }: Pick<Gauge, 'recent'>) {
  return (
    <table className="gauge-table" aria-label="Last operations">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Priority</th>
          <th scope="col" className="number">
            Points
          </th>
          <th scope="col" className="number">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {recent.map(({ name, lane, cost, at }, index) => (
          <tr key={`${at} ${index}`}>
            <td>
              <Isolated className="clip" title={name}>
                {operationText(name)}
              </Isolated>
            </td>
            <td>
              <LaneName lane={lane} />
            </td>
            <td className="number">{numberText(cost)}</td>
            <td className="number">
              <Age at={at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
