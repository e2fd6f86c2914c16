import { memo } from 'react'
import { ArrowDown, ArrowUp, Pause, TriangleAlert } from 'lucide-react'
import { Cell, Column as HeadCell, Row, Table, TableBody, TableHeader, type SortDescriptor } from 'react-aria-components'
import { explain } from '../../src-shared/fault.ts'
import type { ConnectionState } from '../../src-shared/model.ts'
import { LinkMark } from '../status/link-mark.tsx'
import { useWaitsForOperator } from '../status/waits-for-operator.ts'
import { useWords } from '../ticker.ts'
import { Age } from '../ui/moment.tsx'
import { connectionWords, linksTone, syncWords } from '../words/link.ts'
import { worstFault } from '../words/trouble.ts'
import type { Column, Listing } from './listing.ts'

interface Props {
  /** In the order of the listing. */
  connections: readonly ConnectionState[]
  listing: Listing
  chosen: string | null
  /** The core cannot be reached: nothing is claimed of the links. */
  blind: boolean
  onSort: (column: Column, direction: Listing['direction']) => void
  onChoose: (id: string) => void
}

const heads: readonly { column: Column; word: string }[] = [
  { column: 'name', word: 'Name' }, { column: 'link', word: 'Link' }, { column: 'reading', word: 'Last full reading' },
  { column: 'event', word: 'Last event' }, { column: 'fault', word: 'Trouble' },
]

/** One line for each connection; the arrows choose the one whose particulars lie beside. Drawn when something about it changes, and no sooner. */
export const ConnectionList = memo(List)

function List({ connections, listing, chosen, blind, onSort, onChoose }: Props) {
  const sorted = ({ column, direction }: SortDescriptor) => onSort(column as Column, direction)
  return (
    <Table
      className="lines" aria-label="Connections" selectionMode="single" selectionBehavior="replace" disallowEmptySelection
      selectedKeys={chosen === null ? [] : [chosen]} onSelectionChange={(keys) => [...keys].forEach((key) => onChoose(String(key)))}
      sortDescriptor={{ column: listing.column, direction: listing.direction }} onSortChange={sorted}
    >
      <TableHeader>
        {heads.map(({ column, word }) => (
          <HeadCell key={column} id={column} className="lines-head" isRowHeader={column === 'name'} allowsSorting>
            {({ sortDirection }) => <>{word}{sortDirection === 'ascending' && <ArrowUp size={12} aria-hidden />}{sortDirection === 'descending' && <ArrowDown size={12} aria-hidden />}</>}
          </HeadCell>
        ))}
      </TableHeader>
      <TableBody items={connections} dependencies={[blind]} renderEmptyState={() => <p className="lines-none">No connection matches.</p>}>
        {(connection) => <Line connection={connection} blind={blind} />}
      </TableBody>
    </Table>
  )
}

function Line({ connection, blind }: { connection: ConnectionState; blind: boolean }) {
  const { id, name, demo, lastReadingAt, lastEventAt } = connection
  return (
    <Row id={id} className="line" textValue={name}>
      <Cell className="line-name"><bdi className="clip" title={name}>{name}</bdi>{demo && <span className="tag">DEMO</span>}</Cell>
      <Cell><LinkCell connection={connection} blind={blind} /></Cell>
      <Cell><Reading connection={connection} at={lastReadingAt} blind={blind} /></Cell>
      <Cell><Age at={lastEventAt} none="none yet" /></Cell>
      <Cell><FaultCell connection={connection} /></Cell>
    </Row>
  )
}

function LinkCell({ connection, blind }: { connection: ConnectionState; blind: boolean }) {
  const words = useWords((now) => (blind ? 'Not known' : connectionWords(connection, now).replace('Waiting, next', 'Next')))
  return (
    <span className="line-link">
      {connection.paused ? <Pause className="mark link-none" size={12} aria-hidden /> : <LinkMark tone={blind ? 'none' : linksTone([connection])} />}
      <span className="clip">{words}</span>
    </span>
  )
}

function Reading({ connection, at, blind }: { connection: ConnectionState; at: number | null; blind: boolean }) {
  const waits = useWaitsForOperator(connection)
  const words = useWords((now) => (blind || connection.paused ? '' : syncWords(connection.sync, now, waits)))
  return words === '' ? <Age at={at} none="none yet" /> : <span className="clip" title={words}>{words}</span>
}

function FaultCell({ connection }: { connection: ConnectionState }) {
  const worst = worstFault(connection)
  if (worst === null) return <span className="absent">–</span>
  const { title } = explain(worst)
  const more = connection.faults.length - 1
  return <span className="line-fault" title={title}><TriangleAlert size={13} aria-hidden /><span className="clip">{title}</span>{more > 0 && <span className="quiet-text">+{more}</span>}</span>
}
