import { useVirtualizer } from '@tanstack/react-virtual'
import { CircleX, Equal, KeyRound, Pencil, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import type { ImportLine } from '../../../src-shared/model/connection.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

const words: Record<ImportLine['what'], string> = {
  add: 'add',
  change: 'change',
  unchanged: 'unchanged',
  reject: 'reject',
}
const icons = { add: Plus, change: Pencil, unchanged: Equal, reject: CircleX }
const lineHeight = 28

/** Returns for example "40 lines: 35 to add, 2 to change, 1 unchanged, 2 rejected." */
export function summary(lines: readonly ImportLine[]): string {
  const count = (wanted: ImportLine['what']) => lines.filter(({ what }) => what === wanted).length
  return `${many(lines.length, 'line')}: ${numberText(count('add'))} to add, ${numberText(count('change'))} to change,${count('unchanged') === 0 ? '' : ` ${numberText(count('unchanged'))} unchanged,`} ${numberText(count('reject'))} rejected. Nothing is stored yet.`
}

/**
 * Returns how many lines lack a secret, and what to do; '' when all have one. `stored`: the lines are already stored.
 */
export function secretsText(lines: readonly ImportLine[], stored: boolean): string {
  const lacking = lines.filter((line) => line.lacksSecret).length
  if (lacking === 0) return ''
  const subject = lacking === 1 ? '1 line has' : `${numberText(lacking)} lines have`
  if (!stored)
    return `${subject} no client_secret: ${lacking === 1 ? 'that connection' : 'those connections'} cannot sign in until you enter one.`
  return `${lacking === 1 ? 'One has' : `${numberText(lacking)} have`} no secret and cannot sign in yet: enter it under Edit.`
}

/** Returns which unknown columns are ignored; '' without any. */
export function ignoredText(ignored: readonly string[]): string {
  if (ignored.length === 0) return ''
  const named = ignored
    .slice(0, 5)
    .map((head) => `“${head}”`)
    .join(', ')
  const more = ignored.length > 5 ? ` and ${numberText(ignored.length - 5)} more` : ''
  return `${ignored.length === 1 ? 'A column is' : `${numberText(ignored.length)} columns are`} not known and will be ignored: ${named}${more}.`
}

/**
 * The result of each line. `focused`: it takes the focus, because the element that had it is gone. Only visible lines
 * are rendered.
 */
export function ImportLines({ lines, focused = false }: { lines: readonly ImportLine[]; focused?: boolean }) {
  const [rejectedOnly, setRejectedOnly] = useState(false)
  const rejected = lines.filter(({ what }) => what === 'reject')
  const shown = rejectedOnly ? rejected : lines
  const mixed = rejected.length > 0 && rejected.length < lines.length
  return (
    <>
      {mixed && (
        <ToggleButton className="button toggle" isSelected={rejectedOnly} onChange={setRejectedOnly}>
          Rejected only<span className="toggle-count">{numberText(rejected.length)}</span>
        </ToggleButton>
      )}
      <Lines lines={shown} focused={focused} />
    </>
  )
}

function Lines({ lines, focused }: { lines: readonly ImportLine[]; focused: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) box.current?.focus()
  }, [focused])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 10,
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
    <div ref={box} className="import-lines" role="table" aria-label="Lines" aria-rowcount={lines.length} tabIndex={0}>
      <div role="rowgroup" className="import-body" style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          return line === undefined ? null : (
            <Line key={index} line={line} index={index} top={start} measure={virtual.measureElement} />
          )
        })}
      </div>
    </div>
  )
}

function Line({
  line: { line, name, what, problem, lacksSecret },
  index,
  top,
  measure,
}: {
  line: ImportLine
  index: number
  top: number
  measure: (line: HTMLElement | null) => void
}) {
  const Icon = icons[what]
  return (
    <div
      ref={measure}
      data-index={index}
      className="import-line"
      role="row"
      aria-rowindex={index + 1}
      data-what={what}
      style={{ insetBlockStart: top }}
    >
      <span role="cell" className="number muted-text">
        {line}
      </span>
      <span role="cell" className="import-what">
        <Icon size={13} aria-hidden />
        {words[what]}
      </span>
      <Isolated role="cell" className="clip" title={name}>
        {name === '' ? '–' : name}
      </Isolated>
      <span role="cell" className="import-problem" data-lacks={lacksSecret}>
        {lacksSecret ? (
          <>
            <KeyRound size={13} aria-hidden />
            No secret
          </>
        ) : (
          problem
        )}
      </span>
    </div>
  )
}
