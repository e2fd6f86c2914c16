import { Columns3 } from 'lucide-react'
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { ColumnLines } from '../../lib/ui/column-lines.tsx'
import { offeredColumns, defaultColumns } from './column-layout.ts'
import { columnOf, useTableColumns, type Column } from './columns.tsx'
import { fieldOf, suggestionText } from '../../lib/format/suggested.ts'
import { ExtraColumns } from './extra-columns.tsx'
import type { Inventory } from '../inventory.ts'

/** The columns of the table, their order, and the extra fields that are read. */
export function ColumnChooser({ inventory }: { inventory: Inventory }) {
  return (
    <DialogTrigger>
      <Button id="columns" className="button subtle">
        <Columns3 size={14} aria-hidden />
        <span className="button-word">Columns</span>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="dialog small columns-dialog">
          <Heading slot="title">Columns</Heading>
          <ShownColumns inventory={inventory} />
          <ExtraColumns inventory={inventory} />
          <div className="dialog-actions">
            <Button className="button subtle" onPress={inventory.columns.reset}>
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

const offered: readonly ColumnId[] = [...defaultColumns, ...offeredColumns]

function ShownColumns({ inventory }: { inventory: Inventory }) {
  const { columns } = useTableColumns(inventory)
  const off = useOff(columns)
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? []
  return (
    <ColumnLines
      lines={[...columns, ...off].map(({ id, head, field }) => ({
        id,
        name: head,
        more: <More head={head} field={field} offer={suggestionText(fieldOf(id), connections)} />,
      }))}
      shown={columns.length}
      onToggle={(id, on) => inventory.columns.toggle(id, on)}
      onMove={(id, to) => inventory.columns.move(id, to)}
    />
  )
}

const More = ({ head, field, offer }: { head: string; field: string; offer: string }) => (
  <>
    {field !== '' && field !== head.toLowerCase() && (
      <span className="field-name clip" aria-hidden="true">
        {field}
      </span>
    )}
    {offer !== '' && <span className="absent">{offer}</span>}
  </>
)

/** Returns the columns that are not shown: Muster's own, then the extra columns that are read. */
function useOff(shown: readonly Column[]): readonly Column[] {
  const { session } = useAppContext()
  const extra = useStore(session.state, ({ app }) => app?.columns) ?? []
  const there = new Set(shown.map(({ id }) => id))
  const read = extra.filter(({ on }) => on).map(({ name }): ColumnId => `extra:${name}`)
  return [...offered, ...read].filter((id) => !there.has(id)).map((id) => columnOf(id, extra))
}
