import { Eye } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { ColumnId, DeviceRow, ExtraColumn, SortColumn } from '../../src-shared/model.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { useWords } from '../ticker.ts'
import { Age, Moment } from '../ui/moment.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { lastWord, sinceWords, statusWords } from '../words/device.ts'
import { furtherName, templateOf, type ShownColumn } from './column-layout.ts'
import type { Inventory } from './inventory.ts'
import { isBlank, NameText } from './name-text.tsx'
import { useWatch } from './watch.ts'

/** A column of the table. Heads are the service's field names, unchanged from the wire; `own` ones are Muster's. */
export interface Column {
  id: ColumnId
  head: string
  own: boolean
  /** What the head means, for its title. */
  title: string
  cell: (row: DeviceRow, blind: boolean) => ReactNode
}

type Own = Omit<Column, 'id'>

const ownColumns: Readonly<Record<SortColumn, Own>> = {
  status: { head: 'connected', own: false, title: 'The service’s field “connected”, in words. Unknown: Muster cannot see the device now', cell: (row, blind) => <Status row={row} blind={blind} /> },
  name: { head: 'name', own: false, title: 'The service’s field “name”', cell: (row) => <NameCell row={row} /> },
  since: { head: 'since', own: true, title: 'How long it has been so; ≥ where Muster did not see it begin. While unknown: how it was last known', cell: (row, blind) => <SinceCell row={row} blind={blind} /> },
  seenAt: { head: 'age', own: true, title: 'How long ago the service last said anything about the device', cell: (row) => <Age at={row.seenAt} /> },
  hardwareModel: { head: 'hardwareModel', own: false, title: 'The service’s field “hardwareModel”', cell: (row) => <Text value={row.hardwareModel} /> },
  room: { head: 'room', own: false, title: 'The service’s field “room”', cell: (row) => <Text value={row.room?.name} /> },
  site: { head: 'site', own: false, title: 'The service’s field “site”', cell: (row) => <Text value={row.site?.name} /> },
  tenant: { head: 'tenant', own: false, title: 'The tenant that the device belongs to', cell: (row) => <Text value={row.tenant.name} /> },
  region: { head: 'region', own: false, title: 'The region that holds the tenant’s data', cell: (row) => <Text value={row.tenant.region ?? undefined} /> },
  lastDetected: { head: 'lastDetected', own: false, title: 'The service’s field “lastDetected”', cell: (row) => <Age at={row.lastDetected} none="–" /> },
  lastConfigRequestDate: { head: 'lastConfigRequestDate', own: false, title: 'The service’s field “lastConfigRequestDate”', cell: (row) => <Moment at={row.lastConfigRequestDate} /> },
  id: { head: 'id', own: false, title: 'The service’s field “id”', cell: (row) => <Text value={row.id} mono /> },
}

export function columnOf(id: ColumnId, further: readonly ExtraColumn[]): Column {
  const name = furtherName(id)
  if (name === null) return { id, ...ownColumns[id as SortColumn] }
  const type = further.find((column) => column.name === name)?.type ?? 'text'
  return { id, head: name, own: false, title: `The service’s field “${name}”, read on request`, cell: (row) => <Further value={row.extra[name]} type={type} /> }
}

/** The table's columns with what the grid needs to draw them. */
export interface TableColumns {
  shown: readonly ShownColumn[]
  columns: readonly Column[]
  template: string
  /** CSS pixels under which the table scrolls sideways. */
  least: number
  /** Where the second column begins, CSS pixels. */
  first: number
  /** Where the columns end that stay in sight, CSS pixels. */
  sticky: number
}

export function useTableColumns(inventory: Inventory): TableColumns {
  const { session } = useSurroundings()
  const shown = useStore(inventory.columns.state)
  const further = useStore(session.state, ({ app }) => app?.columns ?? none)
  return useMemo(() => ({ shown, columns: shown.map(({ id }) => columnOf(id, further)), ...templateOf(shown) }), [shown, further])
}

const none: readonly ExtraColumn[] = []

/** With an eye before it for what is on the watch list. */
function NameCell({ row }: { row: DeviceRow }) {
  const { watched } = useWatch(row.key)
  return <>{watched && <Eye className="watched-mark" size={13} role="img" aria-label="On the watch list" />}<NameText name={row.name} clip /></>
}

function Text({ value, mono = false }: { value: string | undefined; mono?: boolean }) {
  if (value === undefined || isBlank(value)) return <span className="absent">–</span>
  return <bdi className={mono ? 'clip mono' : 'clip'} title={value.slice(0, 2000)}>{value}</bdi>
}

/** Undefined: not read for this device yet, which is not the same as having none. */
function Further({ value, type }: { value: string | null | undefined; type: ExtraColumn['type'] }) {
  if (value === undefined) return <span className="absent" title="Not read for this device yet">not read</span>
  if (value === null) return <span className="absent">–</span>
  const at = type === 'time' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? <Text value={value} /> : <Moment at={at} />
}

function Status({ row, blind }: { row: DeviceRow; blind: boolean }) {
  const status = blind ? 'unknown' : row.status
  return (
    <span className={`status status-${status}`}>
      <StatusMark status={status} />
      <span>{statusWords[status]}</span>
    </span>
  )
}

/** While a device cannot be seen, nothing is claimed of how long: only how it was last known. */
function SinceCell({ row, blind }: { row: DeviceRow; blind: boolean }) {
  const words = useWords((now) => sinceWords(row.since, now))
  const unknown = blind || row.status === 'unknown'
  const last = lastWord(row.connected)
  if (unknown && last !== null) return <span className="clip" title={`Last known: ${last}`}>was {last}</span>
  return unknown || words === '' ? <span className="absent">–</span> : <span className="clip" title={words}>{words}</span>
}
