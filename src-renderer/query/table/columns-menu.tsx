import { Columns3 } from 'lucide-react'
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import { ColumnLines } from '../../lib/ui/column-lines.tsx'
import { movedColumn, shownColumns, toggledColumn, type TableChoice } from './choice.ts'
import { choose } from './choose.ts'
import type { TableInfo } from './use-tables.ts'

/** Which columns are shown, and in which order. */
export function ColumnsMenu({ info, choice }: { info: TableInfo; choice: TableChoice }) {
  return (
    <DialogTrigger>
      <Button className="button">
        <Columns3 size={14} aria-hidden />
        Columns
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="dialog small columns-dialog">
          <Heading slot="title">Columns</Heading>
          <Lines info={info} choice={choice} />
          <div className="dialog-actions">
            <Button className="button subtle" onPress={() => choose({ columns: null })}>
              Restore default columns
            </Button>
            <Button className="button" slot="close">
              Done
            </Button>
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Lines({ info, choice }: { info: TableInfo; choice: TableChoice }) {
  const shown = shownColumns(info.columns, choice.columns)
  const there = new Set(shown.map(({ name }) => name))
  const all = [...shown.map(({ name }) => name), ...info.columns.filter((name) => !there.has(name))]
  return (
    <ColumnLines
      lines={all.map((name) => ({ id: name, name }))}
      shown={shown.length}
      onToggle={(name) => choose({ columns: toggledColumn(shown, name) })}
      onMove={(name, to) => choose({ columns: movedColumn(shown, name, to) })}
    />
  )
}
