import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
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

/** The shown columns in their order, and the others after them: one list, so that a toggled box keeps the focus. */
function Lines({ info, choice }: { info: TableInfo; choice: TableChoice }) {
  const [announcement, announce] = useState('')
  const shown = shownColumns(info.columns, choice.columns)
  const there = new Set(shown.map(({ name }) => name))
  const all = [...shown.map(({ name }) => name), ...info.columns.filter((name) => !there.has(name))]
  const move = (name: string, to: number) => {
    if (to < 0 || to >= shown.length) return
    choose({ columns: movedColumn(shown, name, to) })
    announce(`${name} is now column ${to + 1} of ${shown.length}.`)
  }
  return (
    <fieldset className="column-list">
      <legend className="sr-only">Shown columns, in their order</legend>
      {all.map((name, index) => {
        const isOn = index < shown.length
        return (
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys are those of the buttons and the box inside
          <div
            key={name}
            className="column-line"
            onKeyDown={(event) => isOn && byKey(event, (step) => move(name, index + step))}
          >
            <label>
              <input
                type="checkbox"
                checked={isOn}
                disabled={isOn && shown.length === 1}
                onChange={() => choose({ columns: toggledColumn(shown, name) })}
              />
              <Isolated className="clip" title={name}>
                {name}
              </Isolated>
            </label>
            {isOn && (
              <IconButton
                label={`Move ${name} forward (Alt ↑)`}
                disabled={index === 0}
                onPress={() => move(name, index - 1)}
              >
                <ArrowUp size={14} aria-hidden />
              </IconButton>
            )}
            {isOn && (
              <IconButton
                label={`Move ${name} back (Alt ↓)`}
                disabled={index === shown.length - 1}
                onPress={() => move(name, index + 1)}
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

function byKey(event: KeyboardEvent, move: (step: number) => void): void {
  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
  if (step === 0 || !event.altKey) return
  event.preventDefault()
  move(step)
}
