import { memo } from 'react'
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Pause, TriangleAlert } from 'lucide-react'
import {
  Button,
  Cell,
  Column as HeadCell,
  Row,
  Table,
  TableBody,
  TableHeader,
  type SortDescriptor,
} from 'react-aria-components'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { ConnectionMark } from '../../lib/ui/connection-mark.tsx'
import { usePausedByOperator } from '../../app/status/use-paused-by-operator.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Age } from '../../lib/ui/moment.tsx'
import { connectionText, connectionsTone, syncText } from '../../lib/format/connection-status.ts'
import { faultText } from '../../lib/format/faults.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import type { Line as ListLine } from './grouping.ts'
import type { Column, Listing, Metrics } from './listing.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface Props {
  /** In the order of the list. */
  lines: readonly ListLine[]
  metrics: Metrics
  listing: Listing
  /** Id of the chosen line. */
  chosen: string | null
  /** True when the core cannot be reached, so that the state of the links is unknown. */
  coreLost: boolean
  onSort: (column: Column, direction: Listing['direction']) => void
  onChoose: (id: string) => void
  /** Expands or collapses a group. */
  onToggle: (group: string) => void
}

const heads: readonly { column: Column; word: string; number?: true }[] = [
  { column: 'name', word: 'Name' },
  { column: 'link', word: 'Status' },
  { column: 'devices', word: 'Devices', number: true },
  { column: 'offline', word: 'Offline', number: true },
  { column: 'points', word: 'Points left', number: true },
  { column: 'reading', word: 'Last sync' },
  { column: 'event', word: 'Last event' },
  { column: 'fault', word: 'Error' },
]

/**
 * The list of connections and of groups with the same error. The arrow keys choose the line whose details are shown. It
 * renders only when its input changes.
 */
export const ConnectionList = memo(List)

function List({ lines, metrics, listing, chosen, coreLost, onSort, onChoose, onToggle }: Props) {
  const sorted = ({ column, direction }: SortDescriptor) => onSort(column as Column, direction)
  return (
    <Table
      className="lines"
      aria-label="Connections"
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={chosen === null ? [] : [chosen]}
      onSelectionChange={(keys) => [...keys].forEach((key) => onChoose(String(key)))}
      sortDescriptor={{ column: listing.column, direction: listing.direction }}
      onSortChange={sorted}
      onRowAction={(key) => lines.some(({ id, kind }) => kind === 'group' && id === key) && onToggle(String(key))}
    >
      <TableHeader>
        {heads.map(({ column, word, number }) => (
          <HeadCell
            key={column}
            id={column}
            className="lines-head"
            data-column={column}
            data-number={number}
            isRowHeader={column === 'name'}
            allowsSorting
          >
            {({ sortDirection }) => (
              <>
                {word}
                {sortDirection === 'ascending' && <ArrowUp size={12} aria-hidden />}
                {sortDirection === 'descending' && <ArrowDown size={12} aria-hidden />}
              </>
            )}
          </HeadCell>
        ))}
      </TableHeader>
      <TableBody
        items={lines}
        dependencies={[coreLost, metrics]}
        renderEmptyState={() => <p className="lines-none">No connections match.</p>}
      >
        {(line) =>
          line.kind === 'group' ? (
            <GroupLine line={line} metrics={metrics} onToggle={onToggle} />
          ) : (
            <Line connection={line.connection} inGroup={line.inGroup} metrics={metrics} coreLost={coreLost} />
          )
        }
      </TableBody>
    </Table>
  )
}

function Line({
  connection,
  inGroup,
  metrics,
  coreLost,
}: {
  connection: ConnectionState
  inGroup: boolean
  metrics: Metrics
  coreLost: boolean
}) {
  const { id, name, demo, lastReadingAt, lastEventAt } = connection
  return (
    <Row id={id} className="line" data-in-group={inGroup} textValue={name}>
      <Cell className="line-name">
        <Isolated className="clip" title={name}>
          {name}
        </Isolated>
        {demo && <span className="tag">DEMO</span>}
      </Cell>
      <Cell>
        <StatusCell connection={connection} coreLost={coreLost} />
      </Cell>
      <NumberCells devices={metrics.devices(id)} offline={metrics.offline(id)} points={metrics.points(id)} />
      <Cell>
        <Reading connection={connection} at={lastReadingAt} coreLost={coreLost} />
      </Cell>
      <Cell>
        <Age at={lastEventAt} none="none yet" />
      </Cell>
      <Cell>
        <FaultCell connection={connection} />
      </Cell>
    </Row>
  )
}

