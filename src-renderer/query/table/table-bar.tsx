import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { useStore } from '../../lib/store.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { shownColumns } from './choice.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { SaveTable } from './save-table.tsx'
import { ShowDevices } from './show-devices.tsx'
import type { TableProps } from './table-props.ts'
import { choose } from './choose.ts'

/** The filter, what it found, and what can be done with the rows. */
export function TableBar({ of, info, source, choice }: TableProps) {
  const problem = useStore(source.problem)
  return (
    <>
      <div className="answer-table-bar">
        <Filter filter={choice.filter} isFaulty={problem !== null} />
        <ColumnsMenu info={info} choice={choice} />
        <SaveTable of={of} source={source} choice={choice} />
        <ShowDevices of={of} info={info} source={source} choice={choice} />
      </div>
      <p className="answer-table-note" role="status">
        <Found info={info} source={source} choice={choice} />
      </p>
    </>
  )
}

/** Time without typing before the rows are asked for, ms. */
const rested = 150

function Filter({ filter, isFaulty }: { filter: string; isFaulty: boolean }) {
  const [text, setText] = useState(filter)
  const [known, setKnown] = useState(filter)
  if (filter !== known) {
    // It was changed elsewhere, or is what was typed.
    setKnown(filter)
    setText(filter)
  }
  useEffect(() => {
    if (text === filter) return undefined
    const timer = setTimeout(() => choose({ filter: text }), rested)
    return () => clearTimeout(timer)
  }, [text, filter])
  return (
    <div className="answer-table-filter" role="search">
      <input
        className="input"
        type="text"
        aria-label="Filter rows"
        aria-invalid={isFaulty}
        aria-describedby="answer-table-problem"
        placeholder="Filter: text, column:value"
        title="text, column:value, column~part, column:>5, -column:value"
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.preventDefault()
            setText('')
          } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault()
            document.getElementById('answer-table')?.focus()
          }
        }}
      />
      {text !== '' && (
        <Button className="icon-button" aria-label="Clear the filter" onPress={() => setText('')}>
          <X size={14} aria-hidden />
        </Button>
      )}
    </div>
  )
}

/** How many rows there are, and what is not among them. */
function Found({ info, source, choice }: Omit<TableProps, 'of'>) {
  const { total, pending } = useStore(source.rows.state)
  const problem = useStore(source.problem)
  const shown = shownColumns(info.columns, choice.columns).length
  const { columnCount } = info
  return (
    <>
      <span className="matches">
        {total === null || pending
          ? ' '
          : choice.filter.trim() === ''
            ? many(total, 'row')
            : `${numberText(total)} of ${many(info.rows, 'row')}`}
      </span>
      {shown < columnCount && (
        <span className="muted-text">{`${numberText(shown)} of ${many(columnCount, 'column')}`}</span>
      )}
      {columnCount > info.columns.length && (
        <span className="query-warning">{`Only the first ${many(info.columns.length, 'column')} can be shown.`}</span>
      )}
      {info.isCut && (
        <span className="query-warning">
          What is shown of the answer ends within a row: the rows before it are listed.
        </span>
      )}
      <span id="answer-table-problem" className="query-warning">
        {problem}
      </span>
    </>
  )
}
