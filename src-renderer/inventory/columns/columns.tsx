import { Eye } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { plainValues } from '../../../src-shared/model/base-fields.ts'
import type { ColumnId, DeviceRow, ExtraColumn, SortColumn } from '../../../src-shared/model/inventory.ts'
import { own } from '../../../src-shared/lib/own.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Age, Moment } from '../../lib/ui/moment.tsx'
import { DelayLeft } from '../delay.tsx'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { lastStatusText, sinceText, statusLabels } from '../../lib/format/device.ts'
import { extraName, templateOf, type ShownColumn } from './column-layout.ts'
import { columnLabel } from './labels.ts'
import type { Inventory } from '../inventory.ts'
import { isBlank, NameText } from '../../lib/ui/name-text.tsx'
import { useWatch } from '../actions/watch.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** A column of the table. `field`: the service's name for it, '' for Muster's own values. */
export interface Column {
  id: ColumnId
  head: string
  field: string
  /** Tooltip of the head. */
  title: string
  cell: (row: DeviceRow, coreLost: boolean) => ReactNode
}

interface Own {
  /** The tooltip's text besides the field name. */
  note: string
  cell: Column['cell']
}

const ownColumns: Readonly<Record<SortColumn, Own>> = {
  ...plainValues(
    (field): Own => ({ note: '', cell: (row) => <Text value={row[field]} /> }),
    (field): Own => ({ note: '', cell: (row) => <Moment at={row[field]} /> }),
  ),
  status: {
    note: 'Unknown: monitoring lost',
    cell: (row, coreLost) => <Status row={row} coreLost={coreLost} />,
  },
  name: { note: '', cell: (row) => <NameCell row={row} /> },
  since: {
    note: 'How long it has had its status; ≥ where its start was not seen. While unknown: the last known status',
    cell: (row, coreLost) => <SinceCell row={row} coreLost={coreLost} />,
  },
  seenAt: {
    note: 'Time of the last data about the device; its name and place may be older (column “Place as of”)',
    cell: (row) => <Age at={row.seenAt} />,
  },
  placedAt: {
    note: 'Time of the last data about name, site and room',
    cell: (row) => <Age at={row.placedAt} />,
  },
  room: { note: '', cell: (row) => <Text value={row.room?.name} /> },
  site: { note: '', cell: (row) => <Text value={row.site?.name} /> },
  account: { note: 'The account of its site', cell: (row) => <Text value={row.account?.name} /> },
  tenant: { note: '', cell: (row) => <Text value={row.tenant.name} /> },
  region: { note: 'It holds the tenant’s data', cell: (row) => <Text value={row.tenant.region ?? undefined} /> },
  lastDetected: { note: '', cell: (row) => <Age at={row.lastDetected} none="–" /> },
  tags: {
    note: 'Your tags of the device and the places that it is in',
    cell: (row) => <Text value={row.tags?.join(', ')} />,
  },
  note: { note: 'Your note on the device, or the nearest place with one', cell: (row) => <Text value={row.note} /> },
  id: { note: '', cell: (row) => <Text value={row.id} mono /> },
}

export function columnOf(id: ColumnId, extra: readonly ExtraColumn[]): Column {
  const { word: head, field } = columnLabel(id)
  const name = extraName(id)
  if (name === null) {
    const { note, cell } = ownColumns[id as SortColumn]
    return { id, head, field, title: titleOf(field, note), cell }
  }
  const type = extra.find((column) => column.name === name)?.type ?? 'text'
  return {
    id,
    head,
    field,
    title: titleOf(field, 'Loaded on request'),
    cell: (row) => <ExtraValue value={own(row.extra, name)} type={type} />,
  }
}

const titleOf = (field: string, note: string) =>
  [field !== '' && `Field “${field}” of the service`, note].filter(Boolean).join('. ')

/** The table's columns with the layout of the grid. */
export interface TableColumns {
  shown: readonly ShownColumn[]
  columns: readonly Column[]
  template: string
  /** Width below which the table scrolls horizontally, in CSS pixels. */
  minWidth: number
  /** Position of the second column, in CSS pixels. */
  first: number
  /** End of the sticky columns, in CSS pixels. */
  sticky: number
}

export function useTableColumns(inventory: Inventory): TableColumns {
  const { session } = useAppContext()
  const shown = useStore(inventory.columns.state)
  const extra = useStore(session.state, ({ app }) => app?.columns ?? none)
  return useMemo(
    () => ({ shown, columns: shown.map(({ id }) => columnOf(id, extra)), ...templateOf(shown) }),
    [shown, extra],
  )
}

const none: readonly ExtraColumn[] = []

/** A device's name, with an icon for the watch list. */
function NameCell({ row }: { row: DeviceRow }) {
  const { watched } = useWatch(row.key)
  return (
    <>
      {watched && <Eye className="watched-mark" size={13} role="img" aria-label="On the watch list" />}
      <NameText name={row.name} clip />
    </>
  )
}

function Text({ value, mono = false }: { value: string | undefined; mono?: boolean }) {
  if (value === undefined || isBlank(value)) return <span className="absent">–</span>
  return (
    <Isolated className={mono ? 'clip mono' : 'clip'} title={value.slice(0, 2000)}>
      {value}
    </Isolated>
  )
}

/** A value of an extra column. Undefined: not read for this device yet, which differs from having none. */
function ExtraValue({ value, type }: { value: string | null | undefined; type: ExtraColumn['type'] }) {
  if (value === undefined)
    return (
      <span className="absent" title="Not loaded for this device yet">
        not loaded
      </span>
    )
  if (value === null) return <span className="absent">–</span>
  const at = type === 'time' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? <Text value={value} /> : <Moment at={at} />
}

function Status({ row, coreLost }: { row: DeviceRow; coreLost: boolean }) {
  const status = coreLost ? 'unknown' : row.status
  return (
    <span className={`status status-${status}`}>
      <StatusMark status={status} />
      <span>{statusLabels[status]}</span>
    </span>
  )
}

/** The duration of the status, and how long its delay still runs. Without data it shows only the last known status. */
function SinceCell({ row, coreLost }: { row: DeviceRow; coreLost: boolean }) {
  const words = useTickedText((now) => sinceText(row.since, now))
  const unknown = coreLost || row.status === 'unknown'
  const last = lastStatusText(row.connected)
  if (unknown && last !== null)
    return (
      <span className="clip" title={`Last known: ${last}`}>
        was {last}
      </span>
    )
  return unknown || words === '' ? (
    <span className="absent">–</span>
  ) : (
    <span className="since-cell">
      <span className="clip" title={words}>
        {words}
      </span>
      <DelayLeft device={row.key} />
    </span>
  )
}
