import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import type { ColumnId } from '../../../src-shared/model/inventory.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { offeredColumns, defaultColumns } from './column-layout.ts'
import { columnOf, useTableColumns, type Column } from './columns.tsx'
import { fieldOf, suggestionText } from '../../lib/format/suggested.ts'
import { ExtraColumns } from './extra-columns.tsx'
import type { Inventory } from '../inventory.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

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

/**
 * The shown columns in order, and after them the available ones. They are one list, so that a toggled checkbox keeps
 * the focus.
 */
function ShownColumns({ inventory }: { inventory: Inventory }) {
  const { columns } = useTableColumns(inventory)
  const [announcement, announce] = useState('')
  const off = useOff(columns)
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections) ?? []
  const move = ({ id, head }: Column, to: number) => {
    if (to < 0 || to >= columns.length) return
    inventory.columns.move(id, to)
    announce(`${head} is now column ${to + 1} of ${columns.length}.`)
  }
  return (
    <fieldset className="column-list">
      <legend className="sr-only">Shown columns, in their order</legend>
      {[...columns, ...off].map((column, index) => {
        const { id, head, field } = column
        const on = index < columns.length
        const offer = suggestionText(fieldOf(id), connections)
        return (
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys are those of the buttons and the box inside
          <div
            key={id}
            className="column-line"
            onKeyDown={(event) => on && moveByKey(event, (step) => move(column, index + step))}
          >
            <label>
              <input
                type="checkbox"
                checked={on}
                disabled={on && columns.length === 1}
                onChange={() => inventory.columns.toggle(id, !on)}
              />
              <Isolated className="clip" title={head}>
                {head}
              </Isolated>
              {field !== '' && field !== head.toLowerCase() && (
                <span className="field-name clip" aria-hidden="true">
                  {field}
                </span>
              )}
              {offer !== '' && <span className="absent">{offer}</span>}
            </label>
            {on && (
              <IconButton
                label={`Move ${head} forward (Alt ↑)`}
                disabled={index === 0}
                onPress={() => move(column, index - 1)}
              >
                <ArrowUp size={14} aria-hidden />
              </IconButton>
            )}
            {on && (
              <IconButton
                label={`Move ${head} back (Alt ↓)`}
                disabled={index === columns.length - 1}
                onPress={() => move(column, index + 1)}
              >
                <ArrowDown size={14} aria-hidden />
              </IconButton>
            )}
          </div>
        )
      })}
      <div className="sr-only" role="status">
        {announcement}
      </div>
    </fieldset>
  )
}

/** Returns the columns that are not shown: Muster's own, then the extra columns that are read. */
function useOff(shown: readonly Column[]): readonly Column[] {
  const { session } = useAppContext()
  const extra = useStore(session.state, ({ app }) => app?.columns) ?? []
  const there = new Set(shown.map(({ id }) => id))
  const read = extra.filter(({ on }) => on).map(({ name }): ColumnId => `extra:${name}`)
  return [...offered, ...read].filter((id) => !there.has(id)).map((id) => columnOf(id, extra))
}

function moveByKey(event: KeyboardEvent, move: (step: number) => void) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (step === undefined || !event.altKey) return
  event.preventDefault()
  move(step)
}
