import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import type { TableProps } from './table-props.ts'
import { viewOf } from './choice.ts'

/** Opens the inventory with the devices of all rows that match; there they can be saved as a view. Nothing where the rows have none. */
export function ShowDevices({ of, info, source, choice }: TableProps) {
  const { session } = useAppContext()
  const devices = useStore(source.devices)
  const column = useDeviceColumn({ info, source })
  const [fault, setFault] = useState<Fault | null>(null)
  const view = viewOf(info.columns, choice)
  const key =
    column === null || devices.size === 0 ? null : JSON.stringify([of, column, view.filter, view.columns, view.sort])
  const { value, current } = useCall(key, async () => {
    if (column === null) return null
    const answer = await session.pipe.call('query.tableDevices', {
      run: of.run,
      table: of.table,
      connection: of.connection,
      view,
      column,
    })
    setFault(answer.ok ? null : answer.fault)
    return answer.ok ? answer.value : null
  })
  if (fault !== null) return <FaultNote fault={fault} />
  if (value === null || column === null || value.devices === 0) return null
  const { devices: count, unknown, isCut, filter } = value
  const more = [
    ...(isCut ? [`The rows have more devices: a filter has at most ${numberText(count)} of these.`] : []),
    ...(unknown > 0
      ? [`${many(unknown, 'id')} of the rows ${unknown === 1 ? 'is' : 'are'} of no device in the inventory.`]
      : []),
  ].join(' ')
  return (
    <span title={more === '' ? undefined : more}>
      <Button
        className="button"
        isDisabled={!current}
        {...(more !== '' && { 'aria-description': more })}
        onPress={() => session.open({ scope: everything, filter, device: null })}
      >
        {isCut
          ? `Show the first ${many(count, 'device')}`
          : count === 1
            ? 'Show this device'
            : `Show these ${many(count, 'device')}`}
      </Button>
    </span>
  )
}

/** Returns the index of the first column that has ids of known devices in the rows that were read; null: none. */
function useDeviceColumn({ info, source }: Pick<TableProps, 'info' | 'source'>): number | null {
  const devices = useStore(source.devices)
  const { pages } = useStore(source.rows.state)
  for (const column of info.idColumns)
    for (const { rows } of pages.values())
      if (rows.some(({ cells }) => devices.has(cells.get(column)?.text ?? ''))) return column
  return null
}