/**
 * A group of connections with the same error, with their numbers added up. Points belong to credential sets and have no
 * sum.
 */
function GroupLine({
  line: { id, title, members, open },
  metrics,
  onToggle,
}: {
  line: Extract<ListLine, { kind: 'group' }>
  metrics: Metrics
  onToggle: (group: string) => void
}) {
  const sum = (metric: 'devices' | 'offline') =>
    members
      .map((member) => metrics[metric](member.id))
      .reduce<number | null>((total, each) => (each === null ? total : (total ?? 0) + each), null)
  const words = many(members.length, 'connection')
  return (
    <Row id={id} className="line line-group" textValue={`${words}: ${title}`}>
      <Cell className="line-name">
        <Button
          className="line-toggle"
          aria-expanded={open}
          aria-label={`${open ? 'Hide' : 'Show'} ${words}`}
          onPress={() => onToggle(id)}
        >
          {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        </Button>
        <span className="clip">{words}</span>
      </Cell>
      <Cell>
        <span className="line-link">
          <ConnectionMark tone="none" />
          <span className="clip">Same error</span>
        </span>
      </Cell>
      <NumberCells devices={sum('devices')} offline={sum('offline')} points={null} />
      <Cell>
        <span className="absent">–</span>
      </Cell>
      <Cell>
        <span className="absent">–</span>
      </Cell>
      <Cell>
        <span className="line-fault" title={title}>
          <TriangleAlert size={13} aria-hidden />
          <span className="clip">{title}</span>
        </span>
      </Cell>
    </Row>
  )
}

function NumberCells({
  devices,
  offline,
  points,
}: {
  devices: number | null
  offline: number | null
  points: number | null
}) {
  return (
    <>
      <Cell className="line-number">{numberLabel(devices)}</Cell>
      <Cell className="line-number">
        {offline !== null && offline > 0 ? (
          <strong className="line-offline">{numberText(offline)}</strong>
        ) : (
          numberLabel(offline)
        )}
      </Cell>
      <Cell className="line-number">{numberLabel(points)}</Cell>
    </>
  )
}

const numberLabel = (value: number | null) => (value === null ? <span className="absent">–</span> : numberText(value))

function StatusCell({ connection, coreLost }: { connection: ConnectionState; coreLost: boolean }) {
  const words = useTickedText((now) =>
    coreLost ? 'Not known' : connectionText(connection, now).replace('Waiting, next', 'Next'),
  )
  return (
    <span className="line-link">
      {connection.paused ? (
        <Pause className="mark connection-none" size={12} aria-hidden />
      ) : (
        <ConnectionMark tone={coreLost ? 'none' : connectionsTone([connection])} />
      )}
      <span className="clip">{words}</span>
    </span>
  )
}

function Reading({ connection, at, coreLost }: { connection: ConnectionState; at: number | null; coreLost: boolean }) {
  const waits = usePausedByOperator(connection)
  const words = useTickedText((now) => (coreLost || connection.paused ? '' : syncText(connection.sync, now, waits)))
  return words === '' ? (
    <Age at={at} none="none yet" />
  ) : (
    <span className="clip" title={words}>
      {words}
    </span>
  )
}

function FaultCell({ connection }: { connection: ConnectionState }) {
  const fault = faultText(connection)
  if (fault === null) return <span className="absent">–</span>
  const { title, more } = fault
  return (
    <span className="line-fault" title={title}>
      <TriangleAlert size={13} aria-hidden />
      <span className="clip">{title}</span>
      {more > 0 && <span className="muted-text">+{more}</span>}
    </span>
  )
}
