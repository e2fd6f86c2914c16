import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { IconButton } from './buttons/icon-button.tsx'
import { Isolated } from './isolated.tsx'

export interface ColumnLine<I extends string> {
  id: I
  name: string
  /** More about it, behind its name. */
  more?: ReactNode
}

interface Props<I extends string> {
  /** The shown columns in their order, and after them the others: one list, so that a toggled box keeps the focus. */
  lines: readonly ColumnLine<I>[]
  /** Number of the shown ones. The last one cannot be switched off. */
  shown: number
  onToggle: (id: I, on: boolean) => void
  onMove: (id: I, to: number) => void
}

/** The columns of a table to choose from: each with a box, the shown ones with keys and buttons that move them. */
export function ColumnLines<I extends string>({ lines, shown, onToggle, onMove }: Props<I>) {
  const [announcement, announce] = useState('')
  const move = ({ id, name }: ColumnLine<I>, to: number) => {
    if (to < 0 || to >= shown) return
    onMove(id, to)
    announce(`${name} is now column ${to + 1} of ${shown}.`)
  }
  return (
    <fieldset className="column-list">
      <legend className="sr-only">Shown columns, in their order</legend>
      {lines.map((line, index) => {
        const { id, name, more } = line
        const on = index < shown
        return (
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys are those of the buttons and the box inside
          <div
            key={id}
            className="column-line"
            onKeyDown={(event) => on && moveByKey(event, (step) => move(line, index + step))}
          >
            <label>
              <input type="checkbox" checked={on} disabled={on && shown === 1} onChange={() => onToggle(id, !on)} />
              <Isolated className="clip" title={name}>
                {name}
              </Isolated>
              {more}
            </label>
            {on && (
              <IconButton
                label={`Move ${name} forward (Alt ↑)`}
                disabled={index === 0}
                onPress={() => move(line, index - 1)}
              >
                <ArrowUp size={14} aria-hidden />
              </IconButton>
            )}
            {on && (
              <IconButton
                label={`Move ${name} back (Alt ↓)`}
                disabled={index === shown - 1}
                onPress={() => move(line, index + 1)}
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

function moveByKey(event: KeyboardEvent, move: (step: number) => void) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (step === undefined || !event.altKey) return
  event.preventDefault()
  move(step)
}
