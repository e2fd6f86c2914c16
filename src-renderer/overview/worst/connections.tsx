import { memo } from 'react'
import { Button } from 'react-aria-components'
import { everything } from '../../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { Meter } from '../../app/gauge/meter.tsx'
import { connectionsTone, connectionText } from '../../lib/format/connection-status.ts'
import { faultText, isFaulty, staleGaugeTest } from '../../lib/format/faults.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { pointsText } from '../../lib/format/points.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { ConnectionMark } from '../../lib/ui/connection-mark.tsx'
import { Age } from '../../lib/ui/moment.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import type { AppState } from '../../lib/session.ts'
import { Panel } from '../panel.tsx'

const shownAtMost = 10

interface Props extends Pick<AppState, 'connections' | 'gauges'> {
  coreLost: boolean
}

/** Each connection with its balance now, its rejections and its last sync; those with errors first. */
export const Connections = memo(function Connections({ connections, gauges, coreLost }: Props) {
  const { session } = useAppContext()
  const isStale = staleGaugeTest(connections)
  const all = connections.toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name))
  const shown = all.slice(0, shownAtMost)
  return (
    <Panel
      title="Connections"
      note={`${numberText(all.length)}${coreLost ? ', as last known' : ''}`}
      className="overview-connections"
      tools={
        <Button
          className="button subtle"
          onPress={() => session.open({ scope: everything, filter: '', device: null, screen: 'connections' })}
        >
          All connections
        </Button>
      }
    >
      <div className="overview-table-box">
        <table className="overview-table">
          <thead>
            <tr>
              <th scope="col">Connection</th>
              <th scope="col">Status</th>
              <th scope="col">Points left</th>
              <th scope="col" className="number">
                Rejected
              </th>
              <th scope="col">Last sync</th>
              <th scope="col">Last event</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((connection) => (
              <Line
                key={connection.id}
                connection={connection}
                gauge={gauges.find(({ connections }) => connections.includes(connection.id))}
                isStale={isStale}
              />
            ))}
          </tbody>
        </table>
      </div>
      {all.length > shown.length && (
        <p className="overview-more">{numberText(all.length - shown.length)} more in Connections</p>
      )}
    </Panel>
  )
})

/** Those with errors come first, paused ones last. */
const rank = (connection: ConnectionState): number => (isFaulty(connection) ? 0 : connection.paused ? 2 : 1)

interface LineProps {
  connection: ConnectionState
  gauge: Gauge | undefined
  isStale: (gauge: Gauge) => boolean
}

function Line({ connection, gauge, isStale }: LineProps) {
  const status = useTickedText((now) => connectionText(connection, now))
  const fault = faultText(connection)
  return (
    <tr>
      <th scope="row">
        <NameText name={connection.name} clip />
      </th>
      <td>
        <span className="overview-status">
          <ConnectionMark tone={connectionsTone([connection])} />
          <span className="clip" title={fault?.title}>
            {status}
            {fault !== null && ` · ${fault.title}`}
          </span>
        </span>
      </td>
      <td>
        {gauge === undefined ? (
          <span className="absent">–</span>
        ) : (
          <span className="overview-points">
            <Meter gauge={gauge} stale={isStale(gauge)} />
            <span className="clip">{pointsText(gauge)}</span>
          </span>
        )}
      </td>
      <td className="number">{gauge === undefined ? '–' : numberText(gauge.rejections.count)}</td>
      <td>
        <Age at={connection.lastReadingAt} />
      </td>
      <td>
        <Age at={connection.lastEventAt} none="none" />
      </td>
    </tr>
  )
}
