import type { ReactNode } from 'react'
import type { DeviceRow, SortColumn } from '../../src-shared/model.ts'
import { useWords } from '../ticker.ts'
import { Age, Moment } from '../ui/moment.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { lastWord, sinceWords, statusWords } from '../words/device.ts'

/** A column of the table. Heads are the service's field names, unchanged from the wire; `own` ones are Muster's. */
export interface Column {
  head: string
  sort: SortColumn
  own: boolean
  /** What the head means, for its title. */
  title: string
  width: string
  /** Figures and times stand to the right edge of their column. */
  cell: (row: DeviceRow, blind: boolean) => ReactNode
}

export const columns: readonly Column[] = [
  { head: 'connected', sort: 'status', own: false, title: 'The service’s field “connected”, in words. Unknown: Muster cannot see the device now.', width: '104px', cell: (row, blind) => <Status row={row} blind={blind} /> },
  { head: 'name', sort: 'name', own: false, title: 'The service’s field “name”', width: 'minmax(220px, 1.9fr)', cell: (row) => <Text value={row.name} /> },
  { head: 'since', sort: 'since', own: true, title: 'How long it has been so; ≥ where Muster did not see it begin. While unknown: how it was last known', width: '112px', cell: (row, blind) => <SinceCell row={row} blind={blind} /> },
  { head: 'age', sort: 'seenAt', own: true, title: 'How long ago the service last said anything about the device', width: '104px', cell: (row) => <Age at={row.seenAt} /> },
  { head: 'hardwareModel', sort: 'hardwareModel', own: false, title: 'The service’s field “hardwareModel”', width: 'minmax(130px, 0.9fr)', cell: (row) => <Text value={row.hardwareModel} /> },
  { head: 'room', sort: 'room', own: false, title: 'The service’s field “room”', width: 'minmax(112px, 0.9fr)', cell: (row) => <Text value={row.room?.name} /> },
  { head: 'site', sort: 'site', own: false, title: 'The service’s field “site”', width: 'minmax(132px, 1fr)', cell: (row) => <Text value={row.site?.name} /> },
  { head: 'tenant', sort: 'tenant', own: false, title: 'The tenant that the device belongs to', width: 'minmax(136px, 1fr)', cell: (row) => <Text value={row.tenant.name} /> },
  { head: 'region', sort: 'region', own: false, title: 'The region that holds the tenant’s data', width: '70px', cell: (row) => <Text value={row.tenant.region ?? undefined} /> },
  { head: 'lastDetected', sort: 'lastDetected', own: false, title: 'The service’s field “lastDetected”', width: '118px', cell: (row) => <Age at={row.lastDetected} none="–" /> },
  { head: 'lastConfigRequestDate', sort: 'lastConfigRequestDate', own: false, title: 'The service’s field “lastConfigRequestDate”', width: '164px', cell: (row) => <Moment at={row.lastConfigRequestDate} /> },
]

export const columnTemplate = columns.map(({ width }) => width).join(' ')

function Text({ value }: { value: string | undefined }) {
  if (value === undefined || value === '') return <span className="absent">–</span>
  return <bdi className="clip" title={value.slice(0, 2000)}>{value}</bdi>
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
  if (unknown && last !== null) return <span className="clip">was {last}</span>
  return unknown || words === '' ? <span className="absent">–</span> : <span className="clip">{words}</span>
}
