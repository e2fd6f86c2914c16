import type { ReactNode } from 'react'
import type { Sheet, SheetRow } from '../../../src-shared/model/jobs.ts'
import { statusLabels } from '../../lib/format/device.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { DeviceList } from '../device-list.tsx'
import { callLabels, lowered, obstacleText, placeText, valuesText } from '../format.ts'
import { useSheetRows } from './use-sheet.ts'

/** The devices of a sheet: those that are left out first. */
export function SheetRows({ sheet, includeInCall }: { sheet: Sheet; includeInCall: boolean }) {
  const rows = useSheetRows(sheet.id)
  const isReboot = sheet.request.kind === 'reboot'
  const isCsv = sheet.request.kind === 'update'
  const heads = [
    ...(isCsv ? ['Line'] : []),
    'Device',
    'Site and room',
    'State',
    ...(isReboot ? ['Call'] : ['New']),
    'Action',
  ]
  const cells = (row: SheetRow): ReactNode[] => [
    ...(isCsv ? [row.line === null ? '–' : numberText(row.line)] : []),
    <NameText key="name" name={row.name} />,
    <Isolated key="place">{placeText(row)}</Isolated>,
    <span key="status" className="action-status">
      <StatusMark status={row.status} />
      {statusLabels[row.status]}
    </span>,
    isReboot ? callLabels[row.call] : <Change key="new" row={row} />,
    <Verdict key="verdict" row={row} includeInCall={includeInCall} />,
  ]
  return (
    <DeviceList
      label="Devices of the action"
      heads={heads}
      rows={rows}
      cells={cells}
      kind={isCsv ? 'csv' : 'sheet'}
      empty="No devices."
    />
  )
}

function Change({ row: { before, after } }: { row: SheetRow }) {
  const next = valuesText(after)
  return next === '' ? (
    '–'
  ) : (
    <Isolated title={`${next}\nBefore: ${valuesText(before)}`} className="action-new">
      {next}
    </Isolated>
  )
}

function Verdict({ row, includeInCall }: { row: SheetRow; includeInCall: boolean }) {
  const skipped = row.obstacle !== null && !(row.obstacle === 'in-call' && includeInCall)
  return (
    <span className="action-verdict" data-skipped={skipped}>
      {skipped && row.obstacle !== null ? `Left out: ${lowered(obstacleText(row.obstacle))}` : 'Ready'}
    </span>
  )
}
