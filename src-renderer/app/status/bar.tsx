import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button, DialogTrigger, Popover } from 'react-aria-components'
import { JobStatus } from '../../actions/jobs/job-status.tsx'
import { explain } from '../../../src-shared/model/fault.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import type { AppState } from '../../lib/session.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Age } from '../../lib/ui/moment.tsx'
import {
  connectionText,
  lastEvent,
  lastSync,
  connectionsTone,
  connectionsText,
  syncsText,
} from '../../lib/format/connection-status.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { zone } from '../../lib/format/time.ts'
import { isFaulty, staleGaugeTest, worstFault } from '../../lib/format/faults.ts'
import { Gauges } from '../gauge/gauges.tsx'
import { ConnectionMark } from '../../lib/ui/connection-mark.tsx'
import { UpdateLine } from './update-line.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface Props {
  app: AppState
  coreLost: boolean
  /** Opens the connections screen with one connection, or (null) with those that have errors. */
  onConnections: (id: string | null) => void
  /** Opens the settings of points. */
  onPoints: () => void
  /** Opens the settings of updates. */
  onUpdates: () => void
}

/** Shows the freshness of the data. */
export function StatusBar({ app, coreLost, onConnections, onPoints, onUpdates }: Props) {
  const { connections, gauges } = app
  const sync = useTickedText((now) => (coreLost ? '' : syncsText(connections, now, gauges)))
  const reading = lastSync(connections)
  return (
    <footer className="status-bar" id="status" tabIndex={-1} aria-label="Status">
      <ConnectionsStatus connections={connections} coreLost={coreLost} onConnections={onConnections} />
      <span className="status-item">
        Last event <Age at={lastEvent(connections)} none="none yet" />
      </span>
      <span className="status-item">
        Last sync <Age at={reading.at} none="none yet" />
        {reading.at !== null && reading.unread > 0 && (
          <span className="muted-text"> ({numberText(reading.unread)} not read yet)</span>
        )}
      </span>
      {sync !== '' && (
        <span className="status-item status-sync">
          <Progress connections={connections} />
          {sync}
        </span>
      )}
      {!coreLost && <JobStatus />}
      <span className="spring" />
      <UpdateLine now={app.updates.now} onUpdates={onUpdates} />
      <Gauges
        gauges={gauges}
        isStale={coreLost ? () => true : staleGaugeTest(connections)}
        coreLost={coreLost}
        onSettings={onPoints}
      />
      <Zone />
    </footer>
  )
}

function Zone() {
  const { times } = useSettings()
  const [shift, ...place] = useTickedText((now) => zone(now, times))
    .split(', ')
    .toReversed()
  return (
    <span className="status-item status-zone" title="All times on the screen are in this zone">
      <span className="zone-lead">Times in {place.map((part) => `${part}, `)}</span>
      {shift}
    </span>
  )
}

function Progress({ connections }: { connections: readonly ConnectionState[] }) {
  const known = connections.map(({ sync }) => sync).filter((sync) => sync.state === 'syncing')
  const expected = known.reduce((sum, sync) => sum + (sync.expected ?? 0), 0)
  const read = known.reduce((sum, sync) => sum + sync.read, 0)
  if (expected === 0) return null
  return <progress aria-label="Sync progress" max={expected} value={read} />
}

function ConnectionsStatus({
  connections,
  coreLost,
  onConnections,
}: Omit<Props, 'app' | 'onPoints' | 'onUpdates'> & { connections: readonly ConnectionState[] }) {
  const words = useTickedText((now) => (coreLost ? 'Core not running' : connectionsText(connections, now)))
  const tone = coreLost ? 'none' : connectionsTone(connections)
  const [open, setOpen] = useState(false)
  const go = (id: string | null) => {
    setOpen(false)
    onConnections(id)
  }
  return (
    <>
      <span className="sr-only" role="status">
        Status: {words.replace(/, (?:next try|status is).*/u, '')}
      </span>
      <DialogTrigger isOpen={open} onOpenChange={setOpen}>
        <Button className="status-button status-connection" aria-label={`Status: ${words}`}>
          <ConnectionMark tone={tone} />
          <span className="clip">{words}</span>
        </Button>
        <Popover className="popover" placement="top start" offset={6}>
          {/* Without a Dialog inside, the popover itself is the dialog, with its hidden dismiss buttons within. */}
          <div className="dialog small wide">
            <h2>Connection status</h2>
            <ConnectionList connections={connections} coreLost={coreLost} onGo={go} />
            <div className="dialog-actions">
              <Button className="button" onPress={() => go(null)}>
                Open Connections
              </Button>
            </div>
          </div>
        </Popover>
      </DialogTrigger>
    </>
  )
}

/** The maximum number of healthy connections that are listed one by one. */
const healthyListed = 6

/** The connections: those with errors first, then the others by name, or only their number when there are many. */
function ConnectionList({
  connections,
  coreLost,
  onGo,
}: {
  connections: readonly ConnectionState[]
  coreLost: boolean
  onGo: (id: string) => void
}) {
  const faulty = connections.filter(isFaulty)
  const healthy = connections.filter((connection) => !isFaulty(connection))
  if (connections.length === 0) return <p>There is no connection yet.</p>
  return (
    <>
      {faulty.length > 0 && connections.length > 1 && (
        <h3 className="connection-group">With errors: {numberText(faulty.length)}</h3>
      )}
      <ul className="connection-list">
        {faulty.map((connection) => (
          <ConnectionLine key={connection.id} connection={connection} coreLost={coreLost} onGo={onGo} />
        ))}
        {healthy.length <= healthyListed &&
          healthy.map((connection) => (
            <ConnectionLine key={connection.id} connection={connection} coreLost={coreLost} onGo={onGo} />
          ))}
      </ul>
      {healthy.length > healthyListed && (
        <p className="muted-text">
          {faulty.length === 0
            ? `None of ${numberText(healthy.length)} has an error.`
            : `The other ${numberText(healthy.length)} have no error.`}
        </p>
      )}
    </>
  )
}

function ConnectionLine({
  connection,
  coreLost,
  onGo,
}: {
  connection: ConnectionState
  coreLost: boolean
  onGo: (id: string) => void
}) {
  const words = useTickedText((now) => (coreLost ? 'Not known' : connectionText(connection, now)))
  const worst = worstFault(connection)
  return (
    <li>
      <Button className="connection-line" onPress={() => onGo(connection.id)}>
        <ConnectionMark tone={coreLost ? 'none' : connectionsTone([connection])} />
        <Isolated className="clip">{connection.name}</Isolated>
        <span className="connection-state">{words}</span>
        {worst !== null && (
          <span className="connection-fault">
            <TriangleAlert size={13} aria-hidden />
            {explain(worst).title}
          </span>
        )}
      </Button>
    </li>
  )
}
